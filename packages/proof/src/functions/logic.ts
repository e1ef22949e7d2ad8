// Logic with three values, and comparisons.

import type { Domain } from "../catalog/domain.ts"
import type { Argument, NoResult } from "./definition.ts"
import { isNoResult, wrongTypes } from "./no-result.ts"
import { commonType, inType } from "./union-domain.ts"

type Result = (args: readonly Argument[]) => Domain | NoResult

const truth = (nullable: boolean): Domain => ({ type: { kind: "boolean" }, nullable })

function isTruth({ domain }: Argument): boolean {
  return domain.type.kind === "boolean" || domain.type.kind === "null"
}

/** AND, OR, NOT: true, false or unknown. */
function logical(what: string, count: "one" | "some"): Result {
  return (args) => {
    const fits = count === "one" ? args.length === 1 : args.length > 0
    return fits && args.every(isTruth)
      ? truth(args.some(({ domain }) => domain.nullable))
      : wrongTypes(what, args, "conditions")
  }
}

/** IS NULL takes anything; IS TRUE and IS FALSE a condition. */
function test(what: string, takes: (arg: Argument) => boolean): Result {
  return (args) =>
    args.length === 1 && args.every(takes) ? truth(false) : wrongTypes(what, args, "a condition")
}

/** Two values of types that have one in common. */
function comparison(what: string, nulls: "unknown" | "values"): Result {
  return (args) => {
    if (args.length !== 2) return wrongTypes(what, args, "two values")
    const problem = compared(what, args)
    return problem ?? truth(nulls === "unknown" && args.some(({ domain }) => domain.nullable))
  }
}

/** Why values cannot be compared, if they cannot. */
export function compared(what: string, args: readonly Argument[]): NoResult | undefined {
  const common = commonType(args.map(({ domain }) => domain.type))
  if (common === undefined || common.kind === "interval") return wrongTypes(what, args, "values of one type")
  // Lists of values may be long, and are not put together here.
  return args.map(({ domain }) => inType(domain, common, what)).find(isNoResult)
}

/** What each function of this family gives. */
export const logicResults = {
  and: logical("AND", "some"),
  or: logical("OR", "some"),
  not: logical("NOT", "one"),
  "is-null": test("IS NULL", () => true),
  "is-true": test("IS TRUE", isTruth),
  "is-false": test("IS FALSE", isTruth),
  equal: comparison("=", "unknown"),
  "not-equal": comparison("<>", "unknown"),
  less: comparison("<", "unknown"),
  "less-or-equal": comparison("<=", "unknown"),
  greater: comparison(">", "unknown"),
  "greater-or-equal": comparison(">=", "unknown"),
  "distinct-from": comparison("IS DISTINCT FROM", "values"),
  "in-list": (args: readonly Argument[]): Domain | NoResult =>
    args.length < 2
      ? wrongTypes("IN", args, "a value and a list")
      : (compared("IN", args) ?? truth(args.some(({ domain }) => domain.nullable))),
} satisfies Record<string, Result>
