// What noise would do to the parts of a model, before anything is paid: from public numbers alone.

import { numberNear } from "@dosimeter/core/exact"
import { personSteps, type BayesPlan } from "@dosimeter/ml/bayes/bayes-plan"
import { bayesCells } from "@dosimeter/ml/bayes/naive-bayes"
import { ratesOf, stepSize } from "@dosimeter/ml/boosting/boosting-state"
import type { BoostingPlan } from "@dosimeter/ml/boosting/boosting-plan"
import { bandsOf } from "@dosimeter/ml/boosting/shape-model"
import { aucOf, unitsShown, type ExpectedNoise } from "./expected-noise.ts"

/** What is known of the noise in one part of a curve, if a feature falls into parts of equal size. */
export function noiseOfCurves({ model, shape, sums }: BoostingPlan): ExpectedNoise {
  const isClass = shape.family === "logistic"
  // A number is from -1 to 1 there, and its whole range is 1 here.
  const scale = isClass ? 1 : 0.5
  const parts = Math.max(
    ...model.features.map((one) => (one.kind === "category" ? one.categories : model.bins)),
  )
  const units = unitsShown.map((rows) => {
    const people = Float64Array.of(rows / parts)
    const { noise, sample } = bandsOf(model, people)
    const [rate = 0] = ratesOf(model, people)
    const left = 1 - Math.min(stepSize, rate * model.curvature * (rows / parts))
    return {
      units: rows,
      noise: scale * (noise[0] ?? 0),
      chance: scale * (sample[0] ?? 0),
      reached: 1 - left ** model.epochs,
      ...aucOf({ shape, quality: sums.find(({ kind }) => kind === "quality")?.spec, rows }),
    }
  })
  return { of: isClass ? "log-odds" : "share of the target's range", part: "curve", units }
}

/** The same of naive Bayes: in the log-odds that one cell tells, if people are spread over all cells. */
export function noiseOfTables({ model, shape, sums }: BayesPlan): ExpectedNoise {
  const deviationOf = (kind: "people" | "quality"): number =>
    Math.sqrt(sums.reduce((sum, one) => (one.kind === kind ? numberNear(one.spec.variance) : sum), 0))
  const deviation = deviationOf("people") / personSteps
  const parts = model.target.categories * Math.max(...model.features.map((one) => bayesCells(one) - 1))
  const units = unitsShown.map((rows) => {
    const people = rows / parts
    // As the model does: a person and half a deviation are in each cell beforehand.
    const held = people + 1 + deviation / 2
    return {
      units: rows,
      noise: (Math.SQRT2 * deviation) / held,
      chance: Math.sqrt(2 * people) / held,
      reached: people / held,
      ...aucOf({ shape, quality: sums.find(({ kind }) => kind === "quality")?.spec, rows }),
    }
  })
  return { of: "log-odds", part: "curve", units }
}
