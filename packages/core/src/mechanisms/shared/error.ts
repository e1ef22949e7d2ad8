// What an analyst may expect before paying: the error of a mechanism, from its spec alone.

/** Additive noise on an integer: P(|noise| <= halfWidth) is at least the confidence asked. */
export interface AdditiveError {
  readonly kind: "additive"
  readonly halfWidth: bigint
  readonly standardDeviation: number
  readonly meanAbsolute: number
  /** The textbook figures of the continuous law, for comparison. */
  readonly continuous: { readonly standardDeviation: number; readonly meanAbsolute: number }
}

/** A choice: with the confidence asked, its score is at most `shortfall` below the best. */
export interface ChoiceError {
  readonly kind: "choice"
  readonly shortfall: bigint
}

/** A quantile: with the confidence asked, its rank is off by at most this many units. */
export interface RankError {
  readonly kind: "rank"
  readonly units: bigint
}

/** Keys: a group of at least this many units is shown with the confidence asked. */
export interface KeyError {
  readonly kind: "keys"
  readonly shownFrom: bigint
}

/** Randomized response: how likely a single report is not the truth. */
export interface ReportError {
  readonly kind: "report"
  readonly wrong: number
}

/** A sum of several noisy values: P(|noise| <= halfWidth) is at least the confidence asked, at every step. */
export interface TotalError {
  readonly kind: "total"
  readonly halfWidth: bigint
  readonly standardDeviation: number
}

/** The error of a mechanism, in the form that fits what it releases. */
export type MechanismError = AdditiveError | TotalError | ChoiceError | RankError | KeyError | ReportError
