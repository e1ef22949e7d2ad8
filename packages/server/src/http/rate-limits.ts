// How often somebody may come: a bucket for each account and each address, which fills again with time.

/** How many requests at once, and how many in a minute. */
export interface RateLimit {
  readonly perMinute: number
}

interface Bucket {
  readonly left: number
  readonly at: number
}

const keptMax = 10_000

/** Counts requests by key. */
export class RateLimits {
  readonly #limit: RateLimit
  readonly #now: () => number
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.#limit = limit
    this.#now = now
  }

  /** Takes one; gives the seconds to wait where none is left, 0 otherwise. */
  take(key: string): number {
    const { perMinute } = this.#limit
    const now = this.#now()
    const bucket = this.#buckets.get(key) ?? { left: perMinute, at: now }
    const left = Math.min(perMinute, bucket.left + ((now - bucket.at) / 60_000) * perMinute)
    this.#buckets.delete(key)
    this.#buckets.set(key, { left: left < 1 ? left : left - 1, at: now })
    this.#forget()
    return left < 1 ? Math.max(1, Math.ceil(((1 - left) / perMinute) * 60)) : 0
  }

  // The oldest go first: a map keeps the order in which keys came.
  #forget(): void {
    for (const key of this.#buckets.keys()) {
      if (this.#buckets.size <= keptMax) return
      this.#buckets.delete(key)
    }
  }
}
