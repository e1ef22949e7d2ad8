// May one more charge be taken? A filter is valid when every question may depend on every earlier answer: it
// stops before a plain sum passes the budget. Rényi curves with an order chosen afterwards and privacy-loss
// distributions are not valid here, and are not used here.

import { unreachable } from "../errors/assert.ts"
import { fail } from "../errors/errors.ts"
import { betweenZeroAndOne, deltaOf, positive, type Numeric } from "../exact/decimal.ts"
import { roundDown } from "../exact/dyadic.ts"
import {
  add,
  compare,
  divide,
  isPositive,
  multiply,
  one,
  rational,
  showRational,
  square,
  subtract,
  zero,
  type Rational,
} from "../exact/rational.ts"
import type { GdpLoss, Loss, Losses, PureLoss, ZcdpLoss } from "../privacy/loss.ts"
import { approxToMu, gdpToEpsilon } from "./conversions/gaussian-delta.ts"
import { zcdpToEpsilon } from "./conversions/zcdp-to-approx.ts"
import { lnUp, sqrtUp } from "../exact/log.ts"

/** How losses are added up in an account. */
export type Accounting = "pure" | "zcdp" | "gdp"

/** The most that an account may lose, in its own measure, and the promise that this keeps. */
export interface Budget {
  readonly accounting: Accounting
  readonly limit: PureLoss | ZcdpLoss | GdpLoss
  /** The owner's promise: all answers together are (epsilon, delta)-private. */
  readonly epsilon: Rational
  readonly delta: Rational
}

/** An account: what has been lost so far, in the measure of its budget. */
export interface FilterState {
  readonly budget: Budget
  readonly spent: Rational
  readonly deltaSpent: Rational
}

/**
 * The share of delta that is kept for the deltas of charges, unless somebody says another. A fifth costs 2 %
 * of the questions (a half 6 %) and leaves thresholds within 1 % of the lowest (filter.proof.md).
 */
export const usualShareForCharges = "0.2"

/**
 * The budget that keeps the promise (epsilon, delta) for everything that is ever asked.
 *
 * pure: the sum of epsilons; delta is for charges that have one. zcdp and gdp: the share `deltaForCharges` of
 * delta is for the deltas of charges (key selection), the rest turns the sum into epsilon. With a share of 0
 * no charge that has a delta fits.
 */
export function budgetFor(options: {
  readonly epsilon: Numeric
  readonly delta: Numeric
  readonly accounting: Accounting
  readonly deltaForCharges?: Numeric
}): Budget {
  const epsilon = positive(options.epsilon, "epsilon")
  const { accounting } = options
  if (accounting === "pure") {
    const delta =
      options.delta === 0 || options.delta === "0" ? zero : betweenZeroAndOne(options.delta, "delta")
    return { accounting, epsilon, delta, limit: { measure: "pure", epsilon } }
  }
  const delta = betweenZeroAndOne(options.delta, "delta")
  const share = deltaOf(options.deltaForCharges ?? usualShareForCharges, "the share of delta for charges")
  const forCharges = multiply(delta, share)
  const forSum = subtract(delta, forCharges)
  const limit: ZcdpLoss | GdpLoss =
    accounting === "zcdp"
      ? { measure: "zcdp", rho: approxToRho(epsilon, forSum), delta: forCharges }
      : { measure: "gdp", muSquared: square(approxToMu(epsilon, forSum)), delta: forCharges }
  return { accounting, epsilon, delta, limit }
}

/** The share of its delta that a budget keeps for the deltas of charges: all of it where epsilons add up. */
export function shareForCharges(budget: Budget): Rational {
  return budget.limit.measure === "pure" ? one : divide(budget.limit.delta, budget.delta)
}

/**
 * The budget of a larger promise for an account that is open: its split as wished, where that lowers neither
 * of the two limits; otherwise delta for charges stays as it was.
 *
 * Guarantee: whoever decides on the raise, after whatever answers, all releases together keep the new
 *   promise.
 * Needs: what was charged before is within `before`, and all that follows within what is returned.
 * Proof: both limits are at or above those of `before`: so every run, raised or not, is within the new ones,
 *   and takeCharge's proof holds for these. Old limits keep the new promise where they stay, since a loss of
 *   (epsilon, s) is one of any larger epsilon and s.
 * Numerics: exact fractions; limits are rounded down by budgetFor, and then never below the old ones.
 * Source: filter.proof.md.
 */
export function raisedBudget(
  before: Budget,
  raised: { readonly epsilon: Rational; readonly delta: Rational; readonly deltaForCharges: Rational },
): Budget {
  const { accounting } = before
  const { epsilon, delta } = raised
  if (compare(epsilon, before.epsilon) < 0 || compare(delta, before.delta) < 0) {
    fail("parameter/out-of-range", { name: "a raised budget", got: "less", range: "what it was, or more" })
  }
  if (accounting === "pure") {
    return budgetFor({ epsilon, delta: delta.numerator === 0n ? 0 : delta, accounting })
  }
  const kept = divide(deltaLimit(before), delta)
  const isAbove = (budget: Budget): boolean => compare(amountLimit(budget), amountLimit(before)) >= 0
  if (compare(raised.deltaForCharges, kept) > 0) {
    const wished = budgetFor({ epsilon, delta, accounting, deltaForCharges: raised.deltaForCharges })
    if (isAbove(wished)) return wished
  }
  const same = budgetFor({ epsilon, delta, accounting, deltaForCharges: kept })
  return isAbove(same) ? same : { ...same, limit: before.limit }
}

/** An account with nothing spent. */
export function openFilter(budget: Budget): FilterState {
  return { budget, spent: zero, deltaSpent: zero }
}

/**
 * The account after one more charge, or undefined if the charge does not fit.
 *
 * Guarantee: however charges are chosen, all releases taken together keep the budget's (epsilon, delta).
 * Needs: each charge's loss holds for its release, and is fixed before its data is read (the ledger).
 * Proof: filter.proof.md: the two limits are fixed beforehand, and their parts of delta add up to it. (A
 *   split that moves with the answers would pass delta: the page has the numbers.)
 * Numerics: exact fractions, compared exactly; limits are rounded down.
 * Source: Rogers and others 2016 (pure); Feldman and Zrnic 2021; Whitehouse and others 2023, theorem 1
 *   (zCDP); Smith and Thakurta 2022, theorem 2.3 (GDP).
 */
export function takeCharge(state: FilterState, charge: Losses): FilterState | undefined {
  const { amount, delta } = chargeAmount(charge, state.budget.accounting)
  const spent = add(state.spent, amount)
  const deltaSpent = add(state.deltaSpent, delta)
  const { budget } = state
  const fits = compare(spent, amountLimit(budget)) <= 0 && compare(deltaSpent, deltaLimit(budget)) <= 0
  return fits ? { budget, spent, deltaSpent } : undefined
}

/** How many more charges of this kind fit, one after the other. */
export function chargesLeft(state: FilterState, charge: Losses): bigint {
  const { amount, delta } = chargeAmount(charge, state.budget.accounting)
  const left = [
    { of: subtract(amountLimit(state.budget), state.spent), each: amount },
    { of: subtract(deltaLimit(state.budget), state.deltaSpent), each: delta },
  ]
  // chargeAmount sees to it that at least one of the two is positive.
  return left
    .filter(({ each }) => isPositive(each))
    .map(({ of, each }) => divide(of, each))
    .map(({ numerator, denominator }) => numerator / denominator)
    .reduce((least, count) => (count < least ? count : least))
}

/**
 * What has been lost so far, as (epsilon, delta) at the budget's delta: an odometer.
 *
 * Guarantee: as takeCharge: all releases so far are private with the epsilon returned and the budget's delta.
 * Needs: the state was made by takeCharge.
 * Proof: as takeCharge, with the sum in place of the limit. (As a statement read at a time chosen by the
 *   answers, it is the limit that holds at all times, not this number at its own time; show both.)
 * Numerics: rounded up.
 * Source: as takeCharge.
 */
export function odometerOf(state: FilterState): { readonly epsilon: Rational; readonly delta: Rational } {
  const { budget, spent } = state
  if (spent.numerator === 0n) return { epsilon: zero, delta: state.deltaSpent }
  switch (budget.accounting) {
    case "pure":
      return { epsilon: spent, delta: state.deltaSpent }
    case "zcdp":
      return {
        epsilon: zcdpToEpsilon(spent, subtract(budget.delta, deltaLimit(budget))),
        delta: budget.delta,
      }
    case "gdp":
      return {
        epsilon: gdpToEpsilon(sqrtUp(spent), subtract(budget.delta, deltaLimit(budget))),
        delta: budget.delta,
      }
    default:
      return unreachable(budget.accounting)
  }
}

/**
 * The largest rho whose conversion keeps (epsilon, delta), rounded down.
 *
 * Guarantee: a rho-zCDP mechanism with the rho returned is (epsilon, delta)-private.
 * Needs: epsilon > 0, 0 < delta < 1 (the callers).
 * Proof: zcdpToEpsilon grows with rho; the value returned was itself seen to keep epsilon. Or it is the one
 *   that the search starts from, e^2 / 4 (L + e) with L = ln(1/delta): rho + 2 sqrt(rho L) <= e is the
 *   classic conversion, and (sqrt(L + e) - sqrt L)^2 = e^2 / (sqrt(L + e) + sqrt L)^2 meets it.
 * Numerics: bisection in fractions to a 2^-40 part, the lower end; L is rounded up.
 * Source: as zcdpToEpsilon; Bun and Steinke 2016, proposition 1.3, for the start.
 */
export function approxToRho(epsilon: Rational, delta: Rational): Rational {
  const key = `${showRational(epsilon)} ${showRational(delta)}`
  const known = knownRhos.get(key)
  if (known !== undefined) return known
  const found = searchRho(epsilon, delta)
  // Many more promises than a house makes would only fill the memory.
  if (knownRhos.size >= 256) knownRhos.clear()
  knownRhos.set(key, found)
  return found
}

/** What was found so far: the policies and questions of a house make the same few promises all the time. */
const knownRhos = new Map<string, Rational>()

function searchRho(epsilon: Rational, delta: Rational): Rational {
  const keeps = (rho: Rational): boolean => compare(zcdpToEpsilon(rho, delta), epsilon) <= 0
  const log = lnUp(divide(rational(1n), delta))
  let low = roundDown(divide(square(epsilon), multiply(rational(4n), add(log, epsilon))), 24)
  // For a tiny epsilon zcdpToEpsilon would need larger orders than it looks at.
  if (!keeps(low)) return low
  let high = multiply(low, rational(2n))
  while (keeps(high)) {
    low = high
    high = multiply(low, rational(2n))
  }
  for (let step = 0; step < 40; step += 1) {
    const middle = divide(add(low, high), rational(2n))
    if (keeps(middle)) low = middle
    else high = middle
  }
  return low
}

/**
 * A charge's amount in an accounting, and its delta; refused if the mechanism has no loss in it, and if it is
 * nothing or less: a negative charge would be a refund.
 */
export function chargeAmount(
  charge: Losses,
  accounting: Accounting,
): { readonly amount: Rational; readonly delta: Rational } {
  const { amount, delta } = statedAmount(charge, accounting)
  if (amount.numerator < 0n || delta.numerator < 0n) {
    fail("parameter/negative", { name: "a charge", got: "below 0" })
  }
  if (!isPositive(amount) && !isPositive(delta))
    fail("parameter/not-positive", { name: "a charge", got: "0" })
  return { amount, delta }
}

function statedAmount(charge: Losses, accounting: Accounting): { amount: Rational; delta: Rational } {
  const loss: Loss | undefined = accounting === "pure" ? (charge.pure ?? charge.approx) : charge[accounting]
  if (loss === undefined) return fail("privacy/no-such-loss", { mechanism: "charged", measure: accounting })
  switch (loss.measure) {
    case "pure":
      return { amount: loss.epsilon, delta: zero }
    case "approx":
      return { amount: loss.epsilon, delta: loss.delta }
    case "zcdp":
      return { amount: loss.rho, delta: loss.delta }
    case "gdp":
      return { amount: loss.muSquared, delta: loss.delta }
    default:
      return unreachable(loss)
  }
}

/** The most that may be lost, in the measure that is added up. */
export function amountLimit(budget: Budget): Rational {
  const { limit } = budget
  return limit.measure === "pure" ? limit.epsilon : limit.measure === "zcdp" ? limit.rho : limit.muSquared
}

/** The most that the deltas of charges may come to. */
export function deltaLimit(budget: Budget): Rational {
  return budget.limit.measure === "pure" ? budget.delta : budget.limit.delta
}
