// Worst pairs and Rényi curves by name, for callers who bring releases of their own to PldAccount and
// addCurves. Parameters are checked here and rounded against the caller: loss up, noise down.

import { betweenZeroAndOne, deltaOf, positive, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { numberDown, numberUp } from "../exact/dyadic.ts"
import type { Neighbours } from "../privacy/unit.ts"
import { discreteLaplaceCurve } from "./laplace-curve.ts"
import {
  approxLaw,
  discreteLaplaceLaw,
  gaussianLaw,
  randomizedResponseLaw,
  replacedGaussianLaw,
  subsampledLaw,
  type LossPair,
} from "./distributions/loss-law.ts"
import { boundedRangeCurve, pureCurve, zcdpCurve, type RenyiCurve } from "./renyi.ts"
import { replacedGaussianCurve, subsampledGaussianCurve } from "./subsampled-renyi.ts"

/** Steps of Gaussian noise on Poisson samples. */
export interface SampledGaussian {
  readonly sigma: Numeric
  readonly rate: Numeric
  readonly neighbours: Neighbours
}

/** A release with this epsilon and delta, whatever it is. */
export function approxPair(options: { readonly epsilon: Numeric; readonly delta: Numeric }): LossPair {
  return approxLaw(numberUp(positive(options.epsilon, "epsilon")), numberUp(deltaOf(options.delta)))
}

/** Gaussian noise of mu: sensitivity over standard deviation. */
export function gaussianPair(options: { readonly mu: Numeric }): LossPair {
  return gaussianLaw(numberUp(positive(options.mu, "mu")))
}

/** Discrete Laplace noise on an answer that changes by `amount` whole steps. */
export function laplacePair(options: { readonly amount: Numeric; readonly scale: Numeric }): LossPair {
  const { amount, scale } = readLaplace(options)
  return discreteLaplaceLaw(amount, scale)
}

/** Randomized response over so many categories. */
export function responsePair(options: { readonly epsilon: Numeric; readonly categories: Numeric }): LossPair {
  const categories = Number(wholeNumber(options.categories, "categories", 2n))
  return randomizedResponseLaw(numberUp(positive(options.epsilon, "epsilon")), categories)
}

/** Gaussian noise on a Poisson sample. */
export function sampledGaussianPair(options: SampledGaussian): LossPair {
  const { sigma, rate } = readSampled(options)
  if (options.neighbours === "replace") return replacedGaussianLaw(1 / sigma, rate)
  return subsampledLaw(gaussianLaw(1 / sigma), rate)
}

/** The curve of a pure loss; `range` says that losses of two outputs differ by no more than epsilon. */
export function pureRenyi(options: { readonly epsilon: Numeric; readonly range?: boolean }): RenyiCurve {
  const epsilon = numberUp(positive(options.epsilon, "epsilon"))
  return options.range === true ? boundedRangeCurve(epsilon) : pureCurve(epsilon)
}

/** The curve of zCDP, which is that of Gaussian noise with rho = mu^2 / 2. */
export function zcdpRenyi(options: { readonly rho: Numeric }): RenyiCurve {
  return zcdpCurve(numberUp(positive(options.rho, "rho")))
}

/** The curve of discrete Laplace noise. */
export function laplaceRenyi(options: { readonly amount: Numeric; readonly scale: Numeric }): RenyiCurve {
  const { amount, scale } = readLaplace(options)
  return discreteLaplaceCurve(amount, scale)
}

/** The curve of Gaussian noise on a Poisson sample. */
export function sampledGaussianRenyi(options: SampledGaussian): RenyiCurve {
  const { sigma, rate } = readSampled(options)
  return options.neighbours === "replace"
    ? replacedGaussianCurve(rate, sigma)
    : subsampledGaussianCurve(rate, sigma)
}

function readLaplace(options: { readonly amount: Numeric; readonly scale: Numeric }): {
  readonly amount: number
  readonly scale: number
} {
  const amount = Number(wholeNumber(options.amount, "the amount"))
  return { amount, scale: numberDown(positive(options.scale, "scale")) }
}

function readSampled({ sigma, rate }: SampledGaussian): { readonly sigma: number; readonly rate: number } {
  return {
    sigma: numberDown(positive(sigma, "sigma")),
    rate: numberUp(betweenZeroAndOne(rate, "the sampling rate")),
  }
}
