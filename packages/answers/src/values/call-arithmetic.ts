// + - * / % and their kin on values: exact for integers and decimals, in doubles where the result is a float.

import {
  add,
  compare,
  divide,
  multiply,
  negate,
  numberNearest,
  rational,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import { leastDivisor } from "@dosimeter/proof/functions/arithmetic"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { floatConstant, nullConstant, numberConstant, wholeConstant } from "./doubles.ts"
import type { CallTypes, ValueFunction } from "./value-function.ts"

interface Binary {
  readonly exact: (a: Rational, b: Rational) => Rational
  readonly float: (a: number, b: number) => number
}

function binary({ exact, float }: Binary): ValueFunction {
  return ([left = nullConstant, right = nullConstant], { result }) => {
    if (left.kind !== "number" || right.kind !== "number") return nullConstant
    return result.kind === "float"
      ? floatConstant(float(numberNearest(left.value), numberNearest(right.value)))
      : numberConstant(exact(left.value, right.value))
  }
}

function quotient(
  [left = nullConstant, right = nullConstant]: readonly Constant[],
  call: CallTypes,
): Constant {
  if (left.kind !== "number" || right.kind !== "number") return nullConstant
  if (isNoDivisor(right.value, call)) return nullConstant
  if (call.result.kind === "float") {
    return floatConstant(numberNearest(left.value) / numberNearest(right.value))
  }
  return wholeConstant(towardZero(divide(left.value, right.value)))
}

/** 0, or a float that counts as 0. */
export function isNoDivisor(value: Rational, { types }: CallTypes): boolean {
  if (value.numerator === 0n) return true
  return types[1]?.kind === "float" && compare(sizeOf(value), leastDivisor) < 0
}

/** The sign of the dividend, as in every database. */
function remainder([left = nullConstant, right = nullConstant]: readonly Constant[]): Constant {
  if (left.kind !== "number" || right.kind !== "number" || right.value.numerator === 0n) return nullConstant
  const whole = rational(towardZero(divide(left.value, right.value)))
  return numberConstant(subtract(left.value, multiply(right.value, whole)))
}

/** The number less its part after the point. */
export function towardZero({ numerator, denominator }: Rational): bigint {
  return numerator / denominator
}

/** |a|. */
export function sizeOf(value: Rational): Rational {
  return value.numerator < 0n ? negate(value) : value
}

/** A function of one number that needs no rounding. */
function unary(apply: (value: Rational) => Rational): ValueFunction {
  return ([value = nullConstant]) =>
    value.kind === "number" ? numberConstant(apply(value.value)) : nullConstant
}

/** The functions of this family. */
export const arithmeticFunctions = {
  add: binary({ exact: add, float: (a, b) => a + b }),
  subtract: binary({ exact: subtract, float: (a, b) => a - b }),
  multiply: binary({ exact: multiply, float: (a, b) => a * b }),
  divide: quotient,
  modulo: remainder,
  negate: unary(negate),
  abs: unary(sizeOf),
  sign: unary(({ numerator }) => rational(numerator < 0n ? -1n : numerator > 0n ? 1n : 0n)),
} satisfies Record<string, ValueFunction>
