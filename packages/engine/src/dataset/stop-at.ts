// A limit of time that is kept. A database stops between the steps of a query, and may be inside one for
// long: whoever waits is let go all the same, and what comes later is dropped.

import type { DosimeterError } from "@dosimeter/core"
import { fail } from "../errors.ts"

/** How long a database may take to stop, once it was told to. */
const graceMs = 1000

/** When a query is stopped. */
export interface StopOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** What a query runs on: a connection of its own. */
export interface Stoppable {
  /** Tells the database to stop the query. The query may go on for a while all the same. */
  interrupt(): void
  /** Lets go of the connection, once its query has come back. */
  close(): void
  /** What a failure means, in words of ours, where it means more than that the database failed. */
  meaningOf?(error: unknown): DosimeterError | undefined
}

/** The sessions of queries that were given up and have not come back. */
export class GivenUp {
  readonly #open = new Set<Promise<void>>()

  /** Keeps a session until its query comes back; then it is closed, and what came is dropped. */
  add(session: Stoppable, query: Promise<unknown>): void {
    const back = query
      .then(
        () => session.close(),
        () => session.close(),
      )
      .finally(() => this.#open.delete(back))
    this.#open.add(back)
  }

  /** Runs `close` once none is left: at once, or when the last one comes back. Closing waits for a query. */
  whenBack(close: () => void): void {
    if (this.#open.size === 0) close()
    else void Promise.all(this.#open).then(close)
  }
}

/**
 * Runs a query on a session of its own. It is interrupted at the limit or by the signal, and given up if
 * it does not end soon after. Fails with "backend/too-slow", "backend/cancelled", "backend/failed" or what the
 * session makes of a failure: nothing of what the driver says goes on.
 */
export async function stopAt<Result>(
  session: Stoppable,
  run: () => Promise<Result>,
  { signal, timeoutMs }: StopOptions,
  givenUp: GivenUp,
): Promise<Result> {
  const limit = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const stops = [signal, limit].filter((one) => one !== undefined)
  const stopped = AbortSignal.any(stops)
  const why = (): never => {
    if (signal?.aborted === true) return fail("backend/cancelled", {})
    if (limit?.aborted !== true) return fail("backend/failed", {})
    return fail("backend/too-slow", { seconds: `${(timeoutMs ?? 0) / 1000}` })
  }
  if (stopped.aborted) {
    session.close()
    return why()
  }
  const query = run()
  const end = new AbortController()
  const late = lateAfter(stopped, end.signal, () => session.interrupt())
  try {
    const first = await Promise.race([query.then((result) => ({ result })), late])
    if (first !== undefined) {
      session.close()
      return first.result
    }
    givenUp.add(session, query)
  } catch (error) {
    session.close()
    const meaning = stopped.aborted ? undefined : session.meaningOf?.(error)
    if (meaning !== undefined) throw meaning
  } finally {
    end.abort()
  }
  return why()
}

/** Comes with undefined a while after `stopped`, at which `onStop` is called; never after `end`. */
function lateAfter(stopped: AbortSignal, end: AbortSignal, onStop: () => void): Promise<undefined> {
  return new Promise((resolve) => {
    const stop = (): void => {
      onStop()
      const timer = setTimeout(() => resolve(undefined), graceMs)
      end.addEventListener("abort", () => clearTimeout(timer), { once: true })
    }
    stopped.addEventListener("abort", stop, { once: true, signal: end })
  })
}
