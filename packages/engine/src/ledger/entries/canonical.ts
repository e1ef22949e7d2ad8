// One text for one value: JSON with sorted keys, big integers as text, and nothing that JSON would drop or
// change silently. What is hashed is always such a text.

import { assert } from "@dosimeter/core/errors"

/**
 * The canonical JSON of a value made of objects, lists, texts, finite numbers, big integers (as text),
 * booleans and null. Keys whose value is undefined are left out.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return `${value}`
  if (typeof value === "string") return JSON.stringify(value)
  if (typeof value === "bigint") return `"${value}"`
  if (typeof value === "number") {
    assert(Number.isFinite(value), "a canonical number is finite")
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item)).join(",")}]`
  assert(typeof value === "object" && value !== null, "a canonical value is data")
  const fields: readonly (readonly [string, unknown])[] = Object.entries(value)
  const kept = fields.filter(([, field]) => field !== undefined)
  const sorted = kept.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(",")}}`
}

/** What stands where it should not, in stored text. Becomes ledger/damaged; never leaves the folder. */
export class Unreadable extends Error {}

/** Reads JSON text; whatever is not JSON is unreadable. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message would quote the text.
    throw new Unreadable("is not JSON")
  }
}

/** A field of an object, or undefined. */
export function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Unreadable(`has no ${key}`)
  }
  if (!Object.hasOwn(value, key)) return undefined
  const found: unknown = Reflect.get(value, key)
  return found
}

/** A field that is text. */
export function textField(value: unknown, key: string): string {
  const field = fieldOf(value, key)
  if (typeof field !== "string") throw new Unreadable(`has no ${key}`)
  return field
}

/** A field that is text if it is there. */
export function optionalText(value: unknown, key: string): string | undefined {
  return fieldOf(value, key) === undefined ? undefined : textField(value, key)
}

/** A field that is one of some words. */
export function wordField<Word extends string>(value: unknown, key: string, words: readonly Word[]): Word {
  const field = textField(value, key)
  const word = words.find((known) => known === field)
  if (word === undefined) throw new Unreadable(`has an unknown ${key}`)
  return word
}

/** A field that is a list, each item read by `read`. */
export function listField<Item>(value: unknown, key: string, read: (item: unknown) => Item): readonly Item[] {
  const field = fieldOf(value, key)
  if (!Array.isArray(field)) throw new Unreadable(`has no list of ${key}`)
  return field.map((item: unknown) => read(item))
}

/** A field that is a whole number of 0 or more, written as text. */
export function countField(value: unknown, key: string): bigint {
  const text = textField(value, key)
  if (!/^(0|[1-9]\d{0,18})$/.test(text)) throw new Unreadable(`has no whole number for ${key}`)
  return BigInt(text)
}

/** An item that is text. */
export function readText(item: unknown): string {
  if (typeof item !== "string") throw new Unreadable("has something else where a text should be")
  return item
}
