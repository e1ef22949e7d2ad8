// What a ledger says, as a fold over its entries. Every entry passes `accept`, whether it was just made or
// read from the disk, so an entry that breaks the chain or a rule is found wherever it came from.

import { assert } from "@dosimeter/core/errors"
import {
  exhausted,
  newAccount,
  takeUnits,
  unitsOf,
  withBudget,
  withMoreSpent,
  type AccountName,
  type AccountState,
  type Units,
} from "./entries/account.ts"
import { Unreadable } from "./entries/canonical.ts"
import { chainHash, emptyHash } from "./entries/chain.ts"
import {
  entryBody,
  readEntry,
  type AcknowledgementEntry,
  type Amounts,
  type AnchoredHead,
  type BudgetEntry,
  type ChargeEntry,
  type Entry,
  type LossTerms,
  type SettlementEntry,
  type TermsEntry,
} from "./entries/entry.ts"
import { questionKey, requestKey } from "./entries/entry-keys.ts"
import type { EntryKeys, EntryRow } from "./entry-store.ts"
import { isBackward } from "./entries/entry-time.ts"
import { Incidents } from "./incidents.ts"
import { changedTerms, keepsMeaning } from "./entries/loss-terms.ts"
import { lostUnits, moreThan, most, statedProblem } from "./entries/stated-loss.ts"
import { isOnGrid, ofUnits } from "./entries/units.ts"

/** Where a ledger is not what it should be. */
export interface Damage {
  readonly position: bigint
  readonly what: string
}

/** A charge that waits for its outcome. */
export interface Waiting {
  readonly hash: string
  readonly entry: ChargeEntry
  /** The holder that took it over from a process that had ended; a charge is taken over once. */
  readonly takenBy?: string
}

/** A series: how far it may go, and how far it has. */
export interface Series {
  readonly steps: bigint
  readonly through: bigint
  readonly entry: ChargeEntry
}

const nothing: Units = { amount: 0n, delta: 0n }

/** The state of a ledger after the entries that it has accepted. */
export class LedgerState {
  #entries = 0n
  #hash = emptyHash
  #epoch = 1n
  #time = ""
  #ledger = ""
  #dataset = ""
  /** Set by an acknowledgement: the least that the dataset's account starts with, if it is opened later. */
  #lost: Units | undefined
  /** Whether that account starts exhausted, whatever its budget will be. */
  #lostAll = false
  #terms: LossTerms | undefined
  #meaningSince = 0n
  /** The hashes of anchors whose loss was acknowledged. */
  readonly #given = new Set<string>()
  readonly #accounts = new Map<AccountName, AccountState>()
  readonly #waiting = new Map<bigint, Waiting>()
  readonly #series = new Map<bigint, Series>()
  /** What failed after it was charged. */
  readonly incidents: Incidents = new Incidents()

  /** How many entries there are: the position of the last one. */
  get entries(): bigint {
    return this.#entries
  }
  /** The hash of the last entry. */
  get hash(): string {
    return this.#hash
  }
  /** The time of the last entry; empty without one. */
  get time(): string {
    return this.#time
  }
  /** The id in the first entry. */
  get ledger(): string {
    return this.#ledger
  }
  /** The dataset in the first entry. */
  get dataset(): string {
    return this.#dataset
  }
  /** What losses mean; undefined where that was never said. */
  get terms(): LossTerms | undefined {
    return this.#terms
  }
  /** The entry that last gave losses another meaning: charges before it cover no loss after it. */
  get meaningSince(): bigint {
    return this.#meaningSince
  }
  /** The accounts, in the order in which they were opened. */
  get accounts(): ReadonlyMap<AccountName, AccountState> {
    return this.#accounts
  }
  /** The series that go on, by the position of their charge. */
  get series(): ReadonlyMap<bigint, Series> {
    return this.#series
  }
  /** The charges without an outcome, by position. */
  get waiting(): ReadonlyMap<bigint, Waiting> {
    return this.#waiting
  }

  /**
   * Whether an entry has acknowledged the loss of this head: an anchor that still shows it is out of date.
   */
  hasGivenUp({ entries, hash }: AnchoredHead): boolean {
    return this.#given.has(`${entries} ${hash}`)
  }

  /** What an anchor should remember of this state. */
  head(): AnchoredHead {
    const { spent, limit } = this.#accounts.get("dataset") ?? { spent: nothing, limit: nothing }
    // Before the account is opened again, what was lost is all that is known.
    const known = this.#accounts.has("dataset") ? spent : (this.#lost ?? nothing)
    return {
      entries: this.#entries,
      hash: this.#hash,
      epoch: this.#epoch,
      spent: { amount: ofUnits(known.amount), delta: ofUnits(known.delta) },
      limit: { amount: ofUnits(limit.amount), delta: ofUnits(limit.delta) },
    }
  }

  /** The row of an entry that comes next. */
  rowOf(entry: Entry): EntryRow {
    const body = entryBody(entry)
    const hash = chainHash(this.#hash, body)
    return { position: this.#entries + 1n, hash, body, keys: this.#keysOf(entry) }
  }

  /** Takes one more entry, or says why it cannot be the next one; then nothing has changed. */
  accept(row: EntryRow): Damage | undefined {
    const position = this.#entries + 1n
    const wrong = (what: string): Damage => ({ position, what })
    if (row.position !== position) return wrong(`the next entry in the file is ${row.position}`)
    if (row.hash !== chainHash(this.#hash, row.body))
      return wrong("its hash does not follow from the one before")
    const entry = readOrSay(row.body)
    if (typeof entry === "string") return wrong(`it ${entry}`)
    const problem = this.#problemOf(entry)
    if (problem !== undefined) return wrong(problem)
    if (!sameKeys(row.keys, this.#keysOf(entry))) return wrong("it is filed under other keys than its own")
    this.#apply(row, entry)
    return undefined
  }

  #problemOf(entry: Entry): string | undefined {
    if ((entry.kind === "opening") !== (this.#entries === 0n))
      return "a ledger has one opening, and it is first"
    if (isBackward(entry.at, this.#time)) return "it is dated before the one before"
    switch (entry.kind) {
      case "opening":
        return undefined
      case "acknowledgement":
        return statedProblem(entry, this.#spentSoFar())
      case "terms":
        return this.#termsProblem(entry)
      case "budget":
        return this.#budgetProblem(entry)
      case "charge":
        return this.#chargeProblem(entry)
      case "settlement":
        return this.#waiting.has(entry.charge) ? undefined : "it settles no charge that waits for an outcome"
      case "continuation": {
        const series = this.#series.get(entry.charge)
        if (series === undefined) return "it continues no series"
        if (entry.charge < this.#meaningSince) return "it continues a series of another meaning"
        const isNext = entry.through > series.through && entry.through <= series.steps
        return isNext ? undefined : "it continues a series at another step than the next"
      }
      case "failure":
        return this.#series.has(entry.charge) ? undefined : "it tells of a failure of no series"
      case "reopening":
        return this.incidents.isOpen(entry.incident) ? undefined : "it reopens what nothing has closed"
      case "takeover": {
        const waiting = this.#waiting.get(entry.charge)
        if (waiting === undefined) return "it takes over no charge that waits for an outcome"
        if (entry.charge < this.#meaningSince) return "it takes over a charge of another meaning"
        return waiting.takenBy === undefined ? undefined : "it takes over a charge for the second time"
      }
      default:
        return entry satisfies never
    }
  }

  #termsProblem({ terms, spent, by }: TermsEntry): string | undefined {
    if (!this.#accounts.has("dataset")) return "the dataset has no account yet"
    if (spent === undefined) {
      return keepsMeaning(this.#terms, terms) ? undefined : "losses of another meaning do not add up"
    }
    return spent === "all" ? undefined : statedProblem({ by, spent }, this.#spentSoFar())
  }

  #budgetProblem({ account, budget, terms }: BudgetEntry): string | undefined {
    const dataset = this.#accounts.get("dataset")
    if (terms !== undefined && (account !== "dataset" || dataset !== undefined)) {
      return "what losses mean is said where the dataset's account is opened"
    }
    if (dataset === undefined) return account === "dataset" ? undefined : "the dataset has no account yet"
    return budget.accounting === dataset.budget.accounting ? undefined : "it is in another accounting"
  }

  #chargeProblem(entry: ChargeEntry): string | undefined {
    const { accounts, amount, delta } = entry
    if (accounts[0] !== "dataset" || new Set(accounts).size !== accounts.length) {
      return "a charge enters the dataset's account first, and every account once"
    }
    if (amount.numerator === 0n && delta.numerator === 0n) return "a charge is more than nothing"
    // Failures without a cause are of older versions, in which they closed no door.
    const isClosed = this.incidents.closing(entry.principal).some(({ cause }) => cause !== "unknown")
    if (isClosed) return "it charges somebody whose door is closed"
    if (!isOnGrid(amount) || !isOnGrid(delta)) return "a charge is a whole number of units"
    for (const name of accounts) {
      const account = this.#accounts.get(name)
      if (account === undefined) return "it charges an account that is not open"
      if (account.budget.accounting !== entry.accounting) return "it is in another accounting"
      if (takeUnits(account, entry) === undefined) return "it passes a limit"
    }
    return undefined
  }

  #apply(row: EntryRow, entry: Entry): void {
    this.#entries = row.position
    this.#hash = row.hash
    this.#time = entry.at
    switch (entry.kind) {
      case "opening":
        this.#ledger = entry.ledger
        this.#dataset = entry.dataset
        return
      case "budget":
        this.#accounts.set(entry.account, this.#budgeted(entry))
        if (entry.terms !== undefined) this.#terms = entry.terms
        return
      case "terms":
        this.#rebind(entry)
        return
      case "charge":
        this.#charge(entry)
        this.#waiting.set(row.position, { hash: row.hash, entry })
        return
      case "settlement":
        this.#settle(row.position, entry)
        return
      case "continuation": {
        const series = this.#series.get(entry.charge)
        if (series !== undefined) this.#series.set(entry.charge, { ...series, through: entry.through })
        return
      }
      case "failure": {
        const { charge, cause, at } = entry
        const series = this.#series.get(charge)
        if (series === undefined) return
        this.incidents.enter({ position: row.position, at, cause }, { position: charge, entry: series.entry })
        return
      }
      case "reopening":
        this.incidents.reopen(entry)
        return
      case "takeover": {
        const waiting = this.#waiting.get(entry.charge)
        if (waiting !== undefined) this.#waiting.set(entry.charge, { ...waiting, takenBy: entry.holder })
        return
      }
      case "acknowledgement":
        this.#acknowledge(entry)
        return
      default:
        entry satisfies never
    }
  }

  #budgeted({ account, budget }: BudgetEntry): AccountState {
    const before = this.#accounts.get(account)
    if (before !== undefined) return withBudget(before, budget)
    const opened = newAccount(budget)
    if (account !== "dataset" || this.#lost === undefined) return opened
    return this.#lostAll ? exhausted(opened, this.#lost) : withMoreSpent(opened, this.#lost)
  }

  #settle(position: bigint, { charge, outcome, at, cause }: SettlementEntry): void {
    const waiting = this.#waiting.get(charge)
    assert(waiting !== undefined, "a settlement that was accepted has its charge")
    const { entry } = waiting
    this.#waiting.delete(charge)
    if (outcome === "failed") this.incidents.enter({ position, at, cause }, { position: charge, entry })
    else if (entry.steps !== undefined) this.#series.set(charge, { steps: entry.steps, through: 0n, entry })
  }

  #charge(entry: ChargeEntry): void {
    const taken = entry.accounts.map((name) => {
      const account = this.#accounts.get(name)
      const after = account === undefined ? undefined : takeUnits(account, entry)
      assert(account !== undefined && after !== undefined, "a charge that was accepted fits")
      assert(after.spent.amount - account.spent.amount === unitsOf(entry).amount, "a charge is taken in full")
      return [name, after] as const
    })
    for (const [name, after] of taken) this.#accounts.set(name, after)
  }

  /**
   * Another meaning of losses. What stays in force is what both say, with what is new: a table that the
   * policy leaves out for a while comes back as it was.
   *
   * Guarantee: afterwards the total bounds the loss of everybody in the meaning of the new terms, given that
   *   what two people state is true.
   * Needs: without a statement, losses of the old terms are losses of the new ones (keepsMeaning).
   * Proof: where unit, neighbours, accounting and the paths of known tables are as before, old and new losses
   *   are of one kind, whatever data they are about, and composition adds them. Otherwise everything counts
   *   as spent, so that nothing more is lost; or two people vouch for a total, which is never below the sum.
   *   No charge from before covers a loss after it: a series is not continued, a charge not taken over.
   * Numerics: integers.
   * Source: this file.
   */
  #rebind({ terms, spent }: TermsEntry): void {
    if (!keepsMeaning(this.#terms, terms)) this.#meaningSince = this.#entries
    this.#terms = changedTerms(this.#terms, terms)
    if (spent === undefined) return
    if (spent === "all") {
      for (const [name, account] of this.#accounts) this.#accounts.set(name, exhausted(account, nothing))
      return
    }
    this.#spendUpTo(spent)
  }

  /**
   * Counts what two people state. What exceeds the known amount counts for every account: it may be of any.
   */
  #spendUpTo(stated: Amounts): void {
    const own = this.#spentSoFar()
    const more = moreThan(stated, own)
    for (const [name, account] of this.#accounts) this.#accounts.set(name, withMoreSpent(account, more))
    this.#lost = { amount: own.amount + more.amount, delta: own.delta + more.delta }
  }

  #spentSoFar(): Units {
    return this.#accounts.get("dataset")?.spent ?? this.#lost ?? nothing
  }

  /**
   * Counts everything as spent: all that any of the lost entries can have charged.
   *
   * Guarantee: the dataset's total afterwards is at least all that was ever charged, here and in the lost
   *   entries.
   * Needs: no reservation was returned before an anchor with its entry was on disk (ChainLedger.reserve); for
   *   a shared ledger, on the disk of the machine that made it.
   * Proof: all that the anchor knows, all that this ledger knows and all that a limit allows count as spent:
   *   ledger-state.proof.md.
   * Numerics: integers.
   * Source: this file.
   */
  #acknowledge({ anchor, spent }: AcknowledgementEntry): void {
    if (spent === undefined) this.#spendAll(anchor)
    else this.#spendUpTo(spent)
    if (anchor !== undefined) this.#given.add(`${anchor.entries} ${anchor.hash}`)
    const epoch = anchor === undefined ? this.#epoch : most(this.#epoch, anchor.epoch)
    this.#epoch = epoch + 1n
  }

  #spendAll(anchor: AnchoredHead | undefined): void {
    const before = this.#spentSoFar()
    const lost = anchor === undefined ? nothing : lostUnits(anchor, before)
    this.#lost = { amount: most(before.amount, lost.amount), delta: most(before.delta, lost.delta) }
    this.#lostAll = true
    for (const [name, account] of this.#accounts) {
      this.#accounts.set(name, exhausted(account, name === "dataset" ? lost : nothing))
    }
  }

  #keysOf(entry: Entry): EntryKeys {
    if (entry.kind === "charge") return { request: requestKey(entry) }
    if (entry.kind !== "settlement") return {}
    const charge = this.#waiting.get(entry.charge)?.entry
    const released = entry.outcome === "released" && charge !== undefined
    return { settles: entry.charge, ...(released ? { question: questionKey(charge) } : {}) }
  }
}

function readOrSay(body: string): Entry | string {
  try {
    return readEntry(body)
  } catch (error) {
    // Not a failure here: an entry that cannot be read is what is being looked for.
    if (error instanceof Unreadable) return error.message
    throw error
  }
}

function sameKeys(a: EntryKeys, b: EntryKeys): boolean {
  return a.request === b.request && a.settles === b.settles && a.question === b.question
}
