// From a question as people state it (so many numbers, so many times, what error and what risk are tolerable)
// to an epsilon, a delta and a split; or to two wishes that cannot both be met, and what reconciles them.

import { fail } from "../errors/errors.ts"
import { betweenZeroAndOne, positive, showParameter, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { numberNear } from "../exact/dyadic.ts"
import { compare, divide, multiply, one, rational, type Rational } from "../exact/rational.ts"
import { countSensitivity } from "../privacy/sensitivity.ts"
import { gdpToEpsilon } from "../accounting/conversions/gaussian-delta.ts"
import { sqrtUp } from "../exact/log.ts"
import { decimalUp } from "./short-decimal.ts"
import { membershipAdvantage } from "./attacker.ts"
import { bestEpsilon, type BestEpsilon, type PrivacyCost } from "./best-epsilon.ts"
import { gaussianPlan, laplacePlan, type NoisePlan } from "./noise-plans.ts"
import { readRequirement, type Requirement } from "./requirements.ts"

/** What is hidden: a person in all releases together, or in each of them by itself. */
export type AdvisedUnit = "person" | "person-release"

/** A question, the people that it is about, and what is tolerable. */
export interface AdviceQuestion {
  /** The people who could be in the data. */
  readonly population: Numeric
  /** About how many each release counts, over all of its numbers. */
  readonly count: Numeric
  /** The numbers of a release: 20 age bands. */
  readonly groups: Numeric
  /** In how many of them one person can be: 1 for age bands. */
  readonly groupsPerPerson: Numeric
  /** How often it is released: 52 for weekly in a year. */
  readonly releases: Numeric
  readonly unit: AdvisedUnit
  /** The delta that Gaussian noise may have; below 1 / population. */
  readonly delta: Numeric
  readonly requirements: readonly Requirement[]
  /** What an error of 1 in one number costs, and what a loss does. */
  readonly prices?: { readonly error: Numeric; readonly privacy: PrivacyCost }
}

/**
 * Why a plan was taken before the other: it alone meets every wish; of wishes on both sides it leaves the
 * tightest limit the most room, or comes nearest to meeting them; where only boards asked, its error is the
 * smaller one; where only analysts did, an attacker learns less from it.
 */
export type AdviceReason = "alone" | "room" | "error" | "attacker"

/** The advice. */
export interface Advice {
  readonly unit: AdvisedUnit
  /** The plan to take. */
  readonly plan: NoisePlan
  readonly reason: AdviceReason
  readonly other: NoisePlan
  /** The 95 % error of a number, as a share of an average one. */
  readonly relativeError: number
  /** The epsilon (at the plan's delta) of a person who is in all releases. */
  readonly overAllReleases: Rational
  /** The cheapest epsilon of the unit with Laplace noise, at the stated prices. */
  readonly optimum: BestEpsilon | undefined
}

/**
 * Advice on a loss. Nothing is read from data: count and population are what people know beforehand.
 *
 * Every requirement is turned into an epsilon with the figures that a release would state: exactly for
 * Laplace noise under a pure loss; for Gaussian noise, mu is searched and each candidate checked with errors
 * and losses that are rounded against ourselves. Statements about odds then hold but for a probability of
 * delta.
 */
export function adviseEpsilon(question: AdviceQuestion): Advice {
  const { unit, prices } = question
  const [population, count] = [
    wholeNumber(question.population, "population"),
    positive(question.count, "count"),
  ]
  const groups = wholeNumber(question.groups, "groups")
  const perPerson = wholeNumber(question.groupsPerPerson, "groups per person")
  const releases = wholeNumber(question.releases, "releases")
  const delta = betweenZeroAndOne(question.delta, "delta")
  if (perPerson > groups)
    fail("parameter/too-large", { name: "groups per person", got: `${perPerson}`, limit: `${groups} groups` })
  const most = population * perPerson
  if (compare(count, rational(most)) > 0) {
    const limit = `${most}, all people in ${perPerson} of the groups`
    fail("parameter/too-large", { name: "count", got: showParameter(count), limit })
  }
  if (compare(multiply(delta, rational(population)), one) >= 0) {
    const range = `(0, 1/${population}), below one over the population`
    fail("parameter/out-of-range", { name: "delta", got: showParameter(delta), range })
  }
  if (question.requirements.length === 0) fail("parameter/empty", { name: "requirements" })
  const covered = unit === "person" ? releases : 1n
  const bounds = { groupsPerUnit: perPerson * covered, rowsPerGroup: 1, neighbours: "add-or-remove" } as const
  const task = {
    sensitivity: countSensitivity(bounds),
    requirements: question.requirements.map(readRequirement),
    covered,
    delta,
  }
  const { plan, other, reason } = ranked(laplacePlan(task), gaussianPlan(task))
  const average = numberNear(divide(count, rational(groups)))
  const cost =
    prices === undefined
      ? undefined
      : multiply(positive(prices.error, "error cost"), rational(groups * covered))
  return {
    unit,
    plan,
    reason,
    other,
    relativeError: Number(plan.error.halfWidth) / average,
    overAllReleases: overAll(plan, rational(releases / covered)),
    optimum:
      prices === undefined || cost === undefined
        ? undefined
        : bestEpsilon({ sensitivity: task.sensitivity, errorCost: cost, privacyCost: prices.privacy }),
  }
}

/** Pure losses are added up, and so is mu squared. */
function overAll({ loss, epsilon, delta }: NoisePlan, times: Rational): Rational {
  if (loss.measure !== "gdp") return multiply(epsilon, times)
  if (compare(times, one) === 0) return epsilon
  return decimalUp(gdpToEpsilon(sqrtUp(multiply(loss.muSquared, times)), delta), 4)
}

function ranked(a: NoisePlan, b: NoisePlan): Pick<Advice, "plan" | "other" | "reason"> {
  if (a.kind !== b.kind) {
    const [plan, other] = a.kind === "range" ? [a, b] : [b, a]
    return { plan, other, reason: "alone" }
  }
  const reason = a.most === undefined ? "attacker" : a.least === undefined ? "error" : "room"
  const [plan, other] = scores[reason](a) <= scores[reason](b) ? [a, b] : [b, a]
  return { plan, other, reason }
}

/** The lower, the better. */
const scores: Readonly<Record<Exclude<AdviceReason, "alone">, (plan: NoisePlan) => number>> = {
  attacker: ({ loss }) => membershipAdvantage(loss),
  error: ({ error }) => error.standardDeviation,
  room: ({ least, most }) =>
    least === undefined || most === undefined ? 0 : numberNear(divide(least.epsilon, most.epsilon)),
}
