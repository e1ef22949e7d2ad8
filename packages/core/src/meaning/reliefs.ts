// The ways out of a conflict: what one side would have to wish instead, in each of its wishes that stand in
// the way, if the other side keeps to all of its own.

import { rationalOfNumber } from "../exact/dyadic.ts"
import { compare, one, rational, subtract, type Rational } from "../exact/rational.ts"
import type { AdditiveError } from "../mechanisms/shared/error.ts"
import type { Loss } from "../privacy/loss.ts"
import { membershipAdvantage } from "./attacker.ts"
import { posteriorBounds } from "./odds.ts"
import { isAccuracy, type AccuracyRequirement, type Requirement } from "./requirements.ts"
import { decimalDown, decimalUp } from "./short-decimal.ts"

/** A requirement, and the epsilon (at the plan's delta) at which it is just met. */
export interface AskedOf {
  readonly side: "accuracy" | "privacy"
  readonly requirement: Requirement<Rational>
  readonly epsilon: Rational
}

/** A wish that would have to be weaker. */
export interface RelaxedWish {
  readonly asked: AskedOf
  /** The strongest wish of its kind that can be met, rounded; undefined where it would have to be dropped. */
  readonly instead: Requirement<Rational> | undefined
}

/** One side gives way: with all of these in place of what was asked, every wish is met. */
export interface Relief {
  readonly side: AskedOf["side"]
  /** At which every wish is met then. */
  readonly epsilon: Rational
  readonly wishes: readonly RelaxedWish[]
}

/** What an epsilon gives. */
export interface Setting {
  readonly epsilon: Rational
  readonly loss: Loss
  /** The chance that is left out of statements about beliefs. */
  readonly failure: Rational
  readonly error: (confidence: Rational) => AdditiveError
}

interface Ends {
  readonly least: AskedOf
  readonly most: AskedOf
  readonly settingAt: (epsilon: Rational) => Setting
}

const [shortDigits, longDigits, epsilonDigits] = [3, 12, 4]
const usual = rational(95n, 100n)

/** Both ways out: the analysts give way, or the boards do. */
export function reliefsOf(asked: readonly AskedOf[], { least, most, settingAt }: Ends): readonly Relief[] {
  // Epsilons of wishes are decimals of so many digits: what holds at one of these is solved to it or below.
  const [allowed, needed] = [
    decimalDown(most.epsilon, epsilonDigits),
    decimalUp(least.epsilon, epsilonDigits),
  ]
  const relief = (
    side: AskedOf["side"],
    epsilon: Rational,
    isInTheWay: (one: AskedOf) => boolean,
  ): Relief => {
    const setting = settingAt(epsilon)
    return {
      side,
      epsilon,
      wishes: asked
        .filter((one) => one.side === side && isInTheWay(one))
        .map((one) => ({ asked: one, instead: relaxed(one.requirement, setting) })),
    }
  }
  return [
    relief("accuracy", allowed, ({ epsilon }) => compare(epsilon, allowed) > 0),
    relief("privacy", needed, ({ epsilon }) => compare(epsilon, needed) < 0),
  ]
}

/** The same wish with the bound that a setting keeps to, rounded to the side on which it is kept. */
function relaxed(requirement: Requirement<Rational>, setting: Setting): Requirement<Rational> | undefined {
  if (isAccuracy(requirement)) return relaxedError(requirement, setting.error)
  const { epsilon, loss, failure, error } = setting
  switch (requirement.kind) {
    case "epsilon-at-most":
      return { ...requirement, epsilon }
    case "mean-noise-at-least": {
      const { meanAbsolute } = error(usual)
      return meanAbsolute > 0
        ? { ...requirement, noise: decimalDown(rationalOfNumber(meanAbsolute), shortDigits) }
        : undefined
    }
    case "noise-exceeds": {
      // Noise within the half-width minus one is not reached as often as the rest of the probability.
      const size = error(subtract(one, requirement.probability)).halfWidth - 1n
      return size < 0n ? undefined : { ...requirement, size: rational(size) }
    }
    case "posterior-at-most": {
      const posterior = belowOne(posteriorBounds({ loss, prior: requirement.prior, failure }).upper)
      return posterior && { ...requirement, posterior }
    }
    case "odds-at-most": {
      const { oddsFactor } = posteriorBounds({ loss, prior: rational(1n, 2n), failure })
      return Number.isFinite(oddsFactor)
        ? { ...requirement, factor: decimalUp(rationalOfNumber(oddsFactor), shortDigits) }
        : undefined
    }
    case "advantage-at-most": {
      const advantage = belowOne(membershipAdvantage(loss))
      return advantage && { ...requirement, advantage }
    }
    default:
      return requirement satisfies never
  }
}

function relaxedError(
  requirement: AccuracyRequirement<Rational>,
  error: Setting["error"],
): AccuracyRequirement<Rational> {
  switch (requirement.kind) {
    case "mean-error-at-most":
      return { ...requirement, error: shortUp(error(usual).meanAbsolute) }
    case "deviation-at-most":
      return { ...requirement, deviation: shortUp(error(usual).standardDeviation) }
    case "within":
      return { ...requirement, within: rational(error(requirement.confidence).halfWidth) }
    case "interval-at-most":
      return { ...requirement, width: rational(2n * error(requirement.confidence).halfWidth) }
    default:
      return requirement satisfies never
  }
}

function shortUp(value: number): Rational {
  return decimalUp(rationalOfNumber(value), shortDigits)
}

/** A probability with as few digits as leave it below 1. */
function belowOne(value: number): Rational | undefined {
  if (value >= 1) return undefined
  const exactly = rationalOfNumber(value)
  for (let digits = shortDigits; digits <= longDigits; digits += 1) {
    const rounded = decimalUp(exactly, digits)
    if (compare(rounded, one) < 0) return rounded
  }
  return undefined
}
