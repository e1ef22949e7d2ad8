// Whole steps of a grid, and shares of sums: the integers that are added up at a boundary. Written so that
// rounding and clamping are exact for integers and decimals, and never fail for any float.

import { assert } from "@dosimeter/core/errors"
import {
  compare,
  divide,
  floor,
  ceil,
  maximum,
  multiply,
  negate,
  rational,
  type Rational,
} from "@dosimeter/core/exact"
import type { Domain } from "../catalog/domain.ts"
import { assertHeld, castWithin } from "../spell/held-type.ts"
import { isDouble, writeDecimal, writeDouble, writeInteger, writeNumber } from "../spell/literal.ts"
import { isNoResult } from "../functions/no-result.ts"
import { isNumeric, scaleOf, type NumericType } from "../functions/numeric-domain.ts"
import { wholeQuotient, withoutUnderflow } from "../spell/spell-arithmetic.ts"
import { exactCast } from "../spell/spell-math.ts"
import { coerce, storedType, widest, type Stored } from "../spell/stored.ts"
import { unionDomain } from "../functions/union-domain.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import type { ShareExpr, StepsExpr } from "../algebra/expr.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"

const integer = { kind: "integer" } as const
const float = { kind: "float" } as const
/** Below this many steps a quotient of doubles is less than half a step away from the truth. */
const exactStepsMax = 2n ** 50n
const decimalMax = rational(10n ** 37n)
/** Decimals below this in size are stored in 64 bits. */
const shortMax = rational(10n ** 18n)

/** round(operand / grid) between two bounds; `text` is the operand. NULL for NULL. */
export function printSteps(steps: StepsExpr, text: string, dialect: DialectSpelling): string {
  const { operand, grid, lower, upper, domain } = steps
  const { type } = operand.domain
  assert(lower <= upper && grid.numerator > 0n, "steps have an order and a size")
  if (type.kind === "null") return `CAST(NULL AS ${storedType(domain, dialect)})`
  assert(isNumeric(type), "steps are of a number")
  if (type.kind === "float") return floatSteps(steps, text, dialect)
  const compared = comparedWith(steps, { text, type, dialect })
  const multiple = multipleBranches(steps, text, { compared, dialect })
  if (multiple !== undefined) return `CASE ${multiple} END`
  // On the values that the type has, x <= lower * grid is the same as x <= the last value below it.
  const scale = 10n ** BigInt(scaleOf(type))
  const low = rational(floor(multiply(rational(lower * scale), grid)), scale)
  const high = rational(ceil(multiply(rational(upper * scale), grid)), scale)
  const middle = exactMiddle(steps, { text, type, ends: { low, high }, dialect })
  if (middle === undefined) {
    return floatSteps(steps, coerce(text, { from: operand.domain, to: { type: float } }, dialect), dialect)
  }
  const [least, most] = [endText(lower, domain, dialect), endText(upper, domain, dialect)]
  // What is inside comes first, since most values are: put between the ends again after it was computed.
  const inside = `${compared(">", low)} AND ${compared("<", high)} THEN ${between(middle, least, most)}`
  return `CASE WHEN ${inside} WHEN ${compared(">=", high)} THEN ${most} WHEN ${compared("<=", low)} THEN ${least} END`
}

/**
 * COALESCE(steps, otherwise) in one CASE, where steps are whole multiples of an integer; `otherwise` has the
 * type that steps are stored in. Undefined for other steps.
 *
 * No branch gives NULL for a number: its product is cast to types that hold all of the branch, whose ends are
 * constants, or to wider ones. So the CASE without ELSE is NULL just where no condition holds, and there this
 * one gives `otherwise`.
 */
export function printStepsOr(
  steps: StepsExpr,
  { text, otherwise }: { readonly text: string; readonly otherwise: string },
  dialect: DialectSpelling,
): string | undefined {
  const { type } = steps.operand.domain
  if (type.kind !== "integer") return undefined
  const compared = comparedWith(steps, { text, type, dialect })
  const multiple = multipleBranches(steps, text, { compared, dialect })
  return multiple === undefined ? undefined : `CASE ${multiple} ELSE ${otherwise} END`
}

type Comparison = (operator: string, bound: Rational) => string

/**
 * The branches of steps that are an integer times a whole number. Between the first and the last number whose
 * multiples are inside nothing has to be put between the ends again: that follows from the constants that are
 * compared with, for every number that passes them.
 */
function multipleBranches(
  steps: StepsExpr,
  text: string,
  { compared, dialect }: { readonly compared: Comparison; readonly dialect: DialectSpelling },
): string | undefined {
  const { operand, grid, lower, upper, domain } = steps
  const { type } = operand.domain
  if (type.kind !== "integer" || grid.numerator !== 1n) return undefined
  const [low, high] = [multiply(rational(lower), grid), multiply(rational(upper), grid)]
  const [below, first] = [rational(floor(low)), rational(ceil(low))]
  const [last, above] = [rational(floor(high)), rational(ceil(high))]
  const middle = exactMiddle(steps, { text, type, ends: { low: below, high: above }, dialect })
  if (middle === undefined) return undefined
  // What is inside comes first, since most values are.
  return [
    `WHEN ${compared(">=", first)} AND ${compared("<=", last)} THEN ${middle}`,
    `WHEN ${compared(">=", above)} THEN ${endText(upper, domain, dialect)}`,
    `WHEN ${compared("<=", below)} THEN ${endText(lower, domain, dialect)}`,
  ].join(" ")
}

function comparedWith(
  { operand }: StepsExpr,
  {
    text,
    type,
    dialect,
  }: { readonly text: string; readonly type: NumericType; readonly dialect: DialectSpelling },
): Comparison {
  return (operator, bound) => comparison(text, operator, { bound, operand: operand.domain, type, dialect })
}

/** A value that is not NULL, between two ends. */
function between(text: string, least: string, most: string): string {
  return `GREATEST(${least}, LEAST(${most}, ${text}))`
}

interface Compared {
  readonly bound: Rational
  readonly operand: Domain
  readonly type: NumericType
  readonly dialect: DialectSpelling
}

/** x compared with a constant, both in one stored type. */
function comparison(text: string, operator: string, { bound, operand, type, dialect }: Compared): string {
  const from = literalDomain({ kind: "number", value: bound }, type)
  const common = unionDomain([operand, from], "steps")
  assert(!isNoResult(common), "a bound of steps can be compared with the operand")
  const constant = coerce(writeNumber(bound, type, dialect), { from, to: common }, dialect)
  return `${coerce(text, { from: operand, to: common }, dialect)} ${operator} ${constant}`
}

interface Middle {
  readonly text: string
  readonly type: NumericType
  /** What the operand is between, where the middle is computed. */
  readonly ends: { readonly low: Rational; readonly high: Rational }
  readonly dialect: DialectSpelling
}

/** Between the ends: times 1 / grid, rounded by a cast. Undefined if that takes too many digits. */
function exactMiddle(
  { operand, grid, lower, upper, domain }: StepsExpr,
  { text, type, ends, dialect }: Middle,
): string | undefined {
  const inverse = divide(rational(1n), grid)
  const digits = decimalDigits(inverse)
  if (digits === undefined) return undefined
  if (type.kind === "integer" && digits === 0) {
    // Inside the ends the operand is no larger than they are: a narrow type is faster to multiply in.
    const reach = maximum(maximum(ends.low, negate(ends.low)), maximum(ends.high, negate(ends.high)))
    const all = sizeOf(operand.domain)
    const size = compare(reach, all) < 0 ? reach : all
    const product = multiply(size, inverse)
    if (compare(product, decimalMax) >= 0) return undefined
    const wide = widest(integer, [pointRange(product), pointRange(size), pointRange(inverse), domain.range])
    const x = inType(text, { from: operand.domain, size, to: wide }, dialect)
    const times = inverse.numerator === 1n ? x : `(${x} * ${coerceInteger(inverse.numerator, wide, dialect)})`
    return castUnlessSame(times, storedType(wide, dialect), storedType(domain, dialect))
  }
  const scale = scaleOf(type)
  const steps = maximum(
    maximum(rational(lower), negate(rational(lower))),
    maximum(rational(upper), negate(rational(upper))),
  )
  const units = rational(10n ** BigInt(scale + digits))
  // The factor by itself must fit as well: nothing times a wide number is short.
  const reach = maximum(maximum(multiply(sizeOf(operand.domain), inverse), inverse), steps)
  if (compare(multiply(reach, units), decimalMax) >= 0) return undefined
  const width = compare(multiply(reach, units), shortMax) < 0 ? 18 : 38
  const wide = (places: number): string => dialect.types.decimal(width, places)
  const x =
    dialect.types.oneDecimal && storedType(operand.domain, dialect) === wide(scale)
      ? text
      : castWithin(text, operand.domain.range, { type: wide(scale), dialect })
  const factor = castWithin(writeDecimal(inverse, digits, dialect), pointRange(inverse), {
    type: wide(digits),
    dialect,
  })
  const times = `(${x} * ${factor})`
  return exactCast(times, domain, dialect)
}

/** A number that is no larger than `size` in another type, narrower or wider. */
function inType(
  text: string,
  { from, size, to }: { readonly from: Domain; readonly size: Rational; readonly to: Stored },
  dialect: DialectSpelling,
): string {
  const stored = storedType(to, dialect)
  if (compare(size, sizeOf(from)) >= 0) return coerce(text, { from, to }, dialect)
  assertHeld(pointRange(size), stored)
  return castUnlessSame(text, storedType(from, dialect), stored)
}

/** How many digits after the point a number has; undefined for more than twelve. */
function decimalDigits({ denominator }: Rational): number | undefined {
  for (let digits = 0; digits <= 12; digits += 1)
    if (10n ** BigInt(digits) % denominator === 0n) return digits
  return undefined
}

/**
 * In doubles. Each condition is asked for by itself, so that what is no number falls through all of them or
 * is as large as it gets: no cast ever sees it.
 */
function floatSteps(
  { operand, grid, lower, upper, domain }: StepsExpr,
  text: string,
  dialect: DialectSpelling,
): string {
  const { roundAway, nearestWhole } = dialect.numbers
  const [low, high] = [lower, upper].map((end) => writeDouble(multiply(rational(end), grid), dialect))
  const inverse = divide(rational(1n), grid)
  const x = withoutUnderflow(text, operand.domain, dialect)
  const quotient = isDouble(inverse)
    ? `(${x} * ${writeDouble(inverse, dialect)})`
    : `(${x} / ${writeDouble(grid, dialect)})`
  const [least, most] = [endText(lower, domain, dialect), endText(upper, domain, dialect)]
  const size = sizeOfBounds(lower, upper)
  if (nearestWhole !== undefined && size < exactStepsMax) {
    // In the middle of the bounds: what is not inside is beyond one of them.
    const middle = writeDouble(multiply(rational(lower + upper, 2n), grid), dialect)
    const sides = { isAbove: `${text} > ${middle}`, isBelow: `${text} <= ${middle}` }
    const whole = nearestWhole(quotient, storedType(domain, dialect))
    return wholeSteps({ whole, least: lower, most: upper, domain, ...sides }, dialect)
  }
  const middle =
    size < exactStepsMax
      ? between(`CAST(${roundAway(quotient)} AS ${storedType(domain, dialect)})`, least, most)
      : clampedMiddle(roundAway(quotient), { size, least, most, domain, dialect })
  return `CASE WHEN ${text} <= ${low} THEN ${least} WHEN ${text} < ${high} THEN ${middle} WHEN ${text} >= ${high} THEN ${most} END`
}

/** A whole number, or NULL where its type does not hold it, that is to be clamped. */
export interface WholeNumber {
  readonly whole: string
  readonly least: bigint
  readonly most: bigint
  readonly domain: Domain
  /** What is true of operands whose steps are above the most, and of those below the least. */
  readonly isAbove: string
  readonly isBelow: string
}

/** Clamped after it was rounded, once and for all rows, and not in a branch for some. */
export function wholeSteps(
  { whole, least, most, domain, isAbove, isBelow }: WholeNumber,
  dialect: DialectSpelling,
): string {
  const [first, last] = [endText(least, domain, dialect), endText(most, domain, dialect)]
  return [
    `CASE WHEN ${whole} BETWEEN ${first} AND ${last} THEN ${whole}`,
    `WHEN ${isAbove} THEN ${last}`,
    `WHEN ${isBelow} THEN ${first} END`,
  ].join(" ")
}

function sizeOfBounds(lower: bigint, upper: bigint): bigint {
  return [lower, -lower, upper, -upper].reduce((a, b) => (a > b ? a : b))
}

interface Clamped {
  readonly size: bigint
  readonly least: string
  readonly most: string
  readonly domain: Domain
  readonly dialect: DialectSpelling
}

/** So many steps that doubles are whole steps apart: the last ones may pass the bounds, and are put back. */
function clampedMiddle(rounded: string, { size, least, most, domain, dialect }: Clamped): string {
  const wide = storedType(widest(integer, [pointRange(rational(size + size / 1024n))]), dialect)
  const stored = storedType(domain, dialect)
  return `CAST(${between(`CAST(${rounded} AS ${wide})`, least, most)} AS ${stored})`
}

/** The sum, or round(sum * most / count) where the count is larger than `most`. */
export function printShare(
  { sum, count, most, domain }: ShareExpr,
  texts: { readonly sum: string; readonly count: string },
  dialect: DialectSpelling,
): string {
  assert(most > 0n, "a share is of at least one row")
  const [sumSize, countSize] = [sizeOf(sum.domain), sizeOf(count.domain)]
  const wide = widest(integer, [
    pointRange(multiply(sumSize, rational(2n * most))),
    pointRange(multiply(countSize, rational(2n))),
    pointRange(rational(2n * most)),
  ])
  assert(compare(sizeOf(wide), rational(4n * 10n ** 37n)) < 0, "a share fits 38 digits")
  const stored = storedType(widest(integer, [pointRange(multiply(sizeOf(wide), rational(2n)))]), dialect)
  const s = castWithin(texts.sum, sum.domain.range, { type: stored, dialect })
  const c = castWithin(texts.count, count.domain.range, { type: stored, dialect })
  // Half a count away from zero, then cut: the nearest whole number.
  const half = `CASE WHEN ${s} < 0 THEN - ${c} ELSE ${c} END`
  const share = wholeQuotient(
    `(${s} * ${coerceInteger(2n * most, { type: integer, range: wide.range }, dialect)} + ${half})`,
    `(${c} * 2)`,
    { stored, dialect },
  )
  const all = coerce(texts.sum, { from: sum.domain, to: domain }, dialect)
  return `CASE WHEN ${c} <= ${writeInteger(most, dialect)} THEN ${all} WHEN ${c} > ${writeInteger(most, dialect)} THEN ${castUnlessSame(share, stored, storedType(domain, dialect))} END`
}

function endText(value: bigint, to: Domain, dialect: DialectSpelling): string {
  return coerceInteger(value, to, dialect)
}

function coerceInteger(
  value: bigint,
  to: { readonly type: Domain["type"]; readonly range?: Domain["range"] },
  dialect: DialectSpelling,
): string {
  const from = literalDomain({ kind: "number", value: rational(value) }, integer)
  const target = to.range === undefined ? { type: to.type } : { type: to.type, range: to.range }
  return coerce(writeInteger(value, dialect), { from, to: target }, dialect)
}

function castUnlessSame(text: string, from: string, to: string): string {
  return from === to ? text : `CAST(${text} AS ${to})`
}

function sizeOf({ range }: { readonly range?: Domain["range"] }): Rational {
  assert(range !== undefined, "a number has a range")
  return maximum(
    maximum(range.max.value, negate(range.max.value)),
    maximum(range.min.value, negate(range.min.value)),
  )
}

function pointRange(value: Rational): NonNullable<Domain["range"]> {
  return { min: { value, declared: false }, max: { value, declared: false } }
}
