// Means of a number on a grid: one sign (Duchi), a place on a line near the number (Piecewise), or a coin
// between the two (Hybrid), whose error is the same wherever the number lies.

import type { Numeric } from "../exact/decimal.ts"
import { exactly } from "../exact/decimal.ts"
import { numberNear } from "../exact/dyadic.ts"
import { sqrtDown } from "../exact/log.ts"
import {
  add,
  compare,
  divide,
  maximum,
  multiply,
  one,
  rational,
  subtract,
  type Rational,
} from "../exact/rational.ts"
import { choose, isBelow, whole, type Draws } from "./draws.ts"
import { checkAnswer, checkCategory, oddsOf, probabilityOf, thresholdDown, thresholdUp } from "./threshold.ts"

/**
 * Numbers from -1 to 1 as `levels` + 1 equal steps. With probability piecewise / 2^52 the report is a place
 * among levels + window; otherwise a sign.
 */
export interface MeanProtocol {
  readonly kind: "mean"
  readonly levels: number
  readonly piecewise: number
  /** How many places near the number are likelier than the others, and how likely all of these are. */
  readonly window: number
  readonly near: number
  /** The sign is plus with probability (least + level step) / 2^52. */
  readonly least: number
  readonly step: number
}

/** How a mean is asked for. */
export type MeanMethod = "sign" | "piecewise" | "hybrid"

/** Fine enough that rounding to a level adds less than 1e-6 to the variance. */
const levelCount = 1024
/** Below this the hybrid is the sign alone; Wang et al. 2019. */
const hybridFrom = rational(609353n, 1_000_000n)

/** A protocol for means with a given epsilon; hybrid unless another method is asked for. */
export function meanProtocol(options: {
  readonly epsilon: Numeric
  readonly method?: MeanMethod
}): MeanProtocol {
  const odds = oddsOf(options.epsilon)
  const half = sqrtDown(odds, 128)
  const levels = rational(BigInt(levelCount))
  const window = Math.max(1, Math.round(levelCount / numberNear(half)))
  const inside = multiply(odds, rational(BigInt(window)))
  const least = thresholdUp(divide(one, add(odds, one)))
  const step = Math.floor((whole - 2 * least) / levelCount)
  return {
    kind: "mean",
    levels: levelCount,
    piecewise: piecewiseShare(options.method ?? "hybrid", { epsilon: options.epsilon, half }),
    window,
    near: thresholdDown(divide(inside, add(inside, levels))),
    least: (whole - levelCount * step) / 2,
    step,
  }
}

function piecewiseShare(
  method: MeanMethod,
  { epsilon, half }: { readonly epsilon: Numeric; readonly half: Rational },
): number {
  switch (method) {
    case "sign":
      return 0
    case "piecewise":
      return whole
    case "hybrid":
      if (compare(exactly(epsilon, "epsilon"), hybridFrom) <= 0) return 0
      return thresholdDown(subtract(one, divide(one, half)))
    default:
      return method satisfies never
  }
}

/** How many different reports there are: the places, then minus, then plus. */
export function meanReports({ levels, window }: MeanProtocol): number {
  return levels + window + 2
}

/**
 * Randomizes one number, given as a level from 0 (for -1) to `levels` (for 1).
 *
 * Guarantee: between any two levels, the probabilities of a report differ by a factor of meanRatio at most.
 * Needs: an integer level from 0 to `levels` (checked here).
 * Proof: the method is chosen whatever the level is. A place has probability near / window if it lies in the
 *   window that begins at the level, and (1 - near) / levels if not. A plus has a probability between least
 *   and 1 - least.
 * Numerics: exact draws, all of them made whatever comes.
 * Source: Duchi, Jordan, Wainwright 2018; Wang et al. 2019 (Piecewise and Hybrid).
 */
export function releaseLevel(protocol: MeanProtocol, level: number, draws: Draws): number {
  const { levels, window } = protocol
  checkCategory(level, levels + 1)
  const isPlace = draws.coin(protocol.piecewise)
  const isNear = draws.coin(protocol.near)
  const inWindow = level + draws.below(window)
  const other = draws.below(levels)
  const elsewhere = other + window * (1 - isBelow(other, level))
  const sign = levels + window + draws.coin(protocol.least + level * protocol.step)
  return choose(isPlace, choose(isNear, inWindow, elsewhere), sign)
}

/**
 * A number between `low` and `high` as a level. What lies between two levels goes to either, so that the
 * level is right on average; what lies outside is clamped.
 */
export function levelOf(
  protocol: MeanProtocol,
  { value, low, high }: { readonly value: number; readonly low: number; readonly high: number },
  draws: Draws,
): number {
  checkAnswer(Number.isFinite(value) && Number.isFinite(high - low) && low < high, "finite numbers")
  const place = ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * protocol.levels
  const below = Math.min(Math.floor(place), protocol.levels - 1)
  return below + draws.coin(Math.round((place - below) * whole))
}

/** The largest ratio of two probabilities of one report. */
export function meanRatio(protocol: MeanProtocol): Rational {
  const places = divide(
    multiply(odds(protocol.near), rational(BigInt(protocol.levels))),
    rational(BigInt(protocol.window)),
  )
  const signs = divide(one, odds(protocol.least))
  if (protocol.piecewise === 0) return signs
  return protocol.piecewise === whole ? places : maximum(places, signs)
}

function odds(threshold: number): Rational {
  return rational(BigInt(threshold), BigInt(whole - threshold))
}

/** What a report says about the number, as `offset + slope report` for a place and `sign` for a plus. */
export interface MeanReading {
  readonly offset: Rational
  readonly slope: Rational
  readonly sign: Rational
}

/**
 * How reports are read so that their mean is the number, exactly. A place r has the mean
 * l S + (h - l) (w k + w (w - 1) / 2) at level k, with h = near / window, l = (1 - near) / levels, w = window
 * and S the sum of all places: linear in k. A sign has the mean (2 least - 1) + 2 k step, and 2 least - 1 is
 * -levels step.
 */
export function meanReading(protocol: MeanProtocol): MeanReading {
  const [levels, window] = [rational(BigInt(protocol.levels)), rational(BigInt(protocol.window))]
  const near = probabilityOf(protocol.near)
  const low = divide(subtract(one, near), levels)
  const lift = subtract(divide(near, window), low)
  const places = BigInt(protocol.levels + protocol.window)
  const atZero = add(
    multiply(low, rational((places * (places - 1n)) / 2n)),
    multiply(lift, rational((BigInt(protocol.window) * (BigInt(protocol.window) - 1n)) / 2n)),
  )
  const rise = multiply(lift, window)
  // -1 + 2 (r - atZero) / (rise levels)
  const slope = divide(rational(2n), multiply(rise, levels))
  return {
    slope,
    offset: subtract(rational(-1n), multiply(slope, atZero)),
    sign: divide(one, multiply(levels, probabilityOf(protocol.step))),
  }
}
