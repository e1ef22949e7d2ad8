// One thing after the other: what is begun waits until all before it has ended.

/** A queue of work that must not overlap. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs when everything before has ended, well or not. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    // Whoever asked for it hears of a failure; the next turn does not.
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
