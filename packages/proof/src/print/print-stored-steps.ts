// Steps of a grid straight from a stored number: reading (clamped to the range, what is no number NULL) and
// rounding in one go, at half the cost of one after the other.

import {
  add,
  compare,
  divide,
  floor,
  multiply,
  negate,
  numberDown,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import type { Domain } from "../catalog/domain.ts"
import { writeDouble } from "../spell/literal.ts"
import { coerce, storedType } from "../spell/stored.ts"
import type { StepsExpr } from "../algebra/expr.ts"
import { stepsDomain } from "../algebra/item-domain.ts"
import { heldEnds, isWholeType, readClamped } from "./print-scan.ts"
import { wholeSteps } from "./print-steps.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"

/** Whole numbers up to this size are doubles. */
const exactMax = 2n ** 53n

/** A stored column, and the domain that it is clamped to when it is read. */
export interface StoredOperand {
  readonly source: string
  readonly domain: Domain
}

/** What `steps` gives of the column as it is read. Undefined where that cannot be said in one go. */
export function printStoredSteps(
  steps: StepsExpr,
  stored: StoredOperand | undefined,
  spelling: DialectSpelling,
): string | undefined {
  const { kind } = steps.operand.domain.type
  if (stored === undefined || stored.domain.type.kind !== kind) return undefined
  if (kind === "float") return floatSteps(steps, stored, spelling)
  return kind === "integer" ? integerSteps(steps, stored, spelling) : undefined
}

/**
 * Steps of 1: whole numbers between two bounds. Two clamps, one after the other, are one between the ends of
 * the first as the second leaves them; and rounding to whole numbers keeps the order of numbers, so it does
 * not matter that what is stored is compared with them before it is rounded.
 */
function integerSteps(
  { grid, lower, upper, domain }: StepsExpr,
  { source, domain: read }: StoredOperand,
  spelling: DialectSpelling,
): string | undefined {
  if (compare(grid, rational(1n)) !== 0 || read.range === undefined) return undefined
  const { low, high } = heldEnds(read, read.range)
  const within = (value: bigint): bigint => (value < lower ? lower : value > upper ? upper : value)
  const [least, most] = [within(floor(low)), within(floor(high))]
  // What is stored may be a double, and beyond these the ends are rounded where they are compared with it.
  if (least < -exactMax || most > exactMax) return undefined
  const ends = stepsDomain(least, most, read.nullable)
  // What such a type does not hold is read as NULL, and not clamped.
  if ([read, ends].some(({ range }) => range !== undefined && isWholeType(range))) return undefined
  return coerce(readClamped(source, ends, spelling), { from: ends, to: domain }, spelling)
}

/**
 * Where numbers are rounded before they are compared. Times 1 / grid, a power of two, is exact, and rounding
 * keeps the order of numbers: what is beyond an end of the range is not inside of the end's steps.
 */
function floatSteps(
  { grid, lower, upper, domain }: StepsExpr,
  stored: StoredOperand,
  spelling: DialectSpelling,
): string | undefined {
  const { range } = stored.domain
  const { nearestWhole } = spelling.numbers
  if (range === undefined || nearestWhole === undefined) return undefined
  const inverse = divide(rational(1n), grid)
  if (!isPowerOfTwo(inverse)) return undefined
  const { low, high } = heldEnds(stored.domain, range)
  const within = (value: bigint): bigint => (value < lower ? lower : value > upper ? upper : value)
  const [least, most] = [low, high].map((end) => within(rounded(multiply(end, inverse))))
  if (least === undefined || most === undefined) return undefined
  const middle = rationalOfNumber(numberDown(divide(add(low, high), rational(2n))))
  const x = `CAST(${stored.source} AS ${spelling.types.float})`
  return wholeSteps(
    {
      whole: nearestWhole(`(${x} * ${writeDouble(inverse, spelling)})`, storedType(domain, spelling)),
      least,
      most,
      domain,
      isAbove: `${x} > ${writeDouble(middle, spelling)} AND ${spelling.columns.isNumber(stored.source)}`,
      isBelow: `${x} <= ${writeDouble(middle, spelling)}`,
    },
    spelling,
  )
}

function isPowerOfTwo({ numerator, denominator }: Rational): boolean {
  const isOne = (value: bigint): boolean => (value & (value - 1n)) === 0n
  const size = numerator * denominator
  return isOne(numerator) && isOne(denominator) && size < 2n ** 60n
}

/** To the nearest whole number, halves away from zero. */
function rounded(value: Rational): bigint {
  const half = rational(1n, 2n)
  return compare(value, rational(0n)) < 0 ? -floor(add(negate(value), half)) : floor(add(value, half))
}
