// The type of a column: as a word, or as its bounds and values suggest where nothing says it.

import { scaleMax, type SqlType } from "@dosimeter/proof/catalog/sql-type"
import { readDay, readMicros } from "./read-constant.ts"
import { numberOf } from "./shapes.ts"
import type { ColumnSpec, Written } from "./specs.ts"

/** The words for types, for messages. */
export const typeWords = "boolean, integer, decimal(2), float, text, date or timestamp"

const plainTypes: ReadonlyMap<string, SqlType> = new Map([
  ["boolean", { kind: "boolean" }],
  ["integer", { kind: "integer" }],
  ["float", { kind: "float" }],
  ["text", { kind: "text" }],
  ["date", { kind: "date" }],
  ["timestamp", { kind: "timestamp" }],
])

/** The type that a word stands for. */
export function parseType(text: string): SqlType | undefined {
  const decimal = /^decimal\((\d{1,2})\)$/.exec(text)
  if (decimal === null) return plainTypes.get(text)
  const scale = Number(decimal[1])
  return scale <= scaleMax ? { kind: "decimal", scale } : undefined
}

/**
 * The widest type that the bounds, grid or values of a column allow: numbers are floats (which a decimal grid
 * makes decimals), since an integer is read as a float without loss of meaning and not the other way round.
 */
export function inferType(spec: ColumnSpec): SqlType | undefined {
  if (spec.text !== undefined) return { kind: "text" }
  if (spec.values !== undefined) return inferValues(spec.values)
  const ends = [spec.min, spec.max].filter((end) => end !== undefined)
  if (ends.length === 0) return spec.grid === undefined ? undefined : { kind: "float" }
  if (ends.every(({ text }) => readDay(text) !== undefined)) return { kind: "date" }
  if (ends.every(({ text }) => readMicros(text, "start") !== undefined)) return { kind: "timestamp" }
  return ends.every(isNumber) ? { kind: "float" } : undefined
}

/** Values are listed exactly, so they are integers or decimals where they are numbers. */
function inferValues(values: readonly Written[]): SqlType | undefined {
  if (values.length === 0) return { kind: "text" }
  if (values.every(isNumber)) {
    const scale = values.reduce((most, { text }) => Math.max(most, scaleOf(text)), 0)
    return scale === 0 ? { kind: "integer" } : scale <= scaleMax ? { kind: "decimal", scale } : undefined
  }
  if (values.every(({ text, quoted }) => !quoted && ["true", "false"].includes(text)))
    return { kind: "boolean" }
  if (values.every(({ text, quoted }) => !quoted && readDay(text) !== undefined)) return { kind: "date" }
  return { kind: "text" }
}

function isNumber({ text, quoted }: Written): boolean {
  return !quoted && numberOf(text) !== undefined
}

/** How many digits after the point a number needs; more than any decimal has if it is no decimal. */
function scaleOf(text: string): number {
  const value = numberOf(text)
  for (let scale = 0; scale <= scaleMax; scale += 1) {
    if (value !== undefined && 10n ** BigInt(scale) % value.denominator === 0n) return scale
  }
  return scaleMax + 1
}
