// The same question, asked by several at once: the first pays, and the others wait for what it records. So
// many people who open one dashboard are charged once. In one process: other servers do not know of it.

import type { Ledger, Question } from "../ledger/ledger.ts"

/** What to do about a question. */
export interface OneOfMany<Result> {
  /** Pays and answers. */
  readonly answer: () => Promise<Result>
  /** Looks again, once somebody else has answered it, or has failed to. */
  readonly again: () => Promise<Result>
}

const underWay = new WeakMap<Ledger, Map<string, Promise<unknown>>>()

/** Answers a question that nobody answers now, or waits until nobody does and looks again. */
export async function oneAtATime<Result>(
  ledger: Ledger,
  { planHash, dataVersion }: Question,
  { answer, again }: OneOfMany<Result>,
): Promise<Result> {
  const running = underWay.get(ledger) ?? new Map<string, Promise<unknown>>()
  underWay.set(ledger, running)
  const key = `${planHash} ${dataVersion}`
  const other = running.get(key)
  if (other !== undefined) {
    // How it ended is the other's own: its error is told to whoever asked it.
    await other.catch(() => undefined)
    return again()
  }
  // Nothing is awaited between the look and this, so that no two begin.
  const own = answer()
  running.set(key, own)
  try {
    return await own
  } finally {
    running.delete(key)
  }
}
