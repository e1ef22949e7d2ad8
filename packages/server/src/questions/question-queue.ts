// At most so many questions are answered at once; some more may wait, and the rest is refused before anything
// is charged. People take turns: each has a queue of their own, so that many questions of one person delay
// only that person. A question that is sent again while it is answered joins the one under way.

import { errorOf, fail } from "../errors.ts"

/** How many run and wait. */
export interface QueueLimits {
  readonly runningMax: number
  readonly waitingMax: number
  /** Of one person; half of all if left out. */
  readonly runningEach?: number
  readonly waitingEach?: number
}

/** What one person has asked. */
interface Line {
  readonly waiting: (() => void)[]
  running: number
}

/** Lets questions in, one person after the other. */
export class QuestionQueue {
  readonly #limits: Required<QueueLimits>
  /** The people with questions that wait or run; the one whose turn is next comes first. */
  readonly #lines = new Map<string, Line>()
  readonly #underWay = new Map<string, { readonly what: string; readonly result: Promise<unknown> }>()
  #running = 0
  #waiting = 0

  constructor(limits: QueueLimits = { runningMax: 8, waitingMax: 512 }) {
    const half = (number: number): number => Math.max(1, Math.ceil(number / 2))
    const { runningMax, waitingMax } = limits
    this.#limits = { runningEach: half(runningMax), waitingEach: half(waitingMax), ...limits }
  }

  /** How many are being answered. */
  get running(): number {
    return this.#running
  }

  /** Waits for a place, and runs; somebody who leaves while waiting is charged nothing. */
  async run<Result>(person: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const line = this.#lines.get(person) ?? { waiting: [], running: 0 }
    const { runningMax, runningEach, waitingMax, waitingEach } = this.#limits
    if (this.#running < runningMax && line.running < runningEach) {
      this.#lines.set(person, line)
      this.#running += 1
      line.running += 1
    } else {
      if (line.waiting.length >= waitingEach) fail("request/too-many-waiting", {})
      // A person without waiting questions is not refused because of the many questions of others.
      if (this.#waiting >= waitingMax && line.waiting.length > 0) fail("request/busy", {})
      this.#lines.set(person, line)
      await this.#turn(line, signal)
    }
    try {
      return await work()
    } finally {
      this.#running -= 1
      line.running -= 1
      this.#next()
    }
  }

  /** Free places go to those whose turn it is. */
  #next(): void {
    const { runningMax, runningEach } = this.#limits
    for (const [person, line] of this.#lines) {
      if (line.waiting.length === 0 && line.running === 0) this.#lines.delete(person)
      if (this.#running >= runningMax || line.running >= runningEach) continue
      const enter = line.waiting.shift()
      if (enter === undefined) continue
      this.#running += 1
      this.#waiting -= 1
      line.running += 1
      // The others come before the same person comes again.
      this.#lines.delete(person)
      this.#lines.set(person, line)
      enter()
    }
  }

  /** Until a place is free. */
  #turn(line: Line, signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        const place = line.waiting.indexOf(enter)
        if (place < 0) return
        line.waiting.splice(place, 1)
        this.#waiting -= 1
        reject(errorOf("request/left", {}))
      }
      const enter = (): void => {
        signal?.removeEventListener("abort", leave)
        resolve()
      }
      line.waiting.push(enter)
      this.#waiting += 1
      signal?.addEventListener("abort", leave, { once: true })
    })
  }

  /** Runs under a key of a person; the same key and question meanwhile get the same answer. */
  async once<Result>(
    person: string,
    { key, what }: { readonly key: string | undefined; readonly what: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (key === undefined) return this.run(person, work)
    const own = `${person} ${key}`
    const known = this.#underWay.get(own)
    if (known !== undefined && known.what === what) {
      // The same question has a result of the same type.
      return known.result as Promise<Result>
    }
    // Another question under a key that is in use: the ledger decides, and refuses it.
    const result = this.run(person, work)
    if (known !== undefined) return result
    this.#underWay.set(own, { what, result })
    try {
      return await result
    } finally {
      this.#underWay.delete(own)
    }
  }
}
