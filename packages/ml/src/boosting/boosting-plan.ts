// What an explainable model measures where a ledger pays for it: people in cells once, residuals in every
// round, and how good the model is. Decided before anything is read; the charge is read from it.

import { subtract, type Rational } from "@dosimeter/core/exact"
import type { GaussianSpec, Neighbours } from "@dosimeter/core/mechanisms"
import { checkPaidCounts, type ColumnSpec } from "../columns/columns.ts"
import { vectorSensitivity } from "../grid/bounded-vector.ts"
import { qualityGrid } from "../regression/quality.ts"
import type { ModelShape } from "../regression/shape.ts"
import { roundSpec, shareOf, signedLength } from "../rounds/round-spec.ts"
import { binPercent, boosting, errorBound, type Boosting } from "./boosting.ts"
import { cellCount } from "./cells.ts"

/** The kinds of sums, in their order. */
export type BoostingKind = "people" | "residuals" | "quality"

/** Sums of one kind: how often, of how many numbers, how much one unit adds at most, and the noise. */
export interface BoostingSums {
  readonly kind: BoostingKind
  readonly count: number
  readonly length: number
  readonly bound: number
  readonly spec: GaussianSpec
}

/** A training before it begins. */
export interface BoostingPlan {
  readonly model: Boosting
  /** How its quality is measured: as that of a regression of the same target. */
  readonly shape: ModelShape
  readonly sums: readonly BoostingSums[]
}

/** One person in a cell is so many steps: lengths are square roots, and steps make rounding them up cheap. */
export const personSteps = 2 ** 10
/** How much of the loss tells how good the model is, in percent. */
const qualityPercent = 5

/**
 * The plan of a training that loses `muSquared` in all: mu^2 of Gaussian differential privacy, or twice rho.
 */
export function planBoosting(options: {
  readonly features: readonly ColumnSpec[]
  readonly target: ColumnSpec
  readonly muSquared: Rational
  readonly neighbours: Neighbours
  readonly epochs?: number
}): BoostingPlan {
  const { features, target, muSquared, neighbours, epochs } = options
  const forQuality = shareOf(muSquared, qualityPercent)
  const forModel = subtract(muSquared, forQuality)
  const model = boosting({
    features,
    target,
    neighbours,
    budget: { muSquared: forModel },
    ...(epochs === undefined ? {} : { epochs }),
  })
  const shape = shapeOf(features, target)
  const residuals = model.rounds.at(-1)?.spec ?? roundSpec(signedLength(errorBound, neighbours), forModel)
  const cells = qualityGrid(shape)
  const counts = cellsBefore(features).at(-1) ?? 0
  checkPaidCounts("the number of cells of all features", counts)
  const bound = peopleBound(features.length)
  const sums: readonly BoostingSums[] = [
    {
      kind: "people",
      count: 1,
      length: counts,
      bound,
      spec: roundSpec(signedLength(bound, neighbours), shareOf(forModel, binPercent)),
    },
    {
      kind: "residuals",
      count: model.epochs * features.length,
      length: Math.max(...features.map((feature) => binsMax(feature, model))),
      bound: errorBound,
      spec: residuals,
    },
    {
      kind: "quality",
      count: 1,
      length: cells.dimension,
      bound: cells.bound,
      spec: roundSpec(vectorSensitivity(cells, neighbours), forQuality),
    },
  ]
  return { model, shape, sums }
}

/** Where the cells of each feature begin among all, and how many there are. */
export function cellsBefore(features: readonly ColumnSpec[]): readonly number[] {
  let before = 0
  return [0, ...features.map((feature) => (before += cellCount(feature)))]
}

/** The score and the target as quality sees them: from 0 to 1 where that is the range, as regressions do. */
export function onScaleOf({ family, target }: ModelShape): (scaled: number) => number {
  return family === "linear" && target.low === 0 && target.high === 1
    ? (scaled) => (scaled + 1) / 2
    : (scaled) => scaled
}

// The length of a person who counts once in each table, rounded up.
function peopleBound(tables: number): number {
  const square = BigInt(personSteps) ** 2n * BigInt(tables)
  let bound = Math.ceil(personSteps * Math.sqrt(tables))
  while (BigInt(bound) ** 2n < square) bound += 1
  return bound
}

// A bin for each category or part of a range, and one of missing values.
function binsMax(feature: ColumnSpec, { bins }: Boosting): number {
  return 1 + (feature.kind === "category" ? feature.categories : bins)
}

function shapeOf(features: readonly ColumnSpec[], target: ColumnSpec): ModelShape {
  const isClass = target.kind === "category"
  return {
    family: isClass ? "logistic" : "linear",
    features: features.map((feature) =>
      feature.kind === "number" ? feature : { name: feature.name, low: 0, high: feature.categories - 1 },
    ),
    target: isClass ? { name: target.name, low: 0, high: 1 } : target,
    rowsPerUnit: 1,
  }
}
