// How many requests somebody may send: a bucket for each account and each address, which fills again with
// time.

import { LiveEntries } from "./live-entries.ts"

/** How many requests at once, and how many in a minute. */
export interface RateLimit {
  readonly perMinute: number
}

interface Bucket {
  left: number
  at: number
}

/** Counts requests by key. */
export class RateLimits {
  readonly #limit: RateLimit
  readonly #now: () => number
  readonly #buckets: LiveEntries<Bucket>

  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.#limit = limit
    this.#now = now
    this.#buckets = new LiveEntries<Bucket>({
      make: () => ({ left: limit.perMinute, at: now() }),
      // The bucket is full again.
      isOver: ({ at }) => now() - at >= 60_000,
    })
  }

  /** Takes one; gives the seconds to wait where none is left, 0 otherwise. */
  take(key: string): number {
    const { perMinute } = this.#limit
    const now = this.#now()
    const bucket = this.#buckets.of(key)
    const left = Math.min(perMinute, bucket.left + ((now - bucket.at) / 60_000) * perMinute)
    bucket.left = left < 1 ? left : left - 1
    bucket.at = now
    return left < 1 ? Math.max(1, Math.ceil(((1 - left) / perMinute) * 60)) : 0
  }
}
