// Text functions on constants, exactly as the databases compute them: by code points, as PostgreSQL does.

import type { Constant } from "../catalog/constant.ts"

/** Texts are read, and joined, up to this many characters: what grows with every step must end somewhere. */
export const textMax = 65_536

/** Letters whose other case is the same in every database. */
export function mapsExactly(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/** SUBSTRING: a start below 1 uses up the length; undefined for a negative length. */
export function substringOf(text: string, [start, length]: readonly Constant[]): string | undefined {
  const from = integerOf(start)
  if (from === undefined) return undefined
  const first = from < 1n ? 1n : from
  if (length === undefined) return cut(text, first - 1n, undefined)
  const count = integerOf(length)
  if (count === undefined || count < 0n) return undefined
  return cut(text, first - 1n, from + count - 1n)
}

/** LEFT: a negative number leaves that many characters off at the end. */
export function leftOf(text: string, [length]: readonly Constant[]): string | undefined {
  const count = integerOf(length)
  return count === undefined ? undefined : cut(text, 0n, count < 0n ? lengthOf(text) + count : count)
}

/** RIGHT: a negative number leaves that many characters off at the beginning. */
export function rightOf(text: string, [length]: readonly Constant[]): string | undefined {
  const count = integerOf(length)
  return count === undefined ? undefined : cut(text, count < 0n ? -count : lengthOf(text) - count, undefined)
}

/** TRIM and its kin: spaces, or the characters of the second argument. */
export function trimmed(where: "both" | "start" | "end") {
  return (text: string, [characters]: readonly Constant[]): string | undefined => {
    if (characters !== undefined && characters.kind !== "text") return undefined
    const set = new Set(Array.from(characters?.value ?? " "))
    const points = Array.from(text)
    let [first, last] = [0, points.length]
    if (where !== "end") while (first < last && set.has(points[first] ?? "")) first += 1
    if (where !== "start") while (last > first && set.has(points[last - 1] ?? "")) last -= 1
    return points.slice(first, last).join("")
  }
}

/** REPLACE: nothing is found in place of an empty text. */
export function replaced(text: string, [found, put]: readonly Constant[]): string | undefined {
  if (found?.kind !== "text" || put?.kind !== "text") return undefined
  return found.value === "" ? text : text.split(found.value).join(put.value)
}

/** The characters from one place up to another. */
function cut(text: string, from: bigint, to: bigint | undefined): string {
  const points = Array.from(text)
  const end = to === undefined || to > BigInt(points.length) ? points.length : to < 0n ? 0 : Number(to)
  const start = from < 0n ? 0 : from > BigInt(points.length) ? points.length : Number(from)
  return points.slice(start, Math.max(start, end)).join("")
}

function lengthOf(text: string): bigint {
  return BigInt(Array.from(text).length)
}

function integerOf(constant: Constant | undefined): bigint | undefined {
  return constant?.kind === "number" && constant.value.denominator === 1n
    ? constant.value.numerator
    : undefined
}
