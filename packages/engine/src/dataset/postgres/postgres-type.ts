// PostgreSQL's types as ours, with the range that whole and decimal numbers have by their type. A type that
// is not listed is not served: what its values look like, and whether reading them can fail, is not known.

import { rational, type Rational } from "@dosimeter/core"
import type { ColumnFacts } from "@dosimeter/policy/file/source-facts"

type TypeFacts = Pick<ColumnFacts, "type" | "typeName" | "range">

/** A type as the catalog of PostgreSQL has it; a domain is the type that it is made of. */
export interface StoredType {
  /** The name in pg_type, in the schema pg_catalog or of the extension citext. */
  readonly name: string
  /** b, e: of its own, or an enumeration. */
  readonly kind: string
  /** What stands in brackets after the type, as one number; -1 if nothing does. */
  readonly modifier: number
  /** Whether the type is one of PostgreSQL itself. */
  readonly isBuiltIn: boolean
}

const integerBits: ReadonlyMap<string, bigint> = new Map([
  ["int2", 16n],
  ["int4", 32n],
  ["int8", 64n],
])

const plainKinds: ReadonlyMap<string, "boolean" | "float" | "text" | "date" | "timestamp"> = new Map([
  ["bool", "boolean"],
  ["float4", "float"],
  ["float8", "float"],
  ["text", "text"],
  ["varchar", "text"],
  // Blanks at the end are no part of its values.
  ["bpchar", "text"],
  ["name", "text"],
  ["uuid", "text"],
  ["date", "date"],
  ["timestamp", "timestamp"],
  // Moments are read as the time that it is in UTC.
  ["timestamptz", "timestamp"],
])

/** Decimals with more digits after the point are read as floats. */
const scaleMax = 12
/** Decimals with more digits are read as floats. */
const digitsMax = 38

/** Our type for a type of PostgreSQL. The labels of an enumeration are values, and not told. */
export function postgresType({ name, kind, modifier, isBuiltIn }: StoredType): TypeFacts {
  if (kind === "e") return { type: { kind: "text" }, typeName: "an enumeration" }
  if (name === "citext") return { type: { kind: "text" }, typeName: name }
  if (!isBuiltIn) return { type: undefined, typeName: "a type of its own" }
  if (name === "numeric") return numericType(modifier)
  const bits = integerBits.get(name)
  if (bits !== undefined) return { type: { kind: "integer" }, typeName: name, range: integerRange(bits) }
  const plain = plainKinds.get(name)
  // An array is named after what it holds.
  const typeName = name.startsWith("_") ? "an array" : name
  return { type: plain === undefined ? undefined : { kind: plain }, typeName }
}

function integerRange(bits: bigint): { readonly min: Rational; readonly max: Rational } {
  const top = 2n ** (bits - 1n)
  return { min: rational(-top), max: rational(top - 1n) }
}

/** Any number of digits, on either side of the point, unless the type says how many: then it may be NaN. */
function numericType(modifier: number): TypeFacts {
  const packed = modifier - 4
  const digits = (packed >> 16) & 0xffff
  // From version 15 on a scale may be negative, or beyond the digits: 11 bits with a sign.
  const scale = ((packed & 0x7ff) ^ 1024) - 1024
  if (modifier < 4) return { type: { kind: "float" }, typeName: "numeric" }
  const typeName = `numeric(${digits},${scale})`
  if (scale < 0 || scale > scaleMax || digits > digitsMax || scale > digits) {
    return { type: { kind: "float" }, typeName }
  }
  const top = 10n ** BigInt(digits) - 1n
  const steps = 10n ** BigInt(scale)
  return {
    type: { kind: "decimal", scale },
    typeName,
    range: { min: rational(-top, steps), max: rational(top, steps) },
  }
}
