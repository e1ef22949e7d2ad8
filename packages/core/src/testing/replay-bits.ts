// Hands out a given list of words and nothing more: for known-answer vectors ("these words in, this integer
// out"), which show any change in how a sampler uses its bits.

import type { RandomBits } from "../random/random-bits.ts"

/** Thrown when more bits are asked for than there are. */
export class OutOfBits extends Error {
  constructor(what: string) {
    super(`asked for more bits than the ${what} that were given`)
    this.name = "OutOfBits"
  }
}

/** Words that are replayed, and how many have been handed out. */
export interface ReplayBits extends RandomBits {
  readonly used: number
}

/** Makes a source that hands out exactly `words`, then throws `OutOfBits`. */
export function replayBits(words: readonly number[]): ReplayBits {
  const wrong = words.find((word) => word !== word >>> 0)
  if (wrong !== undefined) throw new Error(`not a word of 32 bits: ${wrong}`)
  let used = 0
  function word(): number {
    const value = words[used]
    if (value === undefined) throw new OutOfBits(`${words.length} words`)
    used += 1
    return value
  }
  return {
    get used() {
      return used
    },
    word,
    fill(into) {
      for (let index = 0; index < into.length; index += 1) into[index] = word()
    },
  }
}
