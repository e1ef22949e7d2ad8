// What the owner allows to be asked of a dataset, and at what price.

import type { Budget } from "@dosimeter/core"
import { rational, type Rational } from "@dosimeter/core/exact"

/** The least epsilon that anything is asked with: less tells nothing, and would only take time. */
export const epsilonLeast: Rational = rational(1n, 1_000_000n)

/** The owner's terms. */
export interface Terms {
  /** For everything that is ever asked. */
  readonly budget: Budget
  readonly question: {
    readonly epsilonDefault: Rational
    readonly epsilonMax: Rational
    /** For one question: turning its loss into epsilon, and at most half of it its key selection. */
    readonly delta: Rational
    /** Of the intervals. */
    readonly confidence: Rational
  }
  readonly bounding: {
    readonly groupsPerUnit: bigint
    readonly rowsPerGroup: bigint
    readonly groupsPerUnitMax: bigint
    readonly rowsPerGroupMax: bigint
    /** Where a question says nothing, it learns first in how many groups units are. */
    readonly autoGroups?: true
    /** The share of a question's loss that learns bounds, where the question says nothing. */
    readonly boundsShare?: Rational
    /** Units are scaled to the norm of groups and rows; where it is absent, the norm is learnt. */
    readonly norm?: "fixed"
    /** What a learnt norm is for, where the question says nothing. */
    readonly aim?: NormAim
    /** The rows that a unit has at most: a declared cap. */
    readonly rowsPerUnit?: bigint
  }
  /** House rule: counts below this, after noise, are shown as below threshold. */
  readonly shownFrom?: bigint
  /** Where a question says nothing, numbers are shown as they were measured: counts may be negative. */
  readonly raw?: true
  /**
   * Answers leave at whole multiples of this time after the question, in milliseconds; at once if it is
   * absent.
   */
  readonly slotMs?: number
}

/**
 * What a learnt norm is for: answers with the least error; or that, with a norm up to 1.4 times as long where
 * more would be left out than there is noise, so that intervals tell most of it.
 */
export type NormAim = "least-error" | "below-noise"

/** What the analyst wants of one question; what is left out comes from the terms. */
export interface Ask {
  readonly epsilon?: Rational
  readonly groupsPerUnit?: bigint
  readonly rowsPerGroup?: bigint
  /** Whether half of a quantile's loss is spent on its interval (the default), or all of it on the value. */
  readonly quantileIntervals?: boolean
  /** Delta for key selection; in proportion to the loss if absent. */
  readonly keysDelta?: Rational
  /** How much the errors of columns count, by their names in the answer; 1 if left out. */
  readonly weights?: Readonly<Record<string, Rational>>
  /**
   * Learn the bounds of values first: of those without declared ones, of all, or of none ("declared"). As the
   * policy says of each column if absent.
   */
  readonly bounds?: "undeclared" | "all" | "declared"
  /** Learn first in how many groups units are, and let so many count; as the policy says if absent. */
  readonly autoGroups?: boolean
  /**
   * Whether the norm that units are scaled to is learnt first, or that of groups and rows; as the policy says
   * if absent, and fixed where groups or rows are given.
   */
  readonly norm?: "auto" | "fixed"
  /** What a learnt norm is for; as the policy says if absent. */
  readonly aim?: NormAim
  /** The share of the loss that is spent on learning bounds; the policy's, or a fifth, if absent. */
  readonly boundsShare?: Rational
  /**
   * Where keys come from the data and COUNT(*), or the number of units, is asked for: "more" selects keys by
   * a number of their own, and drops no rows and groups; "counts" reads both from one noisy number, with all
   * of the loss. If absent "more", and where rows cannot be scaled what is better by the weights; the number
   * of units is that of the keys where no norm is learnt.
   */
  readonly keys?: "more" | "counts"
  /**
   * The largest groups among listed ones: "measured" measures all groups and puts what is noisy in order, as
   * sums over several sites need; chosen beforehand where that has less noise, if absent.
   */
  readonly largest?: "measured"
  /**
   * Whether counts, and sums of what is not negative, are shown from 0 on, or as they were measured; as the
   * terms say if absent. If true, counts of groupings that are measured together become whole numbers, too.
   */
  readonly nonNegative?: boolean
}
