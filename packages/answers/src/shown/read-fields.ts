// Plain data from outside, read field by field. Whatever has another type, is missing or is not known is
// refused: a field that nobody reads would be lost without a word.

/** What was read is not what it should be. Says where; holds nothing of what stands there. */
export class Unreadable extends Error {}

/** Reads one value, or refuses it. */
export type Read<Value> = (found: unknown, at: string) => Value

/** The fields of one object, each still to be read. */
export interface Fields {
  need<Value>(name: string, read: Read<Value>): Value
  /** Undefined where there is no such field. */
  may<Value>(name: string, read: Read<Value>): Value | undefined
}

/** Text as JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The message would quote the text.
    throw new Unreadable("the text is not JSON")
  }
}

/** Reads an object with `make`, and refuses it if a field is left that `make` did not ask for. */
export function objectOf<Value>(make: (fields: Fields) => Value): Read<Value> {
  return (found, at) => {
    if (typeof found !== "object" || found === null || Array.isArray(found)) {
      throw new Unreadable(`${at} is not an object`)
    }
    const left = new Map<string, unknown>(Object.entries(found))
    const may = <Field>(name: string, read: Read<Field>): Field | undefined => {
      if (!left.has(name)) return undefined
      const field = left.get(name)
      left.delete(name)
      return read(field, `${at}.${name}`)
    }
    const need = <Field>(name: string, read: Read<Field>): Field => {
      if (!left.has(name)) throw new Unreadable(`${at} has no ${name}`)
      const field = left.get(name)
      left.delete(name)
      return read(field, `${at}.${name}`)
    }
    const made = make({ need, may })
    if (left.size > 0) throw new Unreadable(`${at} has fields that are not known`)
    return made
  }
}

/** A list of items. */
export function listOf<Item>(read: Read<Item>): Read<readonly Item[]> {
  return (found, at) => {
    if (!Array.isArray(found)) throw new Unreadable(`${at} is not a list`)
    return found.map((item: unknown, index) => read(item, `${at}[${index}]`))
  }
}

/** One of some words. */
export function wordOf<Word extends string>(...words: readonly Word[]): Read<Word> {
  return (found, at) => {
    const word = words.find((known) => known === found)
    if (word === undefined) throw new Unreadable(`${at} is none of ${words.join(", ")}`)
    return word
  }
}

/** A text. */
export function readText(found: unknown, at: string): string {
  if (typeof found !== "string") throw new Unreadable(`${at} is not a text`)
  return found
}

/** A number, or null. */
export function readNumberOrNull(found: unknown, at: string): number | null {
  if (found !== null && (typeof found !== "number" || !Number.isFinite(found))) {
    throw new Unreadable(`${at} is not a number`)
  }
  return found
}

/** The name of a field and its value, or nothing: to be spread into an object. */
export function withField<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } {
  const made: { [Key in Name]?: Value } = {}
  if (value !== undefined) made[name] = value
  return made
}
