// How good a model is, as sums over units: scores by class for a curve of true and false alarms, squares of
// residuals for the explained part, or how often each class is told.

import { addBounded, stepOf, vectorGrid, type VectorGrid } from "../grid/bounded-vector.ts"
import { meansOf } from "./families.ts"
import { predict, type GridRows } from "./grid-rows.ts"
import { outputsOf, type ModelShape } from "./shape.ts"
import { sumOfUnits, type UnitVectors } from "./unit-vectors.ts"

/** Classes of scores for the curve. */
const scoreBins = 64
/** Scores are linear predictors between these ends. */
const scoreMax = 8

/** What is known of a model's fit, from noisy sums. */
export type Quality =
  | {
      readonly kind: "curve"
      readonly auc: number
      readonly aucError: number
      readonly points: readonly CurvePoint[]
    }
  | { readonly kind: "explained"; readonly rSquared: number; readonly meanSquare: number }
  | { readonly kind: "classes"; readonly accuracy: number; readonly commonest: number }

/** One point of a receiver operating characteristic. */
export interface CurvePoint {
  readonly falseAlarms: number
  readonly found: number
}

/** The grid of a unit's part: its rows in cells, or three numbers for each of its rows. */
export function qualityGrid(shape: ModelShape): VectorGrid {
  switch (shape.family) {
    case "logistic":
      return vectorGrid(shape.rowsPerUnit, 2 * scoreBins)
    case "multinomial":
      return vectorGrid(shape.rowsPerUnit, (shape.target.high + 1) ** 2)
    case "linear":
    case "poisson":
      // A square of what lies between -1 and 1, of the same about the mean, and one row: at most sqrt(3).
      return vectorGrid(shape.rowsPerUnit * Math.sqrt(3), 3)
    default:
      return shape.family satisfies never
  }
}

/** The exact sums, in steps of the grid; each unit's part is bounded by addBounded. */
export function qualitySum(grid: GridRows, weights: Float64Array, meanTarget: number): bigint[] {
  const { shape, starts } = grid.rows
  return sumOfUnits(qualityVectors(grid, weights, meanTarget), starts.length - 1, qualityGrid(shape).bound)
}

/** The same, unit by unit. */
export function qualityVectors(grid: GridRows, weights: Float64Array, meanTarget: number): UnitVectors {
  const { rows } = grid
  const { shape } = rows
  const cells = qualityGrid(shape)
  const means = new Float64Array(outputsOf(shape))
  const unit = new Float64Array(cells.dimension)
  return {
    length: cells.dimension,
    add: (at, into) => {
      unit.fill(0)
      for (let row = rows.starts[at] ?? 0; row < (rows.starts[at + 1] ?? 0); row += 1) {
        const target = rows.targets[row] ?? Number.NaN
        if (Number.isNaN(target)) continue
        predict(means, grid, weights, row)
        addRow(unit, shape, { means, target, meanTarget })
      }
      addBounded(into, unit, cells)
    },
  }
}

/** Rows of other models, one a unit: `scores` writes as many scores of a unit as the model has outputs. */
export interface ScoredRows {
  readonly scores: (unit: number, into: Float64Array) => void
  readonly targets: Float64Array
  readonly meanTarget: number
}

/** The same of a model that gives scores; a row without a target adds nothing. */
export function scoreVectors(shape: ModelShape, rows: ScoredRows): UnitVectors {
  const { scores, targets, meanTarget } = rows
  const cells = qualityGrid(shape)
  const unit = new Float64Array(cells.dimension)
  const means = new Float64Array(outputsOf(shape))
  return {
    length: cells.dimension,
    add: (at, into) => {
      const target = targets[at] ?? Number.NaN
      if (Number.isNaN(target)) return
      unit.fill(0)
      scores(at, means)
      addRow(unit, shape, { means, target, meanTarget })
      addBounded(into, unit, cells)
    },
  }
}

function addRow(
  unit: Float64Array,
  shape: ModelShape,
  row: { readonly means: Float64Array; readonly target: number; readonly meanTarget: number },
): void {
  const { means, target, meanTarget } = row
  const add = (at: number, what: number): void => {
    unit[at] = (unit[at] ?? 0) + what
  }
  switch (shape.family) {
    case "logistic": {
      const place = Math.floor((((means[0] ?? 0) + scoreMax) / (2 * scoreMax)) * scoreBins)
      add(Math.min(scoreBins - 1, Math.max(0, place)) + (target === 1 ? scoreBins : 0), 1)
      return
    }
    case "multinomial": {
      let told = 0
      for (let at = 0; at < means.length; at += 1) {
        if ((means[at] ?? 0) > (told === 0 ? 0 : (means[told - 1] ?? 0))) told = at + 1
      }
      add(told * (shape.target.high + 1) + target, 1)
      return
    }
    case "linear":
    case "poisson": {
      meansOf(shape.family, means)
      const most = spanOf(shape)
      const residual = Math.min(1, Math.abs((means[0] ?? 0) - target) / most)
      const about = Math.min(1, Math.abs(meanTarget - target) / most)
      add(0, 1)
      add(1, residual * residual)
      add(2, about * about)
      return
    }
    default:
      return shape.family satisfies never
  }
}

/** The most that targets differ, on the scale of the model. */
function spanOf({ family, target }: ModelShape): number {
  return family === "linear" && !(target.low === 0 && target.high === 1) ? 2 : target.high - target.low
}

/** What noisy sums say, where the noise of each has this deviation in steps. */
export function readQuality(shape: ModelShape, noisy: readonly bigint[], deviation: number): Quality {
  const step = stepOf(qualityGrid(shape))
  const sums = noisy.map((value) => Number(value) * step)
  switch (shape.family) {
    case "logistic":
      return curveOf(sums, deviation * step)
    case "multinomial":
      return classesOf(sums, shape.target.high + 1)
    case "linear":
    case "poisson": {
      const [count = 1, residual = 0, total = 1] = sums
      // Shares of the greatest difference, so in the units of the data times its width.
      const most = shape.target.high - shape.target.low
      const rSquared = Math.max(-1, Math.min(1, 1 - residual / Math.max(total, 1e-9)))
      return {
        kind: "explained",
        rSquared,
        meanSquare: Math.max(0, residual / Math.max(1, count)) * most * most,
      }
    }
    default:
      return shape.family satisfies never
  }
}

/** No number between 0 and 1 is further off: so large an error says that the area is not known. */
const aucErrorMax = 0.5

/**
 * The error that noise will give the area under the curve, about, with so many rows: half of them in each
 * class, cells a usual distance from the area.
 */
export function expectedAucError(shape: ModelShape, deviation: number, rows: number): number {
  const cell = deviation * stepOf(qualityGrid(shape))
  return Math.min(aucErrorMax, (cell * Math.sqrt(2 * scoreBins * 0.2)) / (rows / 2))
}

// The area is a ratio of sums over pairs of cells; its error by the noise is to first order, cell by cell.
function curveOf(sums: readonly number[], deviation: number): Quality {
  const no = sums.slice(0, scoreBins)
  const yes = sums.slice(scoreBins)
  const [allNo, allYes] = [no, yes].map((cells) =>
    Math.max(
      1,
      cells.reduce((a, b) => a + b, 0),
    ),
  )
  const points: CurvePoint[] = []
  let [falseAlarms, found, area, spread] = [allNo ?? 1, allYes ?? 1, 0, 0]
  const noBelow = runningMiddles(no)
  const yesAbove = runningMiddles(yes.toReversed()).toReversed()
  for (let at = 0; at < scoreBins; at += 1) area += (yes[at] ?? 0) * (noBelow[at] ?? 0)
  const auc = area / ((allNo ?? 1) * (allYes ?? 1))
  for (let at = 0; at < scoreBins; at += 1) {
    points.push({ falseAlarms: share(falseAlarms, allNo ?? 1), found: share(found, allYes ?? 1) })
    falseAlarms -= no[at] ?? 0
    found -= yes[at] ?? 0
    spread += ((noBelow[at] ?? 0) / (allNo ?? 1) - auc) ** 2 / (allYes ?? 1) ** 2
    spread += ((yesAbove[at] ?? 0) / (allYes ?? 1) - auc) ** 2 / (allNo ?? 1) ** 2
  }
  points.push({ falseAlarms: 0, found: 0 })
  return {
    kind: "curve",
    auc: Math.min(1, Math.max(0, auc)),
    aucError: Math.min(aucErrorMax, deviation * Math.sqrt(spread)),
    points: monotone(points),
  }
}

/** For each cell what lies before it, and half of itself. */
function runningMiddles(cells: readonly number[]): number[] {
  let before = 0
  return cells.map((cell) => {
    const middle = before + cell / 2
    before += cell
    return middle
  })
}

function share(part: number, whole: number): number {
  return Math.min(1, Math.max(0, part / whole))
}

/** Noise may lift a later point above an earlier one: both shares fall along the curve. */
function monotone(points: readonly CurvePoint[]): readonly CurvePoint[] {
  let [falseAlarms, found] = [1, 1]
  return points.map((point) => {
    falseAlarms = Math.min(falseAlarms, point.falseAlarms)
    found = Math.min(found, point.found)
    return { falseAlarms, found }
  })
}

function classesOf(sums: readonly number[], classes: number): Quality {
  const total = Math.max(
    1,
    sums.reduce((a, b) => a + b, 0),
  )
  let right = 0
  const each = Array<number>(classes).fill(0)
  for (let told = 0; told < classes; told += 1) {
    right += sums[told * classes + told] ?? 0
    for (let real = 0; real < classes; real += 1)
      each[real] = (each[real] ?? 0) + (sums[told * classes + real] ?? 0)
  }
  return { kind: "classes", accuracy: share(right, total), commonest: share(Math.max(...each), total) }
}
