// DuckDB's types as ours, with the range that whole and decimal numbers have by their type.

import { rational, type Rational } from "@dosimeter/core"
import type { ColumnFacts } from "@dosimeter/policy/file/source-facts"

type TypeFacts = Pick<ColumnFacts, "type" | "typeName" | "range">

const integerBits: ReadonlyMap<string, { readonly bits: bigint; readonly signed: boolean }> = new Map([
  ["TINYINT", { bits: 8n, signed: true }],
  ["SMALLINT", { bits: 16n, signed: true }],
  ["INTEGER", { bits: 32n, signed: true }],
  ["BIGINT", { bits: 64n, signed: true }],
  ["HUGEINT", { bits: 128n, signed: true }],
  ["UTINYINT", { bits: 8n, signed: false }],
  ["USMALLINT", { bits: 16n, signed: false }],
  ["UINTEGER", { bits: 32n, signed: false }],
  ["UBIGINT", { bits: 64n, signed: false }],
  ["UHUGEINT", { bits: 128n, signed: false }],
])

const plainKinds: ReadonlyMap<string, "boolean" | "float" | "text" | "date" | "timestamp"> = new Map([
  ["BOOLEAN", "boolean"],
  ["FLOAT", "float"],
  ["DOUBLE", "float"],
  ["VARCHAR", "text"],
  ["UUID", "text"],
  ["ENUM", "text"],
  ["DATE", "date"],
  ["TIMESTAMP", "timestamp"],
  ["TIMESTAMP_S", "timestamp"],
  ["TIMESTAMP_MS", "timestamp"],
  ["TIMESTAMP_NS", "timestamp"],
])

/** Decimals with more digits after the point are read as floats. */
const scaleMax = 12

/** Our type for a DuckDB type. Its name is cut to the first word, since an ENUM lists values of the data. */
export function duckdbType(written: string): TypeFacts {
  const decimal = /^DECIMAL\((\d+),\s*(\d+)\)$/.exec(written)
  if (decimal !== null) return decimalType(written, Number(decimal[1]), Number(decimal[2]))
  if (/\[\d*\]$/.test(written)) return { type: undefined, typeName: "a list" }
  const word = written.startsWith("TIMESTAMP WITH")
    ? "TIMESTAMP WITH TIME ZONE"
    : (/^\w+/.exec(written)?.[0] ?? "?")
  const bits = integerBits.get(word)
  if (bits !== undefined) return { type: { kind: "integer" }, typeName: word, range: integerRange(bits) }
  const kind = plainKinds.get(word)
  return { type: kind === undefined ? undefined : { kind }, typeName: word }
}

function integerRange({ bits, signed }: { readonly bits: bigint; readonly signed: boolean }): {
  readonly min: Rational
  readonly max: Rational
} {
  const top = 2n ** (signed ? bits - 1n : bits)
  return { min: rational(signed ? -top : 0n), max: rational(top - 1n) }
}

function decimalType(typeName: string, width: number, scale: number): TypeFacts {
  if (scale > scaleMax) return { type: { kind: "float" }, typeName }
  const top = 10n ** BigInt(width) - 1n
  const steps = 10n ** BigInt(scale)
  return {
    type: { kind: "decimal", scale },
    typeName,
    range: { min: rational(-top, steps), max: rational(top, steps) },
  }
}
