// Entries in memory: for tests, and for demonstrations that keep nothing.

import type { EntryRow, EntryStore, NewRow } from "../entry-store.ts"
import type { ReleaseText } from "../ledger.ts"

/** A store that lasts as long as the object. Nothing in it is durable. */
export class MemoryStore implements EntryStore {
  readonly path = "the ledger in memory"
  readonly isShared: boolean = false
  readonly yieldMs = 0
  readonly #rows: EntryRow[] = []
  readonly #releases = new Map<bigint, ReleaseText>()
  readonly #live = new Set<string>()
  /** How many rows there were when the transaction began. */
  #kept = 0

  async begin(): Promise<void> {
    this.#kept = this.#rows.length
  }
  async commit(): Promise<void> {
    this.#kept = this.#rows.length
  }
  async rollback(): Promise<void> {
    for (const { position } of this.#rows.splice(this.#kept)) this.#releases.delete(position)
  }
  async append(rows: readonly NewRow[]): Promise<void> {
    for (const { row, release } of rows) {
      this.#rows.push(row)
      if (release !== undefined) this.#releases.set(row.position, release)
    }
  }
  async rows(from: bigint, count: number): Promise<readonly EntryRow[]> {
    const start = Number(from) - 1
    return this.#rows.slice(start, start + count)
  }
  async rowsAt(positions: readonly bigint[]): Promise<readonly EntryRow[]> {
    const wanted = new Set(positions)
    return this.#rows.filter(({ position }) => wanted.has(position))
  }
  async positionOf(hash: string): Promise<bigint | undefined> {
    return this.#rows.find((row) => row.hash === hash)?.position
  }
  async chargesOf(requests: readonly string[]): Promise<readonly EntryRow[]> {
    const wanted = new Set(requests)
    return this.#rows.filter(({ keys }) => keys.request !== undefined && wanted.has(keys.request))
  }
  async settlementOf(charge: bigint): Promise<EntryRow | undefined> {
    return this.#rows.find(({ keys }) => keys.settles === charge)
  }
  async answerOf(question: string): Promise<EntryRow | undefined> {
    return this.#rows.find(({ keys }) => keys.question === question)
  }
  async releases(positions: readonly bigint[]): Promise<ReadonlyMap<bigint, ReleaseText>> {
    const wanted = new Set(positions)
    return new Map([...this.#releases].filter(([position]) => wanted.has(position)))
  }
  async keptUnder(subject: string, newest?: number): Promise<readonly bigint[]> {
    const found = [...this.#releases].filter(([, { kept = [] }]) =>
      kept.some((one) => one.subject === subject),
    )
    return found.map(([position]) => position).slice(newest === undefined ? 0 : -newest)
  }
  async keptCount(upTo: bigint): Promise<bigint> {
    const found = [...this.#releases].filter(([position]) => position <= upTo)
    return BigInt(found.reduce((count, [, { kept = [] }]) => count + kept.length, 0))
  }
  async releaseCount(upTo: bigint): Promise<bigint> {
    return BigInt([...this.#releases.keys()].filter((position) => position <= upTo).length)
  }
  async live(id: string): Promise<void> {
    this.#live.add(id)
  }
  async isLive(id: string): Promise<boolean> {
    return this.#live.has(id)
  }
  async selfCheck(_depth?: "quick" | "whole"): Promise<string | undefined> {
    return undefined
  }
  isDamage(): boolean {
    return false
  }
  isBusy(): boolean {
    return false
  }
  isPassing(_error?: unknown): boolean {
    return false
  }
  async close(): Promise<void> {
    this.#kept = this.#rows.length
    this.#live.clear()
  }
}
