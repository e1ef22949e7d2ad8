// The type of a column from some of its values, as the database will find it: a type holds if every value is
// of it, and text holds everything.

import type { SqlType } from "@dosimeter/proof/catalog/sql-type"

/** A type as policies and as databases call it; undefined for lists and objects. */
export interface GuessedType {
  readonly type: SqlType | undefined
  readonly typeName: string
}

const text: GuessedType = { type: { kind: "text" }, typeName: "VARCHAR" }
const integer: GuessedType = { type: { kind: "integer" }, typeName: "BIGINT" }
const float: GuessedType = { type: { kind: "float" }, typeName: "DOUBLE" }
const boolean: GuessedType = { type: { kind: "boolean" }, typeName: "BOOLEAN" }
const nested: GuessedType = { type: undefined, typeName: "JSON" }

/** Patterns of types; the first pattern that all texts match decides. */
const looks: readonly (readonly [RegExp, GuessedType])[] = [
  [/^(true|false)$/i, boolean],
  [/^[-+]?\d{1,18}$/, integer],
  [/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i, float],
  [/^\d{4}-\d\d-\d\d$/, { type: { kind: "date" }, typeName: "DATE" }],
  [
    /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d(:?\d\d)?)?$/,
    { type: { kind: "timestamp" }, typeName: "TIMESTAMP" },
  ],
]

/** The type of texts such as CSV has; empty ones are no values. */
export function typeOfTexts(values: readonly string[]): GuessedType {
  const filled = values.filter((value) => value !== "").map((value) => value.trim())
  if (filled.length === 0) return text
  return looks.find(([look]) => filled.every((value) => look.test(value)))?.[1] ?? text
}

/** The type of values such as JSON has. */
export function typeOfValues(values: readonly unknown[]): GuessedType {
  const filled = values.filter((value) => value !== null && value !== undefined)
  if (filled.some((value) => typeof value === "object")) return nested
  if (filled.length > 0 && filled.every((value) => typeof value === "boolean")) return boolean
  if (filled.length > 0 && filled.every((value) => typeof value === "number")) {
    return filled.every((value) => Number.isInteger(value)) ? integer : float
  }
  const texts = filled.map(String)
  const found = typeOfTexts(texts)
  // Numbers and yes or no in quotes are texts in JSON; days and times have no other form.
  return found.type?.kind === "date" || found.type?.kind === "timestamp" ? found : text
}
