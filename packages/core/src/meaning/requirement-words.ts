// Requirements in words: what somebody asks, and what a given epsilon would give instead.

import { fail } from "../errors/errors.ts"
import { showParameter } from "../exact/decimal.ts"
import { numberNear } from "../exact/dyadic.ts"
import { divide, floor, one, rational, subtract, type Rational } from "../exact/rational.ts"
import { laplaceHalfWidth } from "../mechanisms/additive/laplace.ts"
import { membershipAdvantage } from "./attacker.ts"
import { meanNoise, noiseDeviation, noiseExceeds } from "./laplace-law.ts"
import { groupFactor, posteriorBounds } from "./odds.ts"
import { radiusOf } from "./requirement-epsilon.ts"
import { isAccuracy, type Requirement } from "./requirements.ts"
import { percent, percentDown, percentUp, wordsDown, wordsUp } from "./words.ts"

/** An epsilon, and the L1 sensitivity that it is for. */
export interface Setting {
  readonly epsilon: Rational
  readonly l1: bigint
}

/** "the analysis needs noise within 5 at 95 % confidence, which takes epsilon 0.6 or more". */
export function showDemand(requirement: Requirement<Rational>, epsilon: Rational): string {
  const amount = showParameter(epsilon)
  const what = describeRequirement(requirement)
  if (isAccuracy(requirement))
    return `${requirement.by ?? "the analysis"} needs ${what}, which takes epsilon ${amount} or more`
  const asks = `${requirement.by ?? "the board"} asks for ${what}`
  return requirement.kind === "epsilon-at-most" ? asks : `${asks}, which allows epsilon ${amount} or less`
}

/** What is asked, as a noun: "noise within 5 at 95 % confidence". */
export function describeRequirement(requirement: Requirement<Rational>): string {
  switch (requirement.kind) {
    case "mean-error-at-most":
      return `a mean error of at most ${showParameter(requirement.error)}`
    case "deviation-at-most":
      return `a standard deviation of at most ${showParameter(requirement.deviation)}`
    case "within":
      return `noise within ${showParameter(requirement.within)} at ${percent(requirement.confidence)} confidence`
    case "interval-at-most":
      return `a ${percent(requirement.confidence)} interval at most ${showParameter(requirement.width)} wide`
    case "epsilon-at-most":
      return `an epsilon of at most ${showParameter(requirement.epsilon)}`
    case "mean-noise-at-least":
      return `noise of at least ${showParameter(requirement.noise)} on average`
    case "noise-exceeds": {
      const chance = percent(requirement.probability)
      return `noise above ${showParameter(requirement.size)} in at least ${chance} of releases`
    }
    case "posterior-at-most": {
      const [from, to] = [percent(requirement.prior), percent(requirement.posterior)]
      return `a belief of ${from} about one person to stay at or below ${to}`
    }
    case "odds-at-most":
      return `the odds of any guess about one person to change by a factor of at most ${showParameter(requirement.factor)}`
    case "advantage-at-most":
      return `an attacker's advantage of at most ${percent(requirement.advantage)}`
    default:
      return requirement satisfies never
  }
}

/** What would have to be wished instead, beside what was: "a standard deviation of at most 58 instead of 10". */
export function describeRelaxed(asked: Requirement<Rational>, instead: Requirement<Rational>): string {
  const what =
    instead.kind === "posterior-at-most"
      ? `a belief of ${percent(instead.prior)} about one person to rise to ${percent(instead.posterior)}`
      : describeRequirement(instead)
  return `${what} instead of ${thresholdOf(asked)}`
}

/** The bound that a requirement sets. */
function thresholdOf(requirement: Requirement<Rational>): string {
  switch (requirement.kind) {
    case "mean-error-at-most":
      return showParameter(requirement.error)
    case "deviation-at-most":
      return showParameter(requirement.deviation)
    case "within":
      return `within ${showParameter(requirement.within)}`
    case "interval-at-most":
      return showParameter(requirement.width)
    case "epsilon-at-most":
      return showParameter(requirement.epsilon)
    case "mean-noise-at-least":
      return showParameter(requirement.noise)
    case "noise-exceeds":
      return `above ${showParameter(requirement.size)}`
    case "posterior-at-most":
      return percent(requirement.posterior)
    case "odds-at-most":
      return showParameter(requirement.factor)
    case "advantage-at-most":
      return percent(requirement.advantage)
    default:
      return requirement satisfies never
  }
}

/** What a setting gives in place of what was asked, so that the two can meet. */
export function describeInstead(requirement: Requirement<Rational>, setting: Setting): string {
  const { epsilon, l1 } = setting
  const rate = numberNear(divide(epsilon, rational(l1)))
  switch (requirement.kind) {
    case "mean-error-at-most":
      return `a mean error of ${wordsUp(meanNoise(rate))}`
    case "deviation-at-most":
      return `a standard deviation of ${wordsUp(noiseDeviation(rate))}`
    case "within": {
      const radius = radiusOf(requirement)
      const half = halfWidth(setting, requirement.confidence)
      const sure = percentDown(1 - noiseExceeds(rate, radius))
      return `noise within ${half} at ${percent(requirement.confidence)} confidence (within ${radius} at ${sure})`
    }
    case "interval-at-most": {
      const half = halfWidth(setting, requirement.confidence)
      return `a ${percent(requirement.confidence)} interval ${2n * half} wide`
    }
    case "epsilon-at-most":
      return `an epsilon of ${showParameter(epsilon)}`
    case "mean-noise-at-least":
      return `noise of only ${wordsDown(meanNoise(rate))} on average`
    case "noise-exceeds": {
      const chance = percentDown(noiseExceeds(rate, floor(requirement.size)))
      return `noise above ${showParameter(requirement.size)} in only ${chance} of releases`
    }
    case "posterior-at-most": {
      const { upper } = posteriorBounds({ loss: { measure: "pure", epsilon }, prior: requirement.prior })
      return `a belief of ${percent(requirement.prior)} to rise to ${percentUp(upper)}`
    }
    case "odds-at-most":
      return `odds to change by a factor of ${wordsUp(groupFactor(epsilon, 1))}`
    case "advantage-at-most": {
      const advantage = membershipAdvantage({ measure: "pure", epsilon })
      return `an attacker's advantage of ${percentUp(advantage)}`
    }
    default:
      return requirement satisfies never
  }
}

function halfWidth({ epsilon, l1 }: Setting, confidence: Rational): bigint {
  return laplaceHalfWidth(divide(rational(l1), epsilon), subtract(one, confidence))
}

/** What delta alone allows is more than a board wants: no epsilon helps. */
export function deltaTooLarge(delta: Rational, requirement: Requirement<Rational>): never {
  const range = `values at which Gaussian noise can keep ${describeRequirement(requirement)}`
  return fail("parameter/out-of-range", { name: "delta", got: showParameter(delta), range })
}
