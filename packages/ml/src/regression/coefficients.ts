// Coefficients in the units of the data, with standard errors: what chance did to the sample, and what the
// noise did to the fit. All of it is post-processing.

import { eigenOf } from "./eigen.ts"
import { responseTo } from "./response.ts"
import { outputsOf, scalingOf, widthOf, type ModelShape } from "./shape.ts"
import type { Trained } from "./train.ts"

/** One coefficient. */
export interface Coefficient {
  readonly name: string
  readonly value: number
  /** Its standard error, noise included; absent where the model has too many features for a curvature. */
  readonly error?: number
  /** The part of the squared error that is noise. */
  readonly noiseShare?: number
  /** Whether the noise forced the fit so far towards 0 that the interval is about a shrunk coefficient. */
  readonly isShrunk?: boolean
}

/** Where less than this share of an optimum is reached, it is not worked back to the whole. */
const reachedMin = 0.75
const shrunkFrom = 0.1

/** The coefficients of each output, the intercept first. */
export function coefficientsOf(shape: ModelShape, trained: Trained): readonly (readonly Coefficient[])[] {
  const width = widthOf(shape)
  const fitted = errorsOf(shape, trained)
  const names = ["(intercept)", ...shape.features.map(({ name }) => name)]
  const map = unitsOf(shape, trained)
  return Array.from({ length: outputsOf(shape) }, (_, output) =>
    names.map((name, at): Coefficient => {
      const row = map.rows.subarray(at * width, (at + 1) * width)
      const value = dot(row, fitted.weights, output * width) + (at === 0 ? map.offset : 0)
      if (fitted.noise === undefined || fitted.chance === undefined) return { name, value }
      const size = outputsOf(shape) * width
      const noise = quadratic(fitted.noise, row, { size, from: output * width })
      const chance = quadratic(fitted.chance, row, { size, from: output * width })
      const isShrunk = (fitted.shrunk?.[output * width + at] ?? 0) > shrunkFrom
      return {
        name,
        value,
        error: Math.sqrt(Math.max(0, noise + chance)),
        noiseShare: noise / Math.max(noise + chance, Number.MIN_VALUE),
        isShrunk,
      }
    }),
  )
}

/** What predictions are made with, for each output, the intercept first: as fitted, shrunk as noise asks. */
export function predictorsOf(shape: ModelShape, trained: Trained): readonly (readonly number[])[] {
  const width = widthOf(shape)
  const map = unitsOf(shape, trained)
  return Array.from({ length: outputsOf(shape) }, (_, output) =>
    Array.from({ length: width }, (__, at) => {
      const row = map.rows.subarray(at * width, (at + 1) * width)
      return dot(row, trained.weights, output * width) + (at === 0 ? map.offset : 0)
    }),
  )
}

interface Fitted {
  readonly weights: Float64Array
  /** Covariances of the weights, row by row. */
  readonly noise?: Float64Array
  readonly chance?: Float64Array
  /** How much of each weight is out of reach. */
  readonly shrunk?: Float64Array
}

/** Weights with what the penalty took given back, and their covariances. */
function errorsOf(shape: ModelShape, trained: Trained): Fitted {
  const { curvature, weights, schedule, look, roundNoise } = trained
  if (curvature === undefined) return { weights }
  const size = weights.length
  const { values, vectors } = eigenOf(squareOf(curvature, widthOf(shape), outputsOf(shape)), size)
  const dispersion = shape.family === "linear" ? varianceOf(trained) : 1
  const responses = Array.from(values, (value) => responseTo(value, schedule))
  const back = responses.map(({ reached }) => 1 / Math.max(reached, reachedMin))
  const noise = responses.map((response, at) => (response.noise * roundNoise * (back[at] ?? 1)) ** 2)
  const chance = responses.map(({ reached }, at) => {
    const flow = reached * (back[at] ?? 1)
    return (flow * flow * dispersion) / (look.rows * Math.max(values[at] ?? 0, 1e-12))
  })
  const rebuilt = rebuild(vectors, size, back)
  const restored = Float64Array.from(weights, (_, row) =>
    dot(rebuilt.subarray(row * size, (row + 1) * size), weights, 0),
  )
  const lost = rebuild(
    vectors,
    size,
    responses.map(({ reached }, at) => 1 - reached * (back[at] ?? 1)),
  )
  return {
    weights: restored,
    noise: rebuild(vectors, size, noise),
    chance: rebuild(vectors, size, chance),
    shrunk: Float64Array.from(weights, (_, at) => lost[at * size + at] ?? 0),
  }
}

/** The variance of a linear model's residuals, on the scale of the fit. */
function varianceOf({ quality, look }: Trained): number {
  const found = quality.kind === "explained" ? quality.meanSquare : look.targetDeviation ** 2
  return Math.max(found, 1e-9)
}

/** The whole matrix from upper triangles of its blocks. */
function squareOf(triangles: Float64Array, width: number, outputs: number): Float64Array {
  const size = width * outputs
  const square = new Float64Array(size * size)
  let at = 0
  for (let a = 0; a < outputs; a += 1) {
    for (let b = a; b < outputs; b += 1) {
      for (let row = 0; row < width; row += 1) {
        for (let column = row; column < width; column += 1) {
          const value = triangles[at] ?? 0
          at += 1
          for (const [x, y] of [
            [row, column],
            [column, row],
          ] as const) {
            square[(a * width + x) * size + b * width + y] = value
            square[(b * width + y) * size + a * width + x] = value
          }
        }
      }
    }
  }
  return square
}

/** V diag(values) V', row by row. */
function rebuild(vectors: Float64Array, size: number, values: readonly number[]): Float64Array {
  const out = new Float64Array(size * size)
  for (const [k, value] of values.entries()) {
    for (let row = 0; row < size; row += 1) {
      const left = value * (vectors[row * size + k] ?? 0)
      for (let column = 0; column < size; column += 1) {
        out[row * size + column] = (out[row * size + column] ?? 0) + left * (vectors[column * size + k] ?? 0)
      }
    }
  }
  return out
}

/** From weights of the fit to the units of the data: a matrix, row by row, and what the intercept gets. */
function unitsOf(
  shape: ModelShape,
  { look }: Trained,
): { readonly rows: Float64Array; readonly offset: number } {
  const width = widthOf(shape)
  const rows = new Float64Array(width * width)
  const aim = shape.family === "linear" ? scalingOf(shape.target) : { slope: 1, offset: 0 }
  rows[0] = 1 / aim.slope
  for (const [at, feature] of shape.features.entries()) {
    const { slope, offset } = scalingOf(feature)
    const stretch = (look.centring.stretch[at] ?? 1) / aim.slope
    rows[(at + 1) * width + at + 1] = stretch * slope
    rows[at + 1] = stretch * (offset - (look.centring.centre[at] ?? 0))
  }
  return { rows, offset: -aim.offset / aim.slope }
}

function dot(row: Float64Array, weights: Float64Array, from: number): number {
  let sum = 0
  for (const [at, value] of row.entries()) sum += value * (weights[from + at] ?? 0)
  return sum
}

function quadratic(
  matrix: Float64Array,
  row: Float64Array,
  { size, from }: { readonly size: number; readonly from: number },
): number {
  let sum = 0
  for (const [a, left] of row.entries()) {
    if (left === 0) continue
    for (const [b, right] of row.entries()) sum += left * right * (matrix[(from + a) * size + from + b] ?? 0)
  }
  return sum
}
