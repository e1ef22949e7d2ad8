// How uncertain the result of a function is, given how uncertain its arguments are. Linear where it can be.

import {
  divide,
  numberNear,
  numberNearest,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import { isNumeric, scaleOf } from "@dosimeter/proof/functions/numeric-domain"
import { isNoDivisor } from "../values/call-arithmetic.ts"
import { nullConstant } from "../values/doubles.ts"
import { quotientRange, rangeOfCall, type RangedCall } from "./range-of-call.ts"
import { anything } from "../cells/range.ts"
import { searchedTermsMax } from "./ratio-search.ts"
import {
  addLinear,
  linearOf,
  negateLinear,
  roundedLinear,
  scaleLinear,
  sliceOf,
  spreadOfLinear,
  vague,
  withLeftOut,
  type LinearNumber,
  type RatioPart,
  type RatioSpread,
  type Spread,
} from "../cells/spread.ts"
import { cellOf, type Cell } from "../cells/table.ts"

/** The spread of a call; undefined if no argument has one. */
export function spreadOfCall(call: RangedCall): Spread | undefined {
  const { args, types, name } = call
  if (args.every(({ spread }) => spread === undefined)) return undefined
  // Of dates only a sum of days has a range, that of a quantile.
  if (!isNumeric(types.result)) return name === "add-days" ? derived(call) : vague
  if (isStrict(name) && args.some(isPublicNull)) return undefined
  const linear = linearCall(call)
  if (linear !== undefined) {
    return linear === "exact"
      ? undefined
      : spreadOfLinear(types.result.kind === "float" ? roundedLinear(linear) : linear)
  }
  return name === "divide" ? quotientSpread(call) : derived(call)
}

/** The spread of a function of cells, of which at least one has one. */
function derived(call: RangedCall): Spread {
  return {
    kind: "derived",
    inputs: sliceOf(call.args),
    combine: (ranges) => rangeOfCall(call, ranges),
  }
}

/** Whether NULL in one argument makes NULL of the whole. */
function isStrict(name: RangedCall["name"]): boolean {
  return name !== "coalesce" && name !== "greatest" && name !== "least" && name !== "nullif"
}

function isPublicNull({ value, spread }: Cell): boolean {
  return spread === undefined && value.kind === "null"
}

/** The result as a linear number; "exact" if it has no noise after all; undefined if it is not linear. */
function linearCall({ name, types, args }: RangedCall): LinearNumber | "exact" | undefined {
  const [first, second] = args
  const a = first === undefined ? undefined : linearOf(first)
  const b = second === undefined ? undefined : linearOf(second)
  switch (name) {
    case "add":
      return a === undefined || b === undefined ? undefined : addLinear(a, b)
    case "subtract":
      return a === undefined || b === undefined ? undefined : addLinear(a, negateLinear(b))
    case "negate":
      return a === undefined ? undefined : negateLinear(a)
    case "multiply":
      if (a === undefined || b === undefined) return undefined
      if (b.form === undefined) return scaleLinear(a, inType(b.centre, types.result.kind))
      return a.form === undefined ? scaleLinear(b, inType(a.centre, types.result.kind)) : undefined
    case "divide":
      if (a === undefined || b === undefined || b.form !== undefined) return undefined
      if (isNoDivisor(b.centre, types)) return "exact"
      if (types.result.kind !== "float") return undefined
      return scaleLinear(a, divide(rational(1n), inType(b.centre, "float")))
    case "cast":
      return a !== undefined && isWidening(types) ? a : undefined
    case "coalesce":
      return firstSure(args, types.result.kind)
    case "nullif":
      return a === undefined || a.form === undefined ? undefined : { ...a, mayBeNull: true }
    default:
      return undefined
  }
}

function inType(value: Rational, kind: string): Rational {
  return kind === "float" ? rationalOfNumber(numberNearest(value)) : value
}

/** Nothing is rounded off, but for the last digit of a double. */
function isWidening({ types: [from], result }: RangedCall["types"]): boolean {
  if (from === undefined || !isNumeric(from) || !isNumeric(result)) return false
  if (result.kind === "float") return true
  return from.kind !== "float" && scaleOf(from) <= scaleOf(result)
}

/** Of COALESCE, the first argument that is not NULL without noise, if it can be no other. */
function firstSure(args: readonly Cell[], _kind: string): LinearNumber | undefined {
  const first = args.find((cell) => !isPublicNull(cell))
  const linear = first === undefined ? undefined : linearOf(first)
  return linear === undefined || linear.mayBeNull ? undefined : linear
}

/**
 * A quotient with a noisy divisor: Fieller's interval, or that of the two ranges if there are too many draws.
 */
function quotientSpread(call: RangedCall): Spread {
  const [first, second] = call.args
  const top = first === undefined ? undefined : linearOf(first)
  const bottom = second === undefined ? undefined : linearOf(second)
  if (top === undefined || bottom === undefined) return derived(call)
  if (bottom.form === undefined) {
    // A quotient of integers, cut: by a constant it would be linear but for that.
    const whole = spreadOfLinear(scaleLinear(top, divide(rational(1n), bottom.centre)))
    return whole === undefined ? vague : cutToInteger(call, whole)
  }
  const forms = [top.form, bottom.form].filter((form) => form !== undefined)
  const terms = forms.reduce((sum, { tree }) => sum + tree.sums.terms, 0)
  const hasTails = forms.some(({ tree }) => tree.sums.laplace.terms > 0)
  const isRounded = [top, bottom].some(({ slack, centre }) => slack > Math.abs(numberNear(centre)) * 2 ** -40)
  if ((hasTails || isRounded) && terms > searchedTermsMax) return derived(call)
  const ratio: RatioSpread = {
    kind: "ratio",
    top: { ...partOf(top), form: top.form },
    bottom: { ...partOf(bottom), form: bottom.form },
    mayBeNull: top.mayBeNull || bottom.mayBeNull,
    fromZero: top.fromZero && bottom.fromZero,
  }
  return call.types.result.kind === "float" ? ratio : cutToInteger(call, ratio)
}

function partOf({ centre, slack, leftOut }: LinearNumber): RatioPart {
  return { centre, slack, ...withLeftOut(leftOut) }
}

function cutToInteger(call: RangedCall, spread: Spread): Spread {
  return {
    kind: "derived",
    inputs: sliceOf([cellOf(nullConstant, spread, "released")]),
    combine: ([range = anything]) => quotientRange(call, range),
  }
}
