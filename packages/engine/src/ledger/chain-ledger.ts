// The ledger over a store of entries and an anchor: what callers see. Decisions are in propose.ts, rules in
// ledger-state.ts, durability in writer.ts.

import { randomUUID } from "node:crypto"
import type { Budget } from "@dosimeter/core"
import { assert, type DosimeterError } from "@dosimeter/core/errors"
import { fail } from "../errors.ts"
import { showAccount, viewAccount, type Account, type AccountName } from "./entries/account.ts"
import type { Anchor, AnchorOf } from "./anchor.ts"
import type { Beginning, Remembered } from "./beginning.ts"
import { releaseHash } from "./entries/chain.ts"
import { readEntry, type ChargeEntry, type LossTerms } from "./entries/entry.ts"
import { questionKey, requestKey } from "./entries/entry-keys.ts"
import type { EntryRow, EntryStore } from "./entry-store.ts"
import type * as Values from "./ledger.ts"
import type { FailureCause } from "./entries/failure-entries.ts"
import type { Incident } from "./incidents.ts"
import type { LedgerState, Waiting } from "./ledger-state.ts"
import * as propose from "./propose.ts"
import * as failures from "./propose-failure.ts"
import { LedgerWriter } from "./writer.ts"

/** How a ledger is opened, wherever it is kept. */
export interface OpenOptions {
  /** The name of the dataset; a ledger belongs to one. */
  readonly dataset: string
  /** Only where entries were lost: the owner goes on without them. */
  readonly acknowledge?: Values.StatedDecision
  /**
   * Only where this machine sees a shared ledger for the first time: the hash of an entry that it contains,
   * from somebody who has seen it.
   */
  readonly join?: string
  /** What remembers a ledger of this dataset; asked where there is none. */
  readonly remembered?: () => Promise<readonly Remembered[]>
  /** A ledger that would be refused is opened all the same: it can be read and acknowledged, not charged. */
  readonly held?: boolean
  /** The clock, for the dates of entries. */
  readonly now?: () => Date
}

/** Opens a ledger over a store: reads and checks all of it, and makes the first entry if there is none. */
export async function openChainLedger(
  parts: { readonly store: EntryStore; readonly anchor: Anchor | AnchorOf },
  options: OpenOptions,
): Promise<ChainLedger> {
  const writer = new LedgerWriter({ ...parts, now: options.now ?? (() => new Date()) })
  const { dataset, join, acknowledge, remembered = async () => [] } = options
  propose.checkNames({ dataset })
  const ledger = randomUUID()
  const beginning: Beginning = {
    id: ledger,
    opening: (at) => ({ kind: "opening", at, ledger, dataset }),
    check: (state) => {
      const facts = { path: parts.store.path, found: state.dataset, expected: dataset }
      if (state.dataset !== dataset) fail("ledger/other-dataset", facts)
    },
    remembered,
    join,
    held: options.held === true,
  }
  await writer.start(acknowledge === undefined ? beginning : { ...beginning, ...acknowledging(acknowledge) })
  const id = await writer.read((state) => state.ledger)
  return new ChainLedger({ dataset, id, writer, store: parts.store, beginning })
}

function acknowledging(decision: Values.StatedDecision): Pick<Beginning, "acknowledge"> {
  return {
    acknowledge: (state, head, at) => propose.proposeAcknowledgement(state, head, { ...decision, at }),
  }
}

/** A ledger over any store. */
export class ChainLedger implements Values.Ledger {
  readonly dataset: string
  #id: string
  #hold: DosimeterError | undefined
  readonly #store: EntryStore
  readonly #writer: LedgerWriter
  readonly #beginning: Beginning
  /** The charges that are being answered here. */
  readonly #underWay = new Set<bigint>()
  /** What losses mean to this process: as it has opened the dataset's account, or decided since. */
  #terms: LossTerms | undefined

  constructor(parts: {
    readonly dataset: string
    readonly id: string
    readonly writer: LedgerWriter
    readonly store: EntryStore
    readonly beginning: Beginning
  }) {
    this.dataset = parts.dataset
    this.#id = parts.id
    this.#writer = parts.writer
    this.#store = parts.store
    this.#beginning = parts.beginning
  }

  get id(): string {
    return this.#id
  }

  async openAccount(
    account: AccountName,
    budget: Budget,
    decision: Values.OpeningDecision = openedByPolicy,
  ): Promise<Account> {
    const { terms } = decision
    await this.#writer.submit({
      propose: ({ state, at }) => {
        const entry =
          propose.proposeAccount(state, { account, budget, at, ...decision }) ??
          (terms === undefined ? undefined : propose.proposeTerms(state, { ...decision, terms, at }))
        return entry === undefined ? undefined : { entry }
      },
    })
    this.#terms = terms ?? this.#terms
    return this.#account(account)
  }

  async terms(): Promise<LossTerms | undefined> {
    return this.#writer.read((state) => state.terms)
  }

  async rebind(terms: LossTerms, decision: Values.StatedDecision): Promise<void> {
    await this.#writer.submit({
      propose: ({ state, at }) => {
        const account = showAccount("dataset")
        if (!state.accounts.has("dataset")) fail("ledger/unknown-account", { account })
        return { entry: propose.proposeRebinding(state, { ...decision, terms, at }) }
      },
    })
    this.#terms = terms
  }

  async trouble(): Promise<DosimeterError | undefined> {
    return (await this.#writer.trouble()) ?? this.#hold
  }

  async acknowledge(decision: Values.StatedDecision): Promise<void> {
    await this.#writer.start({ ...this.#beginning, ...acknowledging(decision) })
    this.#id = await this.#writer.read((state) => state.ledger)
  }

  hold(why: DosimeterError | undefined): void {
    this.#hold = why
  }

  async changeBudget(account: AccountName, budget: Budget, decision: Values.Decision): Promise<Account> {
    await this.#writer.submit({
      propose: ({ state, at }) => {
        if (!state.accounts.has(account)) fail("ledger/unknown-account", { account: showAccount(account) })
        return { entry: propose.proposeBudget(state, { account, budget, at, ...decision }) }
      },
    })
    return this.#account(account)
  }

  async reserve(request: Values.ReserveRequest): Promise<Values.Reservation> {
    this.#checkHold()
    const tried = await this.#charge(request, "look for the lost")
    if ("row" in tried) return this.#held(tried.row)
    await this.#settleLost(tried.suspects)
    const again = await this.#charge(request, "looked")
    assert("row" in again, "a reservation is an entry")
    return this.#held(again.row)
  }

  async #charge(
    request: Values.ReserveRequest,
    lost: "look for the lost" | "looked",
  ): Promise<{ readonly row: EntryRow } | { readonly suspects: readonly failures.Suspect[] }> {
    let suspects: readonly failures.Suspect[] = []
    const row = await this.#writer.submit({
      request: requestKey(request),
      holds: true,
      propose: ({ state, at, charged }) => {
        if (charged !== undefined) {
          propose.checkSameQuestion(chargeIn(charged), request)
          fail("ledger/request-known", { request: request.requestId })
        }
        suspects = lost === "looked" ? [] : failures.suspectsOf(state, request.principal, this.#writer.holder)
        if (suspects.length > 0) return undefined
        const under = { terms: this.#terms, holder: this.#writer.holder }
        return { entry: propose.proposeCharge(state, { ...request, ...under }, at) }
      },
    })
    return row === undefined ? { suspects } : { row }
  }

  /** Settles as failed the charges of a principal whose two holders have ended. */
  async #settleLost(suspects: readonly failures.Suspect[]): Promise<void> {
    const ended = new Set<string>()
    for (const holder of new Set(suspects.flatMap(({ holders }) => holders))) {
      if (!(await this.#lives(holder))) ended.add(holder)
    }
    if (ended.size < 2) return
    for (const { position, holder } of suspects) {
      if (!ended.has(holder ?? failures.beforeHolders)) continue
      await this.#writer.submit({
        propose: ({ state, at }) => {
          const waiting = state.waiting.get(position)
          const isSame = waiting !== undefined && failures.holderOf(waiting) === holder
          return isSame ? { entry: failures.lostSettlement(position, at) } : undefined
        },
      })
    }
  }

  async takeOver(reservation: Values.Reservation): Promise<Values.Reservation | undefined> {
    const { position, holder: from, requestId } = reservation
    if (this.#underWay.has(position)) return undefined
    if (from !== this.#writer.holder && (await this.#lives(from ?? failures.beforeHolders))) return undefined
    let isLost = false
    const row = await this.#writer.submit({
      holds: true,
      propose: ({ state, at }) => {
        // Of two simultaneous requests in this process, the second finds the charge taken over or under way.
        if (this.#underWay.has(position)) return undefined
        propose.checkTerms(state, this.#terms)
        const entry = failures.proposeTakeOver(state, { position, from, to: this.#writer.holder, at })
        isLost = entry?.kind === "settlement"
        return entry === undefined ? undefined : { entry }
      },
    })
    if (isLost) fail("ledger/request-failed", { request: requestId })
    if (row === undefined) return undefined
    this.#underWay.add(position)
    return { ...reservation, holder: this.#writer.holder }
  }

  async settle(
    { position, planHash, holder }: Values.Held,
    outcome: Values.Outcome,
  ): Promise<Values.Settlement> {
    try {
      const row = await this.#writer.submit({
        propose: ({ state, at }) => {
          const wish = { position, planHash, outcome, at, ...(holder === undefined ? {} : { holder }) }
          const entry = propose.proposeSettlement(state, wish)
          return outcome.outcome === "released" ? { entry, release: outcome.release } : { entry }
        },
      })
      assert(row !== undefined, "a settlement is an entry")
      return { position: row.position, hash: row.hash, outcome: outcome.outcome }
    } finally {
      // A charge whose outcome could not be recorded keeps waiting, and may be answered again.
      this.#underWay.delete(position)
    }
  }

  async incidents(): Promise<readonly Incident[]> {
    return this.#writer.read((state) => state.incidents.all)
  }

  async checkSeries(charge: bigint): Promise<void> {
    return this.#writer.read((state) => {
      const series = state.series.get(charge)
      propose.checkTerms(state, this.#terms)
      if (series !== undefined) propose.checkMeaning(state, charge)
      if (series !== undefined) failures.checkDoor(state, series.entry.principal)
    })
  }

  async failStep(charge: bigint, cause: FailureCause): Promise<void> {
    await this.#writer.submit({
      propose: ({ state, at }) => ({ entry: failures.proposeFailure(state, { charge, cause, at }) }),
    })
  }

  async reopen(incident: bigint, decision: Values.Decision): Promise<void> {
    propose.checkDecision(decision.by, decision.why)
    await this.#writer.submit({
      propose: ({ state, at }) => ({
        entry: failures.proposeReopening(state, { incident, at, ...decision }),
      }),
    })
  }

  async extend(steps: Values.SeriesSteps, release: Values.ReleaseText): Promise<void> {
    this.#checkHold()
    await this.#writer.submit({
      propose: ({ state, at }) => ({
        entry: propose.proposeContinuation(state, { ...steps, terms: this.#terms, release, at }),
        release,
      }),
    })
  }

  async seriesAt(charge: bigint): Promise<Values.SeriesState | undefined> {
    return this.#writer.read((state) => {
      const series = state.series.get(charge)
      return series && { steps: series.steps, through: series.through }
    })
  }

  async find(question: Values.Question): Promise<Values.RecordedRelease | undefined> {
    return this.#writer.read(async () => {
      const row = await this.#store.answerOf(questionKey(question))
      return row === undefined ? undefined : (await this.#released([row], question))[0]
    })
  }

  async kept(subject: string, newest?: number): Promise<readonly Values.KeptRelease[]> {
    return this.#writer.read(async () => {
      const positions = await this.#store.keptUnder(subject, newest)
      const releases = await this.#released(await this.#store.rowsAt(positions))
      return releases.flatMap(({ charge, kept = [] }) =>
        kept.filter((one) => one.subject === subject).map(({ text }) => ({ charge, text })),
      )
    })
  }

  async findRequest(request: Values.RequestKey & Values.Question): Promise<Values.RequestState> {
    return this.#writer.read(async (state): Promise<Values.RequestState> => {
      const [row] = await this.#store.chargesOf([requestKey(request)])
      if (row === undefined) return { state: "unknown", ...this.#before(state, request) }
      propose.checkSameQuestion(chargeIn(row), request)
      const reservation = this.#reservation(row, state)
      const settled = await this.#store.settlementOf(row.position)
      if (settled === undefined) return { state: "in-progress", reservation }
      if (settled.keys.question === undefined) {
        const isUntold = state.incidents.isUntold(row.position)
        return { state: "failed", reservation, ...(isUntold ? { untold: row.position } : {}) }
      }
      const [release] = await this.#released([settled], request)
      assert(release !== undefined, "every row has its release")
      return { state: "released", reservation, release }
    })
  }

  async unsettled(): Promise<readonly Values.Reservation[]> {
    return this.#writer.read((state) =>
      [...state.waiting].map(([position, waiting]) => reservationOf({ position, ...waiting }, this.id)),
    )
  }

  async accounts(): Promise<readonly Account[]> {
    return this.#writer.read((state) =>
      [...state.accounts].map(([name, account]) => viewAccount(name, account)),
    )
  }

  async entries(from: bigint, count: number): Promise<readonly Values.LedgerEntry[]> {
    assert(from >= 1n && count >= 0 && Number.isSafeInteger(count), "entries are counted from 1")
    return this.#writer.read(async (_state, store) => {
      const rows = await store.rows(from, count)
      return rows.map(({ position, hash, body }) => ({ position, hash, entry: readEntry(body) }))
    })
  }

  async verify(): Promise<Values.Verification> {
    return this.#writer.verify()
  }

  async close(): Promise<void> {
    await this.#writer.close()
  }

  #checkHold(): void {
    if (this.#hold !== undefined) throw this.#hold
  }

  async #account(name: AccountName): Promise<Account> {
    return this.#writer.read((state) => {
      const account = state.accounts.get(name)
      assert(account !== undefined, "an account that was opened is there")
      return viewAccount(name, account)
    })
  }

  #reservation({ position, hash, body }: EntryRow, state?: LedgerState): Values.Reservation {
    const { takenBy } = state?.waiting.get(position) ?? {}
    const taken = takenBy === undefined ? {} : { takenBy }
    return reservationOf({ position, hash, entry: chargeIn({ body }), ...taken }, this.id)
  }

  /** A charge that was just made here. */
  #held(row: EntryRow): Values.Reservation {
    this.#underWay.add(row.position)
    return this.#reservation(row)
  }

  /**
   * Earlier charges of the same question: by the same principal and study, or by anybody if they failed
   * untold.
   */
  #before(
    state: LedgerState,
    request: Values.RequestKey & Values.Question & { readonly study?: string },
  ): { readonly left?: Values.Reservation; readonly untold?: bigint } {
    const untold = state.incidents.untold(request)
    const found = [...state.waiting].find(
      ([position, { entry }]) =>
        entry.principal === request.principal &&
        entry.study === request.study &&
        questionKey(entry) === questionKey(request) &&
        !this.#underWay.has(position),
    )
    return {
      ...(untold === undefined ? {} : { untold }),
      ...(found === undefined ? {} : { left: reservationOf({ position: found[0], ...found[1] }, this.id) }),
    }
  }

  async #lives(holder: string): Promise<boolean> {
    return this.#writer.read(async (_state, store) => store.isLive(holder))
  }

  /** The releases of entries, each held against its hash and, if there is one, its question. */
  async #released(
    rows: readonly EntryRow[],
    question?: Values.Question,
  ): Promise<readonly Values.RecordedRelease[]> {
    const damaged = ({ position }: EntryRow, what: string): never =>
      fail("ledger/damaged", { path: this.#store.path, position: `${position}`, what })
    const found = await this.#store.releases(rows.map(({ position }) => position))
    const releases = rows.map((row) => {
      const entry = readEntry(row.body)
      const release = found.get(row.position)
      const mayRelease = entry.kind === "settlement" || entry.kind === "continuation"
      if (!mayRelease || release === undefined) return damaged(row, "its release is gone")
      if (releaseHash(release) !== entry.release) return damaged(row, "its release was changed")
      return { row, release, charge: entry.charge }
    })
    const paid = await this.#store.rowsAt([...new Set(releases.map(({ charge }) => charge))])
    const charges = new Map(paid.map((row) => [row.position, row]))
    return releases.map(({ row, release, charge }) => {
      const payer = charges.get(charge)
      const isItsOwn =
        payer !== undefined &&
        (question === undefined || questionKey(chargeIn(payer)) === questionKey(question))
      return isItsOwn ? { ...release, charge } : damaged(row, "it answers another question")
    })
  }
}

const openedByPolicy: Values.Decision = { by: ["the owner"], why: "stated in the policy" }

function chargeIn({ body }: Pick<EntryRow, "body">): ChargeEntry {
  const entry = readEntry(body)
  assert(entry.kind === "charge", "a reservation is a charge")
  return entry
}

function reservationOf(
  { position, hash, entry, takenBy }: Waiting & { readonly position: bigint },
  ledger: string,
): Values.Reservation {
  const { accounting, amount, delta, kind: _kind, ...rest } = entry
  const taken = takenBy === undefined ? {} : { holder: takenBy }
  return { ...rest, ...taken, ledger, position, hash, charge: { accounting, amount, delta } }
}
