// How a model of how rows lie is fitted: which sums it asks for. Decided before anything is read.

import { planClusters } from "@dosimeter/ml/clustering/clusters-plan"
import { coordinatesOf } from "@dosimeter/ml/columns/points"
import { planComponents } from "@dosimeter/ml/components/components-plan"
import { coordinateNames, specOf, type ModelColumn, type PlacingKind } from "./model-columns.ts"
import { noiseOfComponents, noiseOfGroups } from "./noise-of-points.ts"
import { proposed, type Learning, type Loss } from "./plan-fit.ts"

/** How a model without a target is fitted: components, or groups. */
export function placingOf(
  kind: PlacingKind,
  { inputs, count }: { readonly inputs: readonly ModelColumn[]; readonly count: number | undefined },
  { muSquared, neighbours, rounds }: Loss,
): Learning {
  const features = inputs.map(specOf)
  const most = coordinatesOf(features).length
  const names = coordinateNames(inputs)
  switch (kind) {
    case "components": {
      const own = count ?? Math.min(usualComponents, Math.max(1, most))
      const plan = planComponents({ features, count: own, muSquared, neighbours })
      return {
        fit: { kind, plan },
        features: names,
        rounds: 1,
        count: own,
        noise: noiseOfComponents(plan),
        sums: plan.sums.map((one) => proposed({ ...one, count: 1 })),
      }
    }
    case "k-means": {
      const own = count ?? usualGroups
      const given = { features, count: own, muSquared, neighbours }
      const plan = planClusters(rounds === undefined ? given : { ...given, rounds })
      return {
        fit: { kind, plan },
        features: names,
        rounds: plan.model.rounds.length,
        count: own,
        noise: noiseOfGroups(plan),
        sums: plan.sums.map(proposed),
      }
    }
    default:
      return kind satisfies never
  }
}

/** So many are found unless said. */
const usualComponents = 2
const usualGroups = 3
