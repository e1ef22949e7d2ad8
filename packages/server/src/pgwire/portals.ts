// Statements that were parsed and portals that were bound, by name; the unnamed ones are replaced.

import type { Constant } from "@dosimeter/sql"
import { WireError } from "./wire-error.ts"
import type { WireResult } from "./wire-result.ts"

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

/** So many of each may be open. */
const openMax = 1000

/** Things by name. */
export class ByName<T> {
  readonly #kept = new Map<string, T>()
  readonly #what: "prepared statement" | "portal"

  constructor(what: "prepared statement" | "portal") {
    this.#what = what
  }

  add(name: string, value: T): void {
    if (name !== "" && this.#kept.has(name)) {
      const state = this.#what === "portal" ? "42P03" : "42P05"
      throw new WireError(state, `${this.#what} "${name}" already exists`)
    }
    if (this.#kept.size >= openMax)
      throw new WireError("54000", `more than ${openMax} of a ${this.#what} are open`)
    this.#kept.set(name, value)
  }

  get(name: string): T {
    const found = this.#kept.get(name)
    if (found !== undefined) return found
    const state = this.#what === "portal" ? "34000" : "26000"
    throw new WireError(state, `${this.#what} "${name}" does not exist`)
  }

  delete(name: string): void {
    this.#kept.delete(name)
  }

  /** As delete, for one that there is. */
  remove(name: string): void {
    this.get(name)
    this.delete(name)
  }

  clear(): void {
    this.#kept.clear()
  }

  /** Gives up all but some. */
  keep(isKept: (value: T) => boolean): void {
    for (const [name, value] of this.#kept) if (!isKept(value)) this.#kept.delete(name)
  }
}

/** How many parameters a statement has: the highest $n outside strings, names and comments. */
export function parameterCount(sql: string): number {
  const plain = sql.replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[^]*?\*\//g, " ")
  return [...plain.matchAll(/\$(\d{1,5})\b/g)].reduce(
    (most, [, index = "0"]) => Math.max(most, Number(index)),
    0,
  )
}
