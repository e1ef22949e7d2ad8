// Whether unknown data has a shape: small questions that make larger ones.

/** Whether a value is of a type. */
export type Is<Value> = (value: unknown) => value is Value

/** A finite number. */
export const isNumber: Is<number> = (value): value is number =>
  typeof value === "number" && Number.isFinite(value)

/** A whole number from 0 up. */
export const isWhole: Is<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

/** A text. */
export const isText: Is<string> = (value): value is string => typeof value === "string"

/** True or false. */
export const isFlag: Is<boolean> = (value): value is boolean => typeof value === "boolean"

/** Numbers that are all finite. */
export const isFloats: Is<Float64Array> = (value): value is Float64Array =>
  value instanceof Float64Array && value.every(Number.isFinite)

/** Small whole numbers. */
export const isSmalls: Is<Uint16Array> = (value): value is Uint16Array => value instanceof Uint16Array

/** One of some words or numbers. */
export function isOneOf<const Word extends string | number>(...words: readonly Word[]): Is<Word> {
  return (value): value is Word => words.some((word) => word === value)
}

/** A list of such items. */
export function isListOf<Item>(is: Is<Item>): Is<readonly Item[]> {
  return (value): value is readonly Item[] => Array.isArray(value) && value.every((item) => is(item))
}

/** Such a value, or nothing. */
export function isMaybe<Value>(is: Is<Value>): Is<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || is(value)
}

/** One of two. */
export function isEither<Left, Right>(left: Is<Left>, right: Is<Right>): Is<Left | Right> {
  return (value): value is Left | Right => left(value) || right(value)
}

/** An object with these fields and no other. */
export function isObjectOf<Value extends object>(fields: {
  readonly [Name in keyof Value]-?: Is<Value[Name]>
}): Is<Value> {
  const known = new Map<string, Is<unknown>>(Object.entries(fields))
  return (value): value is Value => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false
    const own = new Map<string, unknown>(Object.entries(value))
    return (
      [...own.keys()].every((name) => known.has(name)) && [...known].every(([name, is]) => is(own.get(name)))
    )
  }
}
