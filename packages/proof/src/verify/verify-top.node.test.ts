// Plans that choose the largest groups, spoilt after planning: verify rejects every one.

import { hasStrategy } from "../algebra/measurement.ts"
import { rational, zero } from "@dosimeter/core/exact"
import type { TopKeysSpec, TopKSpec } from "@dosimeter/core/mechanisms"
import { beforeAll, describe, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import type { ReleasePlan, TopPlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import {
  recharged,
  rejectionOf,
  withStrategies,
  withRelease,
} from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { policyOf } from "@dosimeter/planner/testing/clinic/hand-made"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

const tables = `
  visits:
    unit: person_id
    columns:
      person_id: integer
      ward: { type: text, values: [A, B, C, D, E, F, G, H, I, J, K, L] }
      n: { type: integer, min: -2, max: 10 }
      code: text
`
const listed = "SELECT ward, COUNT(*), SUM(n) FROM visits GROUP BY ward ORDER BY 2 DESC LIMIT 2"
const fromData = "SELECT code, COUNT(*), SUM(n) FROM visits GROUP BY code ORDER BY 2 DESC LIMIT 2"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

function planOf(
  sql: string,
  neighbours: string,
): { plan: ReleasePlan; check: (plan: ReleasePlan) => unknown } {
  const { catalog, terms } = readPolicy(policyOf(tables, { groups: 40, rows: 3, neighbours }))
  const { plan } = compile(sql, { grammar, catalog, terms })
  expect(plan.releases[0]?.keys.kind).toBe("top")
  return { plan, check: (one) => verify(one, catalog) }
}

type Change = (plan: ReleasePlan) => ReleasePlan

const keys = (change: (keys: TopPlan) => ReleasePlan["releases"][number]["keys"]): Change => {
  return (plan) =>
    withRelease(plan, (release) =>
      release.keys.kind === "top" ? { ...release, keys: change(release.keys) } : release,
    )
}
const topK = (change: Partial<TopKSpec>): Change =>
  keys((one) => (one.spec.kind === "top-k" ? { ...one, spec: { ...one.spec, ...change } } : one))
const topKeys = (change: Partial<TopKeysSpec>): Change =>
  keys((one) => (one.spec.kind === "top-keys" ? { ...one, spec: { ...one.spec, ...change } } : one))
const otherScore: Change = (plan) => {
  const sum = plan.releases[0]?.measurements[1]
  const column = hasStrategy(sum, "identity") ? sum.columns[0] : undefined
  return keys((one) => ({ ...one, score: column?.id ?? -1 }))(plan)
}
const lowered: Change = (plan) =>
  keys((one) => ({ ...one, spec: { ...one.spec, sensitivity: 1000n } }))(otherScore(plan))
const fewer: Change = (plan) =>
  withStrategies(plan, "identity", (one) => {
    const patterns = [[{ groups: 1n, amount: 3n }]]
    const { spec } = one.strategy
    const claimed = { ...spec, sensitivity: { ...spec.sensitivity, patterns } }
    return { ...one, strategy: { ...one.strategy, spec: claimed } }
  })

/** Rejected whatever is charged. */
const spoiltLists: readonly (readonly [string, Change])[] = [
  ["less of a unit", topK({ sensitivity: 2n })],
  ["nothing of a unit", topK({ sensitivity: 0n })],
  ["fewer candidates", topK({ candidates: 2n })],
  ["no loss", topK({ epsilonPerChoice: zero })],
  ["a negative loss", topK({ epsilonPerChoice: rational(-1n) })],
  ["nothing to choose", topK({ k: 0n })],
  ["more to choose than there is", topK({ k: 99n })],
  ["more shown than is paid for", topK({ k: 3n })],
  ["no list", keys((one) => ({ ...one, lists: undefined }))],
  ["a shorter list", keys((one) => ({ ...one, lists: one.lists?.map((list) => list.slice(1)) }))],
  ["another score", otherScore],
  ["a score that a unit may lower", lowered],
  ["a score that is not there", keys((one) => ({ ...one, score: 9999 }))],
  ["fewer groups of a unit than are shown", fewer],
  ["keys that nobody chose", keys(() => ({ kind: "none" }))],
]
const spoiltKeys: readonly (readonly [string, Change])[] = [
  ["less of a unit", topKeys({ sensitivity: 2n })],
  ["fewer groups of a unit", topKeys({ groupsPerUnit: 39n })],
  ["other neighbours", topKeys({ neighbours: "replace" })],
  ["no loss", topKeys({ epsilonPerChoice: zero })],
  ["more shown than is paid for", topKeys({ k: 3n })],
  ["a list that is none", keys((one) => ({ ...one, lists: [[]] }))],
  ["another score", otherScore],
  ["a score that a unit may lower", lowered],
  ["fewer groups of a unit than are shown", fewer],
  [
    "a choice as if there were a list",
    keys((one) => {
      const { k, epsilonPerChoice, sensitivity } = one.spec
      const spec = { kind: "top-k", k, epsilonPerChoice, sensitivity, scores: "monotone", candidates: 9n }
      return { ...one, spec: { ...spec, kind: "top-k", scores: "monotone" } }
    }),
  ],
]

describe.each([
  ["a list", listed, spoiltLists],
  ["the data", fromData, spoiltKeys],
] as const)("of keys from %s", (_name, sql, spoilt) => {
  test.each(["add-or-remove", "replace"])("proves an honest plan (%s)", (neighbours) => {
    const { plan, check } = planOf(sql, neighbours)
    expect(check(plan)).toEqual(plan)
  })

  test.each(spoilt)("[Q3] rejects %s, charged or not", (_what, change) => {
    const { plan, check } = planOf(sql, "add-or-remove")
    expect(rejectionOf(() => check(change(plan)))).toMatch(/^(bug|privacy|parameter)\//)
    expect(rejectionOf(() => check(recharged(change(plan))))).toMatch(/^(bug|privacy|parameter)\//)
  })
})

test("[Q3] rejects what holds for adding and removing only", () => {
  const other = planOf(listed, "replace")
  const spoilt = recharged(topK({ scores: "monotone" })(other.plan))
  expect(rejectionOf(() => other.check(spoilt))).toMatch(/^bug\//)
  const keyed = planOf(fromData, "replace")
  const kept = recharged(topKeys({ neighbours: "add-or-remove" })(keyed.plan))
  expect(rejectionOf(() => keyed.check(kept))).toMatch(/^bug\//)
})

test.each([
  ["a lower threshold", topKeys({ threshold: 3n })],
  ["a larger loss", topKeys({ epsilonPerChoice: rational(50n) })],
])("[Q3] rejects %s, unless it is charged", (_what, change) => {
  const { plan, check } = planOf(fromData, "add-or-remove")
  expect(rejectionOf(() => check(change(plan)))).toMatch(/^bug\//)
  const paid = recharged(change(plan))
  expect(check(paid)).toEqual(paid)
})
