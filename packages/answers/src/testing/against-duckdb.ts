// One relation, evaluated in TypeScript and run as printed SQL on DuckDB: where the two differ, and which
// values lie outside the domains that were claimed for them.

import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampValue,
  type DuckDBConnection,
  type DuckDBValue,
} from "@duckdb/node-api"
import { compare, numberNear, rational, rationalOfNumber } from "@dosimeter/core/exact"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { evaluate } from "../evaluate/evaluate.ts"
import type { Rel, RelColumn } from "@dosimeter/proof/algebra/rel"
import { printRel } from "@dosimeter/proof/print/print"

/** How rows of the two answers are matched, and how near floats must be. */
export interface Matching {
  /** In the order that they come in; otherwise both are sorted first. */
  readonly ordered: boolean
  /** The relative error that floats may have. */
  readonly error: number
}

/** Every difference between the two answers, and every value outside its domain, in words. */
export async function differences(
  connection: DuckDBConnection,
  rel: Rel,
  { ordered, error }: Matching = { ordered: false, error: 0 },
): Promise<readonly string[]> {
  const ours = evaluate(rel, { released: missing, scan: missing }).rows.map((row) =>
    row.map(({ value }) => value),
  )
  const reader = await connection.runAndReadAll(printRel(rel, "duckdb").text)
  const theirs = reader.getRows().map((row) => row.map(constantOf))
  if (ours.length !== theirs.length) return [`${ours.length} rows here, ${theirs.length} from DuckDB`]
  const [mine, other] = ordered ? [ours, theirs] : [sorted(ours), sorted(theirs)]
  return mine.flatMap((row, index) => {
    const same = row.every((value, column) => isNear(value, other[index]?.[column], error))
    // Of both: near is not inside.
    const outside = [row, other[index] ?? []].flatMap((values) =>
      values
        .flatMap((value, column) => outsideOf(value, rel.columns[column]))
        .map((what) => `${what} in ${show(values)}`),
    )
    const differ = same ? [] : [`here ${show(row)}, DuckDB ${show(other[index] ?? [])}`]
    return [...differ, ...outside]
  })
}

function missing(): never {
  throw new Error("the relation reads no table")
}

function constantOf(value: DuckDBValue): Constant {
  if (value === null) return { kind: "null" }
  if (typeof value === "boolean") return { kind: "boolean", value }
  if (typeof value === "string") return { kind: "text", value }
  if (typeof value === "bigint") return { kind: "number", value: rational(value) }
  if (typeof value === "number") {
    return Number.isFinite(value)
      ? { kind: "number", value: rationalOfNumber(value) }
      : { kind: "text", value: `the float ${value}` }
  }
  if (value instanceof DuckDBDecimalValue) {
    return { kind: "number", value: rational(value.value, 10n ** BigInt(value.scale)) }
  }
  if (value instanceof DuckDBDateValue) return { kind: "date", day: BigInt(value.days) }
  if (value instanceof DuckDBTimestampValue) return { kind: "timestamp", micros: value.micros }
  throw new Error("a value of a type that is never printed")
}

function isNear(a: Constant, b: Constant | undefined, error: number): boolean {
  if (b === undefined) return false
  if (a.kind !== "number" || b.kind !== "number") return constantKey(a) === constantKey(b)
  if (compare(a.value, b.value) === 0) return true
  const [x, y] = [numberNear(a.value), numberNear(b.value)]
  return Math.abs(x - y) <= error * Math.max(Math.abs(x), Math.abs(y))
}

function sorted(rows: readonly (readonly Constant[])[]): readonly (readonly Constant[])[] {
  const keyed = rows.map((row) => ({ row, key: row.map(constantKey).join("\n") }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ row }) => row)
}

function outsideOf(value: Constant, column: RelColumn | undefined): readonly string[] {
  const what = column === undefined ? "no column" : outsideDomain(value, column.domain)
  return what === undefined ? [] : [`column ${column?.id}: ${what}`]
}

function outsideDomain(value: Constant, { type, nullable, range, values }: Domain): string | undefined {
  if (value.kind === "null") return nullable ? undefined : "NULL"
  const isNumber = type.kind === "integer" || type.kind === "decimal" || type.kind === "float"
  if (value.kind !== (isNumber ? "number" : type.kind)) return `a ${value.kind} in place of ${type.kind}`
  if (values !== undefined && !values.some((one) => constantKey(one) === constantKey(value)))
    return "not in the list"
  const at =
    value.kind === "number"
      ? value.value
      : value.kind === "date"
        ? rational(value.day)
        : value.kind === "timestamp"
          ? rational(value.micros)
          : undefined
  if (at === undefined) return undefined
  if (range === undefined) return "no range"
  if (compare(at, range.min.value) < 0) return "below the range"
  return compare(at, range.max.value) > 0 ? "above the range" : undefined
}

function show(row: readonly Constant[]): string {
  return row
    .map((value) =>
      value.kind === "number" ? `${numberNear(value.value)}=${constantKey(value)}` : constantKey(value),
    )
    .join(" | ")
}
