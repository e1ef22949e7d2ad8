// What naive Bayes measures where a ledger pays for it: people by class and cell, and how good the model is.
// Decided before anything is read; the charge is read from it.

import { subtract, type Rational } from "@dosimeter/core/exact"
import type { GaussianSpec, Neighbours } from "@dosimeter/core/mechanisms"
import { checkPaidCounts, type CategoryColumn, type ColumnSpec } from "../columns/columns.ts"
import { vectorSensitivity } from "../grid/bounded-vector.ts"
import { qualityGrid } from "../regression/quality.ts"
import type { ModelShape } from "../regression/shape.ts"
import { roundSpec, shareOf, signedLength } from "../rounds/round-spec.ts"
import { bayesCells, naiveBayes, type NaiveBayes } from "./naive-bayes.ts"

/** The kinds of sums, in their order. */
export type BayesKind = "people" | "quality"

/** Sums of one kind: of how many numbers, how much one unit adds at most, and the noise. */
export interface BayesSums {
  readonly kind: BayesKind
  readonly length: number
  readonly bound: number
  readonly spec: GaussianSpec
}

/** A training before it begins. */
export interface BayesPlan {
  readonly model: NaiveBayes
  /** How its quality is measured: as that of a regression of the same target. */
  readonly shape: ModelShape
  readonly sums: readonly BayesSums[]
}

/** One person in a cell is so many steps: lengths are square roots, and steps make rounding them up cheap. */
export const personSteps = 2 ** 10
/** How much of the loss tells how good the model is, in percent. */
const qualityPercent = 10

/**
 * The plan of a training that loses `muSquared` in all: mu^2 of Gaussian differential privacy, or twice rho.
 */
export function planBayes(options: {
  readonly features: readonly ColumnSpec[]
  readonly target: CategoryColumn
  readonly muSquared: Rational
  readonly neighbours: Neighbours
}): BayesPlan {
  const { features, target, muSquared, neighbours } = options
  const forQuality = shareOf(muSquared, qualityPercent)
  const forCounts = subtract(muSquared, forQuality)
  const model = naiveBayes({ features, target, neighbours, budget: { muSquared: forCounts } })
  const counts = tablesBefore(model).at(-1) ?? 0
  checkPaidCounts("the number of counts, cells times classes,", counts)
  const shape = shapeOf(features, target)
  const cells = qualityGrid(shape)
  const bound = peopleBound(features.length)
  return {
    model,
    shape,
    sums: [
      {
        kind: "people",
        length: counts,
        bound,
        spec: roundSpec(signedLength(bound, neighbours), forCounts),
      },
      {
        kind: "quality",
        length: cells.dimension,
        bound: cells.bound,
        spec: roundSpec(vectorSensitivity(cells, neighbours), forQuality),
      },
    ],
  }
}

/** Where the table of each feature begins among all counts, and how many there are. */
export function tablesBefore({
  features,
  target,
}: Pick<NaiveBayes, "features" | "target">): readonly number[] {
  let before = 0
  return [0, ...features.map((feature) => (before += target.categories * bayesCells(feature)))]
}

// The length of a person who counts once in each table, rounded up.
function peopleBound(tables: number): number {
  const square = BigInt(personSteps) ** 2n * BigInt(tables)
  let bound = Math.ceil(personSteps * Math.sqrt(tables))
  while (BigInt(bound) ** 2n < square) bound += 1
  return bound
}

function shapeOf(features: readonly ColumnSpec[], { name, categories }: CategoryColumn): ModelShape {
  return {
    family: categories === 2 ? "logistic" : "multinomial",
    features: features.map((feature) => ({ name: feature.name, low: 0, high: 1 })),
    target: { name, low: 0, high: categories - 1 },
    rowsPerUnit: 1,
  }
}
