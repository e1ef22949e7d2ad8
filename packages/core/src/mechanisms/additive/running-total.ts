// Running totals over time: each step is measured once with noise, and all totals are read from the
// measurements (total-forms.ts), so the error grows far more slowly than the time.

import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { numberUp, rationalOfNumber } from "../../exact/dyadic.ts"
import { lnUp } from "../../exact/log.ts"
import {
  add,
  ceil,
  divide,
  minimum,
  multiply,
  one,
  rational,
  square,
  subtract,
  type Rational,
} from "../../exact/rational.ts"
import type { Losses } from "../../privacy/loss.ts"
import { l2SquaredOf, type ChangeBlock, type Sensitivity } from "../../privacy/sensitivity.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import type { TotalError } from "../shared/error.ts"
import { gaussianHalfWidth, gaussianLoss, releaseGaussian, type GaussianSpec } from "./gaussian.ts"
import { laplaceError, releaseLaplace, type LaplaceSpec } from "./laplace.ts"
import { pureLosses } from "../shared/pure-losses.ts"
import {
  changesOf,
  fadingMost,
  levelsOf,
  measuredSum,
  singleSteps,
  spreadOf,
  totalReader,
  treeForm,
  type TotalForm,
} from "./total-forms.ts"

/** Noisy totals at each of `horizon` steps. */
export interface RunningTotalSpec {
  readonly kind: "running-total"
  readonly horizon: bigint
  readonly form: TotalForm
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
  /** The one with the least variance over all totals if left out. */
  readonly form?: TotalForm
}

/** Running totals with Laplace noise, for a total pure loss epsilon over the whole horizon. */
export function runningTotal(options: RunningTotalBounds & { readonly epsilon: Numeric }): RunningTotalSpec {
  const bounds = readBounds(options)
  const form = options.form ?? bestForm([treeForm, singleSteps], bounds, l1Squared)
  checkForm(form, "laplace")
  const { groups, amount } = laplaceChange({ ...bounds, form })
  const scale = divide(rational(groups * amount), positive(options.epsilon, "epsilon"))
  return { kind: "running-total", ...bounds, form, noise: { law: "laplace", scale } }
}

/** Running totals with Gaussian noise, for a total zCDP loss rho over the whole horizon. */
export function runningTotalOfRho(options: RunningTotalBounds & { readonly rho: Numeric }): RunningTotalSpec {
  const bounds = readBounds(options)
  const form = options.form ?? bestForm(gaussianForms, bounds, l2Squared)
  const changed = rational(l2SquaredOf(sensitivityOf({ ...bounds, form })))
  const variance = divide(changed, multiply(rational(2n), positive(options.rho, "rho")))
  return { kind: "running-total", ...bounds, form, noise: { law: "gaussian", variance } }
}

// From a tree to fading sums; beyond the square root of all totals none is better.
const gaussianForms: readonly TotalForm[] = [
  treeForm,
  ...Array.from(
    { length: 9 },
    (_, sixteenths) => ({ kind: "fading", sixteenths: BigInt(sixteenths) }) as const,
  ),
]

/** The form with the least variance in the mean of all totals, where noise is in proportion to a cost. */
function bestForm(
  forms: readonly TotalForm[],
  bounds: Bounds,
  cost: (changes: readonly bigint[]) => number,
): TotalForm {
  const { horizon, stepsPerUnit: steps } = bounds
  if (horizon > fadingMost) return treeForm
  const variance = (form: TotalForm): number =>
    cost(changesOf(form, { horizon, steps })) * spreadOf(form, Number(horizon)).reduce((a, b) => a + b, 0)
  const [first = treeForm, ...others] = forms
  return others.reduce(
    (best, form) => {
      const own = variance(form)
      return own < best.least ? { form, least: own } : best
    },
    { form: first, least: variance(first) },
  ).form
}

function l1Squared(changes: readonly bigint[]): number {
  const length = changes.reduce((sum, change) => sum + Number(change), 0)
  return length * length
}

function l2Squared(changes: readonly bigint[]): number {
  return changes.reduce((sum, change) => sum + Number(change) ** 2, 0)
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
 * Proof: the totals are computed from noisy measurements; see releaseMeasurement.
 * Numerics: integers with exact integer noise, drawn once a step; the totals are rounded.
 * Source: Chan, Shi, Song 2011, algorithm 2; Dwork, Naor, Pitassi, Rothblum 2010; Fichtenberger, Henzinger,
 *   Upadhyay 2023.
 */
export function releaseRunningTotal(spec: RunningTotalSpec, rng: RandomBits): TotalRun {
  const amounts: bigint[] = []
  const measured: bigint[] = []
  const totalOf = totalReader(spec.form, Number(spec.horizon))
  return {
    next(amount) {
      amounts.push(amount)
      measured.push(releaseMeasurement(spec, amounts, rng))
      return totalOf(measured)
    },
  }
}

/**
 * Draws the measurement of one step, for callers who keep the noisy ones themselves: over days, versions
 * of the data and processes. `amounts` are those of all steps so far.
 *
 * Guarantee: all measurements of a horizon together lose runningTotalLoss(spec), if none is shown twice with
 *   different noise.
 * Needs: in all amounts a unit counts in at most stepsPerUnit steps, with at most amountPerStep in each (the
 *   caller). Amounts may be of different versions of the data from measurement to measurement, as long as
 *   the norms of what a unit changes in all of them stay those of changesOf: the tree needs that a unit
 *   counts in at most stepsPerUnit steps of the nodes of one size; fading sums that where it counts in
 *   another step than in the version before, that is an earlier one, and stands for one step.
 * Proof: the Laplace or Gaussian mechanism on the vector of all measurements: runningTotalLoss. Later amounts
 *   may depend on what was shown: a unit's part in them is bounded all the same.
 * Numerics: an integer with exact integer noise.
 * Source: Chan, Shi, Song 2011, algorithm 2; Denisov, McMahan, Rush, Smith, Thakurta 2022, theorem 2.1 (the
 *   Gaussian mechanism on measurements that are chosen as they come).
 */
export function releaseMeasurement(
  spec: RunningTotalSpec,
  amounts: readonly bigint[],
  rng: RandomBits,
): bigint {
  if (amounts.length === 0 || amounts.length > spec.horizon) {
    fail("mechanism/finished", { mechanism: "running total" })
  }
  const exact = [measuredSum(spec.form, amounts)]
  const each = measurementsOf(spec)
  const [noisy] =
    each.kind === "laplace" ? releaseLaplace(each, exact, rng) : releaseGaussian(each, exact, rng)
  assert(noisy !== undefined, "one number in, one out")
  return noisy
}

/** The mechanism that protects the vector of all measurements. */
function measurementsOf(spec: RunningTotalSpec): LaplaceSpec | GaussianSpec {
  const { noise } = spec
  const sensitivity = sensitivityOf(spec)
  return noise.law === "laplace"
    ? { kind: "laplace", scale: noise.scale, sensitivity }
    : { kind: "gaussian", variance: noise.variance, sensitivity }
}

/**
 * What a whole run loses.
 *
 * Guarantee: the loss of the Laplace or Gaussian mechanism on the vector of all measurements.
 * Needs: as releaseMeasurement.
 * Proof: changesOf has the worst change of a unit that adds 1 to each step, and costs of Laplace noise are
 *   superadditive, so a change is worst in one place: running-total.proof.md.
 * Numerics: as laplaceLoss and gaussianLoss.
 * Source: Chan, Shi, Song 2011, theorem 3.5; Li, Miklau, Hay, McGregor, Rastogi 2015 (the matrix mechanism).
 */
export function runningTotalLoss(spec: RunningTotalSpec): Losses {
  const { noise } = spec
  checkForm(spec.form, noise.law)
  if (noise.law === "gaussian") {
    return gaussianLoss({ kind: "gaussian", variance: noise.variance, sensitivity: sensitivityOf(spec) })
  }
  const { groups, amount } = laplaceChange(spec)
  const { pure, zcdp } = pureLosses(divide(rational(amount), noise.scale), { count: groups })
  // No GDP: whether mu squared is superadditive too is not shown here.
  return { pure, zcdp }
}

/**
 * With probability at least 1 - miss, a total is within this of the truth, at the step that is worst.
 *
 * Gaussian: the sum of the unrounded draws is normal, and each rounding moves it by at most half its factor;
 * so does that of the total. Laplace: a sum of at most n draws; Chernoff with E e^(t X / s) <= 1 / (1 - t^2)
 * for the discrete law too (compare the series of cosh(1/s) - cosh(t/s) term by term), so P(|sum| >= r) <=
 * 2 e^(-t r / s) (1 - t^2)^-n for every t in (0, 1); the best of 63 is taken.
 */
export function runningTotalError(spec: RunningTotalSpec, miss: Rational): TotalError {
  const { noise, form, horizon } = spec
  const draws = drawsOf(spec)
  if (noise.law === "gaussian") {
    const spread = draws === undefined ? (spreadOf(form, Number(horizon)).at(-1) ?? 0) : Number(draws)
    // Factors are doubles with errors far below a millionth.
    const variance = multiply(rationalOfNumber(spread * (1 + 1e-6)), noise.variance)
    // Of fading sums they are so small that all roundings, and that of the total, are less than two steps.
    const rounded = draws === undefined ? 2n : (draws + 1n) / 2n
    return {
      kind: "total",
      halfWidth: gaussianHalfWidth(variance, miss) + rounded,
      standardDeviation: Math.sqrt(numberUp(variance) + Number(draws ?? 2n) / 12),
    }
  }
  assert(draws !== undefined, "Laplace noise on fading sums")
  const log = lnUp(divide(rational(2n), miss))
  const widths = Array.from({ length: 63 }, (_, i) => {
    const t = rational(BigInt(i) + 1n, 64n)
    const spread = lnUp(divide(one, subtract(one, square(t))))
    return divide(multiply(noise.scale, add(log, multiply(rational(draws), spread))), t)
  })
  const single = laplaceError(
    { kind: "laplace", scale: noise.scale, sensitivity: sensitivityOf(spec) },
    rational(1n, 2n),
  )
  return {
    kind: "total",
    halfWidth: ceil(widths.reduce(minimum)),
    standardDeviation: Math.sqrt(Number(draws)) * single.standardDeviation,
  }
}

/** How many draws there are in a total at most, where it is a sum of some. */
function drawsOf({ form, horizon }: RunningTotalSpec): bigint | undefined {
  if (form.kind === "tree") return levelsOf({ horizon })
  return form.sixteenths === 0n ? horizon : undefined
}

// Of fading sums only the length is known to be the worst at the first steps: no pattern for Laplace noise.
function checkForm(form: TotalForm, law: "laplace" | "gaussian"): void {
  assert(law === "gaussian" || form.kind === "tree" || form.sixteenths === 0n, "Laplace noise on fading sums")
}

/** What a unit changes where noise is Laplace noise: of so many measurements each by so much. */
export function laplaceChange(spec: Bounds & { readonly form: TotalForm }): ChangeBlock {
  const amount = changePerStep(spec)
  const { form, stepsPerUnit, horizon } = spec
  return form.kind === "tree"
    ? { groups: levelsOf(spec), amount: stepsPerUnit * amount }
    : { groups: stepsPerUnit < horizon ? stepsPerUnit : horizon, amount }
}

function sensitivityOf(spec: Bounds & { readonly form: TotalForm }): Sensitivity {
  const { form, horizon, stepsPerUnit, neighbours } = spec
  const each = changePerStep(spec)
  const blocks = changesOf(form, { horizon, steps: stepsPerUnit })
    .filter((change) => change > 0n)
    .map((change) => ({ groups: 1n, amount: change * each }))
  return { neighbours, patterns: [blocks] }
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

function changePerStep(bounds: Bounds): bigint {
  return bounds.amountPerStep * (bounds.neighbours === "replace" ? 2n : 1n)
}
