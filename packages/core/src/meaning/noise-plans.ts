// What Laplace and Gaussian noise could do for a task: for each requirement the loss at which it is just met,
// and the band that is left.

import { numberNear, rationalOfNumber } from "../exact/dyadic.ts"
import {
  compare,
  divide,
  floor,
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
import { isAccuracy, practical, type Requirement } from "./requirements.ts"
import { decimalDown, decimalUp, greatestDecimal, leastDecimal } from "./short-decimal.ts"

/** A task: what one unit changes in all that it covers, and what is required of each number. */
export interface NoiseTask {
  readonly sensitivity: Sensitivity
  readonly requirements: readonly Requirement<Rational>[]
  /** The releases that the unit covers. */
  readonly covered: bigint
  readonly delta: Rational
}

/** A requirement, and the epsilon (at the plan's delta) at which it is just met. */
export interface AskedOf {
  readonly side: "accuracy" | "privacy"
  readonly requirement: Requirement<Rational>
  readonly epsilon: Rational
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
  /** In a conflict: how many releases both would agree to; undefined if their number does not decide. */
  readonly releasesThatFit: bigint | undefined
}

const digits = 4
const usual = rational(95n, 100n)

interface Met {
  readonly requirement: Requirement<Rational>
  /** Epsilon for Laplace noise, mu for Gaussian. */
  readonly amount: Rational
}

/** The plan with Laplace noise: a pure loss, added up over releases. */
export function laplacePlan({ sensitivity, requirements, covered }: NoiseTask): NoisePlan {
  const l1 = l1Of(sensitivity)
  practical(rational(l1), "the sensitivity")
  const solve = { l1, digits }
  const met = requirements.map((requirement) => ({
    requirement,
    amount: isAccuracy(requirement) ? leastEpsilon(requirement, solve) : greatestEpsilon(requirement, solve),
  }))
  const { least, most, chosen, isOpen } = bandOf(met)
  const spec = laplace({ sensitivity, epsilon: chosen })
  const asAsked = (one: Met): AskedOf => asked(one, one.amount)
  return {
    noise: "laplace",
    kind: isOpen ? "range" : "conflict",
    asked: met.map(asAsked),
    least: least && asAsked(least),
    most: most && asAsked(most),
    epsilon: chosen,
    delta: zero,
    loss: { measure: "pure", epsilon: chosen },
    perRelease: divide(chosen, rational(covered)),
    spec,
    error: additive(spec, usual),
    // The epsilon for an error goes with the number of releases.
    releasesThatFit: fitting({ least, most, isOpen }, covered, (ratio) => ratio),
  }
}

/** The plan with Gaussian noise: mu squared is added up. */
export function gaussianPlan({ sensitivity, requirements, covered, delta }: NoiseTask): NoisePlan {
  const met = requirements.map((requirement) => {
    const isMet = (mu: Rational): boolean => holds(requirement, { sensitivity, mu, delta })
    const amount =
      requirement.kind === "epsilon-at-most"
        ? approxToMu(requirement.epsilon, delta)
        : isAccuracy(requirement)
          ? leastDecimal(crossing(isMet, true), digits, isMet)
          : greatestDecimal(crossing(isMet, false), digits, isMet)
    return { requirement, amount }
  })
  const { least, most, chosen: mu, isOpen } = bandOf(met)
  const spec = gaussianOfMu({ sensitivity, mu })
  // Rounded so that what is shown keeps to what was asked.
  const asAsked = (one: Met): AskedOf => {
    const epsilon = gdpToEpsilon(one.amount, delta)
    const isNeed = isAccuracy(one.requirement)
    return asked(one, isNeed ? decimalUp(epsilon, digits) : decimalDown(epsilon, digits))
  }
  const muSquared = square(mu)
  return {
    noise: "gaussian",
    kind: isOpen ? "range" : "conflict",
    asked: met.map(asAsked),
    least: least && asAsked(least),
    most: most && asAsked(most),
    epsilon: decimalUp(gdpToEpsilon(mu, delta), digits),
    delta,
    loss: { measure: "gdp", muSquared, delta: zero },
    perRelease: divide(muSquared, rational(2n * covered)),
    spec,
    error: additive(spec, usual),
    // The mu squared for an error goes with the number of releases.
    releasesThatFit: fitting({ least, most, isOpen }, covered, square),
  }
}

function asked({ requirement }: Met, epsilon: Rational): AskedOf {
  return { side: isAccuracy(requirement) ? "accuracy" : "privacy", requirement, epsilon }
}

interface Band {
  readonly least: Met | undefined
  readonly most: Met | undefined
  readonly isOpen: boolean
}

/** The greatest need, the least allowance, and what to take. */
function bandOf(met: readonly Met[]): Band & { readonly chosen: Rational } {
  const ends = (accuracy: boolean, sign: 1 | -1): Met | undefined =>
    met
      .filter(({ requirement }) => isAccuracy(requirement) === accuracy)
      .toSorted((a, b) => sign * compare(b.amount, a.amount))[0]
  const [least, most] = [ends(true, 1), ends(false, -1)]
  const isOpen = least === undefined || most === undefined || compare(least.amount, most.amount) <= 0
  const chosen = (isOpen ? (least ?? most) : most)?.amount
  assert(chosen !== undefined, "somebody required something")
  return { least, most, isOpen, chosen }
}

/** How many of the releases both ends agree to, if the board's end is about the loss and not the noise. */
function fitting(
  { least, most, isOpen }: Band,
  covered: bigint,
  adds: (ratio: Rational) => Rational,
): bigint | undefined {
  if (isOpen || least === undefined || most === undefined) return undefined
  const { kind } = most.requirement
  if (kind === "mean-noise-at-least" || kind === "noise-exceeds") return undefined
  return floor(multiply(adds(divide(most.amount, least.amount)), rational(covered)))
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
