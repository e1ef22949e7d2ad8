// Makes a value unchangeable, to its last part. What was proven of a plan stays true only if nobody can
// change the plan afterwards.

import { reject } from "../units/reject.ts"

/**
 * Freezes a value and everything in it; rejects what is not plain data (objects, lists, texts, numbers).
 *
 * Guarantee: after it returns, every read of the value or of a part of it gives what the same read gives now.
 * Needs: nothing.
 * Proof: every part is an object or a list with the language's own prototype, so it has no hidden state (a
 *   Map or a Date has one, and is rejected), and all its properties are data properties: no accessor computes
 *   another value next time. A frozen object never gets, loses or changes a property. The walk reaches every
 *   part; it passes over a part only if an earlier walk froze everything below it.
 * Numerics: none.
 * Source: ECMAScript 2023, Object.freeze.
 */
export function freezeData(value: object): void {
  const met = new Set<object>()
  const left = [value]
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (met.has(part) || frozen.has(part)) continue
    met.add(part)
    checkPlain(part)
    Object.freeze(part)
    left.push(...partsOf(part))
  }
  for (const part of met) frozen.add(part)
}

/** What was frozen with everything below it: catalogs are shared by all plans. */
const frozen = new WeakSet<object>()

function checkPlain(part: object): void {
  const prototype: unknown = Object.getPrototypeOf(part)
  const isPlain = Array.isArray(part) ? prototype === Array.prototype : prototype === Object.prototype
  if (!isPlain) reject("a part of the plan is not plain data")
}

function partsOf(part: object): readonly object[] {
  const parts: object[] = []
  for (const key of Reflect.ownKeys(part)) {
    const property = Object.getOwnPropertyDescriptor(part, key)
    if (property === undefined || !("value" in property))
      return reject("a part of the plan is computed when read")
    const value: unknown = property.value
    if (typeof value === "function") reject("a part of the plan is a function")
    if (typeof value === "object" && value !== null) parts.push(value)
  }
  return parts
}
