// Says on the error stream that something takes long: a spinner on a terminal, a line now and then elsewhere.

import type { Session } from "./session.ts"

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const spinFrom = 300
const sayEvery = 10_000

/** Waits for some work. Nothing is shown if it is quick. `what` is asked again and again: it may change. */
export async function withProgress<T>(session: Session, what: () => string, work: Promise<T>): Promise<T> {
  const { terminal, note } = session
  const started = performance.now()
  const seconds = (): string => `${Math.floor((performance.now() - started) / 1000)} s`
  let shown = false
  const spin = (): void => {
    const passed = performance.now() - started
    if (passed < spinFrom) return
    const frame = session.plain ? "" : `${frames[Math.floor(passed / 100) % frames.length] ?? ""} `
    shown = true
    note(`\r\u001B[K${frame}${what()} ${seconds()} `)
  }
  const say = (): void => note(`${what()} (${seconds()} so far)\n`)
  const timer = terminal === undefined ? setInterval(say, sayEvery) : setInterval(spin, 100)
  try {
    return await work
  } finally {
    clearInterval(timer)
    if (shown) note("\r\u001B[K")
  }
}
