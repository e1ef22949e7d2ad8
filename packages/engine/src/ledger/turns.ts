// One thing after the other: what is begun waits until all before it has ended.

/** A queue of work that must not overlap. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs when everything before has ended, well or not. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    // A failure is reported to its own caller; the next turn does not see it.
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
