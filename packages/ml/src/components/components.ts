// Principal components: one noisy measurement of products of coordinates, and then eigenvectors.

import type { Neighbours } from "@dosimeter/core/mechanisms"
import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { checkPoints, coordinatesOf, pointsOf } from "../columns/points.ts"
import { fail } from "../errors.ts"
import { addBounded, stepOf, vectorGrid, vectorSensitivity, type VectorGrid } from "../grid/bounded-vector.ts"
import type { Learner, Round } from "../rounds/learner.ts"
import { muSquaredOf, roundSpec, type TrainingBudget } from "../rounds/round-spec.ts"
import { eigenvectors } from "./eigenvectors.ts"

/** What is asked for. */
export interface ComponentsOptions {
  readonly features: readonly ColumnSpec[]
  /** How many components. */
  readonly count: number
  readonly budget: TrainingBudget
  readonly neighbours: Neighbours
}

/** Components to be found. */
export interface Components {
  readonly features: readonly ColumnSpec[]
  readonly count: number
  /** What counts a person, beside coordinates and their products. */
  readonly weight: number
  readonly grid: VectorGrid
  readonly rounds: readonly Round[]
}

/** Directions of the most variance, among numbers from -1 to 1 and categories of 0 or 1. */
export interface ComponentsModel {
  readonly kind: "components"
  readonly features: readonly ColumnSpec[]
  /** Noisy means of the coordinates. */
  readonly means: Float64Array
  /** One unit vector after the other. */
  readonly directions: Float64Array
  readonly variances: Float64Array
}

/** Checks what is asked. Nothing is read. */
export function components(options: ComponentsOptions): Components {
  const { features, count, neighbours, budget } = options
  checkPoints(features, coordinatesMax)
  const width = coordinatesOf(features).length
  if (!Number.isInteger(count) || count < 1 || count > width)
    fail("model/bad-setting", {
      name: "count",
      got: `${count}`,
      range: `a whole number from 1 to ${width}`,
    })
  // Rows longer than that of a point half way to a corner are scaled down; a category has length 1.
  const square = features.reduce((sum, { kind }) => sum + (kind === "number" ? 0.5 : 1), 0)
  const grid = vectorGrid(Math.sqrt(square ** 2 + 2 * square), sumCount(width))
  return {
    features,
    count,
    weight: Math.sqrt(square),
    grid,
    rounds: [
      {
        name: "products of coordinates",
        spec: roundSpec(vectorSensitivity(grid, neighbours), muSquaredOf(budget)),
      },
    ],
  }
}

/** Products of more coordinates are not measured. */
const coordinatesMax = 300

/** Squares and products, coordinates, and a count. */
function sumCount(width: number): number {
  return (width * (width + 1)) / 2 + width + 1
}

/** The learner of components; `trainLearner` runs it. */
export function componentsLearner(
  model: Components,
): Learner<Pick<Examples, "rows" | "features">, Float64Array, ComponentsModel> {
  return {
    rounds: model.rounds,
    start: new Float64Array(0),
    open: (data) => ({ sums: () => sumsOfProducts(model, data) }),
    next: (_state, _round, noisy) => noisy,
    finish: (noisy) => componentsModel(model, noisy),
  }
}

/**
 * Sums over rows of x_i^2, sqrt(2) x_i x_j, x_i, and a count, on a grid.
 *
 * Guarantee: a unit changes them by a vector of integers no longer than the grid's bound.
 * Needs: one row a unit (the caller).
 * Proof: each row is one vector, added by addBounded.
 * Numerics: as addBounded.
 * Source: Dwork, Talwar, Thakurta, Zhang 2014, algorithm 1.
 */
export function sumsOfProducts(model: Components, data: Pick<Examples, "rows" | "features">): Float64Array {
  const points = pointsOf(model.features, data)
  const sums = new Float64Array(model.grid.dimension)
  const vector = new Float64Array(model.grid.dimension)
  for (let row = 0; row < data.rows; row += 1) {
    writeProducts(vector, model, { points, row })
    addBounded(sums, vector, model.grid)
  }
  return sums
}

/** Writes what one row adds, before it is clipped. */
export function writeProducts(
  vector: Float64Array,
  { weight }: Pick<Components, "weight">,
  { points, row }: { readonly points: Float64Array; readonly row: number },
): void {
  const width = widthOf(vector.length)
  const point = points.subarray(row * width, (row + 1) * width)
  let at = 0
  for (let i = 0; i < width; i += 1) {
    for (let j = i; j < width; j += 1) {
      vector[at] = (point[i] ?? 0) * (point[j] ?? 0) * (i === j ? 1 : Math.SQRT2)
      at += 1
    }
  }
  vector.set(point, at)
  vector[at + width] = weight
}

// The number of coordinates whose products are so many sums.
function widthOf(sums: number): number {
  return (Math.sqrt(8 * sums + 1) - 3) / 2
}

/** What noisy sums say: people, means, and the matrix of covariances. */
export interface Moments {
  readonly people: number
  readonly means: Float64Array
  readonly matrix: Float64Array
}

/** Reads noisy sums. */
export function momentsOf(
  { weight, grid }: Pick<Components, "weight" | "grid">,
  noisy: Float64Array,
): Moments {
  const width = widthOf(noisy.length)
  const step = stepOf(grid)
  const people = Math.max(1, ((noisy.at(-1) ?? 0) * step) / weight)
  const first = noisy.length - 1 - width
  const means = Float64Array.from({ length: width }, (_, i) => ((noisy[first + i] ?? 0) * step) / people)
  const matrix = new Float64Array(width * width)
  let at = 0
  for (let i = 0; i < width; i += 1) {
    for (let j = i; j < width; j += 1) {
      const product = ((noisy[at] ?? 0) * step) / people / (i === j ? 1 : Math.SQRT2)
      const value = product - (means[i] ?? 0) * (means[j] ?? 0)
      matrix[i * width + j] = value
      matrix[j * width + i] = value
      at += 1
    }
  }
  return { people, means, matrix }
}

function componentsModel(model: Components, noisy: Float64Array): ComponentsModel {
  const { features, count } = model
  const { means, matrix } = momentsOf(model, noisy)
  const { values, vectors } = eigenvectors(matrix, means.length)
  return {
    kind: "components",
    features,
    means,
    directions: vectors.slice(0, count * means.length),
    variances: values.slice(0, count).map((value) => Math.max(0, value)),
  }
}

/** How far each row lies along each component, row after row. */
export function alongComponents(
  model: ComponentsModel,
  data: Pick<Examples, "rows" | "features">,
): Float64Array {
  const width = model.means.length
  const count = model.variances.length
  const points = pointsOf(model.features, data)
  return Float64Array.from({ length: data.rows * count }, (_, at) => {
    const [row, component] = [Math.floor(at / count), at % count]
    let sum = 0
    for (let i = 0; i < width; i += 1) {
      sum +=
        ((points[row * width + i] ?? 0) - (model.means[i] ?? 0)) *
        (model.directions[component * width + i] ?? 0)
    }
    return sum
  })
}
