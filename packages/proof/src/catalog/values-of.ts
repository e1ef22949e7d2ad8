// The values of a finite public domain, in order: what a complete list of group keys is made of.

import { ceil, compare, floor, rational } from "@dosimeter/core/exact"
import { floorDivide, nextDay, truncateDay } from "./civil-date.ts"
import { constantKey, microsPerDay, type Constant } from "./constant.ts"
import type { Calendar, Domain, Range } from "./domain.ts"

const microsPerHour = 3_600_000_000n

/** More groups than this are not listed: their keys are selected privately instead. */
export const listedGroupsMax = 10_000

/**
 * Every value but NULL in ascending order, if they are listed, or follow from a range with two declared ends;
 * undefined if they do not, or there are more than `limit`.
 */
export function valuesOf(domain: Domain, limit: number): readonly Constant[] | undefined {
  const { type, values, range, calendar } = domain
  if (values !== undefined) return listedValues(values, limit)
  if (type.kind === "boolean") {
    return limit < 2 ? undefined : [false, true].map((value) => ({ kind: "boolean", value }))
  }
  if (range === undefined || !range.min.declared || !range.max.declared) return undefined
  switch (type.kind) {
    case "integer":
      return wholeNumbers(range, limit)
    case "date":
      return days(range, calendar === undefined || calendar === "hour" ? "day" : calendar, limit)
    case "timestamp":
      return calendar === undefined ? undefined : moments(range, calendar, limit)
    default:
      return undefined
  }
}

/** Negative, 0 or positive: the order of two constants of one kind; texts by code points. */
export function compareConstants(a: Constant, b: Constant): number {
  if (a.kind === "number" && b.kind === "number") return compare(a.value, b.value)
  if (a.kind === "boolean" && b.kind === "boolean") return Number(a.value) - Number(b.value)
  if (a.kind === "date" && b.kind === "date") return order(a.day, b.day)
  if (a.kind === "timestamp" && b.kind === "timestamp") return order(a.micros, b.micros)
  if (a.kind === "text" && b.kind === "text") return compareTexts(a.value, b.value)
  return order(constantKey(a), constantKey(b))
}

function listedValues(values: readonly Constant[], limit: number): readonly Constant[] | undefined {
  const found = new Map<string, Constant>()
  for (const value of values) if (value.kind !== "null") found.set(constantKey(value), value)
  return found.size > limit ? undefined : [...found.values()].sort(compareConstants)
}

function wholeNumbers({ min, max }: Range, limit: number): readonly Constant[] | undefined {
  const first = ceil(min.value)
  const count = floor(max.value) - first + 1n
  if (count > BigInt(limit)) return undefined
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => ({
    kind: "number",
    value: rational(first + BigInt(index)),
  }))
}

function days(
  { min, max }: Range,
  unit: Exclude<Calendar, "hour">,
  limit: number,
): readonly Extract<Constant, { readonly kind: "date" }>[] | undefined {
  const last = floor(max.value)
  const found: Extract<Constant, { readonly kind: "date" }>[] = []
  for (let day = truncateDay(ceil(min.value), unit); day <= last; day = nextDay(day, unit)) {
    if (found.length === limit) return undefined
    found.push({ kind: "date", day })
  }
  return found
}

function moments(range: Range, unit: Calendar, limit: number): readonly Constant[] | undefined {
  const first = ceil(range.min.value)
  const last = floor(range.max.value)
  if (unit === "hour") {
    const start = floorDivide(first, microsPerHour)
    const count = floorDivide(last, microsPerHour) - start + 1n
    if (count > BigInt(limit)) return undefined
    return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => ({
      kind: "timestamp",
      micros: (start + BigInt(index)) * microsPerHour,
    }))
  }
  const inDays = {
    min: { value: rational(floorDivide(first, microsPerDay)), declared: true },
    max: { value: rational(floorDivide(last, microsPerDay)), declared: true },
  }
  return days(inDays, unit, limit)?.map(({ day }) => ({ kind: "timestamp", micros: day * microsPerDay }))
}

/** By code points, which is the order of UTF-8 bytes; JavaScript's own order is that of UTF-16. */
function compareTexts(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  const shorter = Math.min(left.length, right.length)
  for (let index = 0; index < shorter; index += 1) {
    const difference = order(left[index]?.codePointAt(0) ?? 0, right[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function order<T extends bigint | number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}
