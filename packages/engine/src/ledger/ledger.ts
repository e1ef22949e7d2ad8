// The ledger: the durable, append-only record of what was charged, for which plan, and what became of it. A
// charge is entered before the data is read, and never taken back.

import type { Budget, DosimeterError } from "@dosimeter/core"
import type { Account, AccountName, LedgerCharge } from "./entries/account.ts"
import type { Amounts, Entry, LossTerms } from "./entries/entry.ts"
import type { FailureCause } from "./entries/failure-entries.ts"
import type { Incident } from "./incidents.ts"

/**
 * A ledger of one dataset.
 *
 * Guarantee: at any time, and through any crash, the charges of all reservations that were ever returned are
 *   in the ledger; together with all others they keep the budget of the dataset and of every account named
 *   with them.
 * Needs: a reservation is awaited before the data is read; the charge is the loss of the plan (Bill, Permit).
 * Proof: reserve decides and appends in one transaction that no other writer can enter, on a state that is a
 *   fold over all entries (LedgerState), and returns after the entry and its anchor are on disk. Nothing
 *   removes one.
 * Numerics: takeUnits.
 * Source: Jin and others 2024, ElephantDP, for the order: charge, keep, then answer.
 */
export interface Ledger {
  readonly dataset: string
  /** Random, in the first entry. */
  readonly id: string
  /**
   * Opens an account, or finds it open with the same promise (another is refused); how its delta is split
   * stays as recorded. With the terms of the dataset's losses: binds them, or finds them bound; other terms
   * are refused.
   */
  openAccount(name: AccountName, budget: Budget, decision?: OpeningDecision): Promise<Account>
  /** Enters another budget for an account. What is spent stays spent. */
  changeBudget(name: AccountName, budget: Budget, decision: Decision): Promise<Account>
  /** What losses mean, as far as it was said. */
  terms(): Promise<LossTerms | undefined>
  /**
   * Losses mean something else from now on. Where old and new ones do not add up, everything counts as spent,
   * or what two people state.
   */
  rebind(terms: LossTerms, decision: StatedDecision): Promise<void>
  /** Why nothing can be charged: an anchor that does not fit, a ledger that is lost, or what `hold` was told. */
  trouble(): Promise<DosimeterError | undefined>
  /** Goes on without lost entries: everything counts as spent, or what two people state. */
  acknowledge(decision: StatedDecision): Promise<void>
  /** Refuses every charge with an error, until `undefined` is given. */
  hold(why: DosimeterError | undefined): void
  /**
   * Charges the dataset and the accounts named, or none of them. Durable when it returns. Refused where the
   * principal's door is closed by an incident.
   */
  reserve(request: ReserveRequest): Promise<Reservation>
  /** Records what became of a charge, once, by its holder. The answer may leave when this has returned. */
  settle(reservation: Held, outcome: Outcome): Promise<Settlement>
  /**
   * Takes over a charge whose holder has ended without an outcome: undefined if the holder may still live.
   * Once for each charge: if the second holder ends as well, the charge has failed, which is an incident.
   */
  takeOver(reservation: Reservation): Promise<Reservation | undefined>
  /** What failed after it was charged, the oldest first. */
  incidents(): Promise<readonly Incident[]>
  /** Refuses where the door of whoever has made a series is closed by an incident. */
  checkSeries(charge: bigint): Promise<void>
  /** Says that a step of a series has failed: an incident of whoever made it. */
  failStep(charge: bigint, cause: FailureCause): Promise<void>
  /** The owner has looked at an incident: what it has closed is open again. */
  reopen(incident: bigint, decision: Decision): Promise<void>
  /**
   * Records the next steps of a series, which its charge has paid for. Refused if another process has
   * recorded them: then what was drawn must not be shown.
   */
  extend(series: SeriesSteps, release: ReleaseText): Promise<void>
  /** How far the series of a charge has come; undefined if the charge pays for none. */
  seriesAt(charge: bigint): Promise<SeriesState | undefined>
  /**
   * The first recorded release of a plan on a version of the data. Whether it may be shown is for the caller
   * to decide.
   */
  find(question: Question): Promise<RecordedRelease | undefined>
  /** The noisy tables of a subject that were released, in order: all, or those of so many newest entries. */
  kept(subject: string, newest?: number): Promise<readonly KeptRelease[]>
  /** What became of a principal's request; refused if the id was another question. */
  findRequest(request: RequestKey & Question & { readonly study?: string }): Promise<RequestState>
  /** Charges without an outcome: being answered now, or left behind by a crash. */
  unsettled(): Promise<readonly Reservation[]>
  accounts(): Promise<readonly Account[]>
  /** Entries from a position (the first is 1). */
  entries(from: bigint, count: number): Promise<readonly LedgerEntry[]>
  /** Reads everything again: every hash, every rule, every recorded release, the anchor. */
  verify(): Promise<Verification>
  close(): Promise<void>
}

/** Who decided on a budget, and why. */
export interface Decision {
  /** One or more; two people for an increase, where the house asks for that. */
  readonly by: readonly string[]
  readonly why: string
}

/** A decision to open an account, with what its losses mean. */
export interface OpeningDecision extends Decision {
  readonly terms?: LossTerms
}

/** A decision about losses that the ledger cannot know: what was spent in all, if two people state it. */
export interface StatedDecision extends Decision {
  readonly spent?: Amounts
}

/** What answers a question: the same plan on the same data is the same question. */
export interface Question {
  readonly planHash: string
  readonly dataVersion: string
}

/** Request ids belong to a principal: nobody can look up the request of another. */
export interface RequestKey {
  readonly principal: string
  readonly requestId: string
}

/** A charge to be made. */
export interface ReserveRequest extends Question, RequestKey {
  /** Accounts inside the dataset; the dataset's own is always charged. */
  readonly accounts: readonly AccountName[]
  readonly charge: LedgerCharge
  readonly study?: string
  /** Of a series: how many steps the charge pays for. */
  readonly steps?: bigint
  /** Whether the answer waits for an approval, so that nobody who asks is told if it failed. */
  readonly held?: true
}

/** What is needed to settle a charge: its place, its plan, and who holds it. */
export type Held = Pick<Reservation, "position" | "planHash" | "holder">

/** A charge that was made. */
export interface Reservation extends Question, RequestKey {
  /** Of the ledger. */
  readonly ledger: string
  /** Of the charge in the ledger; the first entry has 1. */
  readonly position: bigint
  /** Of the ledger up to and with the charge. */
  readonly hash: string
  readonly at: string
  readonly accounts: readonly AccountName[]
  /** As entered: rounded up to whole units. */
  readonly charge: LedgerCharge
  readonly study?: string
  readonly steps?: bigint
  readonly held?: true
  /** Which opening of the ledger may settle it. */
  readonly holder?: string
}

/** A noisy answer and its receipt, as texts. */
export interface ReleaseText {
  readonly answer: string
  readonly receipt: string
  /** The noisy tables behind the answer, for questions that can be worked out from them. */
  readonly kept?: readonly KeptText[]
}

/** A noisy table as text, and what it is found by. */
export interface KeptText {
  readonly subject: string
  readonly text: string
}

/** What became of a charge. The charge stands in either case. */
export type Outcome =
  | { readonly outcome: "released"; readonly release: ReleaseText }
  | { readonly outcome: "failed"; readonly cause: FailureCause }

/** An outcome that was entered. */
export interface Settlement {
  readonly position: bigint
  readonly hash: string
  readonly outcome: "released" | "failed"
}

/** A range of steps of a series: those after one number, up to and with another. */
export interface SeriesSteps {
  /** The position of its charge. */
  readonly charge: bigint
  /** How far the series had come when the steps were drawn. */
  readonly after: bigint
  readonly through: bigint
}

/** How far a series may go, and how far it has. */
export interface SeriesState {
  readonly steps: bigint
  readonly through: bigint
}

/** A release from the record, with the position of its charge. */
export interface RecordedRelease extends ReleaseText {
  readonly charge: bigint
}

/** A noisy table from the record, with the position of the charge that paid for it. */
export interface KeptRelease {
  readonly charge: bigint
  readonly text: string
}

/** What is known of a request. */
export type RequestState =
  | {
      readonly state: "unknown"
      /** A charge of the same principal for the same question that waits for an outcome. */
      readonly left?: Reservation
      /** The charge of the same question that has failed where every answer waits for an approval. */
      readonly untold?: bigint
    }
  | { readonly state: "in-progress"; readonly reservation: Reservation }
  | { readonly state: "failed"; readonly reservation: Reservation; readonly untold?: bigint }
  | { readonly state: "released"; readonly reservation: Reservation; readonly release: RecordedRelease }

/** An entry in its place. */
export interface LedgerEntry {
  readonly position: bigint
  readonly hash: string
  readonly entry: Entry
}

/** What verify found. */
export type Verification =
  | { readonly sound: true; readonly entries: bigint; readonly hash: string; readonly epoch: bigint }
  | { readonly sound: false; readonly position: bigint; readonly what: string }
