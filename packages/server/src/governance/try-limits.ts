// Guessing passwords is made slow: a few wrong tries by name or address are free, then each one costs twice
// the wait of the one before. Names that there are not count as well, so that waiting tells nobody which are.

interface Tries {
  readonly wrong: number
  readonly last: number
}

const freeTries = 5
const firstWaitMs = 1_000
const longestWaitMs = 15 * 60_000
const keptMax = 10_000

/** Counts wrong tries. */
export class TryLimits {
  readonly #tries = new Map<string, Tries>()
  readonly #now: () => number
  readonly #failed: (key: string, wrong: number) => void

  /** `failed` is told of wrong tries: how many in a row there were by a name or an address. */
  constructor(
    now: () => number = () => Date.now(),
    failed: (key: string, wrong: number) => void = () => undefined,
  ) {
    this.#now = now
    this.#failed = failed
  }

  /** Whether a try is allowed now. */
  mayTry(...keys: readonly string[]): boolean {
    return keys.every((key) => {
      const tries = this.#tries.get(key)
      return tries === undefined || this.#now() - tries.last >= waitAfter(tries.wrong)
    })
  }

  /** A try is over: a right one clears the count. */
  tried(succeeded: boolean, ...keys: readonly string[]): void {
    for (const key of keys) {
      const wrong = (this.#tries.get(key)?.wrong ?? 0) + 1
      this.#tries.delete(key)
      if (succeeded) continue
      this.#tries.set(key, { wrong, last: this.#now() })
      this.#failed(key, wrong)
    }
    // The oldest go first: a map keeps the order in which keys came.
    for (const key of this.#tries.keys()) {
      if (this.#tries.size <= keptMax) break
      this.#tries.delete(key)
    }
  }
}

function waitAfter(wrong: number): number {
  return wrong < freeTries ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(30, wrong - freeTries))
}
