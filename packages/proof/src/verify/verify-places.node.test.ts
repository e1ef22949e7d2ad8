// Places that a plan counts rows by, spoilt in ways that would let more of a unit count: verify rejects each.

import { DosimeterError } from "@dosimeter/core"
import { beforeAll, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import type { Expr } from "../algebra/expr.ts"
import { callExpr, columnExpr, integerLiteral } from "../algebra/make.ts"
import type { AggregateItem, Rel, WindowItem } from "../algebra/rel.ts"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import { onlyWhere } from "@dosimeter/planner/aggregates/only-where"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import { withNodes } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

const { catalog, terms } = readPolicy(clinicPolicy({}))
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

interface Spoilt {
  readonly name: string
  readonly sql: string
  readonly change: (item: WindowItem) => WindowItem
}

const mode = "SELECT MODE() WITHIN GROUP (ORDER BY ward) FROM visits"
const spread = (change: (item: WindowItem) => Partial<WindowItem>): Spoilt["change"] => {
  return (item) => (item.function === "spread-place" ? { ...item, ...change(item) } : item)
}
const step = (value: (before: bigint) => bigint): Spoilt["change"] =>
  spread(({ args }) => ({ args: args.map((arg) => integerLiteral(value(wholeOf(arg)))) }))
const spoilt: readonly Spoilt[] = [
  { name: "rows spread by twice the step", sql: mode, change: step((before) => 2n * before) },
  { name: "rows spread by less than the limit", sql: mode, change: step((before) => before - 1n) },
  { name: "rows spread by no step", sql: mode, change: spread(() => ({ args: [] })) },
  { name: "rows spread over everyone", sql: mode, change: spread(() => ({ partitionBy: [] })) },
  { name: "a rank in place of a number", sql: mode, change: spread(() => ({ function: "rank" })) },
  {
    name: "rows spread within their values",
    sql: mode,
    change: spread(({ partitionBy, orderBy }) => ({
      partitionBy: [...partitionBy, ...orderBy.map(({ value }) => value)],
    })),
  },
]

test.each(spoilt)("[Q3] rejects $name", ({ sql, change }) => {
  const plan = planOf(sql)
  const other = withNodes(plan, (rel) =>
    rel.kind === "window" ? { ...rel, items: rel.items.map(change) } : rel,
  )
  expect(show(other), "the corruption must change something").not.toBe(show(plan))
  expect(rejectionOf(other)).toBe("bug/plan-rejected")
  expect(rejectionOf(plan)).toBe("accepted")
})

const counts = "SELECT code, COUNT(*), COUNT(DISTINCT person_id) FROM visits GROUP BY code"
const ofItems = (change: (item: WindowItem) => WindowItem): ((rel: Rel) => Rel) => {
  return (rel) => (rel.kind === "window" ? { ...rel, items: rel.items.map(change) } : rel)
}
const ofUnits = (change: (item: AggregateItem) => AggregateItem): ((rel: Rel) => Rel) => {
  const changed = (item: AggregateItem): AggregateItem => (item.function === "count" ? change(item) : item)
  return (rel) => (rel.kind === "aggregate" ? { ...rel, items: rel.items.map(changed) } : rel)
}
const upTo = (most: bigint): ((item: AggregateItem) => AggregateItem) => {
  return (item) => {
    const { argument } = item
    const [branch] = argument?.kind === "case" ? argument.branches : []
    if (argument?.kind !== "case" || branch?.when.kind !== "call") return item
    const when = { ...branch.when, args: [...branch.when.args.slice(0, 1), integerLiteral(most)] }
    return { ...item, argument: { ...argument, branches: [{ ...branch, when }] } }
  }
}
// Of the unit's first group in place of its first row: a group may have several rows.
const firstGroup = (rel: Rel): Rel => {
  const group = rel.kind === "aggregate" ? rel.input.columns.at(-2) : undefined
  if (rel.kind !== "aggregate" || group === undefined) return rel
  const when = callExpr("less-or-equal", [columnExpr(group), integerLiteral(1n)])
  return ofUnits((item) => ({ ...item, argument: onlyWhere(when, integerLiteral(1n)) }))(rel)
}
const named = (from: WindowItem["function"], change: Partial<WindowItem>): ((rel: Rel) => Rel) =>
  ofItems((item) => (item.function === from ? { ...item, ...change } : item))
const spoiltCounts: readonly { readonly name: string; readonly change: (rel: Rel) => Rel }[] = [
  { name: "every row as a unit", change: ofUnits(() => ({ function: "rows", argument: undefined })) },
  { name: "a unit twice", change: ofUnits(upTo(2n)) },
  { name: "units by another place", change: firstGroup },
  { name: "a rank in place of a row's number", change: named("row-number", { function: "rank" }) },
  {
    name: "a dense rank in place of a row's number",
    change: named("row-number", { function: "dense-rank" }),
  },
  { name: "a rank in place of a group's number", change: named("dense-rank", { function: "rank" }) },
  { name: "groups in no order", change: named("dense-rank", { orderBy: [] }) },
  {
    name: "rows numbered among everyone's",
    change: ofItems((item) => ({ ...item, partitionBy: item.partitionBy.slice(1) })),
  },
  {
    name: "rows numbered within others' groups",
    change: ofItems((item) =>
      item.function === "row-number" ? { ...item, partitionBy: item.partitionBy.slice(1) } : item,
    ),
  },
]

test.each(spoiltCounts)("[Q3] rejects counts in one order: $name", ({ change }) => {
  const plan = planOf(counts)
  const other = withNodes(plan, change)
  expect(show(other), "the corruption must change something").not.toBe(show(plan))
  expect(rejectionOf(other)).toBe("bug/plan-rejected")
  expect(rejectionOf(plan)).toBe("accepted")
})

test("rows are spread by a step that 64 bits hold, however many may count", () => {
  const many = { ...terms, bounding: { ...terms.bounding, rowsPerGroupMax: 10n ** 9n } }
  const { plan } = compile(mode, { grammar, catalog, terms: many, ask: { rowsPerGroup: 10n ** 9n } })
  expect(show(plan)).toContain(`"numerator":"${2n ** 22n}n"`)
  expect(verify(plan, catalog)).toEqual(plan)
})

function planOf(sql: string): ReleasePlan {
  return planOnce(sql, { grammar, catalog, terms })
}

function rejectionOf(plan: ReleasePlan): string {
  try {
    verify(plan, catalog)
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}

function wholeOf(expr: Expr): bigint {
  return expr.kind === "literal" && expr.value.kind === "number" ? expr.value.value.numerator : 0n
}

function show(plan: ReleasePlan): string {
  return JSON.stringify(plan, (_key, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))
}
