// A training as a dialogue: it asks for sums, and is answered with noisy ones. Whoever answers has the rows
// and adds the noise; nothing exact reaches this file, so all that it does is post-processing.

import { assert } from "@dosimeter/core/errors"
import { curvatureSteps } from "./curvature-sum.ts"
import { predictorOf } from "./families.ts"
import { readFirstLook, type FirstLook } from "./first-look.ts"
import type { Centring } from "./grid-rows.ts"
import { gradientSteps } from "./gradient-sum.ts"
import { readQuality, type Quality } from "./quality.ts"
import { scheduleOf, type Schedule } from "./schedule.ts"
import { outputsOf, widthOf } from "./shape.ts"
import { lengthOf, stepsOf, type StepKind, type TrainingPlan } from "./training-plan.ts"

/** What a training asks for next. Everything in it is public or was released. */
export type SumAsk =
  | { readonly kind: "look" }
  | WeightsAsk<"gradient">
  | WeightsAsk<"curvature">
  | (Omit<WeightsAsk<"quality">, "clip"> & { readonly meanTarget: number })

interface WeightsAsk<Kind extends StepKind> {
  readonly kind: Kind
  readonly centring: Centring
  readonly weights: Float64Array
  readonly clip: number
}

/** All that a training has learnt: coefficients of centred features, and what their errors follow from. */
export interface Trained {
  readonly look: FirstLook
  readonly schedule: Schedule
  readonly weights: Float64Array
  /** The deviation of the noise in each number of a round's mean gradient. */
  readonly roundNoise: number
  /** The mean curvature, pair by pair of outputs, upper triangles; absent in large models. */
  readonly curvature?: Float64Array
  readonly quality: Quality
}

/**
 * Which way of fitting this is. Sites of a federation work the same one out, each by itself: whoever changes
 * what is asked after the same answers gives it another number (fit.test.ts notices).
 */
export const fitVersion = 2

/** The dialogue of a plan: asks come in the order of its steps, each as often as planned. */
export function* train(plan: TrainingPlan): Generator<SumAsk, Trained, readonly bigint[]> {
  const { shape } = plan
  const width = widthOf(shape)
  const numbers = outputsOf(shape) * width
  const [looked, rounds] = [stepsOf(plan, "look"), stepsOf(plan, "gradient")]
  assert(looked !== undefined && rounds !== undefined, "a training looks first and has rounds")
  const look = readFirstLook(shape, checked(plan, "look", yield { kind: "look" }), looked.spec)
  const { centring } = look
  const deviation = deviationOf(plan, "gradient")
  const schedule = scheduleOf({
    family: shape.family,
    look,
    rowsPerUnit: shape.rowsPerUnit,
    rounds: rounds.count,
    numbers,
    muSquared: (rounds.count * gradientSteps(1) ** 2) / deviation ** 2,
  })
  // A step of the sums is this much of a mean gradient.
  const unit = 1 / (gradientSteps(schedule.clip) * look.rows)
  const fit = new Descent(numbers, width, schedule)
  // Features are centred, so the intercept ends near the mean: from 0 its way would disturb all others.
  fit.weights[0] = predictorOf(shape.family, look.meanTarget)
  for (let round = 0; round < rounds.count; round += 1) {
    const ask = { kind: "gradient", centring, weights: fit.weights.slice(), clip: schedule.clip } as const
    fit.move(checked(plan, "gradient", yield ask), unit)
  }
  const weights = fit.average()
  let curvature: Float64Array | undefined
  if (stepsOf(plan, "curvature") !== undefined) {
    const clip = curvatureClip(schedule, look)
    const noisy = checked(plan, "curvature", yield { kind: "curvature", centring, weights, clip })
    curvature = Float64Array.from(noisy, (value) => Number(value) / (curvatureSteps(clip) * look.rows))
  }
  const { meanTarget } = look
  const noisy = checked(plan, "quality", yield { kind: "quality", centring, weights, meanTarget })
  const quality = readQuality(shape, noisy, deviationOf(plan, "quality"))
  const roundNoise = deviation * unit
  return { look, schedule, weights, roundNoise, quality, ...(curvature === undefined ? {} : { curvature }) }
}

/** A unit's curvature beyond this is clipped: a slope of 1/2 with three times the usual squared length. */
function curvatureClip({ clip }: Schedule, { meanSquare }: FirstLook): number {
  return Math.max(clip, 1) * Math.max(1.5, 1.5 * meanSquare)
}

function deviationOf(plan: TrainingPlan, kind: StepKind): number {
  const variance = stepsOf(plan, kind)?.spec.variance
  assert(variance !== undefined, "a planned step has noise")
  return Math.sqrt(Number(variance.numerator) / Number(variance.denominator))
}

function checked(plan: TrainingPlan, kind: StepKind, sums: readonly bigint[]): readonly bigint[] {
  assert(sums.length === lengthOf(kind, plan.shape), "a sum has every number of its step")
  return sums
}

/** Gradient descent with momentum; the second half of its way is averaged. */
class Descent {
  readonly weights: Float64Array
  readonly #velocity: Float64Array
  readonly #sum: Float64Array
  readonly #width: number
  readonly #schedule: Schedule
  #round = 0

  constructor(numbers: number, width: number, schedule: Schedule) {
    this.weights = new Float64Array(numbers)
    this.#velocity = new Float64Array(numbers)
    this.#sum = new Float64Array(numbers)
    this.#width = width
    this.#schedule = schedule
  }

  move(gradient: readonly bigint[], unit: number): void {
    const { step, momentum, penalty, rounds } = this.#schedule
    const isAveraged = this.#round >= averagedFrom(rounds)
    for (let at = 0; at < this.weights.length; at += 1) {
      const weight = this.weights[at] ?? 0
      // Intercepts are not penalised.
      const pull = at % this.#width === 0 ? 0 : penalty * weight
      const slope = Number(gradient[at] ?? 0n) * unit + pull
      const velocity = momentum * (this.#velocity[at] ?? 0) - step * slope
      this.#velocity[at] = velocity
      this.weights[at] = weight + velocity
      if (isAveraged) this.#sum[at] = (this.#sum[at] ?? 0) + weight + velocity
    }
    this.#round += 1
  }

  average(): Float64Array {
    const count = this.#schedule.rounds - averagedFrom(this.#schedule.rounds)
    return this.#sum.map((value) => value / count)
  }
}

/** The first round whose weights are averaged. */
export function averagedFrom(rounds: number): number {
  return Math.floor(rounds / 2)
}
