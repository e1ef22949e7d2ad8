// An account is where losses add up: that of the dataset, which every charge enters, and those of studies and
// analysts inside it. The decision whether a charge fits is made here and nowhere else.

import {
  showLoss,
  type Accounting,
  type Budget,
  type FilterState,
  type Loss,
  type Rational,
} from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { compare } from "@dosimeter/core/exact"
import { ofUnits, showDown, unitsDown, unitsUp } from "./units.ts"

/** The dataset's own account, or one inside it. */
export type AccountName = "dataset" | `study:${string}` | `analyst:${string}`

/** A loss as it is charged: epsilon, rho or mu squared, and delta. */
export interface LedgerCharge {
  readonly accounting: Accounting
  readonly amount: Rational
  readonly delta: Rational
}

/** A pair of amounts in whole units (units.ts). */
export interface Units {
  readonly amount: bigint
  readonly delta: bigint
}

/** An account as the ledger keeps it. */
export interface AccountState {
  readonly budget: Budget
  readonly limit: Units
  readonly spent: Units
}

/** An account as it is shown: `odometerOf` and `chargesLeft` of core read it. */
export interface Account extends FilterState {
  readonly name: AccountName
  /** The largest charge that still fits. */
  readonly left: { readonly amount: Rational; readonly delta: Rational }
}

/** An account with nothing spent. */
export function newAccount(budget: Budget): AccountState {
  return { budget, limit: limitOf(budget), spent: { amount: 0n, delta: 0n } }
}

/** The account under another budget; what is spent stays spent. */
export function withBudget(state: AccountState, budget: Budget): AccountState {
  return { budget, limit: limitOf(budget), spent: state.spent }
}

/**
 * The account after one more charge, or undefined if the charge does not fit.
 *
 * Guarantee: whenever this returns a state, core's takeCharge on the exact amounts would too; so all releases
 *   that were charged keep the budget's (epsilon, delta), however they were chosen.
 * Needs: one accounting for budget and charge (here); the charge is the loss of its release, entered before
 *   the data is read (ChainLedger.reserve).
 * Proof: each charge counts for at least itself (unitsUp), so the sum of units is at least the exact sum.
 *   With s a whole number of units and L the limit in units, s <= floor(L) if and only if s <= L: rounding
 *   the limit down changes no decision. Where all charges are on the grid both filters decide alike.
 * Numerics: integers of any length; nothing overflows. A charge off the grid counts for less than 2^-450
 *   more.
 * Source: core's takeCharge, with its sources.
 */
export function takeUnits(state: AccountState, charge: LedgerCharge): AccountState | undefined {
  assert(charge.accounting === state.budget.accounting, "a charge is in the measure of its account")
  const added = unitsOf(charge)
  const spent = { amount: state.spent.amount + added.amount, delta: state.spent.delta + added.delta }
  const fits = spent.amount <= state.limit.amount && spent.delta <= state.limit.delta
  return fits ? { budget: state.budget, limit: state.limit, spent } : undefined
}

/** A charge in units, rounded up. Zero and negative amounts are no charges: they could be refunds. */
export function unitsOf(charge: LedgerCharge): Units {
  const units = { amount: unitsUp(charge.amount), delta: unitsUp(charge.delta) }
  assert(units.amount >= 0n && units.delta >= 0n, "a charge is no refund")
  assert(units.amount > 0n || units.delta > 0n, "a charge is more than nothing")
  return units
}

/** The account with at least so much spent, and nothing left of its own budget. */
export function exhausted(state: AccountState, atLeast: Units): AccountState {
  const spent = {
    amount: largest(state.limit.amount, state.spent.amount, atLeast.amount),
    delta: largest(state.limit.delta, state.spent.delta, atLeast.delta),
  }
  return { ...state, spent }
}

/** The account with so much more spent, whether or not its budget has room for it. */
export function withMoreSpent(state: AccountState, more: Units): AccountState {
  const spent = { amount: state.spent.amount + more.amount, delta: state.spent.delta + more.delta }
  return { ...state, spent }
}

/** An account for people and for core. */
export function viewAccount(name: AccountName, state: AccountState): Account {
  const left = leftOf(state)
  return {
    name,
    budget: state.budget,
    spent: ofUnits(state.spent.amount),
    deltaSpent: ofUnits(state.spent.delta),
    left: { amount: ofUnits(left.amount), delta: ofUnits(left.delta) },
  }
}

/** What an account can still take, in units. */
export function leftOf({ limit, spent }: AccountState): Units {
  const left = (of: bigint, used: bigint): bigint => (of > used ? of - used : 0n)
  return { amount: left(limit.amount, spent.amount), delta: left(limit.delta, spent.delta) }
}

/** What an account can still take, in words; never more than there is. */
export function showLeft(state: AccountState): string {
  const left = leftOf(state)
  const amount = `${amountNames[state.budget.accounting]} ${showDown(ofUnits(left.amount))}`
  return state.limit.delta === 0n ? amount : `${amount}, delta ${showDown(ofUnits(left.delta))}`
}

/** A charge in words; never less than it is. */
export function showCharge({ accounting, amount, delta }: LedgerCharge): string {
  const loss: Loss =
    accounting === "pure"
      ? { measure: "approx", epsilon: amount, delta }
      : accounting === "zcdp"
        ? { measure: "zcdp", rho: amount, delta }
        : { measure: "gdp", muSquared: amount, delta }
  return showLoss(loss)
}

/** An account's name in a sentence. */
export function showAccount(name: AccountName): string {
  if (name === "dataset") return "the dataset"
  return name.startsWith("study:") ? `the study ${name.slice(6)}` : `the analyst ${name.slice(8)}`
}

/** Whether a text names an account. */
export function isAccountName(text: string): text is AccountName {
  return text === "dataset" || (/^(study|analyst):./u.test(text) && isName(text))
}

/** Whether a text may be an id or a name: one line of 1 to 200 characters. */
export function isName(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u.test(text)
}

const amountNames = { pure: "epsilon", zcdp: "rho", gdp: "mu squared" } as const

/** Whether two budgets promise the same, however each splits its delta. */
export function samePromise(a: Budget, b: Budget): boolean {
  const isSame = compare(a.epsilon, b.epsilon) === 0 && compare(a.delta, b.delta) === 0
  return isSame && a.accounting === b.accounting
}

/** What a budget allows to be charged in all. */
export function allowedBy(budget: Budget): { readonly amount: Rational; readonly delta: Rational } {
  const { limit } = budget
  const amount =
    limit.measure === "pure" ? limit.epsilon : limit.measure === "zcdp" ? limit.rho : limit.muSquared
  return { amount, delta: limit.measure === "pure" ? budget.delta : limit.delta }
}

function limitOf(budget: Budget): Units {
  const { amount, delta } = allowedBy(budget)
  return { amount: unitsDown(amount), delta: unitsDown(delta) }
}

function largest(...values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most))
}
