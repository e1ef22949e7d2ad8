// What principal components measure where a ledger pays for them: products of coordinates, and how much of
// the variance the components hold. Decided before anything is read; the charge is read from it.

import { subtract, type Rational } from "@dosimeter/core/exact"
import type { GaussianSpec, Neighbours } from "@dosimeter/core/mechanisms"
import type { ColumnSpec } from "../columns/columns.ts"
import { checkPoints } from "../columns/points.ts"
import { vectorSensitivity } from "../grid/bounded-vector.ts"
import { roundSpec, shareOf } from "../rounds/round-spec.ts"
import { spreadGrid } from "../spread/spread.ts"
import { components, type Components } from "./components.ts"

/** The kinds of sums, in their order. */
export type ComponentsKind = "products" | "quality"

/** Sums of one kind: of how many numbers, how much one unit adds at most, and the noise. */
export interface ComponentsSums {
  readonly kind: ComponentsKind
  readonly length: number
  readonly bound: number
  readonly spec: GaussianSpec
}

/** A training before it begins. */
export interface ComponentsPlan {
  readonly model: Components
  readonly sums: readonly ComponentsSums[]
}

/** How much of the loss tells how good the model is, in percent. */
const qualityPercent = 10

/** More coordinates are refused: each row is read into products of all pairs. */
const coordinatesMax = 120

/**
 * The plan of a training that loses `muSquared` in all: mu^2 of Gaussian differential privacy, or twice rho.
 */
export function planComponents(options: {
  readonly features: readonly ColumnSpec[]
  readonly count: number
  readonly muSquared: Rational
  readonly neighbours: Neighbours
}): ComponentsPlan {
  const { features, count, muSquared, neighbours } = options
  checkPoints(features, coordinatesMax)
  const forQuality = shareOf(muSquared, qualityPercent)
  const forProducts = subtract(muSquared, forQuality)
  const model = components({ features, count, neighbours, budget: { muSquared: forProducts } })
  const grids = { products: model.grid, quality: spreadGrid(features, "people") }
  const sumsOf = (kind: ComponentsKind, loss: Rational): ComponentsSums => {
    const { dimension: length, bound } = grids[kind]
    return { kind, length, bound, spec: roundSpec(vectorSensitivity(grids[kind], neighbours), loss) }
  }
  return { model, sums: [sumsOf("products", forProducts), sumsOf("quality", forQuality)] }
}
