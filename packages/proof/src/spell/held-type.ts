// What a stored type holds. Every cast that is written goes from a known range to a known type, and one that
// the type does not hold is a bug of ours: it is found here, while a question is written out and before
// anything is charged, and not by the database where a row gets there.

import { rational, type Rational } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import type { Range } from "../catalog/domain.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"

/**
 * A number inside a range in a type that holds it. Should the range be false, it is NULL where the database
 * can say so by itself.
 */
export function castWithin(
  text: string,
  range: Range | undefined,
  { type, dialect }: { readonly type: string; readonly dialect: DialectSpelling },
): string {
  assertHeld(range, type)
  return dialect.casts.tryCast?.(text, type) ?? `CAST(${text} AS ${type})`
}

/** Stops where a type does not hold all numbers of a range. */
export function assertHeld(range: Range | undefined, type: string): void {
  const most = mostOf(type)
  if (range === undefined || most === undefined) return
  const [low, high] = [below(range.min.value, most.low), below(most.high, range.max.value)]
  assert(!low && !high, `${type} holds what is cast to it`)
}

function below(a: Rational, b: Rational): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator
}

interface Ends {
  readonly low: Rational
  readonly high: Rational
}

const whole = (bits: bigint): Ends => ({ low: rational(-(2n ** bits)), high: rational(2n ** bits - 1n) })

const double: Ends = { low: rational(-(2n ** 1023n)), high: rational(2n ** 1023n) }

/** Decimals are added as they are met: there are few. */
const ends = new Map<string, Ends>([
  ["INTEGER", whole(31n)],
  ["BIGINT", whole(63n)],
  ["HUGEINT", whole(127n)],
  ["DOUBLE", double],
  ["DOUBLE PRECISION", double],
])

/** The ends of a type of numbers; undefined for other types, and for PostgreSQL's NUMERIC without a width. */
function mostOf(type: string): Ends | undefined {
  const known = ends.get(type)
  if (known !== undefined) return known
  const found = decimalEnds(type)
  if (found !== undefined) ends.set(type, found)
  return found
}

function decimalEnds(type: string): Ends | undefined {
  const [, width, scale] = /^(?:DECIMAL|NUMERIC)\(([0-9]+), ([0-9]+)\)$/.exec(type) ?? []
  if (width === undefined || scale === undefined) return undefined
  const most = 10n ** BigInt(width) - 1n
  const units = 10n ** BigInt(scale)
  return { low: rational(-most, units), high: rational(most, units) }
}
