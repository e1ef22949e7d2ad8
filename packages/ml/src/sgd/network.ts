// What a network is asked for, and what its training will lose: sizes of layers, steps, noise. Everything
// here is public and fixed before a row is read.

import {
  accountByPld,
  calibrateGaussian,
  calibrateSampledGaussian,
  totalBy,
  type Planned,
} from "@dosimeter/core/accounting"
import {
  compare,
  divide,
  exactly,
  isPositive,
  multiply,
  numberDown,
  numberNear,
  one,
  rational,
  sqrtUp,
  subtract,
  type Numeric,
  type Rational,
} from "@dosimeter/core/exact"
import { gaussianOfVariance, type GaussianSpec } from "@dosimeter/core/mechanisms"
import { fail } from "../errors.ts"
import { signedLength } from "../rounds/round-spec.ts"
import { PoissonSample, stepEvents } from "./poisson-sample.ts"

/** What is asked for; all that is left out has a public default. */
export interface NetworkOptions {
  /** Numbers of a row that go in. */
  readonly inputs: number
  /** Sizes of the hidden layers. */
  readonly hidden?: readonly number[]
  /** Classes that come out; one number for a target of numbers. */
  readonly outputs: number
  readonly target: "classes" | "numbers"
  /** How many people are expected: public, and not their exact number. */
  readonly people: number
  /** Rows of a step, on average. */
  readonly batch?: number
  readonly epochs?: number
  /** Noise, as a multiple of what one row adds: found from a loss, or given. */
  readonly noise: { readonly epsilon: Numeric; readonly delta: Numeric } | { readonly sigma: Numeric }
  readonly optimizer?: Optimizer
  readonly clip?: number
  /** Let the length at which gradients are clipped follow their noisy median. */
  readonly adaptsClip?: boolean
}

/** How a noisy gradient moves the weights. */
export interface Optimizer {
  readonly kind: "momentum" | "adam"
  readonly rate: number
}

/** A network to be trained. */
export interface Network {
  /** Sizes from the inputs to the outputs. */
  readonly sizes: readonly number[]
  readonly target: "classes" | "numbers"
  readonly sample: PoissonSample
  readonly batch: number
  readonly steps: number
  readonly sigma: Rational
  readonly optimizer: Optimizer
  readonly clip: number
  /** The noise on sums of gradients, in steps of their grid. */
  readonly gradients: GaussianSpec
  /** The noise on how many gradients were within the clip, less those that were not. */
  readonly within: GaussianSpec | undefined
}

/** One unit of an input or activation is so many steps. */
export const inputSteps = 256
/** The greatest number of a 16-bit integer. */
export const halfMax = 32_767
/**
 * The length of a row's gradient in steps: products of inputs in steps and errors in steps. Below 2^23, so
 * that 256 of them add up in 32 bits.
 */
export const gradientBound = inputSteps * halfMax

/** Checks what is asked, and finds the noise of every step. Nothing is read. */
export function network(options: NetworkOptions): Network {
  const {
    inputs,
    hidden = [64],
    outputs,
    people,
    epochs = 20,
    target,
    clip = 1,
    adaptsClip = false,
  } = options
  const sizes = [inputs, ...hidden, outputs]
  for (const size of sizes) checkWhole("the size of a layer", size, 65_536)
  checkOutputs(target, outputs)
  checkAtMost("the number of weights", weightsOf(sizes), weightsMax)
  checkWhole("epochs", epochs, 100_000)
  if (!(clip > 0 && Number.isFinite(clip)))
    fail("model/bad-setting", { name: "clip", got: `${clip}`, range: "a number above 0" })
  const batch = options.batch ?? Math.max(1, Math.min(people, Math.max(64, Math.ceil(people / 32))))
  const sample = PoissonSample.ofBatch({ batch, people })
  const steps = Math.max(1, Math.round((epochs * people) / batch))
  checkAtMost("the number of steps, epochs times people over batch,", steps, stepsMax)
  checkRate(options.optimizer)
  const sigma = sigmaOf(options.noise, { sample, steps })
  return {
    sizes,
    target,
    sample,
    batch,
    steps,
    sigma,
    optimizer: options.optimizer ?? { kind: "momentum", rate: usualRate({ sizes, sigma, batch }) },
    clip,
    ...noiseOfStep({ sigma, batch, adaptsClip }),
  }
}

/**
 * The noise of the two sums of a step.
 *
 * Guarantee: both sums together have the noise multiplier sigma.
 * Needs: a row changes the first by a vector of length at most gradientBound, the second by at most 1.
 * Proof: scaled to unit noise, the change of both has the squared length b^2/v + 1/w, and v is chosen so that
 *   this is 1/sigma^2, for w at least 10 sigma^2.
 * Numerics: exact fractions.
 * Source: Andrew, Thakkar, McMahan, Ramaswamy 2021, theorem 1.
 */
function noiseOfStep(step: {
  readonly sigma: Rational
  readonly batch: number
  readonly adaptsClip: boolean
}): Pick<Network, "gradients" | "within"> {
  const square = multiply(step.sigma, step.sigma)
  const length = signedLength(gradientBound, "add-or-remove")
  const lengthSquared = rational(BigInt(gradientBound) ** 2n)
  if (!step.adaptsClip) {
    const variance = multiply(square, lengthSquared)
    return { gradients: gaussianOfVariance({ sensitivity: length, variance }), within: undefined }
  }
  const wide = rational(BigInt(step.batch) ** 2n, 100n)
  const least = multiply(rational(10n), square)
  const variance = compare(wide, least) > 0 ? wide : least
  const rest = subtract(divide(one, square), divide(one, variance))
  return {
    gradients: gaussianOfVariance({ sensitivity: length, variance: divide(lengthSquared, rest) }),
    within: gaussianOfVariance({ sensitivity: signedLength(1, "add-or-remove"), variance }),
  }
}

function sigmaOf(
  noise: NetworkOptions["noise"],
  { sample, steps }: Pick<Network, "sample" | "steps">,
): Rational {
  if ("sigma" in noise) {
    const sigma = exactly(noise.sigma, "sigma")
    return isPositive(sigma) ? sigma : fail("model/no-loss", {})
  }
  if (compare(sample.rate, one) === 0)
    return sqrtUp(calibrateGaussian({ ...noise, releases: steps, l2Squared: 1 }))
  return calibrateSampledGaussian({
    ...noise,
    releases: steps,
    rate: sample.rate,
    neighbours: "add-or-remove",
  })
}

/** Half, or less where the noise of a step is long beside the gradients of a batch: its length grows with weights. */
function usualRate({ sizes, sigma, batch }: Pick<Network, "sizes" | "sigma" | "batch">): number {
  return Math.min(0.5, (0.15 * batch) / (numberNear(sigma) * Math.sqrt(weightsOf(sizes))))
}

/** How many weights a network has, those of the 1 that comes into each layer included. */
function weightsOf(sizes: readonly number[]): number {
  return sizes.slice(1).reduce((sum, outs, at) => sum + ((sizes[at] ?? 0) + 1) * outs, 0)
}

/** The steps of a training, as accountants know them. */
export function networkEvents({ sample, sigma, steps }: Network): Planned {
  return stepEvents(sample, { sigma, steps })
}

/**
 * The epsilon of a training at a delta.
 *
 * Guarantee: the training is (epsilon, delta)-private for the epsilon returned, for add-or-remove neighbours.
 * Needs: the network was made by `network`, and is trained once.
 * Proof: the events are those of its steps (stepEvents); the total is core's, by privacy-loss distributions
 *   or, where that is less, another of its accountants: each holds by itself.
 * Numerics: rounded up by core.
 * Source: Koskela, Jälkö, Honkela 2020.
 */
export function networkEpsilon(model: Network, delta: Numeric): number {
  return totalBy("pld", [networkEvents(model)], exactly(delta, "delta")).epsilon
}

/** The same by privacy-loss distributions alone: both bounds between which the truth lies. */
export function networkEpsilonBounds(
  model: Network,
  delta: Numeric,
): { readonly lower: number; readonly upper: number } {
  return accountByPld([networkEvents(model)]).epsilonAt(numberDown(exactly(delta, "delta")))
}

function checkWhole(name: string, value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    fail("model/bad-setting", { name, got: `${value}`, range: `a whole number from 1 to ${most}` })
}

/** More weights than this, or steps, are more than one training has room or time for. */
const weightsMax = 2 ** 22
const stepsMax = 1_000_000

function checkAtMost(name: string, value: number, most: number): void {
  if (!(value <= most)) fail("model/bad-setting", { name, got: `${value}`, range: `at most ${most}` })
}

function checkOutputs(target: NetworkOptions["target"], outputs: number): void {
  if (target === "classes" && outputs < 2) fail("model/one-class", { name: "the target" })
  if (target === "numbers" && outputs !== 1)
    fail("model/bad-setting", { name: "outputs", got: `${outputs}`, range: "1 for a target of numbers" })
}

function checkRate(optimizer: Optimizer | undefined): void {
  if (optimizer === undefined || (optimizer.rate > 0 && Number.isFinite(optimizer.rate))) return
  fail("model/bad-setting", { name: "rate", got: `${optimizer.rate}`, range: "a number above 0" })
}
