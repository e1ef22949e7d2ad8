// Explainable boosting as a dialogue: it asks for sums, and is answered with noisy ones. Whoever answers has
// the rows and adds the noise; nothing exact reaches this file, so all that it does is post-processing.

import { checkedSums, sumsOf } from "../rounds/planned-sums.ts"
import { noiseOf } from "../rounds/release-sums.ts"
import { readQuality } from "../regression/quality.ts"
import type { BoostingAsk } from "./asked-examples.ts"
import { boostedModel, type BoostedModel } from "./boosted-model.ts"
import { onScaleOf, personSteps, type BoostingPlan } from "./boosting-plan.ts"
import { emptyState, nextState } from "./boosting-state.ts"
import { shapeModel } from "./shape-model.ts"

/** The dialogue of a plan: asks come in the order of its sums, each as often as planned. */
export function* boost(plan: BoostingPlan): Generator<BoostingAsk, BoostedModel, readonly bigint[]> {
  const { model, shape } = plan
  const counts = checkedSums(plan, "people", yield { kind: "people" })
  let state = nextState(model, emptyState, {
    round: 0,
    noisy: Float64Array.from(counts, (value) => Number(value) / personSteps),
  })
  const rows = [...(state.tables[0]?.people ?? [])].reduce((sum, people) => sum + people, 0)
  for (let round = 1; round < model.rounds.length; round += 1) {
    const term = (round - 1) % model.terms.length
    const noisy = checkedSums(plan, "residuals", yield { kind: "residuals", term, state })
    const bins = state.tables[term]?.people.length ?? 0
    state = nextState(model, state, { round, noisy: Float64Array.from(noisy.slice(0, bins), Number) })
  }
  const shapes = shapeModel(model, state)
  const isNumber = shape.family === "linear"
  const meanTarget = isNumber ? onScaleOf(shape)(Math.max(-1, Math.min(1, shapes.intercept))) : 0.5
  const told = checkedSums(plan, "quality", yield { kind: "quality", model: shapes, meanTarget })
  const quality = readQuality(shape, told, noiseOf(sumsOf(plan, "quality").spec))
  const { epochs, bins } = model
  return boostedModel(shapes, { rows: Math.round(rows), quality, settings: { epochs, bins } })
}
