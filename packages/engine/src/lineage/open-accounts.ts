// The accounts of a policy, opened with what their losses mean; and how people get over a ledger that is
// refused, while the dataset stays open.

import { DosimeterError, type Budget } from "@dosimeter/core"
import { multiply, type Rational } from "@dosimeter/core/exact"
import type { Policy } from "@dosimeter/policy/file/policy"
import { allowedBy, samePromise } from "../ledger/entries/account.ts"
import { chargedAs } from "../ledger/entries/units.ts"
import type { Ledger, StatedDecision } from "../ledger/ledger.ts"
import { anchorSight, openLedger, rememberLedger, type AnchorSight, type LedgerPlace } from "./open-ledger.ts"
import { termsOfLosses } from "./terms-of-losses.ts"

const byPolicy = { by: ["the owner"], why: "stated in the policy" } as const

/** What people decide about a ledger that is refused. */
export type LedgerDecision = "acknowledge" | "rebind"

/** The ledger of a policy with its accounts open. */
export interface PolicyLedger {
  readonly ledger: Ledger
  /** The policy, with the split of delta that the dataset's account was opened with. */
  readonly policy: Policy
  /** Where the ledger's anchor lies. */
  readonly anchor: AnchorSight
  /** Gets over a ledger that is refused, as people have decided. */
  decide(decision: StatedDecision & { readonly what: LedgerDecision }): Promise<void>
}

/** Opens the ledger of a policy and its accounts. What is refused stays open where `held` says so. */
export async function openPolicyLedger(policy: Policy, place: LedgerPlace): Promise<PolicyLedger> {
  const ledger = await openLedger(policy, place)
  try {
    await (place.held === true ? openOrHold : openAccounts)(ledger, policy)
  } catch (error) {
    await ledger.close()
    throw error
  }
  return {
    ledger,
    policy: await asRecorded(policy, ledger),
    anchor: anchorSight(policy, place),
    decide: async (decision) => {
      await decideLedger(ledger, policy, decision)
      rememberLedger(ledger, policy, place)
    },
  }
}

/** Opens the accounts of a policy; another budget or other terms are refused. */
export async function openAccounts(ledger: Ledger, policy: Policy): Promise<void> {
  const { terms, limits } = policy
  await ledger.openAccount("dataset", terms.budget, { ...byPolicy, terms: termsOfLosses(policy) })
  for (const { name, budget } of limits.studies) await ledger.openAccount(`study:${name}`, budget)
  for (const { name, budget } of limits.analysts) await ledger.openAccount(`analyst:${name}`, budget)
}

/**
 * The policy with the dataset's budget as it is recorded, where that is the same promise. An owner who keeps
 * no delta for key selection refuses such questions, whatever was kept before.
 */
async function asRecorded(policy: Policy, ledger: Ledger): Promise<Policy> {
  const { terms } = policy
  const account = (await ledger.accounts()).find(({ name }) => name === "dataset")
  const refusesKeys = allowedBy(terms.budget).delta.numerator === 0n
  if (account === undefined || refusesKeys || !samePromise(account.budget, terms.budget)) return policy
  return { ...policy, terms: { ...terms, budget: account.budget } }
}

/** The same, for a server: what is refused closes the ledger to charges and leaves the dataset open. */
async function openOrHold(ledger: Ledger, policy: Policy): Promise<void> {
  ledger.hold(undefined)
  try {
    await openAccounts(ledger, policy)
  } catch (error) {
    if (!(error instanceof DosimeterError) || decisionFor(error) === undefined) throw error
    ledger.hold(error)
  }
}

/** A share of a budget as what was spent; all of it is 1. */
export function shareOfBudget(budget: Budget, share: Rational): NonNullable<StatedDecision["spent"]> {
  const { amount, delta } = allowedBy(budget)
  return { amount: chargedAs(multiply(amount, share)), delta: chargedAs(multiply(delta, share)) }
}

/** Which decision gets over a refusal; undefined if none does. */
export function decisionFor(error: DosimeterError): LedgerDecision | undefined {
  switch (error.code) {
    case "ledger/terms-differ":
      return "rebind"
    case "ledger/lost":
    case "ledger/rolled-back":
    case "ledger/anchor-missing":
    case "ledger/not-joined":
      return "acknowledge"
    default:
      return undefined
  }
}

/** Enters a decision, and opens the accounts that wait for it. */
async function decideLedger(
  ledger: Ledger,
  policy: Policy,
  wish: StatedDecision & { readonly what: LedgerDecision },
): Promise<void> {
  const { what, ...decision } = wish
  if (what === "acknowledge") await ledger.acknowledge(decision)
  else await ledger.rebind(termsOfLosses(policy), decision)
  await openOrHold(ledger, policy)
}
