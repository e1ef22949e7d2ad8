// Replayable choices for generated tests: the same seed makes the same schema, data and question everywhere.

/** A source of choices. */
export class Dice {
  #state: number

  constructor(seed: string) {
    // FNV-1a; then a few turns, so that seeds that differ in one digit have nothing in common.
    let hash = 0x811c9dc5
    for (const char of seed) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
    this.#state = hash | 0
    for (let turn = 0; turn < 8; turn += 1) this.#next()
  }

  /** A whole number from 0 to n - 1. */
  below(n: number): number {
    return Math.floor((this.#next() / 2 ** 32) * n)
  }

  /** True with the probability p. */
  chance(p: number): boolean {
    return this.#next() < p * 2 ** 32
  }

  /** One of the items. */
  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error("there is nothing to choose from")
    return item
  }

  /** Each item with the probability p, in their order. */
  some<T>(items: readonly T[], p: number): readonly T[] {
    return items.filter(() => this.chance(p))
  }

  /** The items in another order. */
  shuffled<T>(items: readonly T[]): readonly T[] {
    return items
      .map((item) => ({ item, place: this.#next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item)
  }

  // Mulberry32.
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let word = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word
    return (word ^ (word >>> 14)) >>> 0
  }
}
