// Reading a table: every column inside its domain, whatever is stored.
//
// A column's stored type must be of its domain's family (a registered source is checked for that): numbers
// for integer, decimal and float, dates or timestamps for those.

import { assert, unreachable } from "@dosimeter/core/errors"
import {
  ceil,
  compare,
  divide,
  floor,
  multiply,
  negate,
  numberDown,
  numberUp,
  rational,
  rationalOfNumber,
  type Rational,
} from "@dosimeter/core/exact"
import type { CatalogColumn, CatalogTable } from "../catalog/catalog.ts"
import { firstDay, firstMicro, lastDay, lastMicro } from "../catalog/civil-date.ts"
import type { Domain, Range } from "../catalog/domain.ts"
import { assertHeld } from "../spell/held-type.ts"
import { writeConstant, writeDecimal, writeDouble, writeInteger, writeName } from "../spell/literal.ts"
import { textMax } from "../functions/text-values.ts"
import { storedType } from "../spell/stored.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import { scaleMax } from "../catalog/sql-type.ts"
import type { ColumnId } from "../algebra/expr.ts"
import type { Scan } from "../algebra/rel.ts"
import { columnName, selectFrom } from "./select.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"

/** Floats nearer to 0 are read as 0. */
const leastFloat = "1e-290"

/** Writes a scan. */
export function printScan(scan: Scan, spelling: DialectSpelling): string {
  const { from, columns, conditions } = scanParts(scan, spelling)
  const items = columns.map(({ id, text }) => ({ text, name: columnName(id) }))
  const where = conditions.length === 0 ? [] : [`WHERE ${conditions.join(" AND ")}`]
  return selectFrom(items, [from, ...where])
}

/** The parts of a scan, for whoever reads from it right away. */
export interface ScanParts {
  readonly from: string
  readonly columns: readonly ScanColumn[]
  readonly conditions: readonly string[]
}

/** A column as it is read. */
export interface ScanColumn {
  readonly id: ColumnId
  readonly text: string
  /** Written twice it is read twice, at a cost. */
  readonly isCostly: boolean
  /** The stored column, if it is a number that is clamped on reading. */
  readonly stored: string | undefined
}

/** Takes a scan apart. */
export function scanParts({ table, sources, columns }: Scan, spelling: DialectSpelling): ScanParts {
  assert(sources.length === columns.length, "a scan has a source for each column")
  assert(table.path.length > 0, "a table has a name in its database")
  const read = sources.map((source, index): ScanColumn => {
    const column = columns[index]
    assert(column !== undefined, "a scan has a column for each source")
    const stored = `t.${writeName(source.source)}`
    if (table.prepared !== undefined) {
      return { id: column.id, text: stored, isCostly: false, stored: undefined }
    }
    const text = readColumn(source, table, spelling)
    const { kind } = source.domain.type
    const isClamped = (kind === "float" || kind === "integer") && !isIdentity(source, table)
    return {
      id: column.id,
      text,
      isCostly: text.startsWith("CASE"),
      stored: isClamped ? stored : undefined,
    }
  })
  // A copy was read by these rules when it was made.
  const conditions = table.prepared === undefined ? readable(table, sources, spelling) : []
  return { from: `FROM ${table.path.map(writeName).join(".")} AS t`, columns: read, conditions }
}

/**
 * A row without an owner is nobody's. A row with a key that cannot be read as it is would be read with the
 * same key as others of its kind, and the key would hold no longer: such rows are left out where the key is
 * read.
 */
function readable(
  table: CatalogTable,
  sources: readonly CatalogColumn[],
  spelling: DialectSpelling,
): readonly string[] {
  const owner = ownerColumn(table)
  const names = new Set(sources.map(({ name }) => name))
  const read = table.keys.filter((key) => key.every((name) => names.has(name))).flat()
  const keys = sources.filter(({ name }) => read.includes(name) && name !== owner?.name)
  return [
    ...(owner === undefined ? [] : [`${readColumn(owner, table, spelling)} IS NOT NULL`]),
    ...(table.unit.kind === "public" ? [] : keys).map((column) => {
      const stored = `t.${writeName(column.source)}`
      return `(${stored} IS NULL OR ${readColumn(column, table, spelling)} IS NOT NULL)`
    }),
  ]
}

/** The column that says whose a row is, or leads there: without it a row is nobody's. */
function ownerColumn({ name, unit, columns }: CatalogTable): CatalogColumn | undefined {
  if (unit.kind !== "path") return undefined
  const wanted = unit.hops[0]?.column ?? unit.column
  const column = columns.find((one) => one.name === wanted)
  assert(column !== undefined, `${name} has the column of its unit`)
  return column
}

/**
 * Columns that identify something are never changed on reading, since two people, or two rows, could become
 * one: what lies outside of the domain is NULL there.
 */
function isIdentity({ name, references }: CatalogColumn, { unit, keys }: CatalogTable): boolean {
  const isUnit = unit.kind === "path" && (unit.hops[0]?.column ?? unit.column) === name
  return isUnit || references !== undefined || keys.some((key) => key.includes(name))
}

/** What is read from a column. */
function readColumn(column: CatalogColumn, table: CatalogTable, spelling: DialectSpelling): string {
  const { domain } = column
  const source = `t.${writeName(column.source)}`
  const outside = isIdentity(column, table) ? "null" : "clamp"
  // An empty list would claim that a column is always NULL.
  assert(
    domain.values === undefined || domain.values.length > 0,
    `${column.name} has values if it lists them`,
  )
  switch (domain.type.kind) {
    case "boolean":
      return `CAST(${source} AS BOOLEAN)`
    case "text":
      return readText(source, domain, { outside, spelling })
    case "integer":
    case "decimal":
    case "float":
      return readNumber(source, domain, { outside, spelling })
    case "date":
      return readDate(source, domain, spelling)
    case "timestamp":
      return readTimestamp(source, domain, spelling)
    case "interval":
    case "null":
      assert(false, `${column.name} has a type that columns may have`)
      break
    default:
      return unreachable(domain.type)
  }
}

function readText(source: string, { values }: Domain, { outside, spelling }: Reading): string {
  const text = spelling.columns.text(source)
  const size = spelling.columns.textSize(text)
  const cut = spelling.texts.first(text, textMax)
  // Few values are likely stored once each, and a function of one column may be asked once for each of them.
  if (outside === "clamp" && values !== undefined && spelling.texts.lists !== undefined) return cut
  if (outside === "null") return `CASE WHEN ${size} <= ${textMax} THEN ${text} END`
  return `CASE WHEN ${size} > ${textMax} THEN ${cut} ELSE ${text} END`
}

interface Reading {
  readonly outside: "null" | "clamp"
  readonly spelling: DialectSpelling
}

/** A stored number, of any numeric type, clamped to the range of a domain. */
export function readClamped(source: string, domain: Domain, spelling: DialectSpelling): string {
  return readNumber(source, domain, { outside: "clamp", spelling })
}

/**
 * The conditions are such that NaN, which is greater than everything or than nothing, meets the last at
 * most.
 */
function readNumber(source: string, domain: Domain, { outside, spelling }: Reading): string {
  const range = rangeOf(domain)
  const { type } = domain
  const stored = storedType(domain, spelling)
  const { low, high } = heldEnds(domain, range)
  if (type.kind === "integer" && isWholeType(range) && spelling.casts.tryCast !== undefined) {
    const value = spelling.casts.tryCast(source, stored)
    if (outside === "null") return value
    // In a condition of its own: DuckDB's optimiser compares what is inside of a cast with constants, though
    // a cast of a wider stored number may give NULL.
    const [least, most] = [low, high].map((end) => comparable(end, domain, spelling))
    return `CASE WHEN ${source} >= ${least} AND ${source} <= ${most} THEN ${value} END`
  }
  const inside = insideValue(source, domain, spelling)
  if (outside === "null") {
    const up = spelling.columns.exactBounds ? numberUp : numberDown
    const [from, to] = [comparable(low, domain, spelling, up), comparable(high, domain, spelling)]
    return `CASE WHEN ${source} >= ${from} AND ${source} <= ${to} THEN ${inside} END`
  }
  const least = comparable(low, domain, spelling, numberUp)
  const most = comparable(high, domain, spelling)
  const [atLow, atHigh] = [low, high].map((end) => endConstant(end, domain, spelling))
  const [none, origin] = [rational(0n), writeDouble(rational(0n), spelling)]
  const isAroundZero = type.kind === "float" && compare(low, none) <= 0 && compare(high, none) >= 0
  const tiny = (sign: "" | "-"): string => spelling.columns.bound(`${sign}${leastFloat}`)
  // What is inside comes first, since most values are.
  return [
    "CASE",
    ...(isAroundZero
      ? [
          ...(compare(high, none) > 0
            ? [`WHEN ${source} >= ${tiny("")} AND ${source} <= ${most} THEN ${inside}`]
            : []),
          ...(compare(low, none) < 0
            ? [`WHEN ${source} <= ${tiny("-")} AND ${source} >= ${least} THEN ${inside}`]
            : []),
        ]
      : [`WHEN ${source} >= ${least} AND ${source} <= ${most} THEN ${inside}`]),
    `WHEN ${source} < ${least} THEN ${atLow}`,
    ...(isAroundZero ? [`WHEN ${source} < ${tiny("")} THEN ${origin}`] : []),
    `WHEN ${source} > ${most} AND ${spelling.columns.isNumber(source)} THEN ${atHigh} END`,
  ].join(" ")
}

/** A stored value that lies between the ends, in the type of the domain. */
function insideValue(source: string, domain: Domain, dialect: DialectSpelling): string {
  const { type } = domain
  const stored = storedType(domain, dialect)
  const { tryCast } = dialect.casts
  if (type.kind === "decimal" && tryCast !== undefined) return tryCast(source, stored)
  const rounding = dialect.types.rounding(stored, type.kind === "decimal" ? type.scale : 0)
  const isPlain = rounding === stored
  return `CAST(${isPlain ? source : dialect.numbers.exact(source)} AS ${rounding})`
}

/** The ends that values of the type can take: the last ones inside of the range. */
export function heldEnds(
  { type }: Domain,
  { min, max }: Range,
): { readonly low: Rational; readonly high: Rational } {
  if (type.kind === "float") {
    return { low: rationalOfNumber(numberUp(min.value)), high: rationalOfNumber(numberDown(max.value)) }
  }
  const scale = 10n ** BigInt(type.kind === "decimal" ? type.scale : 0)
  const low = rational(ceil(rational(min.value.numerator * scale, min.value.denominator)), scale)
  const high = rational(floor(rational(max.value.numerator * scale, max.value.denominator)), scale)
  assert(compare(low, high) <= 0, "a range holds a value of its type")
  return { low, high }
}

function endConstant(value: Rational, domain: Domain, dialect: DialectSpelling): string {
  const { type } = domain
  if (type.kind === "float") return writeDouble(value, dialect)
  const stored = storedType(domain, dialect)
  const text =
    type.kind === "decimal"
      ? writeDecimal(value, type.scale, dialect)
      : writeInteger(value.numerator, dialect)
  const own = storedType(literalDomain({ kind: "number", value }, type), dialect)
  assertHeld({ min: { value, declared: false }, max: { value, declared: false } }, stored)
  return own === stored ? text : `CAST(${text} AS ${stored})`
}

/**
 * An end to compare a column of any numeric type with. As a double where there may be digits after the
 * point: doubles keep the order of numbers, and a decimal might not fit the column's own type.
 */
function comparable(
  value: Rational,
  { type }: Domain,
  dialect: DialectSpelling,
  nearest: (value: Rational) => number = numberDown,
): string {
  if (type.kind === "integer" && isInt64(value.numerator)) return writeInteger(value.numerator, dialect)
  const { bound, exactBounds } = dialect.columns
  if (!exactBounds) return bound(nearest(value).toExponential())
  const isLow = nearest === numberUp
  return bound(`(${exactDecimal(type.kind === "decimal" ? inwards(value, isLow) : value)})`)
}

/** Decimal digits that every double keeps. */
const doubleDigits = 15

/**
 * An end of decimals with no more digits than a stored double keeps: one with more would be rounded where it
 * is compared, and a double beyond it would pass for inside and not fit the type. Where an end is moved, what
 * lies between is read as the end itself.
 */
function inwards(value: Rational, isLow: boolean): Rational {
  const whole = floor(value.numerator < 0n ? negate(value) : value).toString()
  const spare = whole === "0" ? -scaleMax : whole.length - doubleDigits
  const unit = spare > 0 ? rational(10n ** BigInt(spare)) : rational(1n, 10n ** BigInt(-spare))
  const steps = divide(value, unit)
  return multiply(rational(isLow ? ceil(steps) : floor(steps)), unit)
}

/** A double or decimal has finitely many digits. */
function exactDecimal(value: Rational): string {
  const sign = value.numerator < 0n ? "-" : ""
  const size = value.numerator < 0n ? negate(value) : value
  for (let digits = 0; digits <= 1100; digits += 1) {
    const scale = 10n ** BigInt(digits)
    if (scale % size.denominator !== 0n) continue
    const text = `${(size.numerator * scale) / size.denominator}`.padStart(digits + 1, "0")
    return digits === 0 ? `${sign}${text}` : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
  }
  assert(false, "an end of a range has finitely many digits")
}

function isInt64(value: bigint): boolean {
  return value >= -(2n ** 63n) && value < 2n ** 63n
}

/** Just the range of a 32-bit or 64-bit integer: there is nothing to clamp. */
export function isWholeType({ min, max }: Range): boolean {
  return [31n, 63n].some(
    (bits) =>
      compare(min.value, rational(-(2n ** bits))) === 0 &&
      compare(max.value, rational(2n ** bits - 1n)) === 0,
  )
}

/** The day of a date or timestamp. That cast has a result for every one of them. */
function readDate(source: string, domain: Domain, dialect: DialectSpelling): string {
  const { tryCast } = dialect.casts
  const { min, max } = rangeOf(domain)
  const [first, last] = [ceil(min.value), floor(max.value)]
  assert(first >= firstDay && last <= lastDay, "dates are read in the years 0001 to 9999")
  const [from, to] = [first, last].map((day) =>
    writeConstant({ kind: "date", day }, { kind: "date" }, dialect),
  )
  const day = tryCast === undefined ? `CAST(${source} AS DATE)` : tryCast(source, "DATE")
  return `CASE WHEN ${day} BETWEEN ${from} AND ${to} THEN ${day} END`
}

/** Not every date is a timestamp: without a cast that may fail, a column is compared as it is stored. */
function readTimestamp(source: string, domain: Domain, dialect: DialectSpelling): string {
  const { tryCast } = dialect.casts
  const { min, max } = rangeOf(domain)
  const [first, last] = [ceil(min.value), floor(max.value)]
  assert(first >= firstMicro && last <= lastMicro, "times are read in the years 0001 to 9999")
  const ends = [first, last].map((micros) =>
    writeConstant({ kind: "timestamp", micros }, { kind: "timestamp" }, dialect),
  )
  const stored = storedType(domain, dialect)
  const compared = tryCast === undefined ? source : tryCast(source, stored)
  const value = tryCast === undefined ? `CAST(${source} AS ${stored})` : compared
  return `CASE WHEN ${compared} BETWEEN ${ends.join(" AND ")} THEN ${value} END`
}

function rangeOf({ range }: Domain): Range {
  assert(range !== undefined, "numbers, dates and timestamps have a range")
  return range
}
