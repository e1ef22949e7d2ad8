// What the learners are compared with: fits without privacy, objective perturbation, and AdaSSP as published. Plain
// doubles and plain noise: nothing of this protects anybody.

import type { RandomBits } from "@dosimeter/core/noise"
import type { ColumnSpec, Examples } from "@dosimeter/ml"
import { normal } from "../../packages/ml/src/testing/made-up.ts"

/** Rows of few numbers that are not 0: for each feature one place and one value, and a 1 at the last place. */
export interface SparseRows {
  readonly rows: number
  readonly width: number
  readonly perRow: number
  readonly places: Uint32Array
  readonly values: Float64Array
}

/** Columns as numbers from 0 to 1 and ones for categories, all divided by the root of their number: length at most 1. */
export function sparseRows(
  features: readonly ColumnSpec[],
  data: Pick<Examples, "rows" | "features">,
): SparseRows {
  const perRow = features.length + 1
  const starts: number[] = []
  let width = 0
  for (const feature of features) {
    starts.push(width)
    width += feature.kind === "category" ? feature.categories + 1 : 2
  }
  const places = new Uint32Array(data.rows * perRow)
  const values = new Float64Array(data.rows * perRow).fill(1 / Math.sqrt(perRow))
  for (let row = 0; row < data.rows; row += 1) {
    for (const [at, feature] of features.entries()) {
      const value = data.features[at]?.[row] ?? NaN
      const start = starts[at] ?? 0
      const to = row * perRow + at
      if (feature.kind === "category") {
        places[to] = start + (Number.isNaN(value) ? feature.categories : value)
      } else if (Number.isNaN(value)) {
        places[to] = start + 1
      } else {
        places[to] = start
        const part =
          (Math.min(feature.high, Math.max(feature.low, value)) - feature.low) / (feature.high - feature.low)
        values[to] = part / Math.sqrt(perRow)
      }
    }
    places[row * perRow + features.length] = width
  }
  return { rows: data.rows, width: width + 1, perRow, places, values }
}

/** The sum of weights times a row. */
export function productsOf(
  { rows, perRow, places, values }: SparseRows,
  weights: Float64Array,
): Float64Array {
  return Float64Array.from({ length: rows }, (_, row) => {
    let sum = 0
    for (let at = row * perRow; at < (row + 1) * perRow; at += 1) {
      sum += (values[at] ?? 0) * (weights[places[at] ?? 0] ?? 0)
    }
    return sum
  })
}

/** The weights of least loss: logistic, with a ridge and a linear term, both over the number of rows. */
function logistic(
  data: SparseRows,
  labels: Float64Array,
  { ridge, slope }: { readonly ridge: number; readonly slope: Float64Array },
): Float64Array {
  const weights = new Float64Array(data.width)
  const direction = new Float64Array(data.width)
  const smooth = data.rows / 4 + ridge
  for (let turn = 0; turn < 1500; turn += 1) {
    const products = productsOf(data, weights)
    const gradient = weights.map((weight, at) => ridge * weight + (slope[at] ?? 0))
    for (let row = 0; row < data.rows; row += 1) {
      const off = 1 / (1 + Math.exp(-(products[row] ?? 0))) - (labels[row] ?? 0)
      for (let at = row * data.perRow; at < (row + 1) * data.perRow; at += 1) {
        const place = data.places[at] ?? 0
        gradient[place] = (gradient[place] ?? 0) + off * (data.values[at] ?? 0)
      }
    }
    for (let at = 0; at < weights.length; at += 1) {
      direction[at] = 0.95 * (direction[at] ?? 0) - (gradient[at] ?? 0) / smooth
      weights[at] = (weights[at] ?? 0) + (direction[at] ?? 0)
    }
  }
  return weights
}

/** Logistic regression without privacy. */
export function plainLogistic(data: SparseRows, labels: Float64Array): Float64Array {
  return logistic(data, labels, { ridge: 1e-3, slope: new Float64Array(data.width) })
}

/** Objective perturbation with normal noise (Kifer, Smith, Thakurta 2012), for rows of length at most 1. */
export function objectivePerturbation(
  data: SparseRows,
  labels: Float64Array,
  { epsilon, delta, rng }: { readonly epsilon: number; readonly delta: number; readonly rng: RandomBits },
): Float64Array {
  const deviation = Math.sqrt(8 * Math.log(2 / delta) + 4 * epsilon) / epsilon
  const slope = Float64Array.from({ length: data.width }, () => deviation * normal(rng))
  return logistic(data, labels, { ridge: 0.5 / epsilon, slope })
}

/** Sums of products of rows and of rows with targets. */
function products(
  data: SparseRows,
  targets: Float64Array,
): { readonly matrix: Float64Array; readonly vector: Float64Array } {
  const { width, perRow, places, values } = data
  const matrix = new Float64Array(width * width)
  const vector = new Float64Array(width)
  for (let row = 0; row < data.rows; row += 1) {
    for (let a = row * perRow; a < (row + 1) * perRow; a += 1) {
      const [i, x] = [places[a] ?? 0, values[a] ?? 0]
      vector[i] = (vector[i] ?? 0) + x * (targets[row] ?? 0)
      for (let b = row * perRow; b < (row + 1) * perRow; b += 1) {
        const at = i * width + (places[b] ?? 0)
        matrix[at] = (matrix[at] ?? 0) + x * (values[b] ?? 0)
      }
    }
  }
  return { matrix, vector }
}

/** Least squares without privacy. */
export function plainLinear(data: SparseRows, targets: Float64Array): Float64Array {
  const { matrix, vector } = products(data, targets)
  return solve(matrix, vector, 1e-6 * data.rows)
}

/**
 * AdaSSP (Wang 2018, algorithm 2) with normal noise of this deviation on products, for rows of length at most 1 and
 * targets from -1 to 1; the least eigenvalue is taken as 0, which costs it nothing here: one-hot columns are
 * dependent.
 */
export function adaSsp(
  data: SparseRows,
  targets: Float64Array,
  { deviation, rng }: { readonly deviation: number; readonly rng: RandomBits },
): Float64Array {
  const { matrix, vector } = products(data, targets)
  const { width } = data
  for (let i = 0; i < width; i += 1) {
    for (let j = i; j < width; j += 1) {
      const noise = deviation * normal(rng)
      matrix[i * width + j] = (matrix[i * width + j] ?? 0) + noise
      if (i !== j) matrix[j * width + i] = (matrix[j * width + i] ?? 0) + noise
    }
    vector[i] = (vector[i] ?? 0) + deviation * normal(rng)
  }
  return solve(matrix, vector, deviation * Math.sqrt(width * Math.log((2 * width * width) / 0.05)))
}

/** Gaussian elimination of (matrix + ridge I) x = vector. */
function solve(matrix: Float64Array, vector: Float64Array, ridge: number): Float64Array {
  const width = vector.length
  const rows = Array.from({ length: width }, (_, i) => {
    const row = [...matrix.subarray(i * width, (i + 1) * width), vector[i] ?? 0]
    row[i] = (row[i] ?? 0) + ridge
    return row
  })
  for (let i = 0; i < width; i += 1) {
    let best = i
    for (let k = i; k < width; k += 1)
      if (Math.abs(rows[k]?.[i] ?? 0) > Math.abs(rows[best]?.[i] ?? 0)) best = k
    const [pivot, other] = [rows[best] ?? [], rows[i] ?? []]
    rows[i] = pivot
    rows[best] = other
    for (let k = 0; k < width; k += 1) {
      const row = rows[k] ?? []
      if (k === i || row[i] === 0) continue
      const factor = (row[i] ?? 0) / (pivot[i] ?? 1)
      for (let j = i; j <= width; j += 1) row[j] = (row[j] ?? 0) - factor * (pivot[j] ?? 0)
    }
  }
  return Float64Array.from(rows, (row, i) => (row[width] ?? 0) / (row[i] ?? 1))
}
