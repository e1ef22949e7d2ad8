// What Laplace and Gaussian noise could do for a task: for each requirement the epsilon at which it is just
// met, the band that is left, and where none is left what each side would have to give up.

import { numberNear, rationalOfNumber } from "../exact/dyadic.ts"
import {
  compare,
  divide,
  floor,
  maximum,
  multiply,
  one,
  rational,
  square,
  subtract,
  zero,
  type Rational,
} from "../exact/rational.ts"
import { assert } from "../errors/assert.ts"
import { approxToMu, gdpToEpsilon } from "../accounting/conversions/gaussian-delta.ts"
import { gaussianOfMu, type GaussianSpec } from "../mechanisms/additive/gaussian.ts"
import { laplace, type LaplaceSpec } from "../mechanisms/additive/laplace.ts"
import { errorOf, type MechanismSpec } from "../mechanisms/mechanism.ts"
import type { AdditiveError } from "../mechanisms/shared/error.ts"
import type { Loss } from "../privacy/loss.ts"
import { l1Of, type Sensitivity } from "../privacy/sensitivity.ts"
import { membershipAdvantage } from "./attacker.ts"
import { posteriorBounds } from "./odds.ts"
import { greatestEpsilon, leastEpsilon } from "./requirement-epsilon.ts"
import { deltaTooLarge } from "./requirement-words.ts"
import { isAccuracy, practical, type Requirement } from "./requirements.ts"
import { reliefsOf, type AskedOf, type Relief, type Setting } from "./reliefs.ts"
import { greatestDecimal, leastDecimal } from "./short-decimal.ts"

/** A task: what one unit changes in all that it covers, and what is required of each number. */
export interface NoiseTask {
  readonly sensitivity: Sensitivity
  readonly requirements: readonly Requirement<Rational>[]
  /** The releases that the unit covers. */
  readonly covered: bigint
  readonly delta: Rational
}

/** What one kind of noise could do. Losses are those of the unit, over all that it covers. */
export interface NoisePlan {
  readonly noise: "laplace" | "gaussian"
  readonly kind: "range" | "conflict"
  readonly asked: readonly AskedOf[]
  /** Who needs the most, and who allows the least; where nobody set an end it is undefined. */
  readonly least: AskedOf | undefined
  readonly most: AskedOf | undefined
  /** The least that is enough; in a conflict the most that is allowed. */
  readonly epsilon: Rational
  /** 0 for Laplace noise. */
  readonly delta: Rational
  readonly loss: Loss
  /** The part of each release, in the measure that adds up: epsilon for Laplace noise, else rho. */
  readonly perRelease: Rational
  readonly spec: LaplaceSpec | GaussianSpec
  /** Of each number, at 95 %. */
  readonly error: AdditiveError
  /** In a conflict: what each side would have to wish instead, the other keeping to all that it wished. */
  readonly reliefs: readonly Relief[]
  /** In a conflict: how many releases both would agree to; undefined if their number does not decide. */
  readonly releasesThatFit: bigint | undefined
}

const digits = 4
/** Below this an epsilon at some delta says nothing about the noise. */
const leastShown = rational(1n, 10n ** 9n)
const usual = rational(95n, 100n)

/** A kind of noise: what an epsilon (at its delta) buys, and at which a requirement is just met. */
interface Noise {
  readonly noise: NoisePlan["noise"]
  readonly delta: Rational
  /** A decimal of few digits: the least for an analyst's requirement, the greatest for a board's. */
  readonly justFor: (requirement: Requirement<Rational>) => Rational
  readonly specAt: (epsilon: Rational) => LaplaceSpec | GaussianSpec
  readonly lossAt: (epsilon: Rational) => Loss
  /** The loss in the measure that adds up. */
  readonly amountAt: (epsilon: Rational) => Rational
}

/** The plan with Laplace noise: a pure loss, added up over releases. */
export function laplacePlan(task: NoiseTask): NoisePlan {
  const { sensitivity } = task
  const l1 = l1Of(sensitivity)
  practical(rational(l1), "the sensitivity")
  const solve = { l1, digits }
  return planWith(task, {
    noise: "laplace",
    delta: zero,
    justFor: (requirement) =>
      isAccuracy(requirement) ? leastEpsilon(requirement, solve) : greatestEpsilon(requirement, solve),
    specAt: (epsilon) => laplace({ sensitivity, epsilon }),
    lossAt: (epsilon) => ({ measure: "pure", epsilon }),
    amountAt: (epsilon) => epsilon,
  })
}

/**
 * The plan with Gaussian noise: mu squared is added up. Its mu is always the one of an epsilon that is shown,
 * so that whoever types that epsilon gets this plan.
 */
export function gaussianPlan(task: NoiseTask): NoisePlan {
  const { sensitivity, delta } = task
  const muAt = (epsilon: Rational): Rational => approxToMu(epsilon, delta)
  const justFor = (requirement: Requirement<Rational>): Rational => {
    if (requirement.kind === "epsilon-at-most") return requirement.epsilon
    const isMet = (mu: Rational): boolean => holds(requirement, { sensitivity, mu, delta })
    const isMetAt = (epsilon: Rational): boolean => isMet(muAt(epsilon))
    if (isAccuracy(requirement))
      return leastDecimal(gdpToEpsilon(crossing(isMet, true), delta), digits, isMetAt)
    if (!isMetAt(leastShown)) deltaTooLarge(delta, requirement)
    const near = gdpToEpsilon(crossing(isMet, false), delta)
    return greatestDecimal(maximum(near, leastShown), digits, isMetAt)
  }
  return planWith(task, {
    noise: "gaussian",
    delta,
    justFor,
    specAt: (epsilon) => gaussianOfMu({ sensitivity, mu: muAt(epsilon) }),
    lossAt: (epsilon) => ({ measure: "gdp", muSquared: square(muAt(epsilon)), delta: zero }),
    amountAt: (epsilon) => divide(square(muAt(epsilon)), rational(2n)),
  })
}

function planWith({ requirements, covered }: NoiseTask, noise: Noise): NoisePlan {
  const asked = requirements.map<AskedOf>((requirement) => ({
    side: isAccuracy(requirement) ? "accuracy" : "privacy",
    requirement,
    epsilon: noise.justFor(requirement),
  }))
  const { least, most, chosen, isOpen } = bandOf(asked)
  const spec = noise.specAt(chosen)
  return {
    noise: noise.noise,
    kind: isOpen ? "range" : "conflict",
    asked,
    least,
    most,
    epsilon: chosen,
    delta: noise.delta,
    loss: noise.lossAt(chosen),
    perRelease: divide(noise.amountAt(chosen), rational(covered)),
    spec,
    error: additive(spec, usual),
    ...(isOpen || least === undefined || most === undefined
      ? { reliefs: [], releasesThatFit: undefined }
      : {
          reliefs: reliefsOf(asked, { least, most, settingAt: (epsilon) => settingOf(noise, epsilon) }),
          releasesThatFit: fitting({ least, most }, covered, noise),
        }),
  }
}

function settingOf({ specAt, lossAt, delta }: Noise, epsilon: Rational): Setting {
  const spec = specAt(epsilon)
  return { epsilon, loss: lossAt(epsilon), failure: delta, error: (confidence) => additive(spec, confidence) }
}

interface Band {
  readonly least: AskedOf | undefined
  readonly most: AskedOf | undefined
  readonly isOpen: boolean
}

/** The greatest need, the least allowance, and what to take. */
function bandOf(asked: readonly AskedOf[]): Band & { readonly chosen: Rational } {
  const ends = (side: AskedOf["side"], sign: 1 | -1): AskedOf | undefined =>
    asked.filter((one) => one.side === side).toSorted((a, b) => sign * compare(b.epsilon, a.epsilon))[0]
  const [least, most] = [ends("accuracy", 1), ends("privacy", -1)]
  const isOpen = least === undefined || most === undefined || compare(least.epsilon, most.epsilon) <= 0
  const chosen = (isOpen ? (least ?? most) : most)?.epsilon
  assert(chosen !== undefined, "somebody required something")
  return { least, most, isOpen, chosen }
}

/** How many of the releases both ends agree to, if the board's end is about the loss and not the noise. */
function fitting(
  { least, most }: { readonly least: AskedOf; readonly most: AskedOf },
  covered: bigint,
  { amountAt }: Noise,
): bigint | undefined {
  const { kind } = most.requirement
  if (kind === "mean-noise-at-least" || kind === "noise-exceeds") return undefined
  // The amount for an error goes with the number of releases.
  return floor(multiply(divide(amountAt(most.epsilon), amountAt(least.epsilon)), rational(covered)))
}

function additive(spec: MechanismSpec, confidence: Rational): AdditiveError {
  const error = errorOf(spec, confidence)
  assert(error.kind === "additive", "noise on numbers is additive")
  return error
}

interface Candidate {
  readonly sensitivity: Sensitivity
  readonly mu: Rational
  readonly delta: Rational
}

/** Whether Gaussian noise of this mu meets a requirement, by figures that are rounded against it. */
function holds(requirement: Requirement<Rational>, { sensitivity, mu, delta }: Candidate): boolean {
  const error = (confidence: Rational): AdditiveError =>
    additive(gaussianOfMu({ sensitivity, mu }), confidence)
  const loss: Loss = { measure: "gdp", muSquared: square(mu), delta: zero }
  switch (requirement.kind) {
    case "mean-error-at-most":
      return error(usual).meanAbsolute <= numberNear(requirement.error)
    case "deviation-at-most":
      return error(usual).standardDeviation <= numberNear(requirement.deviation)
    case "within":
      return error(requirement.confidence).halfWidth <= floor(requirement.within)
    case "interval-at-most":
      return 2n * error(requirement.confidence).halfWidth <= floor(requirement.width)
    case "epsilon-at-most":
      return compare(gdpToEpsilon(mu, delta), requirement.epsilon) <= 0
    case "mean-noise-at-least":
      return error(usual).meanAbsolute >= numberNear(requirement.noise)
    case "noise-exceeds":
      // Noise within the size is not reached with the rest of the probability, so it is exceeded as often.
      return error(subtract(one, requirement.probability)).halfWidth > floor(requirement.size)
    case "posterior-at-most":
      return (
        posteriorBounds({ loss, prior: requirement.prior, failure: delta }).upper <=
        numberNear(requirement.posterior)
      )
    case "odds-at-most":
      return (
        posteriorBounds({ loss, prior: rational(1n, 2n), failure: delta }).oddsFactor <=
        numberNear(requirement.factor)
      )
    case "advantage-at-most":
      return membershipAdvantage(loss) <= numberNear(requirement.advantage)
    default:
      return requirement satisfies never
  }
}

/** Where a requirement begins (or ceases) to hold, nearly: on the side from which a decimal is sought. */
function crossing(isMet: (mu: Rational) => boolean, isRising: boolean): Rational {
  let [from, to] = [-14, 9]
  for (let step = 0; step < 22; step += 1) {
    const middle = (from + to) / 2
    if (isMet(exact(Math.exp(middle))) === isRising) to = middle
    else from = middle
  }
  return exact(Math.exp(isRising ? from : to))
}

function exact(value: number): Rational {
  return rationalOfNumber(Math.fround(value))
}
