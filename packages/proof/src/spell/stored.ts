// How values are stored in each database: the type that is just wide enough for a range. Every written
// expression has the stored type of its domain, so that no step overflows and every database computes in
// the same types.

import { unreachable } from "@dosimeter/core/errors"
import { ceil, negate, rational, type Rational } from "@dosimeter/core/exact"
import type { Domain, Range } from "../catalog/domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import { assertHeld, castWithin } from "./held-type.ts"

/** What decides how values are stored. */
export interface Stored {
  readonly type: SqlType
  readonly range?: Range
}

const int32 = { min: -(2n ** 31n), max: 2n ** 31n - 1n }
const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }
const shortDecimal = 10n ** 18n

/** The type that a database stores such values in, and that holds them. A bare NULL is an integer. */
export function storedType(stored: Stored, dialect: DialectSpelling): string {
  const name = typeName(stored, dialect)
  // The narrow ones were chosen because they do.
  if (name !== "INTEGER" && name !== "BIGINT" && !isDay(stored.type)) assertHeld(stored.range, name)
  return name
}

/** Ranges of dates are days, those of timestamps microseconds: their casts always have a result. */
function isDay({ kind }: SqlType): boolean {
  return kind === "date" || kind === "timestamp"
}

function typeName({ type, range }: Stored, dialect: DialectSpelling): string {
  switch (type.kind) {
    case "null":
      return "INTEGER"
    case "boolean":
      return "BOOLEAN"
    case "date":
      return "DATE"
    case "integer":
      return within(range, int32) ? "INTEGER" : within(range, int64) ? "BIGINT" : dialect.types.huge
    case "decimal":
      return decimalName(type.scale, range, dialect)
    case "float":
    case "text":
    case "timestamp":
      return dialect.types[type.kind]
    case "interval":
      return "INTERVAL"
    default:
      return unreachable(type)
  }
}

/** A written value in the stored type of another domain, which must hold it. */
export function coerce(
  text: string,
  { from, to }: { readonly from: Domain; readonly to: Stored },
  dialect: DialectSpelling,
): string {
  const target = storedType(to, dialect)
  if (from.type.kind === "null") return `CAST(NULL AS ${target})`
  const own = storedType(from, dialect)
  if (own === target) return text
  if (isDay(to.type)) return `CAST(${text} AS ${target})`
  assertHeld(from.range, target)
  return isWider(target, own)
    ? `CAST(${text} AS ${target})`
    : castWithin(text, from.range, { type: target, dialect })
}

const widths = ["INTEGER", "BIGINT", "HUGEINT", "DOUBLE"]

/** Whether a type holds every value of another, whatever its range. */
function isWider(type: string, than: string): boolean {
  return widths.includes(than) && widths.indexOf(type) > widths.indexOf(than)
}

/** A written value of a known type in the stored type of a domain. */
export function settled(
  text: string,
  natural: string,
  { to, dialect }: { readonly to: Stored; readonly dialect: DialectSpelling },
): string {
  const target = storedType(to, dialect)
  return natural === target ? text : `CAST(${text} AS ${target})`
}

/** Storage for values of several domains of one type of numbers: as wide as the widest. */
export function widest(type: SqlType, ranges: readonly (Range | undefined)[]): Stored {
  const ends = ranges.flatMap((range) => (range === undefined ? [] : [range.min, range.max]))
  const sizes = ends.map(({ value }) => (value.numerator < 0n ? negate(value) : value))
  const most = sizes.reduce((a, b) => (ceil(b) > ceil(a) ? b : a), rational(0n))
  const end = (value: Rational): Range["min"] => ({ value, declared: false })
  return { type, range: { min: end(negate(most)), max: end(most) } }
}

function decimalName(scale: number, range: Range | undefined, { types }: DialectSpelling): string {
  return types.decimal(isShortDecimal(scale, range) ? 18 : 38, scale)
}

/** Whether 18 digits hold all decimals of a range. */
export function isShortDecimal(scale: number, range: Range | undefined): boolean {
  const limit = rational(shortDecimal, 10n ** BigInt(scale))
  const most = ceil(limit) - 1n
  return within(range, { min: -most, max: most })
}

function within(range: Range | undefined, limits: { readonly min: bigint; readonly max: bigint }): boolean {
  if (range === undefined) return false
  const { min, max } = range
  return (
    min.value.numerator >= limits.min * min.value.denominator &&
    max.value.numerator <= limits.max * max.value.denominator
  )
}
