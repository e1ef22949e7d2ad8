// Ways to spoil the margins of a plan.

import { rational, zero } from "@dosimeter/core/exact"
import type { LaplaceSpec, MarginPart, MarginsSpec } from "@dosimeter/core/mechanisms"
import { hasGroupings } from "@dosimeter/proof/algebra/grouping-sums"
import type { Groupings, PublicKeys, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { ClinicQuestion } from "../clinic/clinic.ts"
import { withRelease, withStrategies } from "./corrupt-plan.ts"
import type { Corruption } from "./relation-corruptions.ts"

type Change = Corruption["change"]

/** Margins that promise more than they keep: rejected, whatever is charged for them. */
export const falseMargins: readonly Corruption[] = [
  ...each(["cube"], "fewer groups", spec({ groupsPerUnit: 1n })),
  ...each(["rollup", "cube"], "no groups", spec({ groupsPerUnit: 0n })),
  ...each(["cube"], "half the amount", spec({ upper: 2n })),
  ...each(["cube"], "amounts of one sign", spec({ lower: 0n })),
  ...each(["rollup", "cube"], "other neighbours", spec({ neighbours: "replace" })),
  ...each(["rollup", "cube"], "a larger table", spec({ sizes: [7n, 9n] })),
  ...each(
    ["cube"],
    "a table with its keys in another order",
    onSpec((one) => ({ sizes: one.sizes.toReversed() })),
  ),
  ...each(
    ["rollup", "cube"],
    "no noise",
    onParts((part) => ({ ...part, variance: zero })),
  ),
  ...each(
    ["rollup", "cube"],
    "negative noise",
    onParts((part) => ({ ...part, variance: rational(-9n) })),
  ),
  ...each(
    ["rollup", "cube"],
    "parts of a key that is not there",
    onParts((part) => ({ ...part, attributes: [5] })),
  ),
  ...each(
    ["cube"],
    "a key twice in a part",
    onParts((part) => ({ ...part, attributes: [0, 0] })),
  ),
  ...each(
    ["rollup", "cube"],
    "a part measured twice",
    onSpec(({ parts }) => ({ parts: [...parts, ...parts.slice(0, 1)] })),
  ),
  ...each(["rollup"], "margins of groups that are no margins", (plan) =>
    withRelease(plan, (release) =>
      hasGroupings(release.keys)
        ? { ...release, keys: { kind: "public", lists: release.keys.lists } }
        : release,
    ),
  ),
  ...each(["rollup", "cube"], "a grouping by a key that is not there", groupings({ sets: [[7]] })),
  ...each(["cube"], "a grouping by keys in disorder", groupings({ sets: [[1, 0]] })),
  ...each(["rollup", "cube"], "keys that are not listed", keys({ lists: [] })),
  ...each(["bySex"], "sums in place of margins", (plan) =>
    withRelease(plan, (release) =>
      release.keys.kind === "public"
        ? {
            ...release,
            keys: {
              kind: "public",
              lists: release.keys.lists,
              groupings: { sets: [[0], []], nonNegative: false },
            },
          }
        : release,
    ),
  ),
]

/** Margins that cost more than is charged, and would be honest otherwise. */
export const unpaidMargins: readonly Corruption[] = [
  ...each(
    ["rollup", "cube"],
    "less noise",
    onParts((part) => ({ ...part, variance: rational(1n, 100n) })),
  ),
  ...each(
    ["cube"],
    "less noise in one part",
    onParts((part) => (part.attributes.length === 0 ? { ...part, variance: rational(1n, 100n) } : part)),
  ),
]

/** What holds for adding and removing only, and under Laplace noise. */
export const replaceMargins: readonly Corruption[] = [
  ...each(["rollup", "cube"], "margins: the sensitivity of removal", (plan) =>
    onLaplace(plan, (one) => ({
      ...one,
      sensitivity: { neighbours: "add-or-remove", patterns: [[{ groups: 1n, amount: 1n }]] },
    })),
  ),
  ...each(["rollup", "cube"], "margins: no noise", (plan) =>
    onLaplace(plan, (one) => ({ ...one, scale: zero })),
  ),
]

function each(questions: readonly ClinicQuestion[], name: string, change: Change): readonly Corruption[] {
  return questions.map((of) => ({ name: `${of}: ${name}`, of, change }))
}

function onLaplace(plan: ReleasePlan, change: (spec: LaplaceSpec) => LaplaceSpec): ReleasePlan {
  return withStrategies(plan, "identity", (one) =>
    one.strategy.spec.kind === "laplace"
      ? { ...one, strategy: { ...one.strategy, spec: change(one.strategy.spec) } }
      : one,
  )
}

function onSpec(change: (spec: MarginsSpec) => Partial<MarginsSpec>): Change {
  return (plan) =>
    withStrategies(plan, "parts", (one) => {
      const { spec: own } = one.strategy
      return { ...one, strategy: { ...one.strategy, spec: { ...own, ...change(own) } } }
    })
}

function spec(change: Partial<MarginsSpec>): Change {
  return onSpec(() => change)
}

function onParts(change: (part: MarginPart) => MarginPart): Change {
  return onSpec(({ parts }) => ({ parts: parts.map(change) }))
}

function keys(change: Partial<PublicKeys>): Change {
  return (plan) =>
    withRelease(plan, (release) =>
      hasGroupings(release.keys) ? { ...release, keys: { ...release.keys, ...change } } : release,
    )
}

function groupings(change: Partial<Groupings>): Change {
  return (plan) =>
    withRelease(plan, (release) => {
      if (!hasGroupings(release.keys)) return release
      return { ...release, keys: { ...release.keys, groupings: { ...release.keys.groupings, ...change } } }
    })
}
