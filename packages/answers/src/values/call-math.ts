// Rounding, roots, powers and logarithms on values.

import {
  ceil,
  compare,
  divide,
  floor,
  multiply,
  numberNearest,
  rational,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { leastDivisor } from "@dosimeter/proof/functions/arithmetic"
import { exponentMin, roundHalfAway } from "@dosimeter/proof/functions/math"
import { scaleOf } from "@dosimeter/proof/functions/numeric-domain"
import { sizeOf, towardZero } from "./call-arithmetic.ts"
import { floatConstant, nullConstant, numberConstant, wholeConstant } from "./doubles.ts"
import { floatInUnits } from "./float-digits.ts"
import type { CallTypes, ValueFunction } from "./value-function.ts"

/** floor, ceil, and trunc or round to no digits. */
function toWhole(whole: (value: Rational) => bigint, ofFloat = whole): ValueFunction {
  return ([value = nullConstant], { types }) => {
    if (value.kind !== "number") return nullConstant
    return wholeConstant((types[0]?.kind === "float" ? ofFloat : whole)(value.value))
  }
}

/** To digits after the point, or before it if they are negative. */
function toDigits(whole: (value: Rational) => bigint, ofFloat: (value: Rational) => bigint): ValueFunction {
  return (values, call) => {
    const [value = nullConstant, digits] = values
    if (digits === undefined) return toWhole(whole, ofFloat)(values, call)
    if (value.kind !== "number" || digits.kind !== "number") return nullConstant
    return numberConstant(rounded(value.value, Number(digits.value.numerator), { whole, call }))
  }
}

function rounded(
  value: Rational,
  digits: number,
  { whole, call }: { readonly whole: (value: Rational) => bigint; readonly call: CallTypes },
): Rational {
  const [type] = call.types
  // To no digits it is a cast to an integer, which has halves go to even.
  if (type?.kind === "float")
    return digits === 0 ? rational(roundHalfEven(value)) : floatInUnits(numberNearest(value), digits)
  if ((type?.kind === "integer" || type?.kind === "decimal") && digits >= scaleOf(type)) return value
  const step = digits >= 0 ? rational(1n, 10n ** BigInt(digits)) : rational(10n ** BigInt(-digits))
  return multiply(rational(whole(divide(value, step))), step)
}

/** The nearest whole number, halves to the even one: what processors do with doubles. */
export function roundHalfEven(value: Rational): bigint {
  const below = floor(value)
  const rest = compare(subtract(value, rational(below)), rational(1n, 2n))
  if (rest !== 0) return rest < 0 ? below : below + 1n
  return below % 2n === 0n ? below : below + 1n
}

/** A function of one double; undefined where it has no real value. */
function ofDouble(apply: (value: number) => number | undefined): ValueFunction {
  return ([value = nullConstant]) => {
    if (value.kind !== "number") return nullConstant
    const result = apply(numberNearest(value.value))
    return result === undefined ? nullConstant : floatConstant(result)
  }
}

function power(
  [base = nullConstant, exponent = nullConstant]: readonly Constant[],
  { types }: CallTypes,
): Constant {
  if (base.kind !== "number" || exponent.kind !== "number") return nullConstant
  const least = types[0]?.kind === "float" ? leastDivisor : rational(0n)
  const isTiny = base.value.numerator === 0n || compare(sizeOf(base.value), least) < 0
  if (isTiny && exponent.value.numerator < 0n) return nullConstant
  if (base.value.numerator < 0n && exponent.value.denominator !== 1n) return nullConstant
  const [x, y] = [numberNearest(base.value), numberNearest(exponent.value)]
  // What would be below 1e-299 is 0.
  return x !== 0 && y * Math.log(Math.abs(x)) < -690 ? floatConstant(0) : floatConstant(Math.pow(x, y))
}

/** The functions of this family. */
export const mathFunctions = {
  round: toDigits(roundHalfAway, roundHalfEven),
  trunc: toDigits(towardZero, towardZero),
  floor: toWhole(floor),
  ceil: toWhole(ceil),
  sqrt: ofDouble((value) => (value < 0 ? undefined : Math.sqrt(value))),
  exp: ofDouble((value) => (value < exponentMin ? 0 : Math.exp(value))),
  ln: ofDouble((value) => (value <= 0 ? undefined : Math.log(value))),
  log10: ofDouble((value) => (value <= 0 ? undefined : Math.log10(value))),
  power,
} satisfies Record<string, ValueFunction>
