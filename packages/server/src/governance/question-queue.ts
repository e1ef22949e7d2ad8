// At most so many questions are answered at once; some more may wait, and the rest is turned away before
// anything is charged. A question that is sent again while it is answered joins the one under way.

import { errorOf, fail } from "../errors.ts"

/** How many run and wait. */
export interface QueueLimits {
  readonly runningMax: number
  readonly waitingMax: number
}

/** Lets questions in one after the other. */
export class QuestionQueue {
  readonly #limits: QueueLimits
  readonly #waiting: (() => void)[] = []
  readonly #underWay = new Map<string, { readonly what: string; readonly result: Promise<unknown> }>()
  #running = 0

  constructor(limits: QueueLimits = { runningMax: 8, waitingMax: 512 }) {
    this.#limits = limits
  }

  /** How many are being answered. */
  get running(): number {
    return this.#running
  }

  /** Waits for a place, and runs; who leaves while waiting is charged nothing. */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#running >= this.#limits.runningMax) {
      if (this.#waiting.length >= this.#limits.waitingMax) fail("request/busy", {})
      await this.#turn(signal)
    } else this.#running += 1
    try {
      return await work()
    } finally {
      // The place goes to the next in line, if there is one.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  /** Until a place is free. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        const place = this.#waiting.indexOf(enter)
        if (place >= 0) this.#waiting.splice(place, 1)
        reject(errorOf("request/left", {}))
      }
      const enter = (): void => {
        signal?.removeEventListener("abort", leave)
        resolve()
      }
      this.#waiting.push(enter)
      signal?.addEventListener("abort", leave, { once: true })
    })
  }

  /** Runs under a key; whoever brings the same key and question meanwhile gets the same answer. */
  async once<Result>(key: string | undefined, what: string, work: () => Promise<Result>): Promise<Result> {
    if (key === undefined) return this.run(work)
    const known = this.#underWay.get(key)
    if (known !== undefined && known.what === what) {
      // Kept under the same question, so of the same kind.
      return known.result as Promise<Result>
    }
    // Another question under a key that is in use: the ledger decides, and refuses it.
    const result = this.run(work)
    if (known !== undefined) return result
    this.#underWay.set(key, { what, result })
    try {
      return await result
    } finally {
      this.#underWay.delete(key)
    }
  }
}
