// Where entries are kept: rows in order, three keys to find them by, the releases beside them, and
// transactions that are durable when they end. It decides nothing, and nothing relies on it: LedgerState
// checks every row.

import type { ReleaseText } from "./ledger.ts"

/** An entry as it is stored. */
export interface EntryRow {
  readonly position: bigint
  readonly hash: string
  readonly body: string
  readonly keys: EntryKeys
}

/** What an entry can be found by; all of it follows from the entries themselves. */
export interface EntryKeys {
  /** Of a charge: whose request it was. */
  readonly request?: string
  /** Of a settlement: the position of its charge. */
  readonly settles?: bigint
  /** Of a settlement with a release: the question that it answers. */
  readonly question?: string
}

/** An entry to be stored, with the release that it records. */
export interface NewRow {
  readonly row: EntryRow
  readonly release?: ReleaseText
}

/**
 * A store of entries. Methods throw the driver's errors; LedgerWriter turns them into ours, and calls one
 * after the other.
 */
export interface EntryStore {
  /** For messages. */
  readonly path: string
  /** Whether machines that have not seen the store before may join it. */
  readonly isShared: boolean
  /** How long a process that has just written leaves the lock to others, where the lock is not fair. */
  readonly yieldMs: number
  /** Waits until no other writer is active, and keeps others out until `commit` or `rollback`. */
  begin(): Promise<void>
  /** Durable when it resolves; where it throws, it may be durable all the same. */
  commit(): Promise<void>
  /** Leaves the transaction, if there is one. */
  rollback(): Promise<void>
  append(rows: readonly NewRow[]): Promise<void>
  /** At most `count` rows from a position on, in order. */
  rows(from: bigint, count: number): Promise<readonly EntryRow[]>
  /** The rows at these positions, as far as there are any, in order. */
  rowsAt(positions: readonly bigint[]): Promise<readonly EntryRow[]>
  /** Where the entry with this hash is. */
  positionOf(hash: string): Promise<bigint | undefined>
  /** The charges of these requests, as far as there are any. */
  chargesOf(requests: readonly string[]): Promise<readonly EntryRow[]>
  settlementOf(charge: bigint): Promise<EntryRow | undefined>
  /** The first settlement with a release for the question. */
  answerOf(question: string): Promise<EntryRow | undefined>
  /** What entries released, by position. */
  releases(positions: readonly bigint[]): Promise<ReadonlyMap<bigint, ReleaseText>>
  /**
   * The entries that released a noisy table of a subject, in order, each once; at most the `newest` last
   * ones.
   */
  keptUnder(subject: string, newest?: number): Promise<readonly bigint[]>
  /** How many noisy tables there are, up to a position. */
  keptCount(upTo: bigint): Promise<bigint>
  /** How many releases there are, up to a position. */
  releaseCount(upTo: bigint): Promise<bigint>
  /** Lets others see that the holder of this id lives, until the process ends or the store is closed. */
  live(id: string): Promise<void>
  /** Whether the holder of this id may still live. */
  isLive(id: string): Promise<boolean>
  /**
   * Damage that the store finds in itself: a quick check when it is opened, a full one when it is verified.
   */
  selfCheck(depth: "quick" | "whole"): Promise<string | undefined>
  isBusy(error: unknown): boolean
  /** Whether the store says that what it holds is damaged. */
  isDamage(error: unknown): boolean
  /** Whether a connection was lost, or the store gave up a transaction: the same may succeed again. */
  isPassing(error: unknown): boolean
  close(): Promise<void>
}
