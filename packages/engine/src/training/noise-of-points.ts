// What noise would do to directions and to groups, before anything is paid: from public numbers alone.

import { numberNear } from "@dosimeter/core/exact"
import { pointSteps } from "@dosimeter/ml/clustering/k-means"
import type { ClustersPlan } from "@dosimeter/ml/clustering/clusters-plan"
import { coordinatesOf } from "@dosimeter/ml/columns/points"
import type { ComponentsPlan } from "@dosimeter/ml/components/components-plan"
import { stepOf } from "@dosimeter/ml/grid/bounded-vector"
import { expectedShareError, spreadGrid } from "@dosimeter/ml/spread/spread"
import { unitsShown, type ExpectedNoise } from "./expected-noise.ts"

/** The variance of a number that spreads over half of its range, which is 2 wide. */
const usualVariance = 0.25

/**
 * What is known of the noise in the variance along a component, as a share of that of a number that spreads
 * over half of its range. What is reached is how far a direction keeps to itself, the square of a cosine, if
 * it has twice the variance of all others.
 */
export function noiseOfComponents({ model, sums }: ComponentsPlan): ExpectedNoise {
  const deviations = deviationsOf(sums)
  const steps = deviations("products") * stepOf(model.grid)
  const others = coordinatesOf(model.features).length - 1
  const units = unitsShown.map((rows) => {
    const noise = steps / rows
    return {
      units: rows,
      noise: noise / usualVariance,
      chance: Math.sqrt(2 / rows),
      reached: 1 / (1 + (others * noise ** 2) / 2 / usualVariance ** 2),
      share: expectedShareError(spreadGrid(model.features, "people"), deviations("quality"), rows),
    }
  })
  return { of: "share of a variance", part: "component", units }
}

/** People of a group spread over so much of a range, it is supposed. */
const usualWidth = 1 / 8

/**
 * The same of centres, as a share of a feature's range, if groups are of equal size. What is reached is how
 * likely a group is not hidden by the noise of one round.
 */
export function noiseOfGroups({ model, sums }: ClustersPlan): ExpectedNoise {
  const deviations = deviationsOf(sums)
  const ofCentres = deviations("centres")
  const units = unitsShown.map((rows) => {
    const people = rows / model.clusters
    const apart = people / (ofCentres / model.countSteps) - 2
    return {
      units: rows,
      noise: ofCentres / pointSteps / people / 2,
      chance: usualWidth / Math.sqrt(people),
      // Close to the normal distribution.
      reached: 1 / (1 + Math.exp(-1.702 * apart)),
      share: expectedShareError(spreadGrid(model.features, "by coordinate"), deviations("quality"), rows),
    }
  })
  return { of: "share of a feature's range", part: "centre", units }
}

function deviationsOf<Kind extends string>(
  sums: readonly { readonly kind: Kind; readonly spec: ComponentsPlan["sums"][number]["spec"] }[],
): (kind: Kind) => number {
  return (wanted) => {
    const found = sums.find(({ kind }) => kind === wanted)
    return found === undefined ? 0 : Math.sqrt(numberNear(found.spec.variance))
  }
}
