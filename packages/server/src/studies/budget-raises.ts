// More budget needs two people: somebody asks, with reasons, and two of owner and committee agree, at least
// one of the committee and none of the study that it is for. Then the ledger has both names in its entry.

import type { Budget } from "@dosimeter/core"
import { raisedBudget, shareForCharges } from "@dosimeter/core/accounting"
import { compare, exactly, showParameter, type Rational } from "@dosimeter/core/exact"
import type { AccountName, Ledger } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { checkSeparate, decide, type Part } from "../people/separate-people.ts"
import { numberOf, oneRow, textOf, type StateAccess, type StateStore } from "../state/state-store.ts"
import {
  agreementsOn,
  checkReasons,
  mayDecide,
  outcomeOf,
  stateOf,
  writeAgreement,
  type Agreement,
  type RequestState,
} from "./agreements.ts"
import type { Actor } from "./study-state.ts"

/** What is asked for. */
export interface RaiseProposal {
  /** "dataset", "study:heart" or "analyst:ada". */
  readonly account: AccountName
  /** What it shall have in all, as decimal texts. */
  readonly epsilon: string
  readonly delta: string
  readonly reasons: string
}

/** A request with what became of it. */
export interface BudgetRequest extends RaiseProposal {
  readonly id: number
  readonly requestedBy: string
  readonly requestedAt: string
  readonly state: RequestState
  readonly agreements: readonly Agreement[]
}

/** The requests for more budget. */
export class BudgetRaises {
  readonly #store: StateStore
  readonly #ledger: Pick<Ledger, "accounts" | "changeBudget">
  readonly #policy: Policy
  readonly #now: () => Date

  constructor(options: {
    readonly store: StateStore
    readonly ledger: Pick<Ledger, "accounts" | "changeBudget">
    /** What the owner has written: it must agree where it names an account. */
    readonly policy: Policy
    readonly now?: () => Date
  }) {
    this.#store = options.store
    this.#ledger = options.ledger
    this.#policy = options.policy
    this.#now = options.now ?? (() => new Date())
  }

  /** Hands in a request. Who may decide about it has agreed with that. */
  async request(proposal: RaiseProposal, actor: Actor): Promise<BudgetRequest> {
    const { account, epsilon, delta, reasons } = proposal
    checkReasons(reasons)
    await this.#checkRaise(proposal)
    return decide(this.#store, { name: actor.name, about: `budget ${account}` }, async (access) => {
      const at = this.#now().toISOString()
      const members = await membersOf(access, account)
      const decides = mayDecide(actor, members)
      if (!decides && !members.includes(actor.name)) fail("raise/not-allowed", { name: actor.name, account })
      const last = await oneRow(access, "SELECT MAX(id) AS id FROM budget_requests", [])
      const id = Number(last?.["id"] ?? 0) + 1
      await access.run(
        `INSERT INTO budget_requests (id, account, epsilon, delta, reasons, requested_by, requested_at, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'open')`,
        [id, account, epsilon, delta, reasons, actor.name, at],
      )
      await record(access, deed(actor, "budget-requested", { id, account }, { epsilon, delta, reasons }), at)
      if (decides) {
        await checkSeparate(access, { name: actor.name, at }, partsOf(members, at))
        await writeAgreement(access, "budget_agreements", id, { ...actor, decision: "agree", reasons, at })
      }
      return requireRequest(access, id)
    })
  }

  /** One refusal refuses; the second who agrees grants it. */
  async decide(
    id: number,
    { decision, reasons }: Pick<Agreement, "decision" | "reasons">,
    actor: Actor,
  ): Promise<RequestState> {
    checkReasons(reasons)
    return decide(this.#store, { name: actor.name, about: `budget request ${id}` }, async (access) => {
      const at = this.#now().toISOString()
      const request = await requireRequest(access, id)
      const { account, state, agreements } = request
      if (state !== "open") fail("raise/unknown", { id: `${id}` })
      const members = await membersOf(access, account)
      if (!mayDecide(actor, members)) {
        fail("raise/not-allowed", { name: actor.name, account })
      }
      if (agreements.some(({ name }) => name === actor.name))
        fail("raise/agreed-already", { name: actor.name })
      if (decision === "agree") {
        await checkSeparate(access, { name: actor.name, at }, [...agreements, ...partsOf(members, at)])
      }
      const own: Agreement = { ...actor, decision, reasons, at }
      await writeAgreement(access, "budget_agreements", id, own)
      const outcome = outcomeOf([...agreements, own])
      await record(access, deed(actor, "budget-decided", { id, account }, { decision, reasons, outcome }), at)
      await access.run("UPDATE budget_requests SET state = ? WHERE id = ?", [outcome, id])
      if (outcome === "granted") await this.#grant(access, request, [...agreements, own])
      return outcome
    })
  }

  async list(): Promise<readonly BudgetRequest[]> {
    const rows = await this.#store.all("SELECT id FROM budget_requests ORDER BY id")
    return Promise.all(rows.map((row) => requireRequest(this.#store, numberOf(row, "id"))))
  }

  // The ledger first: a request that is granted has its entry.
  async #grant(access: StateAccess, request: BudgetRequest, agreements: readonly Agreement[]): Promise<void> {
    const { account, epsilon, delta, reasons } = request
    const budget = await this.#checkRaise(request)
    const by = agreements.map(({ name }) => name)
    await this.#ledger.changeBudget(account, budget, { by, why: reasons })
    if (account.startsWith("study:")) {
      const study = account.slice("study:".length)
      await access.run("UPDATE studies SET epsilon = ?, delta = ? WHERE id = ?", [epsilon, delta, study])
    }
  }

  /** The new budget; refused if it is no raise, or the policy says another. */
  async #checkRaise({
    account,
    epsilon,
    delta,
  }: Pick<RaiseProposal, "account" | "epsilon" | "delta">): Promise<Budget> {
    const wanted = this.#promiseOf(account, epsilon, delta)
    const known = (await this.#ledger.accounts()).find(({ name }) => name === account)
    if (known === undefined) return fail("raise/no-raise", { account, what: "there is no such account" })
    const [more, moreDelta] = [
      compare(wanted.epsilon, known.budget.epsilon),
      compare(wanted.delta, known.budget.delta),
    ]
    if (more < 0 || moreDelta < 0) return fail("raise/no-raise", { account, what: "it has more already" })
    if (more === 0 && moreDelta === 0) return fail("raise/no-raise", { account, what: "it has that already" })
    const own = policyBudget(this.#policy, account)
    const isSame =
      own === undefined ||
      (compare(own.epsilon, wanted.epsilon) === 0 && compare(own.delta, wanted.delta) === 0)
    if (own !== undefined && !isSame) {
      const facts = { account, epsilon: showParameter(own.epsilon), delta: showParameter(own.delta) }
      return fail("raise/other-policy", facts)
    }
    const deltaForCharges = shareForCharges(own ?? this.#policy.terms.budget)
    return raisedBudget(known.budget, { ...wanted, deltaForCharges })
  }

  #promiseOf(
    account: string,
    epsilon: string,
    delta: string,
  ): { readonly epsilon: Rational; readonly delta: Rational } {
    const number = /^\d{1,10}(\.\d{1,60})?(e-\d{1,2})?$/
    if (!number.test(epsilon) || !number.test(delta)) {
      return fail("raise/no-raise", { account, what: "epsilon and delta are not numbers" })
    }
    return { epsilon: exactly(epsilon, "epsilon"), delta: exactly(delta, "delta") }
  }
}

/** What the owner has written for an account; undefined where the house decides. */
function policyBudget({ terms, limits }: Policy, account: AccountName): Budget | undefined {
  if (account === "dataset") return terms.budget
  const [kind, name] = [account.slice(0, account.indexOf(":")), account.slice(account.indexOf(":") + 1)]
  const named = kind === "study" ? limits.studies : limits.analysts
  return named.find((one) => one.name === name)?.budget
}

function partsOf(names: readonly string[], at: string): readonly Part[] {
  return names.map((name) => ({ name, at }))
}

async function membersOf(access: StateAccess, account: AccountName): Promise<readonly string[]> {
  if (account.startsWith("analyst:")) return [account.slice("analyst:".length)]
  if (!account.startsWith("study:")) return []
  const study = account.slice("study:".length)
  const rows = await access.all("SELECT name FROM study_people WHERE study = ?", [study])
  return rows.map((row) => textOf(row, "name"))
}

async function requireRequest(access: StateAccess, id: number): Promise<BudgetRequest> {
  const row = await oneRow(access, "SELECT * FROM budget_requests WHERE id = ?", [id])
  if (row === undefined) return fail("raise/unknown", { id: `${id}` })
  const agreements = await agreementsOn(access, "budget_agreements", id)
  return {
    id,
    account: accountOf(textOf(row, "account")),
    epsilon: textOf(row, "epsilon"),
    delta: textOf(row, "delta"),
    reasons: textOf(row, "reasons"),
    requestedBy: textOf(row, "requested_by"),
    requestedAt: textOf(row, "requested_at"),
    state: stateOf(row),
    agreements,
  }
}

/** An account of the ledger by its name. */
export function accountOf(text: string): AccountName {
  if (text.startsWith("study:")) return `study:${text.slice("study:".length)}`
  if (text.startsWith("analyst:")) return `analyst:${text.slice("analyst:".length)}`
  return text === "dataset"
    ? text
    : fail("raise/no-raise", { account: text.slice(0, 80), what: "there is no such account" })
}

function deed(
  { name }: Actor,
  what: string,
  { id, account }: { readonly id: number; readonly account: string },
  facts: Readonly<Record<string, string>>,
) {
  return { who: name, what, about: `budget ${account}`, facts: { request: `${id}`, ...facts } }
}
