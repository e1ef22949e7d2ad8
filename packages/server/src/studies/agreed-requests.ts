// A request and the two people who decide about it: handed in with reasons, agreed to or refused, and carried
// out when the second person agrees. The steps are the same for more budget (budget-raises.ts) and for a
// ledger that is refused (ledger-decisions.ts); a RequestKind is what the two differ in.

import { record } from "../audit/audit.ts"
import { checkSeparate, decide, type Part } from "../people/separate-people.ts"
import {
  numberOf,
  oneRow,
  textOf,
  type StateAccess,
  type StateRow,
  type StateStore,
} from "../state/state-store.ts"
import {
  agreementsOn,
  checkReasons,
  mayDecide,
  outcomeOf,
  stateOf,
  writeAgreement,
  type Agreement,
  type AgreementTable,
  type RequestState,
} from "./agreements.ts"
import type { Actor } from "./study-state.ts"

/** What every request has, and what became of it. */
export interface RequestFacts {
  readonly id: number
  readonly reasons: string
  readonly requestedBy: string
  readonly requestedAt: string
  readonly state: RequestState
  readonly agreements: readonly Agreement[]
}

/** What one kind of request asks for, where it is stored, and what is done when it is granted. */
export interface RequestKind<Proposal, Stated> {
  readonly tables: {
    readonly requests: "budget_requests" | "ledger_requests"
    readonly agreements: AgreementTable
  }
  /** Names in the audit trail: of the two deeds, and of one request. */
  readonly names: { readonly requested: string; readonly decided: string; readonly one: string }
  /** Checks a proposal; gives what the request states. */
  stated(proposal: Proposal): Promise<Stated>
  /** The columns that this kind has in its table. */
  columns(stated: Stated): Readonly<Record<string, string>>
  read(row: StateRow): Stated
  /** What the request is about, in the audit trail. */
  about(stated: Stated): string
  /** What it asks for, in the audit trail. */
  facts(stated: Stated): Readonly<Record<string, string>>
  /** The people whom it is for: they may hand it in, and may not decide about it. */
  members(access: StateAccess, stated: Stated): Promise<readonly string[]>
  readonly refusals: {
    unknown(id: string): never
    notAllowed(name: string, stated: Stated): never
    agreedAlready(name: string): never
  }
  /** Enters it into the ledger, with the names of those who agreed. */
  carryOut(access: StateAccess, request: Stated & RequestFacts, by: readonly string[]): Promise<void>
}

/** The requests of one kind. */
export class AgreedRequests<Proposal extends { readonly reasons: string }, Stated> {
  readonly #store: StateStore
  readonly #kind: RequestKind<Proposal, Stated>
  readonly #now: () => Date

  constructor(store: StateStore, kind: RequestKind<Proposal, Stated>, now: () => Date = () => new Date()) {
    this.#store = store
    this.#kind = kind
    this.#now = now
  }

  /** Hands in a request. Somebody who may decide about it has agreed to it by that. */
  async request(proposal: Proposal, actor: Actor): Promise<Stated & RequestFacts> {
    const { tables, names, refusals } = this.#kind
    const { reasons } = proposal
    const { name } = actor
    checkReasons(reasons)
    const stated = await this.#kind.stated(proposal)
    const about = this.#kind.about(stated)
    return decide(this.#store, { name, about }, async (access) => {
      const at = this.#now().toISOString()
      const members = await this.#kind.members(access, stated)
      const decides = mayDecide(actor, members)
      if (!decides && !members.includes(name)) refusals.notAllowed(name, stated)
      const id = await this.#insert(access, stated, { reasons, name, at })
      const facts = { request: `${id}`, ...this.#kind.facts(stated), reasons }
      await record(access, { who: name, what: names.requested, about, facts }, at)
      if (decides) {
        await checkSeparate(access, { name, at }, partsOf(members, at))
        await writeAgreement(access, tables.agreements, id, { ...actor, decision: "agree", reasons, at })
      }
      return this.#require(access, id)
    })
  }

  /** One refusal refuses the request; the second person who agrees grants it. */
  async decide(
    id: number,
    { decision, reasons }: Pick<Agreement, "decision" | "reasons">,
    actor: Actor,
  ): Promise<RequestState> {
    const { tables, names, refusals } = this.#kind
    const { name } = actor
    checkReasons(reasons)
    return decide(this.#store, { name, about: `${names.one} ${id}` }, async (access) => {
      const at = this.#now().toISOString()
      const request = await this.#require(access, id)
      const { state, agreements } = request
      if (state !== "open") refusals.unknown(`${id}`)
      const members = await this.#kind.members(access, request)
      if (!mayDecide(actor, members)) refusals.notAllowed(name, request)
      if (agreements.some((other) => other.name === name)) refusals.agreedAlready(name)
      if (decision === "agree") {
        await checkSeparate(access, { name, at }, [...agreements, ...partsOf(members, at)])
      }
      const own: Agreement = { ...actor, decision, reasons, at }
      await writeAgreement(access, tables.agreements, id, own)
      const all = [...agreements, own]
      const outcome = outcomeOf(all)
      const facts = { request: `${id}`, ...this.#kind.facts(request), decision, reasons, outcome }
      await record(access, { who: name, what: names.decided, about: this.#kind.about(request), facts }, at)
      await access.run(`UPDATE ${tables.requests} SET state = ? WHERE id = ?`, [outcome, id])
      // Inside the transaction: a request is granted only if the ledger has its entry.
      if (outcome === "granted") {
        await this.#kind.carryOut(
          access,
          request,
          all.map((one) => one.name),
        )
      }
      return outcome
    })
  }

  /** All requests, the oldest first. */
  async list(): Promise<readonly (Stated & RequestFacts)[]> {
    const rows = await this.#store.all(`SELECT id FROM ${this.#kind.tables.requests} ORDER BY id`)
    return Promise.all(rows.map((row) => this.#require(this.#store, numberOf(row, "id"))))
  }

  async #insert(
    access: StateAccess,
    stated: Stated,
    { reasons, name, at }: { readonly reasons: string; readonly name: string; readonly at: string },
  ): Promise<number> {
    const { requests } = this.#kind.tables
    const last = await oneRow(access, `SELECT MAX(id) AS id FROM ${requests}`, [])
    const id = Number(last?.["id"] ?? 0) + 1
    const own = this.#kind.columns(stated)
    const columns = { id, ...own, reasons, requested_by: name, requested_at: at, state: "open" }
    const marks = Object.keys(columns).map(() => "?")
    await access.run(
      `INSERT INTO ${requests} (${Object.keys(columns).join(", ")}) VALUES (${marks.join(", ")})`,
      Object.values(columns),
    )
    return id
  }

  async #require(access: StateAccess, id: number): Promise<Stated & RequestFacts> {
    const { tables, refusals } = this.#kind
    const row = await oneRow(access, `SELECT * FROM ${tables.requests} WHERE id = ?`, [id])
    if (row === undefined) return refusals.unknown(`${id}`)
    return {
      id,
      ...this.#kind.read(row),
      reasons: textOf(row, "reasons"),
      requestedBy: textOf(row, "requested_by"),
      requestedAt: textOf(row, "requested_at"),
      state: stateOf(row),
      agreements: await agreementsOn(access, tables.agreements, id),
    }
  }
}

function partsOf(names: readonly string[], at: string): readonly Part[] {
  return names.map((name) => ({ name, at }))
}
