// Naive Bayes: how many people of each class are in each cell of each feature, measured once. Chances of
// classes are worked out from the noisy counts as if features were independent within a class.

import type { Neighbours } from "@dosimeter/core/mechanisms"
import {
  categoryOf,
  checkCounts,
  checkFeatures,
  checkTarget,
  type CategoryColumn,
  type ColumnSpec,
  type Examples,
} from "../columns/columns.ts"
import type { Learner, Round } from "../rounds/learner.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import { countedOnce, muSquaredOf, roundSpec, type TrainingBudget } from "../rounds/round-spec.ts"

/** What is asked for. */
export interface NaiveBayesOptions {
  readonly features: readonly ColumnSpec[]
  readonly target: CategoryColumn
  readonly budget: TrainingBudget
  readonly neighbours: Neighbours
}

/** A model to be trained. */
export interface NaiveBayes {
  readonly features: readonly ColumnSpec[]
  readonly target: CategoryColumn
  readonly rounds: readonly Round[]
}

/** Chances by cells, as logarithms: for each feature and class, the chance of each cell. */
export interface BayesModel {
  readonly kind: "bayes"
  readonly features: readonly ColumnSpec[]
  readonly classes: number
  /** Logarithms of the chances of classes. */
  readonly prior: Float64Array
  /** For each feature, class after class. */
  readonly tables: readonly Float64Array[]
}

/** Equal cells of a range. */
const cellsOfRange = 24

/** Checks what is asked. Nothing is read. */
export function naiveBayes({ features, target, budget, neighbours }: NaiveBayesOptions): NaiveBayes {
  checkFeatures(features)
  checkTarget(target)
  const cells = features.reduce((sum, feature) => sum + bayesCells(feature), 0)
  checkCounts("the number of counts, cells times classes,", cells * target.categories)
  const spec = roundSpec(countedOnce(features.length, neighbours), muSquaredOf(budget))
  return { features, target, rounds: [{ name: "people by class and cell", spec }] }
}

/** The learner of naive Bayes; `trainLearner` runs it. */
export function naiveBayesLearner(model: NaiveBayes): Learner<Examples, Float64Array, BayesModel> {
  return {
    rounds: model.rounds,
    start: new Float64Array(0),
    open: (data) => ({ sums: () => countByClass(model, data) }),
    next: (_state, _round, noisy) => noisy,
    finish: (counts) => bayesModel(model, counts),
  }
}

/**
 * How many people of each class are in each cell of each feature.
 *
 * Guarantee: a unit changes one count of each feature's table, by 1.
 * Needs: one row a unit (the caller).
 * Proof: the cell of a row is a function of its own value; a row without a class counts nowhere.
 * Numerics: integers.
 * Source: none.
 */
export function countByClass({ features, target }: NaiveBayes, data: Examples): Float64Array {
  const tables = features.map((feature, place) => {
    const cells = bayesCells(feature)
    const counts = new Float64Array(target.categories * cells)
    const values = data.features[place] ?? new Float64Array(0)
    for (let row = 0; row < data.rows; row += 1) {
      const group = categoryOf(data.target[row] ?? NaN, target)
      if (group === undefined) continue
      const at = group * cells + bayesCell(values[row] ?? NaN, feature)
      counts[at] = (counts[at] ?? 0) + 1
    }
    return counts
  })
  return Float64Array.from(tables.flatMap((counts) => [...counts]))
}

/** Cells of a feature, that of missing values included: it is the last one. */
export function bayesCells(column: ColumnSpec): number {
  return 1 + (column.kind === "category" ? column.categories : cellsOfRange)
}

/** The cell of a value: a function of the value and of what is declared alone. */
export function bayesCell(value: number, column: ColumnSpec): number {
  if (column.kind === "category") return categoryOf(value, column) ?? column.categories
  if (Number.isNaN(value)) return cellsOfRange
  const part = (Math.min(column.high, Math.max(column.low, value)) - column.low) / (column.high - column.low)
  return Math.min(cellsOfRange - 1, Math.floor(part * cellsOfRange))
}

/**
 * Chances from noisy counts. Each cell counts as if half a deviation of the noise, and one person, were in it
 * already, in the proportion of all classes together: what noise drowns tells nothing apart.
 */
export function bayesModel(model: NaiveBayes, noisy: Float64Array): BayesModel {
  const classes = model.target.categories
  const [round] = model.rounds
  const extra = 1 + (round === undefined ? 0 : noiseOf(round.spec) / 2)
  const totals = new Float64Array(classes)
  let from = 0
  const tables = model.features.map((feature) => {
    const cells = bayesCells(feature)
    const counts = noisy.slice(from, from + classes * cells)
    from += counts.length
    for (let group = 0; group < classes; group += 1) {
      const sum = counts.subarray(group * cells, (group + 1) * cells).reduce((all, count) => all + count, 0)
      totals[group] = (totals[group] ?? 0) + sum / model.features.length
    }
    return chancesOf(
      counts.map((count) => Math.max(0, count)),
      { classes, cells, extra },
    )
  })
  const people = totals.map((count) => Math.max(0, count) + extra)
  const all = people.reduce((sum, count) => sum + count, 0)
  return {
    kind: "bayes",
    features: model.features,
    classes,
    prior: people.map((count) => Math.log(count / all)),
    tables,
  }
}

function chancesOf(
  counts: Float64Array,
  { classes, cells, extra }: { readonly classes: number; readonly cells: number; readonly extra: number },
): Float64Array {
  const all = counts.reduce((sum, count) => sum + count, 0) + cells
  const chances = new Float64Array(counts.length)
  for (let cell = 0; cell < cells; cell += 1) {
    let together = 1
    for (let group = 0; group < classes; group += 1) together += counts[group * cells + cell] ?? 0
    for (let group = 0; group < classes; group += 1) {
      const own = counts.subarray(group * cells, (group + 1) * cells).reduce((sum, count) => sum + count, 0)
      const expected = extra * cells * (together / all)
      chances[group * cells + cell] = Math.log(
        ((counts[group * cells + cell] ?? 0) + expected) / (own + extra * cells),
      )
    }
  }
  return chances
}

/** The chances of all classes, row after row. */
export function predictBayes(model: BayesModel, data: Pick<Examples, "rows" | "features">): Float64Array {
  const chances = new Float64Array(data.rows * model.classes)
  for (let row = 0; row < data.rows; row += 1) {
    chances.set(chancesOfRow(model, data.features, row), row * model.classes)
  }
  return chances
}

/** The chances of all classes in one row, of which alone anything is read. */
export function chancesOfRow(model: BayesModel, features: Examples["features"], row: number): Float64Array {
  const scores = model.prior.slice()
  for (const [place, feature] of model.features.entries()) {
    const cell = bayesCell(features[place]?.[row] ?? NaN, feature)
    const cells = bayesCells(feature)
    for (let group = 0; group < model.classes; group += 1) {
      scores[group] = (scores[group] ?? 0) + (model.tables[place]?.[group * cells + cell] ?? 0)
    }
  }
  const most = scores.reduce((best, score) => Math.max(best, score), -Infinity)
  const total = scores.reduce((sum, score) => sum + Math.exp(score - most), 0)
  return scores.map((score) => Math.exp(score - most) / total)
}
