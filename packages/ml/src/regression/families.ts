// What the families of regression differ in: the mean that a linear predictor stands for, and how steeply it
// follows. A unit's gradient is its residual times its features.

import type { Family } from "./shape.ts"

/** Linear predictors beyond this are as good as certain; exp of them is finite. */
export const predictorMax = 30

/** The mean of the target at each linear predictor; `predictors` becomes the means. */
export function meansOf(family: Family, predictors: Float64Array): void {
  switch (family) {
    case "linear":
      return
    case "logistic":
      predictors[0] = 1 / (1 + Math.exp(-bounded(predictors[0] ?? 0)))
      return
    case "poisson":
      predictors[0] = Math.exp(bounded(predictors[0] ?? 0))
      return
    case "multinomial":
      softmax(predictors)
      return
    default:
      return family satisfies never
  }
}

/** The linear predictor at which the mean is this one: where a fit begins. Classes begin alike. */
export function predictorOf(family: Family, mean: number): number {
  switch (family) {
    case "linear":
      return mean
    case "logistic": {
      const share = Math.min(1 - rarest, Math.max(rarest, mean))
      return Math.log(share / (1 - share))
    }
    case "poisson":
      return Math.log(Math.max(rarest, mean))
    case "multinomial":
      return 0
    default:
      return family satisfies never
  }
}

/** A noisy mean may lie outside of what means can be. */
const rarest = 0.01

/** What a row's target is, for one of the outputs: of a multinomial, whether it is the class. */
export function targetAt(family: Family, target: number, output: number): number {
  return family === "multinomial" ? (target === output + 1 ? 1 : 0) : target
}

/** How much the mean of output a follows the predictor of output b, from the means. */
export function slopeAt(family: Family, means: Float64Array, a: number, b: number): number {
  const mean = means[a] ?? 0
  switch (family) {
    case "linear":
      return 1
    case "logistic":
      return mean * (1 - mean)
    case "poisson":
      return mean
    case "multinomial":
      return a === b ? mean * (1 - mean) : -mean * (means[b] ?? 0)
    default:
      return family satisfies never
  }
}

/** The most that a mean follows its predictor, where the target's mean is about `mean`. */
export function steepest(family: Family, mean: number): number {
  if (family === "linear") return 1
  return family === "poisson" ? 2 * Math.max(mean, 0.05) : 0.25
}

function bounded(predictor: number): number {
  return Math.min(predictorMax, Math.max(-predictorMax, predictor))
}

// The first class has predictor 0.
function softmax(predictors: Float64Array): void {
  let most = 0
  for (const value of predictors) most = Math.max(most, value)
  let total = Math.exp(-most)
  for (let at = 0; at < predictors.length; at += 1) {
    const part = Math.exp((predictors[at] ?? 0) - most)
    predictors[at] = part
    total += part
  }
  for (let at = 0; at < predictors.length; at += 1) predictors[at] = (predictors[at] ?? 0) / total
}
