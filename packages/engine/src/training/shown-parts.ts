// The parts of a model as they are shown, each with its interval: of curves the effect of a part of a
// feature, of naive Bayes how much more a cell speaks for a class.

import type { TablesModel } from "@dosimeter/ml/bayes/fit-bayes"
import { bayesCells } from "@dosimeter/ml/bayes/naive-bayes"
import type { BoostedModel, BoostedShape } from "@dosimeter/ml/boosting/boosted-model"
import type { ModelColumn } from "./model-columns.ts"

/** One coefficient with its interval, as it is shown; of curves, the effect of one part of a feature. */
export interface ShownCoefficient {
  /** Of a model of several classes: which one it is for. Of curves: the feature. */
  readonly output: string
  readonly name: string
  readonly value: number
  /** How far its feature goes, from its lowest to its highest value; the intercept has none. */
  readonly span?: number
  /** Of curves: the part of a feature's range that it is about. */
  readonly from?: number
  readonly to?: number
  readonly error?: number
  readonly low?: number
  readonly high?: number
  /** The share of the squared error that is noise. */
  readonly noiseShare?: number
  readonly isShrunk: boolean
}

/** The effects of all parts of all features. */
export function effectsOf(
  model: BoostedModel,
  inputs: readonly ModelColumn[],
  width: number,
): readonly ShownCoefficient[] {
  return model.shapes.flatMap((shape, at) => effectsOfShape(shape, inputs[at], { model, width }))
}

// An effect has the noise of its sums, and the chance of who is in the data; a number is in its own units.
function effectsOfShape(
  { feature, edges, effect, noise, sample }: BoostedShape,
  column: ModelColumn | undefined,
  { model: { target }, width }: { readonly model: BoostedModel; readonly width: number },
): readonly ShownCoefficient[] {
  const unit = target.kind === "number" ? (target.high - target.low) / 2 : 1
  return effect.flatMap((own, bin) => {
    const isMissing = bin === effect.length - 1
    if (isMissing && column?.hasMissing !== true) return []
    const [chance = 0, byNoise = 0] = [sample[bin], noise[bin]]
    const error = unit * Math.hypot(chance, byNoise)
    const value = unit * own
    const [from, to] = isMissing ? [] : edges.slice(bin, bin + 2)
    const name = nameOf(column, { place: bin, isMissing, from, to })
    return [
      {
        output: feature,
        name,
        value,
        error,
        low: value - width * error,
        high: value + width * error,
        noiseShare: (unit * byNoise) ** 2 / Math.max(error ** 2, Number.MIN_VALUE),
        isShrunk: false,
        ...(from === undefined || to === undefined ? {} : { from, to }),
      },
    ]
  })
}

/** What the cells say: log-odds of each class but the first against the first, class by class. */
export function ratiosOf(
  model: TablesModel,
  of: {
    readonly inputs: readonly ModelColumn[]
    readonly target: ModelColumn
    readonly width: number
  },
): readonly ShownCoefficient[] {
  const { inputs, target, width } = of
  const { features, prior, tables, rows, noise } = model
  return features.flatMap((feature, at) => {
    const [column, table = [], cells] = [inputs[at], tables[at], bayesCells(feature)]
    // About how many people are in a cell of a class: as the model has them, with what it had beforehand.
    const peopleIn = (group: number, cell: number): number =>
      Math.max(1, rows * Math.exp((prior[group] ?? 0) + (table[group * cells + cell] ?? 0)))
    return Array.from({ length: (prior.length - 1) * cells }, (_, index): readonly ShownCoefficient[] => {
      const [group, cell] = [1 + Math.floor(index / cells), index % cells]
      const isMissing = cell === cells - 1
      if (isMissing && column?.hasMissing !== true) return []
      const value = (table[group * cells + cell] ?? 0) - (table[cell] ?? 0)
      const inverse = [peopleIn(group, cell), peopleIn(0, cell)].map((people) => 1 / people)
      const chance = inverse.reduce((sum, one) => sum + one, 0)
      const byNoise = inverse.reduce((sum, one) => sum + (noise * one) ** 2, 0)
      const error = Math.sqrt(chance + byNoise)
      const step = feature.kind === "number" ? (feature.high - feature.low) / (cells - 1) : 0
      const isPart = feature.kind === "number" && !isMissing
      const [from, to] = isPart ? [feature.low + cell * step, feature.low + (cell + 1) * step] : []
      const listed = target.kind === "listed" ? `${target.values[group]}` : ""
      return [
        {
          output: prior.length > 2 ? `${listed}: ${feature.name}` : feature.name,
          name: nameOf(column, { place: cell, isMissing, from, to }),
          value,
          error,
          low: value - width * error,
          high: value + width * error,
          noiseShare: byNoise / (chance + byNoise),
          isShrunk: false,
          ...(from === undefined || to === undefined ? {} : { from, to }),
        },
      ]
    }).flat()
  })
}

function nameOf(
  column: ModelColumn | undefined,
  of: {
    readonly place: number
    readonly isMissing: boolean
    readonly from: number | undefined
    readonly to: number | undefined
  },
): string {
  const { place, isMissing, from = 0, to = 0 } = of
  if (isMissing) return "missing"
  if (column?.kind === "listed") return `${column.values[place]}`
  const short = (value: number): number => Number(value.toPrecision(6))
  return `${short(from)} to ${short(to)}`
}
