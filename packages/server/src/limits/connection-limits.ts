// How much one address may have open at once, so that no address can take all connections.

import { networkOf } from "./network-of.ts"

/** The share of a door's connections that one address may have. */
export const shareOfOne = 1 / 4

/** How many connections a door takes. */
export interface ConnectionLimit {
  readonly connectionsMax?: number
  /** A quarter of all if left out. */
  readonly connectionsPerAddress?: number
}

/** The limits, with defaults for those that were left out. */
export function connectionLimitOf(limit: ConnectionLimit): Required<ConnectionLimit> {
  const { connectionsMax = 1000 } = limit
  const share = Math.max(1, Math.floor(connectionsMax * shareOfOne))
  return { connectionsMax, connectionsPerAddress: limit.connectionsPerAddress ?? share }
}

/** Counts open connections by address. */
export class OpenByAddress {
  readonly #most: number
  readonly #open = new Map<string, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a place; gives the function that returns it, or undefined if the address has no place left. */
  enter(address: string): (() => void) | undefined {
    const key = networkOf(address)
    const open = this.#open.get(key) ?? 0
    if (open >= this.#most) return undefined
    this.#open.set(key, open + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const left = (this.#open.get(key) ?? 1) - 1
      if (left === 0) this.#open.delete(key)
      else this.#open.set(key, left)
    }
  }
}
