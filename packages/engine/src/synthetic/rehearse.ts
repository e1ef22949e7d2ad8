// A round of synthetic rows planned and printed before the charge, on tables of public sizes: what cannot be
// planned or written for the database is refused for nothing.

import { mostGroups } from "@dosimeter/ml/synthetic/check-rules"
import type { Round, TableRequest } from "@dosimeter/ml/synthetic/rounds"
import { Synthesis } from "@dosimeter/ml/synthetic/synthesis"
import { printed } from "../release/printed-plan.ts"
import type { SynthesisRun } from "./measure-round.ts"
import { planRound, type SyntheticPlan } from "./plan-synthesis.ts"

/**
 * Plans and prints columns by themselves, side by side in two groups each, and the two that have most groups
 * in as many as they can have.
 */
export function rehearse(plan: SyntheticPlan, { walk, options }: SynthesisRun): void {
  const { attributes, rules } = plan.spec
  const columns = new Synthesis(plan.spec).next()?.tables ?? []
  const most = mostGroups(attributes, rules)
  const beside = (one: number, next: number, groupsOf: (attribute: number) => number): TableRequest => ({
    attributes: [one, next],
    groups: [one, next].map((attribute) =>
      Array.from({ length: attributes[attribute]?.size ?? 1 }, (_, code) =>
        Math.min(code, groupsOf(attribute) - 1),
      ),
    ),
    share: columns[0]?.share ?? 1,
  })
  const ones = [...attributes.keys()]
  const pairs = ones.slice(1).map((next) => beside(next - 1, next, () => 2))
  const [a, b] = ones.toSorted((one, other) => (most[other] ?? 1) - (most[one] ?? 1))
  const largest =
    a === undefined || b === undefined
      ? []
      : [beside(Math.min(a, b), Math.max(a, b), (attribute) => most[attribute] ?? 1)]
  const round: Round = { name: "columns", tables: [...columns, ...pairs, ...largest] }
  for (const { plan: proven } of planRound(round, plan, options)) printed(proven, walk.backend)
}
