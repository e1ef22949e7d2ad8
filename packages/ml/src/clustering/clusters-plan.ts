// What k-means measures where a ledger pays for it: people and points by centre in each round, and how far
// points lie from their centres. Decided before anything is read; the charge is read from it.

import { subtract, type Rational } from "@dosimeter/core/exact"
import type { GaussianSpec, Neighbours } from "@dosimeter/core/mechanisms"
import type { ColumnSpec } from "../columns/columns.ts"
import { checkPoints, coordinatesOf } from "../columns/points.ts"
import { fail } from "../errors.ts"
import { vectorSensitivity } from "../grid/bounded-vector.ts"
import { roundSpec, shareOf, signedLength } from "../rounds/round-spec.ts"
import { spreadGrid } from "../spread/spread.ts"
import { kMeans, type KMeans } from "./k-means.ts"

/** The kinds of sums, in their order. */
export type ClustersKind = "centres" | "quality"

/** Sums of one kind: how often, of how many numbers, how much one unit adds at most, and the noise. */
export interface ClustersSums {
  readonly kind: ClustersKind
  readonly count: number
  readonly length: number
  readonly bound: number
  readonly spec: GaussianSpec
}

/** A training before it begins. */
export interface ClustersPlan {
  readonly model: KMeans
  readonly sums: readonly ClustersSums[]
}

/** How much of the loss tells how good the groups are, in percent. */
const qualityPercent = 10

/** More groups than this, or more numbers of all their centres, are refused. */
const groupsMax = 50
const numbersMax = 4096

/**
 * The plan of a training that loses `muSquared` in all: mu^2 of Gaussian differential privacy, or twice rho.
 */
export function planClusters(options: {
  readonly features: readonly ColumnSpec[]
  readonly count: number
  readonly muSquared: Rational
  readonly neighbours: Neighbours
  readonly rounds?: number
}): ClustersPlan {
  const { features, count, muSquared, neighbours, rounds } = options
  checkPoints(features, numbersMax)
  const numbers = coordinatesOf(features).length + 1
  const most = Math.min(groupsMax, Math.floor(numbersMax / numbers))
  if (!Number.isInteger(count) || count < 2 || count > most)
    fail("model/bad-setting", { name: "count", got: `${count}`, range: `a whole number from 2 to ${most}` })
  const forQuality = shareOf(muSquared, qualityPercent)
  const forCentres = subtract(muSquared, forQuality)
  const model = kMeans({
    features,
    clusters: count,
    neighbours,
    budget: { muSquared: forCentres },
    ...(rounds === undefined ? {} : { rounds }),
  })
  const grid = spreadGrid(features, "by coordinate")
  const [round] = model.rounds
  return {
    model,
    sums: [
      {
        kind: "centres",
        count: model.rounds.length,
        length: count * numbers,
        bound: model.bound,
        spec: round?.spec ?? roundSpec(signedLength(model.bound, neighbours), forCentres),
      },
      {
        kind: "quality",
        count: 1,
        length: grid.dimension,
        bound: grid.bound,
        spec: roundSpec(vectorSensitivity(grid, neighbours), forQuality),
      },
    ],
  }
}
