// Where entries are kept: rows in order, three keys to find them by, the releases beside them, and
// transactions that are durable when they end. It decides nothing and is not believed: LedgerState checks
// every row.

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

/** A store of entries. Methods throw the driver's errors; ChainLedger turns them into ours. */
export interface EntryStore {
  /** For messages. */
  readonly path: string
  /** Waits until no other writer is active, and keeps others out until `commit` or `rollback`. */
  begin(): void
  /** Durable when it returns. */
  commit(): void
  rollback(): void
  append(row: EntryRow, release?: ReleaseText): void
  /** At most `count` rows from a position on, in order. */
  rows(from: bigint, count: number): readonly EntryRow[]
  chargeOf(request: string): EntryRow | undefined
  settlementOf(charge: bigint): EntryRow | undefined
  /** The first settlement with a release for the question. */
  answerOf(question: string): EntryRow | undefined
  /** What a settlement released. */
  release(settlement: bigint): ReleaseText | undefined
  /** The entries that released a noisy table of a subject, in order, each once; the newest if so many. */
  keptUnder(subject: string, newest?: number): readonly bigint[]
  /** How many noisy tables there are, up to a position. */
  keptCount(upTo: bigint): bigint
  /** How many releases there are, up to a position. */
  releaseCount(upTo: bigint): bigint
  /** What the store finds wrong with itself. */
  selfCheck(): string | undefined
  isBusy(error: unknown): boolean
  close(): void
}

/** The key of a principal's request. */
export function requestKey(key: { readonly principal: string; readonly requestId: string }): string {
  return JSON.stringify([key.principal, key.requestId])
}

/** The key of a question. */
export function questionKey(key: { readonly planHash: string; readonly dataVersion: string }): string {
  return JSON.stringify([key.planHash, key.dataVersion])
}
