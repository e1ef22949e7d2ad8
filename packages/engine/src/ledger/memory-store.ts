// Entries in memory: for tests, and for demonstrations that keep nothing.

import type { EntryRow, EntryStore } from "./entry-store.ts"
import type { ReleaseText } from "./ledger.ts"

/** A store that lasts as long as the object. Nothing is believed to be durable. */
export class MemoryStore implements EntryStore {
  readonly path = "the ledger in memory"
  readonly #rows: EntryRow[] = []
  readonly #releases = new Map<bigint, ReleaseText>()
  /** How many rows there were when the transaction began. */
  #kept = 0

  begin(): void {
    this.#kept = this.#rows.length
  }
  commit(): void {
    this.#kept = this.#rows.length
  }
  rollback(): void {
    for (const { position } of this.#rows.splice(this.#kept)) this.#releases.delete(position)
  }
  append(row: EntryRow, release?: ReleaseText): void {
    this.#rows.push(row)
    if (release !== undefined) this.#releases.set(row.position, release)
  }
  rows(from: bigint, count: number): readonly EntryRow[] {
    const start = Number(from) - 1
    return this.#rows.slice(start, start + count)
  }
  chargeOf(request: string): EntryRow | undefined {
    return this.#rows.find(({ keys }) => keys.request === request)
  }
  settlementOf(charge: bigint): EntryRow | undefined {
    return this.#rows.find(({ keys }) => keys.settles === charge)
  }
  answerOf(question: string): EntryRow | undefined {
    return this.#rows.find(({ keys }) => keys.question === question)
  }
  release(settlement: bigint): ReleaseText | undefined {
    return this.#releases.get(settlement)
  }
  keptUnder(subject: string, newest?: number): readonly bigint[] {
    const found = [...this.#releases].filter(([, { kept = [] }]) =>
      kept.some((one) => one.subject === subject),
    )
    return found.map(([position]) => position).slice(newest === undefined ? 0 : -newest)
  }
  keptCount(upTo: bigint): bigint {
    const found = [...this.#releases].filter(([position]) => position <= upTo)
    return BigInt(found.reduce((count, [, { kept = [] }]) => count + kept.length, 0))
  }
  releaseCount(upTo: bigint): bigint {
    return BigInt([...this.#releases.keys()].filter((position) => position <= upTo).length)
  }
  selfCheck(): string | undefined {
    return undefined
  }
  isBusy(): boolean {
    return false
  }
  close(): void {
    this.#kept = this.#rows.length
  }
}
