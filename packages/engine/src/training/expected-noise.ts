// What noise would do to a model, before anything is paid: from public numbers alone.

import { assert } from "@dosimeter/core/errors"
import { numberNear } from "@dosimeter/core/exact"
import type { GaussianSpec } from "@dosimeter/core/mechanisms"
import { steepest } from "@dosimeter/ml/regression/families"
import { gradientSteps } from "@dosimeter/ml/regression/gradient-sum"
import { expectedAucError } from "@dosimeter/ml/regression/quality"
import { responseTo } from "@dosimeter/ml/regression/response"
import { scheduleOf } from "@dosimeter/ml/regression/schedule"
import { outputsOf, widthOf, type ModelShape } from "@dosimeter/ml/regression/shape"
import { stepsOf, type TrainingPlan } from "@dosimeter/ml/regression/training-plan"

/** The noise of a coefficient, for some numbers of units. */
export interface ExpectedNoise {
  /** What a coefficient is about: a feature that goes from its lowest to its highest value. */
  readonly of:
    | "log-odds"
    | "log of the count"
    | "share of the target's range"
    | "share of a variance"
    | "share of a feature's range"
  /** What it is of: a coefficient, one part of a curve, the variance along a component, a group's centre. */
  readonly part: "coefficient" | "curve" | "component" | "centre"
  readonly units: readonly {
    readonly units: number
    /** The standard deviation that noise gives it, if features spread over half of their range. */
    readonly noise: number
    /** The same that chance gives it, noise apart. */
    readonly chance: number
    /**
     * How much of a coefficient is reached; the rest is shrunk away on account of the noise. How much of a
     * direction is kept, or how likely a group is found.
     */
    readonly reached: number
    /** Of a model of two classes: what noise does to the area under the curve, a standard deviation. */
    readonly auc?: number
    /** Of components and groups: what noise does to the share of the variance that they hold. */
    readonly share?: number
  }[]
}

/** For so many units it is told. */
export const unitsShown = [1000, 10_000, 100_000]

/** On the scale of features, -1 to 1: the usual deviation of one. */
const spread = 0.5

/** What is known of the noise beforehand. */
export function expectedNoise(plan: TrainingPlan): ExpectedNoise {
  const { shape } = plan
  const { family } = shape
  const width = widthOf(shape)
  const planned = stepsOf(plan, "gradient")
  assert(planned !== undefined, "a training has rounds")
  const { count: rounds } = planned
  const deviation = Math.sqrt(numberNear(planned.spec.variance))
  const meanTarget = family === "poisson" ? 1 : 0.5
  const units = unitsShown.map((rows) => {
    const look = {
      rows,
      centring: { centre: new Float64Array(width - 1), stretch: new Float64Array(width - 1).fill(1) },
      meanSquare: 1 + (width - 1) * spread ** 2,
      meanTarget,
      targetDeviation: spread,
    }
    const schedule = scheduleOf({
      family,
      look,
      rowsPerUnit: 1,
      rounds,
      numbers: width * outputsOf(shape),
      muSquared: (rounds * gradientSteps(1) ** 2) / deviation ** 2,
    })
    const curvature = spread ** 2 * (family === "poisson" ? meanTarget : steepest(family, meanTarget))
    const response = responseTo(curvature, schedule)
    const roundNoise = deviation / (gradientSteps(schedule.clip) * rows)
    // From -1 to 1 it moves by two coefficients; a linear target has a range of 2 as well.
    const scale = family === "linear" ? 1 : 2
    const dispersion = family === "linear" ? spread ** 2 : 1
    return {
      units: rows,
      noise: scale * response.noise * roundNoise,
      chance: scale * Math.sqrt(dispersion / (rows * curvature)),
      reached: response.reached,
      ...aucOf({ shape, quality: stepsOf(plan, "quality")?.spec, rows }),
    }
  })
  const of =
    family === "linear"
      ? "share of the target's range"
      : family === "poisson"
        ? "log of the count"
        : "log-odds"
  return { of, part: "coefficient", units }
}

/** What noise does to the area under the curve, where a model has one. */
export function aucOf(of: {
  readonly shape: ModelShape
  readonly quality: GaussianSpec | undefined
  readonly rows: number
}): { readonly auc?: number } {
  const { shape, quality, rows } = of
  if (quality === undefined || shape.family !== "logistic") return {}
  return { auc: expectedAucError(shape, Math.sqrt(numberNear(quality.variance)), rows) }
}
