// Naive Bayes as a dialogue that asks for sums, what each unit adds to them, and the model as plain data.

import { categoryOf, type CategoryColumn, type ColumnSpec, type Examples } from "../columns/columns.ts"
import { readQuality, scoreVectors, type Quality } from "../regression/quality.ts"
import type { UnitVectors } from "../regression/unit-vectors.ts"
import { checkedSums, sumsOf } from "../rounds/planned-sums.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import { personSteps, tablesBefore, type BayesPlan } from "./bayes-plan.ts"
import {
  bayesCell,
  bayesCells,
  bayesModel,
  chancesOfRow,
  predictBayes,
  type BayesModel,
} from "./naive-bayes.ts"

/** What a training asks for next. Everything in it is public or was released. */
export type BayesAsk = { readonly kind: "people" } | { readonly kind: "quality"; readonly model: BayesModel }

/** A model that was released, as plain data. Everything in it is noisy or public. */
export interface TablesModel {
  readonly kind: "tables"
  readonly features: readonly ColumnSpec[]
  readonly target: CategoryColumn
  /** Logarithms of the chances of classes. */
  readonly prior: readonly number[]
  /** For each feature, class after class: logarithms of the chances of its cells. */
  readonly tables: readonly (readonly number[])[]
  /** The deviation of the noise in each count, in people. */
  readonly noise: number
  /** About how many rows it was fitted to: a noisy number. */
  readonly rows: number
  readonly quality: Quality
}

/** Rows, one for each unit. */
export class CountedExamples {
  readonly #plan: BayesPlan
  readonly #examples: Examples

  constructor(plan: BayesPlan, examples: Examples) {
    this.#plan = plan
    this.#examples = examples
  }

  /**
   * What each unit adds to an ask.
   *
   * Guarantee: of what is exact, a unit's numbers depend on its own row alone.
   * Needs: the model of an ask is made of what was released.
   * Proof: the class and the cells of a row are functions of its own values and of what is declared. People:
   *   one number for each feature, at the row's cell of its class. Quality: scoreVectors, of chancesOfRow.
   * Numerics: whole numbers; scores are doubles of the row alone.
   * Source: none; lengths are compared by BoundedSums.
   */
  vectorsOf(ask: BayesAsk): UnitVectors {
    return ask.kind === "people" ? this.#people() : this.#quality(ask.model)
  }

  #people(): UnitVectors {
    const { features, target } = this.#plan.model
    const starts = tablesBefore(this.#plan.model)
    const data = this.#examples
    return {
      length: starts.at(-1) ?? 0,
      add: (unit, into) => {
        const group = categoryOf(data.target[unit] ?? Number.NaN, target)
        if (group === undefined) return
        for (const [place, feature] of features.entries()) {
          const cell = bayesCell(data.features[place]?.[unit] ?? Number.NaN, feature)
          const at = (starts[place] ?? 0) + group * bayesCells(feature) + cell
          into[at] = (into[at] ?? 0) + personSteps
        }
      },
    }
  }

  #quality(model: BayesModel): UnitVectors {
    const { shape } = this.#plan
    const { features } = this.#examples
    // Every class but the first, compared with the first.
    const scores = (unit: number, into: Float64Array): void => {
      const chances = chancesOfRow(model, features, unit)
      const logAt = (group: number): number => Math.log(Math.max(chances[group] ?? 0, leastChance))
      for (let at = 0; at < into.length; at += 1) into[at] = logAt(at + 1) - logAt(0)
    }
    const { target } = this.#plan.model
    const targets = this.#examples.target.map((value) => categoryOf(value, target) ?? Number.NaN)
    return scoreVectors(shape, { scores, targets, meanTarget: 0 })
  }
}

/** So that a logarithm is a number. */
const leastChance = 1e-300

/** The dialogue of a plan: asks come in the order of its sums, each once. */
export function* fitBayes(plan: BayesPlan): Generator<BayesAsk, TablesModel, readonly bigint[]> {
  const { model, shape } = plan
  const noisy = checkedSums(plan, "people", yield { kind: "people" })
  const counts = Float64Array.from(noisy, (value) => Number(value) / personSteps)
  const fitted = bayesModel(model, counts)
  const told = checkedSums(plan, "quality", yield { kind: "quality", model: fitted })
  const rows = counts.reduce((sum, count) => sum + count, 0) / model.features.length
  return {
    kind: "tables",
    features: model.features,
    target: model.target,
    prior: [...fitted.prior],
    tables: fitted.tables.map((table) => [...table]),
    noise: noiseOf(sumsOf(plan, "people").spec) / personSteps,
    rows: Math.round(rows),
    quality: readQuality(shape, told, noiseOf(sumsOf(plan, "quality").spec)),
  }
}

/** The chances of the classes of one row, NaN where a value is missing. */
export function predictTables(model: TablesModel, row: readonly number[]): readonly number[] {
  const { features, target, prior, tables } = model
  const own: BayesModel = {
    kind: "bayes",
    features,
    classes: target.categories,
    prior: Float64Array.from(prior),
    tables: tables.map((table) => Float64Array.from(table)),
  }
  const values = features.map((_, at) => Float64Array.of(row[at] ?? Number.NaN))
  return [...predictBayes(own, { rows: 1, features: values })]
}
