// Guessing passwords is made slow, without locking out anybody who has signed in here before. A try counts
// from its beginning: of many at once only as many are checked as may be wrong. Tries count by name and
// address together (a row); those of strangers also by address and by name alone (a bucket), which bounds
// guesses over many names or from many addresses. Names without an account count too, so that a wait does not
// tell whether there is one.

import { LiveEntries } from "./live-entries.ts"
import { networkOf } from "./network-of.ts"

/** Who tries. */
export interface Trying {
  readonly name: string
  readonly address: string
  /** What shows that this name was signed in there before: the id of a session or of a known device. */
  readonly proof?: string | undefined
}

/** A try that may be checked. */
export interface OpenTry {
  /** How it ended: "left" if nothing was checked. Only the first call counts. */
  readonly settle: (outcome: "right" | "wrong" | "left") => void
}

/** Wrong tries in a row, without a right one between them. */
interface Row {
  wrong: number
  last: number
  /** Under way. */
  open: number
  waiting: (() => void)[]
}

interface Bucket {
  left: number
  at: number
  wrong: number
}

const freeTries = 5
const firstWaitMs = 1_000
const longestWaitMs = 15 * 60_000
/** Longer than any wait. */
const rememberedMs = 60 * 60_000
const waitingMax = 256
const perAddress = { most: 30, fillMs: 4_000 }
const perName = { most: 20, fillMs: 60_000 }
const addressesKept = 16

/** Counts tries. */
export class TryLimits {
  readonly #now: () => number
  readonly #failed: (key: string, wrong: number) => void
  readonly #rows: LiveEntries<Row>
  readonly #addresses: LiveEntries<Bucket>
  readonly #names: LiveEntries<Bucket>
  /** Where somebody signed in before. There are no more names in it than accounts and tokens. */
  readonly #known = new Map<string, readonly string[]>()

  /** `failed` is told of wrong tries: how many there were by "user NAME", or "from ADDRESS". */
  constructor(
    now: () => number = () => performance.now(),
    failed: (key: string, wrong: number) => void = () => undefined,
  ) {
    this.#now = now
    this.#failed = failed
    this.#rows = new LiveEntries<Row>({
      make: () => ({ wrong: 0, last: now(), open: 0, waiting: [] }),
      isOver: ({ open, waiting, last }) => open === 0 && waiting.length === 0 && now() - last >= rememberedMs,
    })
    const buckets = ({ most, fillMs }: typeof perName): LiveEntries<Bucket> =>
      new LiveEntries<Bucket>({
        make: () => ({ left: most, at: now(), wrong: 0 }),
        isOver: ({ left, at }) => now() - at >= Math.max(rememberedMs, (most - left) * fillMs),
      })
    this.#addresses = buckets(perAddress)
    this.#names = buckets(perName)
  }

  /** A try that may be checked now, or undefined. It may wait for the end of those that are under way. */
  async begin({ name, address, proof }: Trying): Promise<OpenTry | undefined> {
    const network = networkOf(address)
    const row = this.#rows.of(`${proof === undefined ? network : `by ${proof}`}\n${name}`)
    if (!(await this.#enter(row))) return undefined
    const [byAddress, byName] = [this.#addresses.of(network), this.#names.of(name)]
    const isKnown = proof !== undefined || this.#known.get(name)?.includes(network) === true
    const isPaid = isKnown || this.#take(byAddress, byName)
    if (!isPaid) {
      leave(row)
      return undefined
    }
    let isOpen = true
    const settle: OpenTry["settle"] = (outcome) => {
      if (!isOpen) return
      isOpen = false
      if (outcome === "wrong") {
        row.wrong += 1
        row.last = this.#now()
        byAddress.wrong += 1
        byName.wrong += 1
        this.#failed(`user ${name}`, byName.wrong)
        this.#failed(`from ${network}`, byAddress.wrong)
      } else if (!isKnown) {
        // A try that was no guess is given back; other tries stay counted.
        byAddress.left += 1
        byName.left += 1
      }
      if (outcome === "right") {
        row.wrong = 0
        byName.wrong = 0
        this.#remember(name, network)
      }
      leave(row)
    }
    return { settle }
  }

  /** A place among the tries of a row: at once, or when the tries under way have ended. */
  async #enter(row: Row): Promise<boolean> {
    for (;;) {
      const isFree = row.wrong + row.open < freeTries
      if (!isFree && row.open === 0 && this.#now() - row.last < waitAfter(row.wrong)) return false
      if (isFree || row.open === 0) {
        row.open += 1
        return true
      }
      if (row.waiting.length >= waitingMax) return false
      await new Promise<void>((resolve) => {
        row.waiting.push(resolve)
      })
    }
  }

  #take(byAddress: Bucket, byName: Bucket): boolean {
    this.#fill(byAddress, perAddress)
    this.#fill(byName, perName)
    if (byAddress.left < 1 || byName.left < 1) return false
    byAddress.left -= 1
    byName.left -= 1
    return true
  }

  #fill(bucket: Bucket, { most, fillMs }: typeof perName): void {
    const now = this.#now()
    bucket.left = Math.min(most, bucket.left + (now - bucket.at) / fillMs)
    bucket.at = now
  }

  #remember(name: string, network: string): void {
    const others = (this.#known.get(name) ?? []).filter((one) => one !== network)
    this.#known.set(name, [...others, network].slice(-addressesKept))
  }
}

function leave(row: Row): void {
  row.open -= 1
  const { waiting } = row
  row.waiting = []
  for (const wake of waiting) wake()
}

function waitAfter(wrong: number): number {
  return wrong < freeTries ? 0 : Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(30, wrong - freeTries))
}
