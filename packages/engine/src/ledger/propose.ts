// From a wish to the entry that fulfils it, or to a refusal that says why. Pure: the caller holds the lock.

import { showLoss, type Budget } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { compare } from "@dosimeter/core/exact"
import { errorOf, fail } from "../errors.ts"
import {
  isAccountName,
  isName,
  leftOf,
  samePromise,
  showAccount,
  showCharge,
  showLeft,
  takeUnits,
  type AccountName,
  type AccountState,
} from "./entries/account.ts"
import { releaseHash } from "./entries/chain.ts"
import {
  type AcknowledgementEntry,
  type Amounts,
  type AnchoredHead,
  type BudgetEntry,
  type ChargeEntry,
  type ContinuationEntry,
  type LossTerms,
  type SettlementEntry,
  type Stated,
  type TermsEntry,
} from "./entries/entry.ts"
import type { Decision, Held, Outcome, Question, ReleaseText, ReserveRequest, SeriesSteps } from "./ledger.ts"
import { addsTerms, keepsMeaning, termsChanges } from "./entries/loss-terms.ts"
import type { LedgerState } from "./ledger-state.ts"
import { checkDoor, holderOf } from "./propose-failure.ts"
import { knownLoss } from "./entries/stated-loss.ts"
import { chargedAs, showUp } from "./entries/units.ts"

/** Accounts that one charge may enter: a dataset, a study, an analyst, and room for what comes. */
const accountsMax = 16

/** A budget that somebody wants for an account. */
interface BudgetWish extends Decision {
  readonly account: AccountName
  readonly budget: Budget
  readonly terms?: LossTerms
  readonly at: string
}

/** What losses mean to whoever enters one: the terms with which its process has opened the dataset. */
interface Under {
  readonly terms: LossTerms | undefined
}

/**
 * The entry that opens an account, or undefined if it is open with this promise.
 *
 * Guarantee: the limits of an account that is open stay as they are recorded, whatever split of delta is
 *   wished.
 * Needs: whoever wants another promise changes the budget, as people have decided (proposeBudget).
 * Proof: with the same epsilon, delta and accounting no entry is made. The recorded limits keep the promise
 *   (budgetFor, when they were entered), and a split that was changed after an answer would not: takeCharge
 *   of core, and its page.
 * Numerics: fractions, compared exactly.
 * Source: this file.
 */
export function proposeAccount(state: LedgerState, wish: BudgetWish): BudgetEntry | undefined {
  const known = state.accounts.get(wish.account)
  if (known === undefined) return proposeBudget(state, wish)
  if (samePromise(known.budget, wish.budget)) return undefined
  return fail("ledger/budget-differs", {
    account: showAccount(wish.account),
    recorded: showBudget(known.budget),
    given: showBudget(wish.budget),
  })
}

/** The entry that gives an account a budget. */
export function proposeBudget(state: LedgerState, wish: BudgetWish): BudgetEntry {
  const { account, budget, terms, by, why, at } = wish
  if (!isAccountName(account)) fail("ledger/bad-name", { name: "an account", what: "is not named as one" })
  checkDecision(by, why)
  const dataset = state.accounts.get("dataset")
  if (dataset === undefined && account !== "dataset") {
    fail("ledger/unknown-account", { account: showAccount("dataset") })
  }
  if (dataset !== undefined && dataset.budget.accounting !== budget.accounting) {
    const expected = dataset.budget.accounting
    fail("ledger/accounting-differs", { account: showAccount(account), got: budget.accounting, expected })
  }
  return { kind: "budget", account, budget, ...(terms === undefined ? {} : { terms }), by, why, at }
}

/**
 * The entry that binds what losses mean, where the ledger began without or tables came along; undefined if
 * all is recorded. Terms that say otherwise are refused: losses of two kinds do not add up.
 */
export function proposeTerms(
  state: LedgerState,
  wish: Decision & { readonly terms: LossTerms; readonly at: string },
): TermsEntry | undefined {
  const { terms, by, why, at } = wish
  const recorded = state.terms
  checkTerms(state, terms)
  if (recorded !== undefined && !addsTerms(recorded, terms)) return undefined
  return { kind: "terms", terms, by, why, at }
}

/**
 * Refuses where losses mean something else by now.
 *
 * Guarantee: every charge and every step of a series is entered under the terms that its process has stated,
 *   and these are the recorded ones at that entry.
 * Needs: whoever charges has opened the dataset's account with the terms of its policy (openPolicyLedger).
 * Proof: it is asked in the transaction that enters the charge, on the fold up to it. So a process that was
 *   opened before a rebinding enters nothing after it: its losses are of the old meaning.
 * Numerics: none.
 * Source: this file.
 */
export function checkTerms(state: LedgerState, terms: LossTerms | undefined): void {
  const [change, ...others] = termsChanges(state.terms ?? {}, terms ?? {})
  if (change === undefined) return
  const { name, was, is } = change
  const names = [name, ...others.map((other) => other.name)].join(", ")
  fail("ledger/terms-differ", { names, name, recorded: was, given: is })
}

/** The entry by which people decide that losses mean something else from now on. */
export function proposeRebinding(
  state: LedgerState,
  wish: Decision & { readonly terms: LossTerms; readonly spent?: Amounts; readonly at: string },
): TermsEntry {
  const { terms, spent, by, why, at } = wish
  checkDecision(by, why)
  const recorded = state.terms ?? {}
  if (termsChanges(recorded, terms).length === 0) return fail("ledger/terms-same", {})
  checkStated(state, { by, spent })
  const counted: Stated | undefined = spent ?? (keepsMeaning(recorded, terms) ? undefined : "all")
  return { kind: "terms", terms, ...(counted === undefined ? {} : { spent: counted }), by, why, at }
}

/** The entry that charges, or a refusal that names the account with the least left. */
export function proposeCharge(
  state: LedgerState,
  request: ReserveRequest & Under & { readonly holder: string },
  at: string,
): ChargeEntry {
  const { charge, planHash, dataVersion, requestId, principal, study, steps, held, holder } = request
  const accounts = accountsOf(request.accounts)
  checkNames({ planHash, dataVersion, requestId, principal, ...(study === undefined ? {} : { study }) })
  checkTerms(state, request.terms)
  checkDoor(state, principal)
  const { accounting } = charge
  const charged = { accounting, amount: chargedAs(charge.amount), delta: chargedAs(charge.delta) }
  const short: { readonly name: AccountName; readonly account: AccountState }[] = []
  for (const name of accounts) {
    const account = state.accounts.get(name)
    if (account === undefined) return fail("ledger/unknown-account", { account: showAccount(name) })
    const expected = account.budget.accounting
    if (expected !== accounting) {
      fail("ledger/accounting-differs", { account: showAccount(name), got: accounting, expected })
    }
    if (takeUnits(account, charged) === undefined) short.push({ name, account })
  }
  const [least] = short.toSorted((a, b) => (leftOf(a.account).amount < leftOf(b.account).amount ? -1 : 1))
  if (least !== undefined) {
    const { name, account } = least
    const facts = { account: showAccount(name), asked: showCharge(charged), left: showLeft(account) }
    throw errorOf("budget/exhausted", facts)
  }
  const who = { planHash, dataVersion, requestId, principal, ...(study === undefined ? {} : { study }) }
  const more = { holder, ...(steps === undefined ? {} : { steps }), ...(held === undefined ? {} : { held }) }
  return { kind: "charge", at, accounts, ...charged, ...who, ...more }
}

/**
 * The entry that settles a charge; refused if the charge is not waiting, is held by somebody else, or is
 * another plan's.
 */
export function proposeSettlement(
  state: LedgerState,
  wish: Held & { readonly outcome: Outcome; readonly at: string },
): SettlementEntry {
  const { position, planHash, holder, outcome, at } = wish
  const waiting = state.waiting.get(position)
  if (waiting === undefined || holderOf(waiting) !== holder) {
    return fail("ledger/already-settled", { position: `${position}` })
  }
  assert(waiting.entry.planHash === planHash, "a reservation is settled for its own plan")
  const entry = { kind: "settlement", at, charge: position } as const
  if (outcome.outcome === "failed") return { ...entry, outcome: "failed", cause: outcome.cause }
  return { ...entry, outcome: "released", release: releaseHash(outcome.release) }
}

/**
 * The entry that continues a series; refused where another process has recorded these steps, or the end is
 * reached.
 */
export function proposeContinuation(
  state: LedgerState,
  wish: SeriesSteps & Under & { readonly release: ReleaseText; readonly at: string },
): ContinuationEntry {
  const { charge, after, through, release, at } = wish
  const series = state.series.get(charge)
  // Steps that do not begin after the last recorded one would be drawn twice, or left out.
  if (series === undefined || after !== series.through || through <= after || through > series.steps) {
    return fail("ledger/series-elsewhere", { position: `${charge}`, step: `${through}` })
  }
  checkTerms(state, wish.terms)
  checkMeaning(state, charge)
  checkDoor(state, series.entry.principal)
  return { kind: "continuation", at, charge, through, release: releaseHash(release) }
}

/** Refuses steps of a series that was charged before losses were given another meaning. */
export function checkMeaning(state: LedgerState, charge: bigint): void {
  const since = state.meaningSince
  if (charge >= since) return
  fail("ledger/series-of-other-terms", { position: `${charge}`, since: `${since}` })
}

/** The entry by which the owner goes on without lost entries, whether an anchor has seen them or not. */
export function proposeAcknowledgement(
  state: LedgerState,
  anchor: AnchoredHead | undefined,
  { by, why, at, spent }: Decision & { readonly at: string; readonly spent?: Amounts },
): AcknowledgementEntry {
  checkDecision(by, why)
  checkStated(state, { by, spent, known: anchor?.spent })
  const known = anchor === undefined ? {} : { anchor }
  return { kind: "acknowledgement", at, ...known, ...(spent === undefined ? {} : { spent }), by, why }
}

/** What was spent is stated by two people, and is never less than what is known. */
function checkStated(
  state: LedgerState,
  said: {
    readonly by: readonly string[]
    readonly spent: Amounts | undefined
    readonly known?: Amounts | undefined
  },
): void {
  const { by, spent, known } = said
  if (spent === undefined) return
  if (new Set(by).size < 2) fail("ledger/one-person", {})
  const { amount, delta } = knownLoss(state.head().spent, known)
  if (compare(spent.amount, amount) < 0 || compare(spent.delta, delta) < 0) {
    fail("ledger/less-than-known", { amount: showUp(amount), delta: showUp(delta) })
  }
}

/** Refuses a request id that was used for another question. */
export function checkSameQuestion(charge: ChargeEntry, question: Question): void {
  const same = charge.planHash === question.planHash && charge.dataVersion === question.dataVersion
  if (!same) fail("ledger/request-reused", { request: charge.requestId })
}

/** Refuses ids and names that are empty, long or not on one line. */
export function checkNames(names: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(names)) checkName(name, value)
}

/** Refuses a decision without names, or without a reason. */
export function checkDecision(by: readonly string[], why: string): void {
  by.forEach((person) => checkName("who decided", person))
  if (by.length === 0) fail("ledger/bad-name", { name: "who decided", what: "is not said" })
  checkName("the reason", why)
}

function checkName(name: string, value: string): void {
  if (!isName(value)) fail("ledger/bad-name", { name, what: "is empty, too long, or not on one line" })
}

function accountsOf(named: readonly AccountName[]): readonly AccountName[] {
  const accounts: readonly AccountName[] = [...new Set<AccountName>(["dataset", ...named])]
  if (accounts.length > accountsMax) {
    fail("ledger/bad-name", { name: "accounts", what: `has more than ${accountsMax} names` })
  }
  return accounts
}

function showBudget({ accounting, epsilon, delta, limit }: Budget): string {
  const promise = showLoss({ measure: "approx", epsilon, delta })
  return accounting === "pure" ? promise : `${promise} (${showLoss(limit)})`
}
