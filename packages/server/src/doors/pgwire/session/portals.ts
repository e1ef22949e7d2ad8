// Statements that were parsed and portals that were bound, by name; the unnamed ones are replaced.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import { WireError } from "../wire/wire-error.ts"
import type { WireResult } from "../wire/wire-result.ts"

/** A statement with the types of its parameters. */
export interface Prepared {
  readonly sql: string
  readonly types: readonly number[]
}

/** A statement with values, and its result once it ran. */
export interface Portal {
  readonly statement: Prepared
  readonly parameters: readonly Constant[]
  readonly formats: readonly number[]
  result?: WireResult
  /** The row that was sent last, counted from one; one more than there are rows if the end was met. */
  position: number
  /** For those that DECLARE made. */
  readonly cursor?: { readonly canGoBack: boolean; readonly isHeld: boolean }
}

/**
 * What a session may keep: so many of each kind, and so much of all together with their results, in
 * characters and values.
 */
const keptMax = 256
const keptSizeMax = 4_000_000

/** What a session keeps, added up. */
export class KeptSize {
  #size = 0

  /** Refuses what would pass the limit. */
  add(size: number): void {
    if (this.#size + size > keptSizeMax)
      throw new WireError(
        "53200",
        "this session keeps too many prepared statements, cursors and results",
        "DEALLOCATE ALL, CLOSE ALL",
      )
    this.#size += size
  }

  remove(size: number): void {
    this.#size -= size
  }
}

/** Things by name. */
export class ByName<T> {
  readonly #kept = new Map<string, { readonly value: T; size: number }>()
  readonly #what: "prepared statement" | "portal"
  readonly #sizes: KeptSize
  readonly #sizeOf: (value: T) => number

  constructor(
    what: "prepared statement" | "portal",
    { sizes, sizeOf }: { readonly sizes: KeptSize; readonly sizeOf: (value: T) => number },
  ) {
    this.#what = what
    this.#sizes = sizes
    this.#sizeOf = sizeOf
  }

  add(name: string, value: T): void {
    if (name !== "" && this.#kept.has(name)) {
      const state = this.#what === "portal" ? "42P03" : "42P05"
      throw new WireError(state, `${this.#what} "${name.slice(0, 80)}" already exists`)
    }
    this.delete(name)
    if (this.#kept.size >= keptMax)
      throw new WireError("53200", `more than ${keptMax} of a ${this.#what} are open`, "close some")
    const size = name.length + this.#sizeOf(value)
    this.#sizes.add(size)
    this.#kept.set(name, { value, size })
  }

  get(name: string): T {
    const found = this.#kept.get(name)
    if (found !== undefined) return found.value
    const state = this.#what === "portal" ? "34000" : "26000"
    throw new WireError(state, `${this.#what} "${name.slice(0, 80)}" does not exist`)
  }

  delete(name: string): void {
    this.#sizes.remove(this.#kept.get(name)?.size ?? 0)
    this.#kept.delete(name)
  }

  /** Counts more for one that there is, before it keeps more; refuses what would be too much. */
  grow(name: string, size: number): void {
    const found = this.#kept.get(name)
    if (found === undefined) return
    this.#sizes.add(size)
    found.size += size
  }

  /** As delete, for one that there is. */
  remove(name: string): void {
    this.get(name)
    this.delete(name)
  }

  clear(): void {
    this.keep(() => false)
  }

  /** Gives up all but some. */
  keep(isKept: (value: T) => boolean): void {
    for (const [name, { value }] of this.#kept) if (!isKept(value)) this.delete(name)
  }
}

/** What a statement takes, about. */
export function sizeOfPrepared({ sql, types }: Prepared): number {
  return sql.length + 8 * types.length + 100
}

/** What a portal takes, about: its values, and the statement, which may be gone meanwhile. */
export function sizeOfPortal({ statement, parameters }: Portal): number {
  const values = parameters.map((value) => (value.kind === "text" ? value.value.length : 50))
  return sizeOfPrepared(statement) + values.reduce((sum, size) => sum + size, 100)
}

/** What a result takes, about: each value, however short, and each column. */
export function sizeOfResult({ columns, rows }: WireResult): number {
  let size = 100 * columns.length
  for (const row of rows) {
    for (const value of row) size += 8 + (typeof value === "string" ? value.length : 0)
  }
  return size
}
