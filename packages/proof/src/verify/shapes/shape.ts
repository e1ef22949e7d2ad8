// What data may look like. The types of a plan are promises of the compiler, and whoever proves a plan does
// not trust who made it: a shape says the same of a value when it is there. Shapes are closed: what they do
// not name is rejected. Their types follow those of the data, so a new field or kind needs a shape.

import { rational, type Rational } from "@dosimeter/core/exact"
import { reject } from "../../units/reject.ts"

/** A check of values of one type. */
export interface Shape<T> {
  /** Rejects a value that has another shape; `name` is the field that it stands in. */
  readonly check: (value: unknown, name: string) => void
  /** Of no value: tells the compiler the type. */
  readonly of?: T
}

/** Numbers beyond this have no use in a plan, and would only cost time. */
const wholeMax = 1n << 65_536n

/** Any text. */
export const text: Shape<string> = primitive("string", "a text")
/** True or false. */
export const flag: Shape<boolean> = primitive("boolean", "true or false")
/** True, where only that is ever written. */
export const yes: Shape<true> = {
  check: (value, name) => (value === true ? undefined : reject(`${name} is not true`)),
}
/** A number of things, or a place in a list: a whole number from 0. */
export const count: Shape<number> = {
  check: (value, name) => {
    const isCount = typeof value === "number" && Number.isSafeInteger(value) && value >= 0
    if (!isCount || Object.is(value, -0)) reject(`${name} is no number from 0`)
  },
}
/** A whole number of any sign, written exactly. */
export const whole: Shape<bigint> = {
  check: (value, name) => {
    const isWhole = typeof value === "bigint" && value < wholeMax && value > -wholeMax
    if (!isWhole) reject(`${name} is no whole number`)
  },
}
/** A whole number from 0, written exactly. */
export const natural: Shape<bigint> = {
  check: (value, name) => {
    whole.check(value, name)
    if (typeof value === "bigint" && value < 0n) reject(`${name} is below 0`)
  },
}
/** Data of the catalog: frozen and plain, and compared with the catalog's own elsewhere (checkTables). */
export const ofCatalog: Shape<never> = {
  check: (value, name) =>
    typeof value === "object" && value !== null ? undefined : reject(`${name} is no object`),
}
/** What may not be there at all. */
export const nothing: Shape<never> = { check: (_, name) => reject(`${name} may not be there`) }

/** A fraction in lowest terms, with a positive denominator: so equal fractions are written alike. */
export const fraction: Shape<Rational> = remembered({
  check: (value, name) => {
    const own = objectOf(value, name)
    fractionFields.check(own, name)
    const numerator: unknown = Reflect.get(own, "numerator")
    const denominator: unknown = Reflect.get(own, "denominator")
    if (typeof numerator !== "bigint" || typeof denominator !== "bigint") {
      return reject(`${name} is no fraction`)
    }
    if (denominator <= 0n || rational(numerator, denominator).denominator !== denominator) {
      reject(`${name} is a fraction that is not in lowest terms`)
    }
  },
})

/** One of some words. */
export function word<const Words extends readonly string[]>(...words: Words): Shape<Words[number]> {
  const known = new Set<unknown>(words)
  return {
    check: (value, name) => (known.has(value) ? undefined : reject(`${name} is none of ${words.join(", ")}`)),
  }
}

/** A name that a table has an entry for. */
export function nameIn<Name extends string>(table: Readonly<Record<Name, unknown>>): Shape<Name> {
  return {
    check: (value, name) =>
      typeof value === "string" && Object.hasOwn(table, value) ? undefined : reject(`${name} is unknown`),
  }
}

/** A list: of nothing but such values, without holes and without further properties. */
export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return {
    check: (value, name) => {
      if (!Array.isArray(value)) return reject(`${name} is no list`)
      if (Reflect.ownKeys(value).length !== value.length + 1) reject(`${name} is a list with something else`)
      for (const one of value) shape.check(one, name)
    },
  }
}

/** A value, or undefined. */
export function maybe<T>(shape: Shape<T>): Shape<T | undefined> {
  return { check: (value, name) => (value === undefined ? undefined : shape.check(value, name)) }
}

type Needed<T> = { readonly [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T]
type Optional<T> = Exclude<keyof T, Needed<T>>

/** An object with these fields, of which some may be absent, and with no others. */
export function fields<T extends object>(
  needed: { readonly [K in Needed<T>]: Shape<T[K]> },
  optional: { readonly [K in Optional<T>]-?: Shape<Exclude<T[K], undefined>> },
): Shape<T> {
  const must = new Map<PropertyKey, Shape<unknown>>(Object.entries(needed))
  const may = new Map<PropertyKey, Shape<unknown>>(Object.entries(optional))
  return {
    check: (value, name) => {
      const own = objectOf(value, name)
      for (const key of Reflect.ownKeys(own)) {
        const shape = must.get(key) ?? may.get(key) ?? reject(`${name} has the unknown field ${String(key)}`)
        const part: unknown = Reflect.get(own, key)
        shape.check(part, String(key))
      }
      for (const key of must.keys()) if (!Object.hasOwn(own, key)) reject(`${name} lacks ${String(key)}`)
    },
  }
}

/** One of several kinds of objects, told apart by one of their fields. */
export function variants<T extends object, Tag extends keyof T>(
  tag: Tag,
  kinds: { readonly [K in T[Tag] & string]: Shape<KindOf<T, Tag, K>> },
): Shape<T> {
  const known = new Map<unknown, Shape<unknown>>(Object.entries(kinds))
  return {
    check: (value, name) => {
      const kind: unknown = Reflect.get(objectOf(value, name), tag)
      const shape = known.get(kind) ?? reject(`${name} is of an unknown ${String(tag)}`)
      shape.check(value, name)
    },
  }
}

type KindOf<T, Tag extends keyof T, K> = T extends unknown ? (K extends T[Tag] ? T : never) : never

/** A shape that is part of itself. */
export function within<T>(shape: () => Shape<T>): Shape<T> {
  return { check: (value, name) => shape().check(value, name) }
}

/** The same shape: objects that had it are not looked at again, since what is frozen does not change. */
export function remembered<T>(shape: Shape<T>): Shape<T> {
  const known = new WeakSet<object>()
  return {
    check: (value, name) => {
      if (typeof value !== "object" || value === null) return shape.check(value, name)
      if (known.has(value)) return
      shape.check(value, name)
      if (Object.isFrozen(value)) known.add(value)
    },
  }
}

function primitive<T>(type: string, what: string): Shape<T> {
  return { check: (value, name) => (typeof value === type ? undefined : reject(`${name} is not ${what}`)) }
}

function objectOf(value: unknown, name: string): object {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
  return isObject ? value : reject(`${name} is no object`)
}

const fractionFields: Shape<Rational> = fields<Rational>({ numerator: whole, denominator: whole }, {})
