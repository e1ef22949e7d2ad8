// A fitted model as plain data: what is shown, stored, exported and used for predictions.

import { showRational } from "@dosimeter/core/exact"
import { coefficientsOf, predictorsOf, type Coefficient } from "./coefficients.ts"
import { meansOf } from "./families.ts"
import type { Quality } from "./quality.ts"
import { type Family, type ModelShape, type Ranged } from "./shape.ts"
import { trainingLoss, type TrainingPlan } from "./training-plan.ts"
import type { Trained } from "./train.ts"

/** A regression that was released. Everything in it is noisy or public. */
export interface RegressionModel {
  readonly kind: "regression"
  readonly family: Family
  readonly features: readonly Ranged[]
  readonly target: Ranged
  readonly rowsPerUnit: number
  /** For each output, the intercept first, in the units of the data. */
  readonly coefficients: readonly (readonly Coefficient[])[]
  /** What predictions use: as the coefficients, but shrunk where noise asks for it. */
  readonly predictors: readonly (readonly number[])[]
  /** About how many rows it was fitted to: a noisy number. */
  readonly rows: number
  readonly quality: Quality
  readonly settings: {
    readonly rounds: number
    readonly clip: number
    readonly step: number
    readonly momentum: number
    readonly penalty: number
  }
  readonly loss: { readonly rho: string; readonly neighbours: "add-or-remove" | "replace" }
}

/** The model that a training ended with. */
export function modelOf(plan: TrainingPlan, trained: Trained): RegressionModel {
  const { shape, neighbours } = plan
  const { family, features, target, rowsPerUnit } = shape
  const { rounds, clip, step, momentum, penalty } = trained.schedule
  return {
    kind: "regression",
    family,
    features,
    target,
    rowsPerUnit,
    coefficients: coefficientsOf(shape, trained),
    predictors: predictorsOf(shape, trained),
    rows: Math.round(trained.look.rows),
    quality: trained.quality,
    settings: { rounds, clip, step, momentum, penalty },
    loss: { rho: showRational(trainingLoss(plan)), neighbours },
  }
}

/**
 * What a model expects of a row: the mean of the target, or the probability of each class. Features are moved
 * into the ranges that the model was fitted in; one that is not a number is taken from the middle.
 */
export function expectedOf(model: RegressionModel, features: ArrayLike<number>): readonly number[] {
  const values = model.features.map((range, at) => clamped(range, features[at] ?? Number.NaN))
  const means = Float64Array.from(model.predictors, ([intercept = 0, ...slopes]) =>
    slopes.reduce((sum, slope, at) => sum + slope * (values[at] ?? 0), intercept),
  )
  if (model.family === "linear") return [clamped(model.target, means[0] ?? 0)]
  meansOf(model.family, means)
  if (model.family !== "multinomial") return [means[0] ?? 0]
  return [1 - means.reduce((sum, mean) => sum + mean, 0), ...means]
}

function clamped({ low, high }: Pick<ModelShape["target"], "low" | "high">, value: number): number {
  return Number.isNaN(value) ? (low + high) / 2 : Math.min(high, Math.max(low, value))
}
