// Getting over a ledger that is refused needs two people, as more budget does: somebody asks, with reasons
// and with what counts as spent, and two of owner and committee agree. The entry has both names.

import type { DosimeterError } from "@dosimeter/core"
import { compare, exactly, multiply, one, rational, type Rational } from "@dosimeter/core/exact"
import { decisionFor, shareOfBudget, type LedgerDecision, type StatedDecision } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { fail } from "../errors.ts"
import type { Person } from "../people/accounts.ts"
import { record } from "../audit/audit.ts"
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
import { checkSeparate, decide } from "../people/separate-people.ts"
import { numberOf, oneRow, textOf, type StateAccess, type StateStore } from "../state/state-store.ts"
import type { Actor } from "./study-state.ts"

/** What is asked for. */
export interface LedgerProposal {
  /** What counts as spent, as a share of the budget in decimals: "0.4"; all of it if left out. */
  readonly share?: string
  readonly reasons: string
}

/** A request with what became of it. */
export interface LedgerRequest {
  readonly id: number
  readonly what: LedgerDecision
  /** Empty: all of the budget. */
  readonly share: string
  /** Why the ledger was refused when the request was made. */
  readonly trouble: string
  readonly reasons: string
  readonly requestedBy: string
  readonly requestedAt: string
  readonly state: RequestState
  readonly agreements: readonly Agreement[]
}

/** The ledger, as far as it is decided about. */
export interface DecidedLedger {
  readonly policy: Policy
  trouble(): Promise<DosimeterError | undefined>
  decide(decision: StatedDecision & { readonly what: LedgerDecision }): Promise<void>
}

/** The requests to get over a ledger that is refused. */
export class LedgerDecisions {
  readonly #store: StateStore
  readonly #ledger: DecidedLedger
  readonly #now: () => Date

  constructor(options: {
    readonly store: StateStore
    readonly ledger: DecidedLedger
    readonly now?: () => Date
  }) {
    this.#store = options.store
    this.#ledger = options.ledger
    this.#now = options.now ?? (() => new Date())
  }

  /** Hands in a request; whoever does has agreed with it. */
  async request({ share = "", reasons }: LedgerProposal, actor: Actor): Promise<LedgerRequest> {
    checkReasons(reasons)
    if (share !== "") readShare(share)
    const { what, words } = await this.#present()
    return decide(this.#store, { name: actor.name, about: "ledger" }, async (access) => {
      const at = this.#now().toISOString()
      if (!mayDecide(actor, [])) fail("decision/not-allowed", { name: actor.name })
      const last = await oneRow(access, "SELECT MAX(id) AS id FROM ledger_requests", [])
      const id = Number(last?.["id"] ?? 0) + 1
      await access.run(
        `INSERT INTO ledger_requests (id, what, share, trouble, reasons, requested_by, requested_at, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, 'open')`,
        [id, what, share, words, reasons, actor.name, at],
      )
      await record(access, deed(actor, "ledger-decision-requested", { id, what, share, reasons }), at)
      await writeAgreement(access, "ledger_agreements", id, { ...actor, decision: "agree", reasons, at })
      return requireRequest(access, id)
    })
  }

  /** One refusal refuses; the second who agrees enters it into the ledger. */
  async decide(
    id: number,
    { decision, reasons }: Pick<Agreement, "decision" | "reasons">,
    actor: Actor,
  ): Promise<RequestState> {
    checkReasons(reasons)
    return decide(this.#store, { name: actor.name, about: `ledger decision ${id}` }, async (access) => {
      const at = this.#now().toISOString()
      const request = await requireRequest(access, id)
      const { what, share, state, agreements } = request
      const { name } = actor
      if (state !== "open") fail("decision/unknown", { id: `${id}` })
      if (!mayDecide(actor, [])) fail("decision/not-allowed", { name })
      if (agreements.some((other) => other.name === name)) fail("decision/agreed-already", { name })
      if (decision === "agree") await checkSeparate(access, { name, at }, agreements)
      const own: Agreement = { ...actor, decision, reasons, at }
      await writeAgreement(access, "ledger_agreements", id, own)
      const outcome = outcomeOf([...agreements, own])
      await record(access, deed(actor, "ledger-decided", { id, what, share, reasons, outcome }), at)
      await access.run("UPDATE ledger_requests SET state = ? WHERE id = ?", [outcome, id])
      if (outcome === "granted") await this.#enter(request, [...agreements, own])
      return outcome
    })
  }

  async list(): Promise<readonly LedgerRequest[]> {
    const rows = await this.#store.all("SELECT id FROM ledger_requests ORDER BY id")
    return Promise.all(rows.map((row) => requireRequest(this.#store, numberOf(row, "id"))))
  }

  // The ledger first: a request that is granted has its entry.
  async #enter(request: LedgerRequest, agreements: readonly Agreement[]): Promise<void> {
    const { what, share, reasons, trouble } = request
    const { words } = await this.#present()
    // People have agreed about what they saw then.
    if (words !== trouble) fail("decision/other", { what: words })
    const by = agreements.map(({ name }) => name)
    const { budget } = this.#ledger.policy.terms
    const spent = share === "" ? {} : { spent: shareOfBudget(budget, readShare(share)) }
    await this.#ledger.decide({ what, by, why: reasons, ...spent })
  }

  async #present(): Promise<{ readonly what: LedgerDecision; readonly words: string }> {
    const trouble = await this.#ledger.trouble()
    const what = trouble === undefined ? undefined : decisionFor(trouble)
    if (trouble === undefined || what === undefined) return fail("decision/nothing", {})
    return { what, words: trouble.message }
  }
}

/** Whether two accounts can decide: otherwise people are taken by their word. */
export function hasCommittee(people: readonly Pick<Person, "role" | "disabledAt">[]): boolean {
  const able = people.filter(({ disabledAt }) => disabledAt === undefined)
  const deciding = able.filter(({ role }) => role === "owner" || role === "committee")
  return deciding.length >= 2 && deciding.some(({ role }) => role === "committee")
}

/** A share of the budget, from 0 to 1: "0.4" or "40%". */
export function readShare(text: string): Rational {
  const bad = (): never => fail("decision/bad-share", { got: text.slice(0, 40) })
  const [, digits, percent] = /^(\d{1,3}(?:\.\d{1,20})?)(%?)$/.exec(text.trim()) ?? []
  if (digits === undefined) return bad()
  const value = exactly(digits, "a share")
  const share = percent === "%" ? multiply(value, rational(1n, 100n)) : value
  return compare(share, one) > 0 ? bad() : share
}

async function requireRequest(access: StateAccess, id: number): Promise<LedgerRequest> {
  const row = await oneRow(access, "SELECT * FROM ledger_requests WHERE id = ?", [id])
  if (row === undefined) return fail("decision/unknown", { id: `${id}` })
  const agreements = await agreementsOn(access, "ledger_agreements", id)
  return {
    id,
    what: textOf(row, "what") === "rebind" ? "rebind" : "acknowledge",
    share: textOf(row, "share"),
    trouble: textOf(row, "trouble"),
    reasons: textOf(row, "reasons"),
    requestedBy: textOf(row, "requested_by"),
    requestedAt: textOf(row, "requested_at"),
    state: stateOf(row),
    agreements,
  }
}

function deed({ name }: Actor, what: string, facts: Readonly<Record<string, string | number>>) {
  const texts = Object.entries(facts).map(([key, value]) => [key, `${value}`] as const)
  return { who: name, what, about: "ledger", facts: Object.fromEntries(texts) }
}
