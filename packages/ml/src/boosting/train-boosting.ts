// Explainable boosting as a learner: rounds that are laid out beforehand, exact sums in, a model of shapes
// out.

import type { Examples } from "../columns/columns.ts"
import type { Learner } from "../rounds/learner.ts"
import { emptyState, nextState, type BoostingState } from "./boosting-state.ts"
import type { Boosting } from "./boosting.ts"
import { readResiduals } from "./read-residuals.ts"
import { shapeModel, type ShapeModel } from "./shape-model.ts"

/** The learner of a boosting; `trainLearner` runs it. */
export function boostingLearner(model: Boosting): Learner<Examples, BoostingState, ShapeModel> {
  return {
    rounds: model.rounds,
    start: emptyState,
    open: (data) => readResiduals(model, data),
    next: (state, round, noisy) => nextState(model, state, { round, noisy }),
    finish: (state) => shapeModel(model, state),
  }
}
