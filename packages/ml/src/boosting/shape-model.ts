// A trained model as sums of shapes, each with a band; what it says of new rows.

import { isotonic } from "@dosimeter/core/post"
import type { ColumnSpec, Examples } from "../columns/columns.ts"
import { averagedEpochs, ratesOf, sumNoise, type BoostingState } from "./boosting-state.ts"
import type { Boosting } from "./boosting.ts"
import { cellsOf } from "./cells.ts"
import { placeOfCell } from "./read-residuals.ts"

/** The effect of one feature, or of two together, on the score. */
export interface Shape {
  /** One feature for an effect, two for an interaction. */
  readonly features: readonly string[]
  /** For each side, the place of every cell (see cells.ts); the last cell is a missing value. */
  readonly places: readonly Uint16Array[]
  /** The lower edges of a feature of numbers and its end; empty for categories and interactions. */
  readonly edges: readonly number[]
  readonly effect: Float64Array
  /** What the noise did to each effect, as a standard deviation, bins and other shapes held as they are. */
  readonly noise: Float64Array
  /** The same for the people who happen to be in the data. */
  readonly sample: Float64Array
  /** Noisy people behind each effect. */
  readonly people: Float64Array
}

/** An additive model: a score is the intercept and one effect of each shape. */
export interface ShapeModel {
  readonly kind: "shapes"
  readonly features: readonly ColumnSpec[]
  readonly target: ColumnSpec
  readonly intercept: number
  readonly shapes: readonly Shape[]
}

/** The averaged shapes, monotone where that is asked, each with mean 0 over noisy people. */
export function shapeModel(model: Boosting, state: BoostingState): ShapeModel {
  let intercept = 0
  const shapes = model.terms.map((term, at): Shape => {
    const table = state.tables[at]
    const people = table?.people ?? new Float64Array(0)
    const [single, second] = term
    const bins = single === undefined ? undefined : state.bins[single]
    const direction = second === undefined && single !== undefined ? model.directions[single] : undefined
    const averaged = (state.sums[at] ?? people).map((sum) => sum / averagedEpochs(model))
    const bands = bandsOf(model, people)
    const ordered = direction === undefined ? averaged : inOrder(averaged, { direction, noise: bands.noise })
    const mean = weightedMean(ordered, people)
    intercept += mean
    return {
      features: term.map((place) => model.features[place]?.name ?? ""),
      places: term.map((place, side) =>
        placeOfCell(table, { side, binOfCell: state.bins[place]?.binOfCell }),
      ),
      edges: second === undefined ? (bins?.edges ?? []) : [],
      effect: ordered.map((value) => value - mean),
      ...bands,
      people,
    }
  })
  return { kind: "shapes", features: model.features, target: model.target, intercept, shapes }
}

/**
 * The score of every row; for two classes, that the chance of the second one is 1 / (1 + e^-score).
 */
export function scoresOf(model: ShapeModel, data: Pick<Examples, "rows" | "features">): Float64Array {
  const cells = model.features.map((feature, place) =>
    cellsOf(data.features[place] ?? new Float64Array(data.rows).fill(NaN), feature),
  )
  const scores = new Float64Array(data.rows).fill(model.intercept)
  for (const { features, places, effect } of model.shapes) {
    const sides = features.map((name) => cells[model.features.findIndex((feature) => feature.name === name)])
    for (let row = 0; row < data.rows; row += 1) {
      let place = 0
      for (const [side, own] of sides.entries()) place += places[side]?.[own?.[row] ?? 0] ?? 0
      scores[row] = (scores[row] ?? 0) + (effect[place] ?? 0)
    }
  }
  return scores
}

/** Chances of the second class, or numbers in the declared range. */
export function predictShapes(model: ShapeModel, data: Pick<Examples, "rows" | "features">): Float64Array {
  const { target } = model
  const scores = scoresOf(model, data)
  if (target.kind === "category") return scores.map((score) => 1 / (1 + Math.exp(-score)))
  const half = (target.high - target.low) / 2
  return scores.map((score) => target.low + half * (1 + Math.max(-1, Math.min(1, score))))
}

/**
 * How far noise and sample move each effect, to first order and with bins and other shapes held: a step
 * takes back the part `pull` of what is off, so the noise of step s is in the average of the last epochs with
 * the weight rate (1 - pull)^(t - s), summed over the epochs t that are averaged.
 */
export function bandsOf(model: Boosting, people: Float64Array): Pick<Shape, "noise" | "sample"> {
  const rates = ratesOf(model, people)
  const deviation = sumNoise(model)
  const averaged = averagedEpochs(model)
  const first = model.epochs - averaged
  const noise = people.map((count, bin) => {
    const rate = rates[bin] ?? 0
    const keep = 1 - rate * model.curvature * count
    let squares = 0
    for (let step = 0; step < model.epochs; step += 1) {
      let weight = 0
      for (let epoch = Math.max(step, first); epoch < model.epochs; epoch += 1)
        weight += keep ** (epoch - step)
      squares += (weight / averaged) ** 2
    }
    return rate * deviation * Math.sqrt(squares)
  })
  const sample = people.map((count) => 1 / Math.sqrt(model.curvature * Math.max(1, count)))
  return { noise, sample }
}

/**
 * The nearest shape that does not turn, by noise; the missing bin, which has no place in the order, stays.
 */
function inOrder(
  shape: Float64Array,
  { direction, noise }: { readonly direction: "rising" | "falling"; readonly noise: Float64Array },
): Float64Array {
  const values = [...shape.subarray(0, shape.length - 1)]
  const weights = values.map((_, bin) => 1 / Math.max(1e-12, (noise[bin] ?? 1) ** 2))
  return Float64Array.from([...isotonic(values, { direction, weights }), shape.at(-1) ?? 0])
}

function weightedMean(values: Float64Array, weights: Float64Array): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (!(total > 0)) return 0
  return values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / total
}
