// Choosing one of several values: COALESCE, NULLIF, GREATEST, LEAST, CLAMP.

import { compare } from "@dosimeter/core/exact"
import type { Constant } from "../catalog/constant.ts"
import type { Domain, Range } from "../catalog/domain.ts"
import { sameType, type SqlType } from "../catalog/sql-type.ts"
import type { Argument, NoResult } from "./definition.ts"
import { compared } from "./logic.ts"
import { isNoResult, mismatch, wrongTypes } from "./no-result.ts"
import { endAt, lowerEnd, upperEnd } from "./numeric-domain.ts"
import { inType, unionDomain } from "./union-domain.ts"

type Result = Domain | NoResult

function coalesce(args: readonly Argument[]): Result {
  if (args.length === 0) return wrongTypes("COALESCE", args, "values of one type")
  const union = unionDomain(
    args.map(({ domain }) => domain),
    "COALESCE",
  )
  return isNoResult(union) ? union : { ...union, nullable: args.every(({ domain }) => domain.nullable) }
}

function nullif(args: readonly Argument[]): Result {
  const [value] = args
  if (value === undefined || args.length !== 2) return wrongTypes("NULLIF", args, "two values")
  return compared("NULLIF", args) ?? { ...value.domain, nullable: true }
}

/** The far end of GREATEST (LEAST) is held by literals only: any other argument may be NULL and drop out. */
function extreme(what: "GREATEST" | "LEAST") {
  return (args: readonly Argument[]): Result => {
    if (args.length === 0) return wrongTypes(what, args, "values of one type")
    const union = unionDomain(
      args.map(({ domain }) => domain),
      what,
    )
    if (isNoResult(union)) return union
    if (union.type.kind === "interval" || union.type.kind === "boolean") {
      return wrongTypes(what, args, "numbers, dates or texts")
    }
    const nullable = args.every(({ domain }) => domain.nullable)
    if (union.range === undefined) return { ...union, nullable }
    let { min, max }: Range = union.range
    for (const { literal, domain } of args) {
      if (literal === undefined || literal.kind === "null") continue
      const held = inType(domain, union.type, what)
      if (isNoResult(held) || held.range === undefined) continue
      if (what === "GREATEST") min = upperEnd(min, held.range.min)
      else max = lowerEnd(max, held.range.max)
    }
    return { ...union, nullable, range: { min, max } }
  }
}

function clamp(args: readonly Argument[]): Result {
  const [value, low, high] = args
  if (value === undefined || low === undefined || high === undefined || args.length !== 3) {
    return wrongTypes("CLAMP", args, "a value, a lower and an upper bound")
  }
  const bounds = [low.literal, high.literal]
  if (bounds.some((bound) => bound === undefined || bound.kind === "null")) {
    return mismatch(
      "CLAMP has a bound that is not a constant",
      "write the bounds as numbers or dates: CLAMP(x, 0, 500)",
    )
  }
  const union = unionDomain(
    args.map(({ domain }) => domain),
    "CLAMP",
  )
  if (isNoResult(union)) return union
  const { domain } = value
  // In one type before they are compared: a date is days, a timestamp microseconds.
  const [own, from, to] = [domain, low.domain, high.domain].map((one) => rangeAs(one, union.type))
  if (own === undefined || from === undefined || to === undefined) {
    return wrongTypes("CLAMP", args, "a number or date and two bounds")
  }
  if (compare(from.min.value, to.max.value) > 0) {
    return mismatch("CLAMP has a lower bound above the upper one", "swap the bounds: CLAMP(x, low, high)")
  }
  // A bound that became a double lies somewhere in its range, so each end is held by the far end of a bound.
  const min = lowerEnd(upperEnd(own.min, from.min), to.min)
  const max = upperEnd(lowerEnd(own.max, to.max), from.max)
  const isOneType = args.every((arg) => sameType(arg.domain.type, union.type))
  const { values } = isOneType ? clampedValues(domain, bounds) : {}
  return {
    type: union.type,
    nullable: domain.nullable,
    range: { min: endAt(min.value, true), max: endAt(max.value, true) },
    ...(values === undefined ? {} : { values }),
    ...(union.grid === undefined ? {} : { grid: union.grid }),
  }
}

function rangeAs(domain: Domain, type: SqlType): Range | undefined {
  const same = inType(domain, type, "CLAMP")
  return isNoResult(same) ? undefined : same.range
}

/** Listed numbers that are inside the bounds already keep their list. */
function clampedValues(
  { values }: Domain,
  [low, high]: readonly (Constant | undefined)[],
): { readonly values?: readonly Constant[] } {
  if (values === undefined || low?.kind !== "number" || high?.kind !== "number") return {}
  const inside = values.every(
    (value) =>
      value.kind === "number" &&
      compare(low.value, value.value) <= 0 &&
      compare(value.value, high.value) <= 0,
  )
  return inside && values.length > 0 ? { values } : {}
}

/** What each function of this family gives. */
export const choiceResults = {
  coalesce,
  nullif,
  greatest: extreme("GREATEST"),
  least: extreme("LEAST"),
  clamp,
} satisfies Record<string, (args: readonly Argument[]) => Result>
