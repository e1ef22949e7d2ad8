// Plans of trees, and of public groups, that were spoilt after planning: verify rejects every one.

import { rational, zero } from "@dosimeter/core/exact"
import type { TreeSpec } from "@dosimeter/core/mechanisms"
import { beforeAll, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import { hasGroupings } from "../algebra/grouping-sums.ts"
import type { Release, ReleasePlan } from "../algebra/release-plan.ts"
import { treeOf, type TreeKeys } from "../algebra/tree-layout.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import {
  recharged,
  rejectionOf,
  showPlan,
  withRelease,
  withStrategies,
} from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { treePolicy, treeQuestions } from "@dosimeter/planner/testing/clinic/tree-clinic"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import { verify } from "./verify.ts"

const { catalog, terms } = readPolicy(treePolicy({}))
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const flat = {
  pair: "SELECT region, hospital, COUNT(*) FROM stays GROUP BY region, hospital",
  sex: "SELECT sex, COUNT(*) FROM people GROUP BY sex",
} as const
const questions = { ...treeQuestions, ...flat }
type Question = keyof typeof questions
type Change = (plan: ReleasePlan) => ReleasePlan

/** More is lost than lossOf says: rejected, whatever is charged. */
const untrue: readonly (readonly [string, Question, Change])[] = [
  ["fewer leaves of a unit", "stays", spec({ groupsPerUnit: 1n })],
  ["no leaves of a unit", "rollup", spec({ groupsPerUnit: 0n })],
  ["half the amount", "stays", spec({ upper: 1n })],
  ["amounts of one sign", "stays", spec({ lower: 0n })],
  ["other neighbours", "rollup", spec({ neighbours: "replace" })],
  ["a tree of another form", "rollup", onSpec(({ children }) => ({ children: children.toReversed() }))],
  ["a leaf more", "ancestor", onSpec(withLeaf)],
  ["a total without noise", "rollup", spec({ total: zero })],
  ["comparisons without noise", "rollup", onSpec(withVariance(zero))],
  ["comparisons of negative noise", "rollup", onSpec(withVariance(rational(-4n)))],
  ["a level without noise", "rollup", onSpec(({ variances }) => ({ variances: variances.slice(1) }))],
  [
    "a node without noise",
    "rollup",
    onSpec(({ variances }) => ({ variances: variances.map((one) => one.slice(1)) })),
  ],
  [
    "no weights",
    "rollup",
    onSpec(({ weights }) => ({ weights: weights.map((level) => level.map(() => 0n)) })),
  ],
  ["a weight less", "rollup", onSpec(({ weights }) => ({ weights: weights.map((level) => level.slice(1)) }))],
  ["a leaf twice", "rollup", keys(({ rows }) => ({ rows: [...rows.slice(1), ...rows.slice(-1)] }))],
  ["leaves of fewer keys", "rollup", keys(({ rows }) => ({ rows: rows.map((row) => row.slice(1)) }))],
  ["no leaves", "rollup", keys(() => ({ rows: [] }))],
  ["a grouping by a key that is not there", "rollup", keys(() => ({ sets: [[7]] }))],
  ["a grouping by keys in disorder", "rollup", keys(() => ({ sets: [[1, 0]] }))],
  ["levels of keys that are not there", "rollup", keys(() => ({ levels: [[], [0, 1, 9]] }))],
  [
    "levels that do not end with the leaves",
    "rollup",
    keys(({ levels }) => ({ levels: levels.slice(0, 2) })),
  ],
  ["levels that lose a key", "rollup", keys(() => ({ levels: [[], [0], [1], [0, 1, 2]] }))],
  ["margins in place of a tree", "rollup", (plan) => onRelease(plan, asMargins)],
  ["counts in place of a tree", "pair", (plan) => onRelease(plan, asTree)],
  ["a group twice", "pair", (plan) => onRelease(plan, withRowTwice)],
  ["groups of fewer keys", "pair", (plan) => onRelease(plan, withShortRows)],
  ["a value twice", "sex", (plan) => onRelease(plan, withValueTwice)],
]

test.each(Object.entries(questions))("proves the plan of an honest question: %s", (_name, sql) => {
  const { plan } = compile(sql, { grammar, catalog, terms })
  expect(verify(plan, catalog)).toEqual(plan)
})

test.each(untrue)("[Q3] rejects %s, and so it does if the charge adds up", (_name, question, change) => {
  const plan = planOnce(questions[question], { grammar, catalog, terms })
  const spoilt = change(plan)
  expect(showPlan(spoilt)).not.toBe(showPlan(plan))
  expect(rejectionOf(() => verify(spoilt, catalog))).toMatch(/^bug\//)
  expect(rejectionOf(() => verify(recharged(spoilt), catalog))).toMatch(/^(bug|privacy|parameter)\//)
})

test.each([
  ["less noise in the total", spec({ total: rational(1n, 9n) })],
  ["less noise in comparisons", onSpec(withVariance(rational(1n, 9n)))],
  [
    "other weights",
    onSpec(({ weights }) => ({ weights: weights.map((level) => level.map((_, at) => BigInt(at + 1))) })),
  ],
] as const)("[Q3] rejects %s, and accepts it once it is charged", (_name, change) => {
  const plan = planOnce(questions.rollup, { grammar, catalog, terms })
  expect(rejectionOf(() => verify(change(plan), catalog))).toMatch(/^bug\//)
  const paid = recharged(change(plan))
  expect(verify(paid, catalog)).toEqual(paid)
})

test.each([
  ["no noise in leaves", { scale: zero }],
  [
    "another sensitivity",
    { sensitivity: { neighbours: "replace", patterns: [[{ groups: 1n, amount: 1n }]] } },
  ],
] as const)("[Q3] rejects %s", (_name, change) => {
  const other = readPolicy(treePolicy({ accounting: "pure", neighbours: "replace" }))
  const { plan } = compile(questions.stays, { grammar, catalog: other.catalog, terms: other.terms })
  const spoilt = withStrategies(plan, "identity", (one) =>
    one.strategy.spec.kind === "laplace"
      ? { ...one, strategy: { ...one.strategy, spec: { ...one.strategy.spec, ...change } } }
      : one,
  )
  expect(showPlan(spoilt)).not.toBe(showPlan(plan))
  expect(rejectionOf(() => verify(spoilt, other.catalog))).toMatch(/^(bug|privacy)\//)
})

function onRelease(plan: ReleasePlan, change: (release: Release) => Release): ReleasePlan {
  return withRelease(plan, change)
}

function onSpec(change: (spec: TreeSpec) => Partial<TreeSpec>): Change {
  return (plan) =>
    withStrategies(plan, "levels", (one) => {
      const { spec: own } = one.strategy
      return { ...one, strategy: { ...one.strategy, spec: { ...own, ...change(own) } } }
    })
}

function spec(change: Partial<TreeSpec>): Change {
  return onSpec(() => change)
}

function keys(change: (keys: TreeKeys) => Partial<TreeKeys>): Change {
  return (plan) =>
    withRelease(plan, (release) => {
      const { keys: listed } = release
      const tree = hasGroupings(listed) ? treeOf(listed) : undefined
      if (!hasGroupings(listed) || tree === undefined) return release
      const { rows, levels, sets } = { ...tree, ...change(tree) }
      return { ...release, keys: { ...listed, rows, groupings: { ...listed.groupings, levels, sets } } }
    })
}

function withVariance(variance: TreeSpec["total"]): (spec: TreeSpec) => Partial<TreeSpec> {
  return ({ variances }) => ({ variances: variances.map((level) => level.map(() => variance)) })
}

// A leaf more below the last node, with a weight.
function withLeaf({ children, weights }: TreeSpec): Partial<TreeSpec> {
  const last = children.at(-1) ?? []
  return {
    children: [...children.slice(0, -1), last.with(-1, (last.at(-1) ?? 0) + 1)],
    weights: [...weights.slice(0, -1), [...(weights.at(-1) ?? []), 1n]],
  }
}

function asMargins(release: Release): Release {
  if (!hasGroupings(release.keys)) return release
  const lists = [0, 1, 2].map(() => [{ kind: "null" as const }])
  const { sets } = release.keys.groupings
  return { ...release, keys: { kind: "public", lists, groupings: { sets, nonNegative: false } } }
}

function asTree(release: Release): Release {
  if (release.keys.kind !== "public") return release
  const groupings = { levels: [[], [0, 1]], sets: [[0, 1], []], nonNegative: false }
  return { ...release, keys: { ...release.keys, groupings } }
}

function withRowTwice(release: Release): Release {
  const { keys: listed } = release
  if (listed.kind !== "public") return release
  const rows = listed.rows ?? []
  return { ...release, keys: { ...listed, rows: [...rows.slice(1), ...rows.slice(-1)] } }
}

function withShortRows(release: Release): Release {
  const { keys: listed } = release
  if (listed.kind !== "public") return release
  return { ...release, keys: { ...listed, rows: (listed.rows ?? []).map((row) => row.slice(1)) } }
}

function withValueTwice(release: Release): Release {
  const { keys: listed } = release
  if (listed.kind !== "public") return release
  const lists = listed.lists.map((list) => [...list.slice(1), ...list.slice(-1)])
  return { ...release, keys: { ...listed, lists } }
}
