// How a question's loss is shared out: equal parts for everything that is measured, in the measure of the
// account, where parts add up.

import { assert } from "@dosimeter/core/errors"
import {
  add,
  compare,
  divide,
  exactly,
  multiply,
  rational,
  sqrtDown,
  sqrtUp,
  square,
  subtract,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import { chargeAmount, deltaLimit, type Accounting, type Budget } from "@dosimeter/core/accounting"
import { approxToMu, approxToRho, gdpToEpsilon, zcdpToEpsilon } from "@dosimeter/core/meaning"
import { lossOf, type Loss, type MechanismSpec } from "@dosimeter/core/mechanisms"
import type { Measurement, Reading } from "@dosimeter/proof/algebra/measurement"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import { fail } from "../errors.ts"
import { deltaOfQuestion } from "./delta-of-question.ts"

/** What one question may lose. */
export interface Allowance {
  readonly accounting: Accounting
  /** Epsilon, rho or mu squared. */
  readonly amount: Rational
  /** For key selection. */
  readonly deltaForKeys: Rational
  /** For turning rho or mu into epsilon; zero for pure accounting. */
  readonly deltaForSum: Rational
  /** For each Gaussian noise that is charged as (epsilon, delta) in a pure account; zero: none may be. */
  readonly deltaForNoise: Rational
}

/** An aggregate that waits for its part of the loss, if it pays for a measurement of its own. */
export interface Pending {
  /** What it pays for; undefined where it is read from something that is there already. */
  readonly aggregate?: (allowance: Allowance, part: Rational) => Measurement
  /** Of one that does not pay: the aggregate that does, if one does. */
  readonly paidBy?: number
  /** Its columns, given the place of the measurement that they are read from. */
  readonly readings: (measurement: number) => readonly Reading[]
}

const two = rational(2n)

/** What is asked for: (epsilon, delta), and how much of delta for keys where somebody says so. */
export interface AskedLoss {
  readonly epsilon: Rational
  readonly delta: Rational
  readonly selectsKeys: boolean
  readonly keysDelta?: Rational | undefined
}

/**
 * The allowance of a question of (epsilon, delta). Where keys are selected it takes a part of the account's
 * delta in proportion to its loss, at most half of its own; all other delta turns the sum into epsilon.
 * Refused where keys are selected and there is no delta for it.
 */
export function allowanceOf(budget: Budget, asked: AskedLoss): Allowance {
  const { epsilon, delta, selectsKeys, keysDelta } = asked
  const { accounting } = budget
  const wish = selectsKeys ? keysDelta : undefined
  if (selectsKeys && (deltaLimit(budget).numerator === 0n || delta.numerator === 0n)) {
    fail("privacy/no-delta-for-keys", { remedy: remedies[accounting] })
  }
  if (accounting === "pure") {
    const deltaForKeys = deltaOfQuestion(budget, { amount: epsilon, most: delta, wish })
    return { accounting, amount: epsilon, deltaForKeys, deltaForSum: zero, deltaForNoise: zero }
  }
  const most = divide(delta, two)
  const deltaForKeys = selectsKeys
    ? deltaOfQuestion(budget, { amount: amountFor(accounting, epsilon, most), most, wish })
    : zero
  const deltaForSum = subtract(delta, deltaForKeys)
  const amount = amountFor(accounting, epsilon, deltaForSum)
  return { accounting, amount, deltaForKeys, deltaForSum, deltaForNoise: zero }
}

const share = "budget: { keys_share: 0.2 }"
const remedies: Readonly<Record<Accounting, string>> = {
  pure: "a delta in budget and question",
  zcdp: share,
  gdp: share,
}

/** A share of an allowance: of what it may lose, and of its delta for keys. */
export interface AllowanceShare {
  readonly amount: Rational
  readonly delta: Rational
  /** Whether any of those that share it selects keys. */
  readonly selectsKeys: boolean
}

/** That share of it; all of it where no share is named. */
export function shareOf(allowance: Allowance, share: AllowanceShare | undefined): Allowance {
  if (share === undefined) return allowance
  const amount = multiply(allowance.amount, share.amount)
  return { ...allowance, amount, deltaForKeys: multiply(allowance.deltaForKeys, share.delta) }
}

// The same few (epsilon, delta) are asked again and again, and the search takes milliseconds.
const remembered = new Map<string, Rational>()

function amountFor(accounting: "zcdp" | "gdp", epsilon: Rational, delta: Rational): Rational {
  const key = [accounting, epsilon.numerator, epsilon.denominator, delta.numerator, delta.denominator].join(
    " ",
  )
  const before = remembered.get(key)
  if (before !== undefined) return before
  const amount = accounting === "zcdp" ? approxToRho(epsilon, delta) : square(approxToMu(epsilon, delta))
  if (remembered.size >= 100) remembered.clear()
  remembered.set(key, amount)
  return amount
}

/**
 * The pure epsilon of a draw by the exponential mechanism (a choice, a quantile) that costs at most
 * `amount`. Such a draw of epsilon is epsilon^2 / 8-zCDP; its mu is below epsilon * 0.6267 (the slope at 0,
 * and it bends down).
 */
export function epsilonOfDraws({ accounting }: Allowance, amount: Rational, draws: bigint): Rational {
  const each = divide(amount, rational(draws))
  switch (accounting) {
    case "pure":
      return amount
    case "zcdp":
      return multiply(sqrtDown(multiply(rational(8n), each)), rational(draws))
    case "gdp":
      return multiply(divide(sqrtDown(each), exactly("0.6267", "slope")), rational(draws))
    default:
      return accounting satisfies never
  }
}

/** The sum of the losses of all specs; asserts that it is within the allowance. */
export function chargeOf(specs: readonly MechanismSpec[], allowance: Allowance): Charge {
  const { accounting } = allowance
  const parts = specs.map((spec) => chargeAmount(lossOf(spec), accounting))
  const amount = parts.map((part) => part.amount).reduce(add, zero)
  const delta = parts.map((part) => part.delta).reduce(add, zero)
  assert(compare(amount, allowance.amount) <= 0, "a plan costs no more than was asked")
  assert(compare(delta, allowance.deltaForKeys) <= 0, "selection of keys, and noise, keep their delta")
  return { accounting, amount, delta, shown: shownLoss(allowance, amount, delta) }
}

function shownLoss({ accounting, deltaForSum }: Allowance, amount: Rational, delta: Rational): Loss {
  if (amount.numerator === 0n) return { measure: "pure", epsilon: zero }
  if (accounting === "pure") {
    return delta.numerator === 0n
      ? { measure: "pure", epsilon: amount }
      : { measure: "approx", epsilon: amount, delta }
  }
  const epsilon =
    accounting === "zcdp" ? zcdpToEpsilon(amount, deltaForSum) : gdpToEpsilon(sqrtUp(amount), deltaForSum)
  return { measure: "approx", epsilon, delta: add(delta, deltaForSum) }
}
