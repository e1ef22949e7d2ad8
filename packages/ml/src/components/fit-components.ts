// Principal components as a dialogue that asks for sums, what each unit adds to them, and the model as plain
// data.

import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { pointsOf } from "../columns/points.ts"
import { addBounded, stepOf } from "../grid/bounded-vector.ts"
import type { UnitVectors } from "../regression/unit-vectors.ts"
import { checkedSums, sumsOf } from "../rounds/planned-sums.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import { addSpread, farthest, readSpread, spreadGrid, type SpreadQuality } from "../spread/spread.ts"
import type { ComponentsPlan } from "./components-plan.ts"
import { momentsOf, writeProducts } from "./components.ts"
import { errorsOf, type DirectionErrors, type FoundDirections, type TwoErrors } from "./direction-errors.ts"
import { eigenvectors } from "./eigenvectors.ts"

/** What a training asks for next. Everything in it is public or was released. */
export type ComponentsAsk =
  | { readonly kind: "products" }
  | { readonly kind: "quality"; readonly means: readonly number[]; readonly directions: Directions }

type Directions = readonly (readonly number[])[]

/** One component. */
export interface FoundComponent {
  /** The variance along it. */
  readonly variance: number
  /** The same as a share of the variance of all coordinates, with its error. */
  readonly share: number
  readonly shareErrors: TwoErrors
  /** A unit vector, a number for each coordinate, with their errors. */
  readonly direction: readonly number[]
  readonly errors: readonly TwoErrors[]
}

/** Components that were released, as plain data. Everything in it is noisy or public. */
export interface DirectionsModel {
  readonly kind: "directions"
  readonly features: readonly ColumnSpec[]
  /** Of the coordinates: numbers from -1 to 1, categories 0 or 1. */
  readonly means: readonly number[]
  readonly components: readonly FoundComponent[]
  /** About how many rows it was fitted to: a noisy number. */
  readonly rows: number
  readonly quality: SpreadQuality
}

/** Rows, one for each unit. */
export class MultipliedExamples {
  readonly #plan: ComponentsPlan
  readonly #points: Float64Array

  constructor(plan: ComponentsPlan, examples: Pick<Examples, "rows" | "features">) {
    this.#plan = plan
    this.#points = pointsOf(plan.model.features, examples)
  }

  /**
   * What each unit adds to an ask.
   *
   * Guarantee: of what is exact, a unit's numbers depend on its own row alone.
   * Needs: the directions of an ask are made of what was released.
   * Proof: the point of a unit is a function of its row (pointsOf). Products: its own vector, clipped and
   *   rounded by itself (addBounded). Quality: addSpread.
   * Numerics: as addBounded.
   * Source: none; lengths are compared by BoundedSums.
   */
  vectorsOf(ask: ComponentsAsk): UnitVectors {
    switch (ask.kind) {
      case "products":
        return this.#products()
      case "quality":
        return this.#quality(ask)
      default:
        return ask satisfies never
    }
  }

  #products(): UnitVectors {
    const { model } = this.#plan
    const vector = new Float64Array(model.grid.dimension)
    const points = this.#points
    return {
      length: vector.length,
      add: (unit, into) => {
        writeProducts(vector, model, { points, row: unit })
        addBounded(into, vector, model.grid)
      },
    }
  }

  #quality({ means, directions }: Extract<ComponentsAsk, { kind: "quality" }>): UnitVectors {
    const { features } = this.#plan.model
    const grid = spreadGrid(features, "people")
    const left = (point: Float64Array, into: Float64Array): void => {
      for (const [at, value] of point.entries()) into[at] = value - (means[at] ?? 0)
      const own = into.slice()
      for (const direction of directions) {
        const along = alongOne(own, direction)
        for (const [at, part] of direction.entries()) into[at] = (into[at] ?? 0) - along * part
      }
    }
    const points = this.#points
    const width = means.length
    const by = { mean: means, most: farthest(features, means), left }
    return {
      length: grid.dimension,
      add: (unit, into) => {
        const point = points.subarray(unit * width, (unit + 1) * width)
        addSpread(into, grid, { detail: "people", point, by })
      },
    }
  }
}

/** The dialogue of a plan: asks come in the order of its sums, each once. */
export function* fitComponents(
  plan: ComponentsPlan,
): Generator<ComponentsAsk, DirectionsModel, readonly bigint[]> {
  const { model } = plan
  const { features, count, weight, grid } = model
  const noisy = checkedSums(plan, "products", yield { kind: "products" })
  const { people, means: found, matrix } = momentsOf(model, Float64Array.from(noisy, Number))
  const { values, vectors } = eigenvectors(matrix, found.length)
  const noise = noiseOf(sumsOf(plan, "products").spec) * stepOf(grid)
  const whole = {
    means: found,
    values,
    vectors,
    people,
    noise: noise / people,
    peopleNoise: noise / weight / people,
  }
  const all = errorsOf(whole)
  const kept = Array.from({ length: count }, (_, place) => componentOf(whole, all, place))
  const means = [...found]
  const directions = kept.map(({ direction }) => direction)
  const told = checkedSums(plan, "quality", yield { kind: "quality", means, directions })
  const deviation = noiseOf(sumsOf(plan, "quality").spec)
  const { quality, people: counted } = readSpread(spreadGrid(features, "people"), told, deviation)
  // Products are sums over rows that were scaled down: people are counted beside the quality.
  const rows = Math.max(1, Math.round(counted))
  return { kind: "directions", features, means, components: kept, rows, quality }
}

// Of the two directions of a line the one whose largest number is positive.
function componentOf(
  { values, vectors }: FoundDirections,
  all: readonly DirectionErrors[],
  place: number,
): FoundComponent {
  const own = [...vectors.subarray(place * values.length, (place + 1) * values.length)]
  const largest = own.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0)
  const variance = Math.max(0, values[place] ?? 0)
  const total = values.reduce((sum, value) => sum + Math.max(0, value), Number.MIN_VALUE)
  const share = Math.min(1, variance / total)
  // The share of one component grows with its own variance, and falls when the others grow.
  const errorBy = (kind: keyof TwoErrors): number => {
    const moves = all.map(({ variance: { [kind]: error } }, at) =>
      at === place ? (1 - share) * error : share * error,
    )
    return Math.min(1, Math.hypot(...moves) / total)
  }
  return {
    variance,
    share,
    shareErrors: { error: errorBy("error"), noise: errorBy("noise") },
    direction: own.map((value) => (largest < 0 ? -value : value)),
    errors: all[place]?.direction ?? [],
  }
}

/** How far a row lies along each component; NaN where a value is missing. */
export function predictDirections(model: DirectionsModel, row: readonly number[]): readonly number[] {
  const values = model.features.map((_, at) => Float64Array.of(row[at] ?? Number.NaN))
  const point = pointsOf(model.features, { rows: 1, features: values })
  const own = point.map((value, at) => value - (model.means[at] ?? 0))
  return model.components.map(({ direction }) => alongOne(own, direction))
}

function alongOne(point: Float64Array, direction: readonly number[]): number {
  return point.reduce((sum, value, at) => sum + value * (direction[at] ?? 0), 0)
}
