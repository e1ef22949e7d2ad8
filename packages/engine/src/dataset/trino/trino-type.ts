// Trino's types as ours, with the range that whole and decimal numbers have by their type.

import { rational } from "@dosimeter/core"
import type { ColumnFacts } from "@dosimeter/policy/file/source-facts"

type TypeFacts = Pick<ColumnFacts, "type" | "typeName" | "range">

const integerBits: ReadonlyMap<string, bigint> = new Map([
  ["tinyint", 8n],
  ["smallint", 16n],
  ["integer", 32n],
  ["bigint", 64n],
])

const plainKinds: ReadonlyMap<string, "boolean" | "float" | "text" | "date"> = new Map([
  ["boolean", "boolean"],
  ["real", "float"],
  ["double", "float"],
  ["varchar", "text"],
  ["char", "text"],
  ["uuid", "text"],
  ["date", "date"],
])

/** Decimals with more digits after the point are read as floats. */
const scaleMax = 12

/** Our type for a Trino type. Its name is cut to the first words: names of fields are not shown. */
export function trinoType(written: string): TypeFacts {
  const decimal = /^decimal\((\d+),\s*(\d+)\)$/.exec(written)
  if (decimal !== null) return decimalType(written, Number(decimal[1]), Number(decimal[2]))
  const word = /^\w+/.exec(written)?.[0] ?? "?"
  if (word === "timestamp" || word === "time") return timeType(written)
  const bits = integerBits.get(word)
  if (bits !== undefined) {
    const top = 2n ** (bits - 1n)
    const range = { min: rational(-top), max: rational(top - 1n) }
    return { type: { kind: "integer" }, typeName: word, range }
  }
  const kind = plainKinds.get(word)
  return { type: kind === undefined ? undefined : { kind }, typeName: word }
}

// With a time zone, or with more digits than microseconds, it is no timestamp of ours.
function timeType(written: string): TypeFacts {
  const digits = /^timestamp\((\d+)\)$/.exec(written)?.[1]
  const isOurs = digits !== undefined && Number(digits) <= 6
  return { type: isOurs ? { kind: "timestamp" } : undefined, typeName: written }
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
