// What analysts and boards ask of an answer, as they would state it. Analysts' requirements bound epsilon
// from below, boards' from above.

import { fail } from "../errors/errors.ts"
import { atLeastZero, betweenZeroAndOne, positive, showParameter, type Numeric } from "../exact/decimal.ts"
import { compare, isPositive, one, rational, type Rational } from "../exact/rational.ts"

/** The noise is on average at most `error` in size. */
export interface MeanErrorAtMost<N = Numeric> {
  readonly kind: "mean-error-at-most"
  readonly error: N
  readonly by?: string
}

/** The noise has a standard deviation of at most `deviation`. */
export interface DeviationAtMost<N = Numeric> {
  readonly kind: "deviation-at-most"
  readonly deviation: N
  readonly by?: string
}

/** The noise is at most `within` in size, with at least this confidence. */
export interface Within<N = Numeric> {
  readonly kind: "within"
  readonly within: N
  readonly confidence: N
  readonly by?: string
}

/** The interval at this confidence is at most `width` wide, from end to end. */
export interface IntervalAtMost<N = Numeric> {
  readonly kind: "interval-at-most"
  readonly width: N
  readonly confidence: N
  readonly by?: string
}

/** Epsilon is at most this. */
export interface EpsilonAtMost<N = Numeric> {
  readonly kind: "epsilon-at-most"
  readonly epsilon: N
  readonly by?: string
}

/** The noise is on average at least `noise` in size. */
export interface MeanNoiseAtLeast<N = Numeric> {
  readonly kind: "mean-noise-at-least"
  readonly noise: N
  readonly by?: string
}

/** The noise is larger than `size` with at least this probability. */
export interface NoiseExceeds<N = Numeric> {
  readonly kind: "noise-exceeds"
  readonly size: N
  readonly probability: N
  readonly by?: string
}

/** A guess about one unit that was held at `prior` never rises above `posterior`. */
export interface PosteriorAtMost<N = Numeric> {
  readonly kind: "posterior-at-most"
  readonly prior: N
  readonly posterior: N
  readonly by?: string
}

/** The odds of no guess about one unit change by more than `factor`, up or down. */
export interface OddsAtMost<N = Numeric> {
  readonly kind: "odds-at-most"
  readonly factor: N
  readonly by?: string
}

/** No attacker's true positive rate exceeds the false positive rate by more than `advantage`. */
export interface AdvantageAtMost<N = Numeric> {
  readonly kind: "advantage-at-most"
  readonly advantage: N
  readonly by?: string
}

/** What an analyst asks: a lower bound on epsilon. */
export type AccuracyRequirement<N = Numeric> =
  | MeanErrorAtMost<N>
  | DeviationAtMost<N>
  | Within<N>
  | IntervalAtMost<N>

/** What a board asks: an upper bound on epsilon. */
export type PrivacyRequirement<N = Numeric> =
  | EpsilonAtMost<N>
  | MeanNoiseAtLeast<N>
  | NoiseExceeds<N>
  | PosteriorAtMost<N>
  | OddsAtMost<N>
  | AdvantageAtMost<N>

/** What anybody asks; `by` says who. */
export type Requirement<N = Numeric> = AccuracyRequirement<N> | PrivacyRequirement<N>

/** Does this requirement ask for accuracy? */
export function isAccuracy<N>(requirement: Requirement<N>): requirement is AccuracyRequirement<N> {
  const { kind } = requirement
  return (
    kind === "mean-error-at-most" ||
    kind === "deviation-at-most" ||
    kind === "within" ||
    kind === "interval-at-most"
  )
}

/** Reads the numbers of a requirement exactly, or refuses them by name. */
export function readRequirement(requirement: Requirement): Requirement<Rational> {
  switch (requirement.kind) {
    case "mean-error-at-most":
      return { ...requirement, error: practical(positive(requirement.error, "error"), "error") }
    case "deviation-at-most":
      return {
        ...requirement,
        deviation: practical(positive(requirement.deviation, "deviation"), "deviation"),
      }
    case "within":
      return {
        ...requirement,
        within: practical(atLeastZero(requirement.within, "within"), "within"),
        confidence: betweenZeroAndOne(requirement.confidence, "confidence"),
      }
    case "interval-at-most":
      return {
        ...requirement,
        width: practical(atLeastZero(requirement.width, "width"), "width"),
        confidence: betweenZeroAndOne(requirement.confidence, "confidence"),
      }
    case "epsilon-at-most":
      return { ...requirement, epsilon: practical(positive(requirement.epsilon, "epsilon"), "epsilon") }
    case "mean-noise-at-least":
      return { ...requirement, noise: practical(positive(requirement.noise, "noise"), "noise") }
    case "noise-exceeds":
      return {
        ...requirement,
        size: practical(atLeastZero(requirement.size, "size"), "size"),
        probability: betweenZeroAndOne(requirement.probability, "probability"),
      }
    case "posterior-at-most":
      return readPosterior(requirement)
    case "odds-at-most":
      return readOdds(requirement)
    case "advantage-at-most":
      return { ...requirement, advantage: betweenZeroAndOne(requirement.advantage, "advantage") }
    default:
      return requirement satisfies never
  }
}

function readPosterior(requirement: PosteriorAtMost): PosteriorAtMost<Rational> {
  const prior = betweenZeroAndOne(requirement.prior, "prior")
  const posterior = betweenZeroAndOne(requirement.posterior, "posterior")
  if (compare(posterior, prior) <= 0) {
    fail("parameter/out-of-range", {
      name: "posterior",
      got: showParameter(posterior),
      range: `(${showParameter(prior)}, 1), above the prior`,
    })
  }
  return { ...requirement, prior, posterior }
}

function readOdds(requirement: OddsAtMost): OddsAtMost<Rational> {
  const factor = practical(positive(requirement.factor, "factor"), "factor")
  if (compare(factor, one) <= 0)
    fail("parameter/out-of-range", {
      name: "factor",
      got: showParameter(factor),
      range: "the numbers above 1",
    })
  return { ...requirement, factor }
}

/** Sizes that solvers in doubles can begin with, and far more than anybody means. */
export function practical(value: Rational, name: string): Rational {
  const limit = rational(10n ** 100n)
  const isTiny = isPositive(value) && compare(value, rational(1n, 10n ** 100n)) < 0
  if (isTiny || compare(value, limit) > 0) {
    fail("parameter/out-of-range", { name, got: showParameter(value), range: "1e-100 to 1e100" })
  }
  return value
}
