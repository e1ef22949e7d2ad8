// Steps of a grid straight from a stored float, for DuckDB: reading (clamped to the range, what is no number
// NULL) and rounding in one go, at half the cost of one after the other.

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
} from "@dosimeter/core"
import type { Domain } from "../catalog/domain.ts"
import { writeDouble } from "../catalog/functions/literal.ts"
import type { StepsExpr } from "../ir/expr.ts"
import { heldEnds } from "./print-scan.ts"
import { wholeSteps } from "./print-steps.ts"
import type { DialectSpelling } from "./spelling.ts"

/** A stored column, and the domain that it is clamped to when it is read. */
export interface StoredOperand {
  readonly source: string
  readonly domain: Domain
}

/**
 * What `steps` gives of the column as it is read. Times 1 / grid, a power of two, is exact, and rounding
 * keeps the order of numbers: what is beyond an end of the range is not inside of the end's steps. Undefined
 * where that cannot be said.
 */
export function printStoredSteps(
  { operand, grid, lower, upper, domain }: StepsExpr,
  stored: StoredOperand | undefined,
  spelling: DialectSpelling,
): string | undefined {
  const { type, range } = stored?.domain ?? {}
  const isFloat = type?.kind === "float" && operand.domain.type.kind === "float"
  if (stored === undefined || range === undefined || !isFloat || spelling.dialect !== "duckdb")
    return undefined
  const inverse = divide(rational(1n), grid)
  if (!isPowerOfTwo(inverse)) return undefined
  const { low, high } = heldEnds(stored.domain, range)
  const within = (value: bigint): bigint => (value < lower ? lower : value > upper ? upper : value)
  const [least, most] = [low, high].map((end) => within(rounded(multiply(end, inverse))))
  if (least === undefined || most === undefined) return undefined
  const middle = rationalOfNumber(numberDown(divide(add(low, high), rational(2n))))
  const x = `CAST(${stored.source} AS DOUBLE)`
  return wholeSteps(
    {
      quotient: `(${x} * ${writeDouble(inverse, "duckdb")})`,
      least,
      most,
      domain,
      isAbove: `${x} > ${writeDouble(middle, "duckdb")} AND NOT isnan(${x})`,
      isBelow: `${x} <= ${writeDouble(middle, "duckdb")}`,
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
