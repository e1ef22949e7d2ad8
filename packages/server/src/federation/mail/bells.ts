// Wakes requests that wait for letters, and whoever works when something has come.

/** Waits for something by name, for some time. */
export class Bells {
  readonly #waiting = new Map<string, Set<() => void>>()
  #isClosed = false

  /** Whether nobody waits any more. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves when the name is rung, the time is over, or the caller is gone. */
  async wait(name: string, ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#isClosed || signal?.aborted === true) return
    await new Promise<void>((resolve) => {
      const those = this.#waiting.get(name) ?? new Set()
      this.#waiting.set(name, those)
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener("abort", done)
        those.delete(done)
        if (those.size === 0 && this.#waiting.get(name) === those) this.#waiting.delete(name)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener("abort", done, { once: true })
      those.add(done)
    })
  }

  /** Wakes whoever waits for a name. */
  ring(name: string): void {
    for (const wake of this.#waiting.get(name) ?? []) wake()
  }

  /** Wakes everybody, for good. */
  close(): void {
    this.#isClosed = true
    for (const name of this.#waiting.keys()) this.ring(name)
  }
}
