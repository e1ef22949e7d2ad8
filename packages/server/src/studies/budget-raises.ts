// More budget needs two people: somebody asks, with reasons, and two of owner and committee agree, at least
// one of the committee and none of the study that it is for. Then the ledger has both names in its entry.

import type { Budget } from "@dosimeter/core"
import { raisedBudget, shareForCharges } from "@dosimeter/core/accounting"
import { compare, exactly, showParameter, type Rational } from "@dosimeter/core/exact"
import type { AccountName, Ledger } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { fail } from "../errors.ts"
import { textOf, type StateAccess, type StateStore } from "../state/state-store.ts"
import { AgreedRequests, type RequestFacts, type RequestKind } from "./agreed-requests.ts"

/** The account, and what it shall have. */
export interface StatedRaise {
  /** "dataset", "study:heart" or "analyst:ada". */
  readonly account: AccountName
  /** What it shall have in all, as decimal texts. */
  readonly epsilon: string
  readonly delta: string
}

/** What is asked for. */
export interface RaiseProposal extends StatedRaise {
  readonly reasons: string
}

/** A request with what became of it. */
export type BudgetRequest = StatedRaise & RequestFacts

/** The requests for more budget. */
export type BudgetRaises = AgreedRequests<RaiseProposal, StatedRaise>

/** What a raise is checked against and entered into. */
export interface RaisedBudgets {
  readonly ledger: Pick<Ledger, "accounts" | "changeBudget">
  /** What the owner has written: it must agree where it names an account. */
  readonly policy: Policy
}

/** The requests for more budget that are kept in a store. */
export function budgetRaises(budgets: RaisedBudgets & { readonly store: StateStore }): BudgetRaises {
  return new AgreedRequests(budgets.store, raiseKind(budgets))
}

function raiseKind(budgets: RaisedBudgets): RequestKind<RaiseProposal, StatedRaise> {
  return {
    tables: { requests: "budget_requests", agreements: "budget_agreements" },
    names: { requested: "budget-requested", decided: "budget-decided", one: "budget request" },
    stated: async ({ account, epsilon, delta }) => {
      const stated = { account, epsilon, delta }
      await checkRaise(stated, budgets)
      return stated
    },
    columns: ({ account, epsilon, delta }) => ({ account, epsilon, delta }),
    read: (row) => ({
      account: accountOf(textOf(row, "account")),
      epsilon: textOf(row, "epsilon"),
      delta: textOf(row, "delta"),
    }),
    about: ({ account }) => `budget ${account}`,
    facts: ({ epsilon, delta }) => ({ epsilon, delta }),
    members: (access, { account }) => membersOf(access, account),
    refusals: {
      unknown: (id) => fail("raise/unknown", { id }),
      notAllowed: (name, { account }) => fail("raise/not-allowed", { name, account }),
      agreedAlready: (name) => fail("raise/agreed-already", { name }),
    },
    carryOut: (access, request, by) => raise(access, request, by, budgets),
  }
}

/** Checked again: the account may have been given more, and the policy changed, since it was asked for. */
async function raise(
  access: StateAccess,
  request: BudgetRequest,
  by: readonly string[],
  budgets: RaisedBudgets,
): Promise<void> {
  const { account, epsilon, delta, reasons } = request
  const budget = await checkRaise(request, budgets)
  await budgets.ledger.changeBudget(account, budget, { by, why: reasons })
  if (account.startsWith("study:")) {
    const study = account.slice("study:".length)
    await access.run("UPDATE studies SET epsilon = ?, delta = ? WHERE id = ?", [epsilon, delta, study])
  }
}

/** The new budget; refused if it is no raise, or if the policy says another amount. */
async function checkRaise(stated: StatedRaise, { ledger, policy }: RaisedBudgets): Promise<Budget> {
  const { account } = stated
  const wanted = promiseOf(stated)
  const known = (await ledger.accounts()).find(({ name }) => name === account)
  if (known === undefined) return fail("raise/no-raise", { account, what: "there is no such account" })
  const [more, moreDelta] = [
    compare(wanted.epsilon, known.budget.epsilon),
    compare(wanted.delta, known.budget.delta),
  ]
  if (more < 0 || moreDelta < 0) return fail("raise/no-raise", { account, what: "it has more already" })
  if (more === 0 && moreDelta === 0) return fail("raise/no-raise", { account, what: "it has that already" })
  const own = policyBudget(policy, account)
  const isSame =
    own === undefined ||
    (compare(own.epsilon, wanted.epsilon) === 0 && compare(own.delta, wanted.delta) === 0)
  if (own !== undefined && !isSame) {
    const facts = { account, epsilon: showParameter(own.epsilon), delta: showParameter(own.delta) }
    return fail("raise/other-policy", facts)
  }
  const deltaForCharges = shareForCharges(own ?? policy.terms.budget)
  return raisedBudget(known.budget, { ...wanted, deltaForCharges })
}

function promiseOf({ account, epsilon, delta }: StatedRaise): {
  readonly epsilon: Rational
  readonly delta: Rational
} {
  const number = /^\d{1,10}(\.\d{1,60})?(e-\d{1,2})?$/
  if (!number.test(epsilon) || !number.test(delta)) {
    return fail("raise/no-raise", { account, what: "epsilon and delta are not numbers" })
  }
  return { epsilon: exactly(epsilon, "epsilon"), delta: exactly(delta, "delta") }
}

/** What the owner has written for an account; undefined where the house decides. */
function policyBudget({ terms, limits }: Policy, account: AccountName): Budget | undefined {
  if (account === "dataset") return terms.budget
  const [kind, name] = [account.slice(0, account.indexOf(":")), account.slice(account.indexOf(":") + 1)]
  const named = kind === "study" ? limits.studies : limits.analysts
  return named.find((one) => one.name === name)?.budget
}

async function membersOf(access: StateAccess, account: AccountName): Promise<readonly string[]> {
  if (account.startsWith("analyst:")) return [account.slice("analyst:".length)]
  if (!account.startsWith("study:")) return []
  const study = account.slice("study:".length)
  const rows = await access.all("SELECT name FROM study_people WHERE study = ?", [study])
  return rows.map((row) => textOf(row, "name"))
}

/** An account of the ledger by its name. */
export function accountOf(text: string): AccountName {
  if (text.startsWith("study:")) return `study:${text.slice("study:".length)}`
  if (text.startsWith("analyst:")) return `analyst:${text.slice("analyst:".length)}`
  return text === "dataset"
    ? text
    : fail("raise/no-raise", { account: text.slice(0, 80), what: "there is no such account" })
}
