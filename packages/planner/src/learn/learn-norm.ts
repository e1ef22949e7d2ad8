// Norms that are learnt before a question is asked: which releases have one, the ladder that tells it, and
// what is read from its noisy counts.

import { ceil, compare, numberNear, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { addForms, formWidth, scaleForm, type LinearForm } from "@dosimeter/core/post"
import { hasStrategy, specOf } from "@dosimeter/proof/algebra/measurement"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Ask, NormAim } from "@dosimeter/proof/catalog/terms"
import { plannedAsBound, scaledIn, type CompileOptions, type Planned } from "../compile.ts"
import { boundMax, refined, type LearntNorm, type ScaledVector } from "../strategies/scaled-vector.ts"
import type { ScaledRelease } from "../question/plan.ts"
import { isReadable, recommendNorm, shareBeyond, type ScaledVectors } from "./choose-norm.ts"
import type { Lengths } from "./people-at-norms.ts"
import { ladderQuestion } from "./ladder-question.ts"
import type { ReadLadder } from "./read-ladder.ts"

/** A norm that can be learnt before its question is asked. */
export interface LearnableNorm {
  /** The place of its boundary in the statement: what `norms` goes by. */
  readonly boundary: number
  /** How many numbers are measured together; undefined where groups come from the data. */
  readonly groups: number | undefined
  /** The ladder: how many units have which norm. */
  readonly ladder: (ask: Ask) => Planned
  /**
   * The norm that is read from noisy counts, for a question that loses what this plan of it does; undefined
   * where too few units are seen, or where nothing is scaled in that plan.
   */
  readonly read: (ladder: ReadLadder, wish: NormWish) => LearntNorm | undefined
  /** The share of what units add that does not count with the norm of groups and rows, as a ladder tells. */
  readonly beyondUsual: (ladder: ReadLadder) => number
}

/** What a norm is read for. */
export interface NormWish {
  /** The question, with what is left of its loss. */
  readonly plan: ReleasePlan
  readonly aim: NormAim
  /** How the ladder was paid for, for people. */
  readonly paid: string
}

/** The norms of a statement that can be learnt. */
export function learnableNorms(sql: string, options: CompileOptions): readonly LearnableNorm[] {
  return scaledIn(sql, options).map((scaled): LearnableNorm => {
    const { subject, boundary } = scaled
    return {
      boundary,
      groups: subject.groups === undefined ? undefined : groupsOf(scaled),
      ladder: ({ epsilon }) =>
        plannedAsBound(ladderQuestion(subject), {
          ...options,
          ask: { ...(epsilon === undefined ? {} : { epsilon }), nonNegative: false },
        }),
      read: (ladder, wish) => readNorm(scaled, ladder, wish),
      beyondUsual: (ladder) => shareBeyond(ladder, lengthsOf(scaled), usualNorm(subject.vector)),
    }
  })
}

// In the vector's own steps.
function usualNorm({ usual: { bound, finer }, cap }: ScaledVector): number {
  const usual = Number(bound) / Number(finer)
  return cap === undefined ? usual : Math.min(usual, Number(cap))
}

/**
 * As many groups as are supposed to be shown where they come from the data. Least error hardly asks: with
 * four times as many the best norm is about a third shorter.
 */
const shownSupposed = 100

function groupsOf({ subject: { groups = shownSupposed, vector } }: ScaledRelease): number {
  return groups * vector.amounts.length
}

function readNorm(scaled: ScaledRelease, ladder: ReadLadder, wish: NormWish): LearntNorm | undefined {
  const noise = noiseOf(wish.plan, scaled.release)
  if (noise === undefined || !isReadable(ladder)) return undefined
  const { vector, boundary } = scaled.subject
  const vectors = {
    ...lengthsOf(scaled),
    ...entriesOf(scaled),
    noise,
  }
  const { bound, leftOut } = recommendNorm(ladder, vectors, wish.aim)
  const isCapped = vector.cap !== undefined && bound >= Number(vector.cap)
  const chosen = isCapped ? rational(vector.cap ?? 1n) : rounded(bound)
  const isWhole = isCapped || bound >= (vectors.longest ?? Infinity)
  const estimate = isWhole ? rational(0n) : upward(leftOut.high)
  const most = isWhole ? estimate : mostBeyond(vector, chosen, ladder, numberNear(wish.plan.confidence))
  const whose = boundary.keys.length === 0 ? "" : " over all groups"
  const beyondWords = vectors.entries === "averages" ? lessWeightWords : leftOutWords
  return {
    bound: chosen,
    beyond: { estimate, ...(most === undefined ? {} : { most }) },
    note:
      `a ladder of norms chose how long what one ${wish.plan.unitName} adds${whose} may be, ` +
      `for ${aimWords[wish.aim]}; ${wish.paid}; ${beyondWords(shareBeyond(ladder, vectors, numberNear(chosen)))}`,
  }
}

/** How much does not count, in words. */
export function leftOutWords(share: number): string {
  return `${aboutPercent(share)} of what they add does not count, by an estimate from the ladder`
}

// Of averages: who has more rows counts for less, and keeps the same average. With a share s taken off, the
// average of all is (1 - s) times the one of what counts and s times the other.
function lessWeightWords(share: number): string {
  const off = aboutPercent(share)
  return (
    `who has more rows counts for less: ${off} of all weight is taken off, by an estimate from the ladder, and averages ` +
    "are off by that share of how far what is taken off is from what counts"
  )
}

function aboutPercent(share: number): string {
  const percent = share * 100
  if (percent < 1) return "less than 1 %"
  return `about ${percent < 10 ? percent.toPrecision(1) : percent.toFixed(0)} %`
}

const aimWords: Readonly<Record<NormAim, string>> = {
  "least-error": "the least error",
  "below-noise": "the least error, or up to 1.4 times longer so that less is left out than there is noise",
}

/**
 * What kind of numbers a vector has, and how many. Averages by themselves are of two coordinates each. Where
 * all rows count, what is left out of an average is told by its length, as it is of sums.
 */
function entriesOf(scaled: ScaledRelease): Pick<ScaledVectors, "entries" | "groups"> {
  const { groups = shownSupposed, vector } = scaled.subject
  if (vector.rowsPerGroup !== undefined)
    return { entries: "averages", groups: groups * vector.moments.length }
  return { entries: isOfPeople(scaled) ? "people" : "amounts", groups: groupsOf(scaled) }
}

// Entries are 0 or 1 where units are counted, or rows of which each has one in a group.
function isOfPeople({ subject }: ScaledRelease): boolean {
  return subject.vector.amounts.every(({ aggregate }) => aggregate.kind === "persons")
}

function lengthsOf(scaled: ScaledRelease): Lengths {
  return { norm: scaled.subject.vector.norm, longest: longestOf(scaled) }
}

/** The length of a unit that is in every group, where units are counted: no vector is longer. */
function longestOf(scaled: ScaledRelease): number | undefined {
  if (!isOfPeople(scaled)) return undefined
  const { groups, vector } = scaled.subject
  if (groups === undefined) return undefined
  const sizes = vector.amounts.map(({ multiplier }) => Number(multiplier))
  return vector.norm === "l2" ? Math.sqrt(groups) * Math.hypot(...sizes) : groups * sumOf(sizes)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** The standard deviation of a number's noise, for a norm of 1. */
function noiseOf({ releases }: ReleasePlan, place: number): number | undefined {
  const release = releases[place]
  const scaled = release?.measurements.find((one) => hasStrategy(one, "scaled"))
  const bound = release?.bounds.scaled?.bound
  if (scaled === undefined || bound === undefined) return undefined
  const spec = specOf(scaled)
  if (spec.kind === "laplace") return (Math.SQRT2 * numberNear(spec.scale)) / Number(bound)
  return spec.kind === "gaussian" ? Math.sqrt(numberNear(spec.variance)) / Number(bound) : undefined
}

/** A fraction of few digits, no smaller: a norm that leaves nobody out goes on doing so. */
function rounded(bound: number): Rational {
  return rational(BigInt(Math.ceil(bound * 2 ** 10)), 1n << 10n)
}

function upward(length: number): Rational {
  return rational(BigInt(Math.ceil(length)))
}

/**
 * The most that the lengths of what is left out add up to, but with half of what the confidence leaves, where
 * a cap is declared: a unit on a step is no longer than its end, or than the cap. Rounding of the norm and of
 * weights is on top: weights are whole numbers up to 2^16.
 */
function mostBeyond(
  { cap }: ScaledVector,
  bound: Rational,
  { counts, forms }: ReadLadder,
  confidence: number,
): Rational | undefined {
  if (cap === undefined) return undefined
  // Amounts are cut to the cap only where sums of their squares hold it.
  if (cap * refined(bound).finer > boundMax) return undefined
  const kept = numberNear(bound) * (1 - 2 ** -10)
  let sum = 0
  let form: LinearForm | undefined
  for (const [step, count] of counts.entries()) {
    const longest = Math.min(2 ** (step / 2), Number(cap))
    const over = longest - kept + longest * 2 ** -15
    if (longest <= kept || over <= 0) continue
    sum += over * count
    form = addForms(form, scaleForm(forms[step], rationalOfNumber(over)))
  }
  const width = form === undefined ? 0 : formWidth(form, 1 - confidence)
  if (!Number.isFinite(sum + width)) return undefined
  const most = rationalOfNumber(Math.max(0, sum + width) * (1 + 2 ** -40))
  return compare(most, rational(1n)) < 0 ? rational(1n) : rational(ceil(most))
}
