// Which way of adding up losses suits what is planned: the noise of each planned question under every
// accounting, if the whole budget is shared out among them equally. By the planner's own choices of
// mechanisms.

import { assert } from "@dosimeter/core/errors"
import { divide, multiply, rational, zero, type Rational } from "@dosimeter/core/exact"
import { amountLimit, budgetFor, deltaLimit, type Accounting, type Budget } from "@dosimeter/core/accounting"
import { errorOf, type Neighbours } from "@dosimeter/core/mechanisms"
import type { Terms } from "@dosimeter/proof/catalog/terms"
import { chooseKeys, countError, halfShown } from "../keys/choose-keys.ts"
import { deltaOfQuestion } from "../loss/delta-of-question.ts"
import type { Allowance } from "../loss/share-out.ts"
import { chooseAdditive } from "../aggregates/choose-mechanisms.ts"

/**
 * Kinds of questions that can be planned: a count of units; a count of units by public groups; the same by
 * groups that come from the data.
 */
export const plannedKinds = ["count", "by-group", "keys"] as const

/** One of them. */
export type PlannedKind = (typeof plannedKinds)[number]

/** So many questions of a kind. */
export interface PlannedQuestions {
  readonly questions: number
  readonly kind: PlannedKind
}

/** What advice depends on, all of it from the policy. */
export interface AdviceFacts {
  readonly terms: Terms
  readonly neighbours: Neighbours
  /** The share of delta for key selection, where sums are turned into epsilon. */
  readonly keysShare: Rational
}

/** What one question of a kind would get under one accounting. */
export interface QuestionNoise {
  /** The standard deviation of its noise; with `keys`, of the counts that come with them. */
  readonly deviation: number
  /** Of `keys`: from how many units on a group is shown, one half of the time. */
  readonly shownFrom?: number
}

/** What one kind of planned questions would get. */
export interface PlannedNoise extends PlannedQuestions {
  /** Undefined where an accounting cannot answer such questions: it would need a delta that is not there. */
  readonly noise: Readonly<Record<Accounting, QuestionNoise | undefined>>
}

/** What a plan would get, and under which accounting noise is least. */
export interface AccountingAdvice {
  readonly planned: readonly PlannedNoise[]
  readonly best: Accounting
}

/** The noise of planned questions under every accounting, and the accounting that suits them. */
export function suitAccounting(plan: readonly PlannedQuestions[], facts: AdviceFacts): AccountingAdvice {
  const all = plan.reduce((sum, { questions }) => sum + questions, 0)
  assert(all > 0, "something is planned")
  const part = rational(1n, BigInt(all))
  const planned = plan.map((one): PlannedNoise => {
    const under = (accounting: Accounting): QuestionNoise | undefined =>
      noiseOf(one.kind, accounting, { part, facts })
    return { ...one, noise: { pure: under("pure"), zcdp: under("zcdp"), gdp: under("gdp") } }
  })
  return { planned, best: leastNoise(planned) }
}

/**
 * The accounting with the least noise, as the mean of logarithms over all questions: what is halved for one
 * question and doubled for another is no gain. One that cannot answer something is not it.
 */
function leastNoise(planned: readonly PlannedNoise[]): Accounting {
  const costOf = (accounting: Accounting): number =>
    planned.reduce(
      (sum, { questions, noise }) => sum + questions * Math.log(noise[accounting]?.deviation ?? Infinity),
      0,
    )
  const others: readonly Accounting[] = ["zcdp", "gdp"]
  return others.reduce<Accounting>((best, one) => (costOf(one) < costOf(best) ? one : best), "pure")
}

/** The largest number of counts for which pure accounting has the least noise; 0 if it never has. */
export function countsBestPure(facts: AdviceFacts): number {
  const isPure = (questions: number): boolean =>
    suitAccounting([{ questions, kind: "count" }], facts).best === "pure"
  if (!isPure(1)) return 0
  let [low, high] = [1, 2]
  while (high < mostCounts && isPure(high)) [low, high] = [high, high * 2]
  // Laplace noise grows with the number of questions, Gaussian noise with its root: they cross once.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isPure(middle)) low = middle
    else high = middle
  }
  return low
}

const mostCounts = 2 ** 16

/** The promise of the policy under another accounting; undefined where that needs a delta. */
function budgetIn(accounting: Accounting, { terms, keysShare }: AdviceFacts): Budget | undefined {
  const { epsilon, delta } = terms.budget
  if (delta.numerator === 0n) {
    return accounting === "pure" ? budgetFor({ epsilon, delta: 0, accounting }) : undefined
  }
  return budgetFor({ epsilon, delta, accounting, deltaForCharges: keysShare })
}

/** What a part of the whole budget allows a question, as `plan` would have it. */
function allowanceIn(budget: Budget, part: Rational, terms: Terms): Allowance {
  const { accounting } = budget
  const amount = multiply(amountLimit(budget), part)
  // A policy without a delta for questions has none for its budget.
  const most = accounting === "pure" ? terms.question.delta : divide(terms.question.delta, rational(2n))
  const deltaForKeys =
    deltaLimit(budget).numerator === 0n ? zero : deltaOfQuestion(budget, { amount, most, wish: undefined })
  const deltaForNoise = accounting === "pure" ? deltaForKeys : zero
  return { accounting, amount, deltaForKeys, deltaForSum: zero, deltaForNoise }
}

function noiseOf(
  kind: PlannedKind,
  accounting: Accounting,
  { part, facts }: { readonly part: Rational; readonly facts: AdviceFacts },
): QuestionNoise | undefined {
  const { terms, neighbours } = facts
  const budget = budgetIn(accounting, facts)
  if (budget === undefined) return undefined
  const allowance = allowanceIn(budget, part, terms)
  const { amount } = allowance
  const groupsPerUnit = kind === "count" ? 1n : terms.bounding.groupsPerUnit
  if (kind === "keys") {
    if (allowance.deltaForKeys.numerator === 0n) return undefined
    const wish = { amount, wantsCount: true, canWeigh: false }
    const spec = chooseKeys({ groupsPerUnit, neighbours }, allowance, wish)
    const deviation = countError(spec)?.standardDeviation
    return deviation === undefined ? undefined : { deviation, shownFrom: Number(halfShown(spec)) }
  }
  const groupsInAll = kind === "count" ? 1n : undefined
  const bounds = { groupsPerUnit, groupsInAll, neighbours, lower: 0n, upper: 1n }
  const spec = chooseAdditive(bounds, allowance, amount)
  return { deviation: errorOf(spec, rational(1n, 2n)).standardDeviation }
}
