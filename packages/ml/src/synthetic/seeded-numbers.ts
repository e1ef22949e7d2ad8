// Numbers that look random and follow from a seed: for drawing rows from a model that is released already, so
// that the same release gives the same rows. Nothing private is drawn with them; noise is core's.

/** Numbers that follow from a seed. */
export class SeededNumbers {
  readonly #state: Uint32Array

  constructor(seed: string) {
    // FNV-1a with four beginnings, one for each word.
    this.#state = Uint32Array.from([2166136261, 40503, 2654435769, 97], (start) => {
      let word = start
      for (const sign of seed) word = Math.imul(word ^ (sign.codePointAt(0) ?? 0), 16777619)
      return (word ^ (word >>> 15)) | 1
    })
    for (let turn = 0; turn < 32; turn += 1) this.#word()
  }

  /** A number from 0 on, below 1. */
  next(): number {
    return (this.#word() * 2 ** 21 + (this.#word() >>> 11)) / 2 ** 53
  }

  /** Puts a list into another order, in place. */
  shuffle(list: { [index: number]: number; readonly length: number }): void {
    for (let last = list.length - 1; last > 0; last -= 1) {
      const other = Math.floor(this.next() * (last + 1))
      const kept = list[last] ?? 0
      list[last] = list[other] ?? 0
      list[other] = kept
    }
  }

  // xoshiro128**.
  #word(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#state
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0
    const [third, fourth] = [c ^ a, d ^ b]
    this.#state[0] = a ^ fourth
    this.#state[1] = b ^ third
    this.#state[2] = third ^ (b << 9)
    this.#state[3] = (fourth << 11) | (fourth >>> 21)
    return result
  }
}
