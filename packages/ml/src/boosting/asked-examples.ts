// What each unit adds to the sums of an explainable model, unit by unit. Whoever calls this holds a Secret
// open, and holds every unit's part to its bound.

import type { Examples } from "../columns/columns.ts"
import { scoreVectors } from "../regression/quality.ts"
import type { UnitVectors } from "../regression/unit-vectors.ts"
import { cellsBefore, onScaleOf, personSteps, type BoostingPlan } from "./boosting-plan.ts"
import type { BoostingState } from "./boosting-state.ts"
import { cellsOf } from "./cells.ts"
import { addToScores, placesOf, stepsOf, targetsOf } from "./read-residuals.ts"
import { scoresOf, type ShapeModel } from "./shape-model.ts"

/** What a training asks for next. Everything in it is public or was released. */
export type BoostingAsk =
  | { readonly kind: "people" }
  | { readonly kind: "residuals"; readonly term: number; readonly state: BoostingState }
  | { readonly kind: "quality"; readonly model: ShapeModel; readonly meanTarget: number }

/** Rows, one for each unit, with their scores so far. */
export class AskedExamples {
  readonly #plan: BoostingPlan
  readonly #examples: Examples
  readonly #cells: readonly Uint16Array[]
  readonly #targets: Float64Array
  readonly #scores: Float64Array
  #places: readonly Uint16Array[] = []
  /** The change that scores have already. */
  #scored: BoostingState["change"]

  constructor(plan: BoostingPlan, examples: Examples) {
    this.#plan = plan
    this.#examples = examples
    const { features } = plan.model
    this.#cells = features.map((feature, place) =>
      cellsOf(examples.features[place] ?? new Float64Array(examples.rows).fill(Number.NaN), feature),
    )
    this.#targets = targetsOf(plan.model, examples)
    this.#scores = new Float64Array(examples.rows)
  }

  /**
   * What each unit adds to an ask.
   *
   * Guarantee: of what is exact, a unit's numbers depend on its own row alone.
   * Needs: asks come one after the other, each from what was released before.
   * Proof: the cells, the target and the score of a row are functions of this row, of what is declared, and
   *   of the shapes in the asks so far, which are noisy. People: one number for each feature, at the row's
   *   cell. Residuals: one number, at the row's bin. Quality: scoreVectors.
   * Numerics: whole numbers; scores are doubles, added in the same order for every row.
   * Source: none; lengths are compared by BoundedSums.
   */
  vectorsOf(ask: BoostingAsk): UnitVectors {
    switch (ask.kind) {
      case "people":
        return this.#people()
      case "residuals":
        return this.#residuals(ask)
      case "quality":
        return this.#quality(ask)
      default:
        return ask satisfies never
    }
  }

  #people(): UnitVectors {
    const starts = cellsBefore(this.#plan.model.features)
    const cells = this.#cells
    return {
      length: starts.at(-1) ?? 0,
      add: (unit, into) => {
        for (const [feature, own] of cells.entries()) {
          const at = (starts[feature] ?? 0) + (own[unit] ?? 0)
          into[at] = (into[at] ?? 0) + personSteps
        }
      },
    }
  }

  #residuals({ term, state }: Extract<BoostingAsk, { kind: "residuals" }>): UnitVectors {
    const { model, sums } = this.#plan
    if (this.#places.length === 0) {
      this.#places = model.terms.map((own, at) => placesOf(own, state, { cells: this.#cells, at }))
    }
    const { change } = state
    if (change !== undefined && change !== this.#scored) {
      addToScores(this.#scores, this.#places[change.term], change.by)
    }
    this.#scored = change
    const places = this.#places[term] ?? new Uint16Array(0)
    const [targets, scores] = [this.#targets, this.#scores]
    return {
      length: sums.find(({ kind }) => kind === "residuals")?.length ?? 0,
      add: (unit, into) => {
        const at = places[unit] ?? 0
        into[at] = (into[at] ?? 0) + stepsOf(model, targets[unit] ?? Number.NaN, scores[unit] ?? 0)
      },
    }
  }

  #quality({ model, meanTarget }: Extract<BoostingAsk, { kind: "quality" }>): UnitVectors {
    const { shape } = this.#plan
    const onScale = onScaleOf(shape)
    const bounded = shape.family === "linear" ? (score: number) => Math.max(-1, Math.min(1, score)) : Number
    const scores = scoresOf(model, this.#examples)
    return scoreVectors(shape, {
      scores: (unit, into) => {
        into[0] = onScale(bounded(scores[unit] ?? 0))
      },
      targets: shape.family === "linear" ? this.#targets.map(onScale) : this.#targets,
      meanTarget,
    })
  }
}
