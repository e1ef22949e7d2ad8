// Running totals over time by a binary tree: each step's total is a sum of few noisy nodes, and each step is
// in few nodes, so the error grows with the logarithm of the time, not with the time.

import { fail } from "../errors/errors.ts"
import { positive, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { numberUp } from "../exact/dyadic.ts"
import { lnUp } from "../exact/log.ts"
import {
  add,
  bitLength,
  ceil,
  divide,
  minimum,
  multiply,
  one,
  rational,
  square,
  subtract,
  type Rational,
} from "../exact/rational.ts"
import { sampleDiscreteLaplace } from "../noise/discrete-laplace.ts"
import { sampleRoundedGaussian } from "../noise/rounded-gaussian.ts"
import type { Losses } from "../privacy/loss.ts"
import type { Sensitivity } from "../privacy/sensitivity.ts"
import type { Neighbours } from "../privacy/unit.ts"
import type { RandomBits } from "../random/random-bits.ts"
import type { TotalError } from "./error.ts"
import { gaussianHalfWidth, gaussianLoss } from "./gaussian.ts"
import { laplaceError } from "./laplace.ts"
import { pureLosses } from "./pure-losses.ts"

/** Noisy totals at each of `horizon` steps. */
export interface RunningTotalSpec {
  readonly kind: "running-total"
  readonly horizon: bigint
  readonly noise:
    | { readonly law: "laplace"; readonly scale: Rational }
    | { readonly law: "gaussian"; readonly variance: Rational }
  /** The most steps in which one unit takes part, and the most it changes each of them. */
  readonly stepsPerUnit: bigint
  readonly amountPerStep: bigint
  readonly neighbours: Neighbours
}

interface RunningTotalBounds {
  readonly horizon: Numeric
  readonly stepsPerUnit: Numeric
  readonly amountPerStep: Numeric
  readonly neighbours: Neighbours
}

/** Running totals with Laplace noise, for a total pure loss epsilon over the whole horizon. */
export function runningTotal(options: RunningTotalBounds & { readonly epsilon: Numeric }): RunningTotalSpec {
  const bounds = readBounds(options)
  const scale = divide(rational(treeL1(bounds)), positive(options.epsilon, "epsilon"))
  return { kind: "running-total", ...bounds, noise: { law: "laplace", scale } }
}

/** Running totals with Gaussian noise, for a total zCDP loss rho over the whole horizon. */
export function runningTotalOfRho(options: RunningTotalBounds & { readonly rho: Numeric }): RunningTotalSpec {
  const bounds = readBounds(options)
  const l2Squared = rational(levelsOf(bounds) * changePerLevel(bounds) ** 2n)
  const variance = divide(l2Squared, multiply(rational(2n), positive(options.rho, "rho")))
  return { kind: "running-total", ...bounds, noise: { law: "gaussian", variance } }
}

/** A running total that takes one step at a time. */
export interface TotalRun {
  /** Adds this step's exact amount and returns the noisy total so far; refused after the last step. */
  next(exact: bigint): bigint
}

/**
 * Starts a run.
 *
 * Guarantee: all totals together lose runningTotalLoss(spec), however later steps depend on earlier totals.
 * Needs: a unit takes part in at most stepsPerUnit steps, with at most amountPerStep in each (the caller).
 * Proof: the totals are sums of noisy nodes; see runningTotalLoss.
 * Numerics: integers with exact integer noise, drawn once a node.
 * Source: Chan, Shi, Song 2011, algorithm 2; Dwork, Naor, Pitassi, Rothblum 2010.
 */
export function releaseRunningTotal(spec: RunningTotalSpec, rng: RandomBits): TotalRun {
  const draw = (): bigint => drawNoise(spec, rng)
  // exact[l] and noisy[l] belong to the latest node of 2^l steps that is part of the total.
  const exact: bigint[] = []
  const noisy: bigint[] = []
  let step = 0n
  return {
    next(amount) {
      if (step === spec.horizon) fail("mechanism/finished", { mechanism: "running total" })
      step += 1n
      // The new node joins all finished nodes below the lowest bit of the step number.
      let level = 0
      let sum = amount
      for (; (step >> BigInt(level)) % 2n === 0n; level += 1) {
        sum += exact[level] ?? 0n
        exact[level] = 0n
        noisy[level] = 0n
      }
      exact[level] = sum
      noisy[level] = sum + draw()
      return noisy.reduce((total, node) => total + node, 0n)
    },
  }
}

/** The steps whose amounts make up the node that ends at a step: (from, through]. */
export interface TotalNode {
  readonly from: bigint
  readonly through: bigint
}

/** The nodes of which the total at a step is the sum, the latest first; none at step 0. */
export function totalNodes(step: bigint): readonly TotalNode[] {
  if (step === 0n) return []
  const from = step & (step - 1n)
  return [{ from, through: step }, ...totalNodes(from)]
}

/**
 * Draws the node that ends at one step, for callers who keep the noisy nodes themselves: over days, versions
 * of the data and processes.
 *
 * Guarantee: all nodes of a horizon together lose runningTotalLoss(spec), if none is shown twice with
 *   different noise.
 * Needs: `exact` is the sum of the amounts of the first of totalNodes(step), and in the sums of nodes of one
 *   size a unit counts in at most stepsPerUnit steps, with at most amountPerStep in each (the caller). The
 *   sums may be of different versions of the data as long as that holds.
 * Proof: nodes of one size do not share a step, so a unit changes them by at most stepsPerUnit amountPerStep
 *   in all (twice that on replacement), which is all that runningTotalLoss uses.
 * Numerics: an integer with exact integer noise.
 * Source: Chan, Shi, Song 2011, algorithm 2.
 */
export function releaseTotalNode(
  spec: RunningTotalSpec,
  { step, exact }: { readonly step: bigint; readonly exact: bigint },
  rng: RandomBits,
): bigint {
  if (step < 1n || step > spec.horizon) fail("mechanism/finished", { mechanism: "running total" })
  return exact + drawNoise(spec, rng)
}

function drawNoise({ noise }: RunningTotalSpec, rng: RandomBits): bigint {
  return noise.law === "laplace"
    ? sampleDiscreteLaplace(noise.scale, rng)
    : sampleRoundedGaussian(noise.variance, rng)
}

/**
 * What a whole run loses.
 *
 * Guarantee: the loss of the Laplace or Gaussian mechanism on the vector of all nodes.
 * Needs: as releaseRunningTotal.
 * Proof: a step is in at most `levels` nodes, one of each size 2^l <= horizon. Per level, a unit changes its
 *   nodes by at most c = stepsPerUnit * amountPerStep in all (twice that on replacement): L1 <= levels c, and
 *   L2^2 <= levels c^2. The pattern "levels coordinates of c" has just these norms. For the zCDP of Laplace
 *   noise the coordinates' costs are superadditive (f(e) = e tanh(e/2), and f(e) / e grows), so one node of c
 *   costs at least as much as c spread out.
 * Numerics: as laplaceLoss and gaussianLoss.
 * Source: Chan, Shi, Song 2011, theorem 3.5.
 */
export function runningTotalLoss(spec: RunningTotalSpec): Losses {
  const { noise } = spec
  if (noise.law === "gaussian") {
    return gaussianLoss({ kind: "gaussian", variance: noise.variance, sensitivity: nodesOf(spec) })
  }
  const { pure, zcdp } = pureLosses(divide(rational(changePerLevel(spec)), noise.scale), {
    count: levelsOf(spec),
  })
  // No GDP: whether mu squared is superadditive too is not shown here.
  return { pure, zcdp }
}

/**
 * With probability at least 1 - miss, a total is within this of the truth: a sum of at most `levels` draws.
 *
 * Gaussian: the sum of the unrounded draws is normal, and each rounding moves it by at most 1/2. Laplace:
 * Chernoff with E e^(t X / s) <= 1 / (1 - t^2) for the discrete law too (compare the series of cosh(1/s) -
 * cosh(t/s) term by term), so P(|sum| >= r) <= 2 e^(-t r / s) (1 - t^2)^-levels for every t in (0, 1); the
 * best of 63 is taken.
 */
export function runningTotalError(spec: RunningTotalSpec, miss: Rational): TotalError {
  const levels = levelsOf(spec)
  const { noise } = spec
  if (noise.law === "gaussian") {
    const variance = multiply(rational(levels), noise.variance)
    return {
      kind: "total",
      halfWidth: gaussianHalfWidth(variance, miss) + (levels + 1n) / 2n,
      standardDeviation: Math.sqrt(numberUp(variance) + Number(levels) / 12),
    }
  }
  const log = lnUp(divide(rational(2n), miss))
  const widths = Array.from({ length: 63 }, (_, i) => {
    const t = rational(BigInt(i) + 1n, 64n)
    const spread = lnUp(divide(one, subtract(one, square(t))))
    return divide(multiply(noise.scale, add(log, multiply(rational(levels), spread))), t)
  })
  const node = laplaceError(
    { kind: "laplace", scale: noise.scale, sensitivity: nodesOf(spec) },
    rational(1n, 2n),
  )
  return {
    kind: "total",
    halfWidth: ceil(widths.reduce(minimum)),
    standardDeviation: Math.sqrt(Number(levels)) * node.standardDeviation,
  }
}

/** How many nodes a step is in at most: the bits of the horizon. */
export function levelsOf(spec: { readonly horizon: bigint }): bigint {
  return BigInt(bitLength(spec.horizon))
}

function nodesOf(spec: RunningTotalSpec): Sensitivity {
  const block = { groups: levelsOf(spec), amount: changePerLevel(spec) }
  return { neighbours: spec.neighbours, patterns: [[block]] }
}

type Bounds = Pick<RunningTotalSpec, "horizon" | "stepsPerUnit" | "amountPerStep" | "neighbours">

function readBounds(options: RunningTotalBounds): Bounds {
  const amountPerStep = wholeNumber(options.amountPerStep, "amount per step", 0n)
  if (amountPerStep === 0n) fail("privacy/zero-sensitivity", { name: "the running total" })
  return {
    horizon: wholeNumber(options.horizon, "horizon"),
    stepsPerUnit: wholeNumber(options.stepsPerUnit, "steps per unit"),
    amountPerStep,
    neighbours: options.neighbours,
  }
}

function changePerLevel(bounds: Bounds): bigint {
  return bounds.stepsPerUnit * bounds.amountPerStep * (bounds.neighbours === "replace" ? 2n : 1n)
}

function treeL1(bounds: Bounds): bigint {
  return levelsOf(bounds) * changePerLevel(bounds)
}
