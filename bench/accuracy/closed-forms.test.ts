// The noise of plans beside the noise of the references, from their formulas alone: no draw, no data.

import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { budgetFor, type Accounting } from "@dosimeter/core/accounting"
import { exactly, numberNear, zero } from "@dosimeter/core/exact"
import { compile } from "@dosimeter/planner/compile"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { expect, test } from "vitest"
import { groupCounts } from "./bench-data.ts"
import { classicalKind, noiseKinds } from "./reference-noise.ts"

const { catalog, terms } = readPolicy(`dataset: clinic
source: { csv: "*.csv" }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 10 }, delta: 1e-6, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  stays:
    unit: person_id
    columns:
      person_id: { type: integer }
      ward: { type: integer, min: 0, max: 19, nullable: false }
      fee: { type: integer, min: 0, max: 1000, nullable: false }
`)
const grammar = await loadGrammar()
const delta = 1e-6
const epsilons = [0.1, 0.5, 1, 3] as const
const accountings: readonly Accounting[] = ["pure", "zcdp", "gdp"]
const cases = groupCounts.flatMap((groups) => epsilons.map((epsilon) => ({ groups, epsilon })))

interface Asked {
  readonly accounting: Accounting
  readonly epsilon: number
  readonly groups: number
}

function planOf(sql: string, { accounting, epsilon, groups }: Asked): ReleasePlan {
  const budget = budgetFor({ epsilon: 1000, delta: "0.001", accounting })
  const ask = {
    epsilon: exactly(`${epsilon}`, "epsilon"),
    groupsPerUnit: BigInt(groups),
    rowsPerGroup: 1n,
  }
  return compile(sql, { grammar, catalog, terms: { ...terms, budget }, ask }).plan
}

/** Laplace noise in fractions of a step has up to a sixth of a squared step more than in whole steps. */
const finer = 1 / 6

/** The variance of the first measurement, in steps of its grid. */
function varianceOf(plan: ReleasePlan): number {
  const measurement = plan.releases[0]?.measurements[0]
  const isScaled = hasStrategy(measurement, "scaled")
  if (!isScaled && !hasStrategy(measurement, "identity")) throw new Error("a count has noise of its own")
  const { spec } = measurement.strategy
  const worth = isScaled ? numberNear(measurement.strategy.worths[0] ?? zero) : 1
  // Weighed sums have noise in small fractions of a step.
  if (isScaled) {
    const inSteps = spec.kind === "gaussian" ? numberNear(spec.variance) : 2 * numberNear(spec.scale) ** 2
    return inSteps * worth ** 2
  }
  if (spec.kind === "gaussian") return numberNear(spec.variance)
  // The discrete law: 2 q / (1 - q)^2 with q = e^(-1 / scale).
  const q = Math.exp(-1 / numberNear(spec.scale))
  return (2 * q) / (1 - q) ** 2
}

test.each(cases)("a count has no more noise than any peer's: epsilon $epsilon, $groups groups", (asked) => {
  const sql = "SELECT ward, COUNT(*) FROM stays GROUP BY ward"
  const ours = Math.min(...accountings.map((accounting) => varianceOf(planOf(sql, { ...asked, accounting }))))
  const theirs = peersLeast(asked, 1)
  expect(ours).toBeLessThan(theirs * (1 + 1e-6) + finer)
})

test.each(cases)("a sum has no more noise than any peer's: epsilon $epsilon, $groups groups", (asked) => {
  const sql = "SELECT ward, SUM(fee) FROM stays GROUP BY ward"
  const ours = Math.min(...accountings.map((accounting) => varianceOf(planOf(sql, { ...asked, accounting }))))
  expect(ours).toBeLessThan(peersLeast(asked, 1000) * (1 + 1e-6) + finer)
})

test("Gaussian noise has at most 0.65 of the textbook's variance at epsilon 1", () => {
  const asked = { epsilon: 1, groups: 1 }
  const sql = "SELECT ward, COUNT(*) FROM stays GROUP BY ward"
  const textbook = classicalKind.variance({ epsilon: 1, delta }, { groups: 1, amount: 1 })
  expect(varianceOf(planOf(sql, { ...asked, accounting: "gdp" })) / textbook).toBeLessThan(0.65)
})

function peersLeast({ epsilon, groups }: Omit<Asked, "accounting">, amount: number): number {
  return Math.min(...noiseKinds.map((kind) => kind.variance({ epsilon, delta }, { groups, amount })))
}
