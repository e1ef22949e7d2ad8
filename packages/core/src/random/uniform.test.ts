import { expect, test } from "vitest"
import { OutOfBits, replayBits } from "../testing/replay-bits.ts"
import { shuffled, shuffledIndices, uniformBelow, uniformBelowBig } from "./uniform.ts"

const bug = expect.objectContaining({ code: "bug/invariant" })
const wordCount = 2 ** 32

/** What one word gives: the value, or undefined if it is rejected and another is asked for. */
function ofWord(n: number, word: number): number | undefined {
  try {
    return uniformBelow(n, replayBits([word]))
  } catch (error) {
    if (error instanceof OutOfBits) return undefined
    throw error
  }
}

// The value grows with the word, so the words of each value are a stretch, and the borders of the stretches
// are the whole law. The proof promises floor(2^32 / n) words to each value.
test.each([1, 2, 3, 5, 6, 7, 10, 1000, 65535, 65536, 65537, 2 ** 20, 2 ** 21 - 1, 2 ** 21])(
  "uniformBelow(%d) gives every value the same number of words",
  (n) => {
    const share = Math.floor(wordCount / n)
    const dropped = wordCount % n
    const values = n <= 1000 ? Array.from({ length: n }, (_, j) => j) : [0, 1, 2, n >> 1, n - 2, n - 1]
    for (const j of values) {
      // Exact in doubles: below 2^53 + 2^21.
      const first = Math.ceil((j * wordCount + dropped) / n)
      const last = Math.ceil(((j + 1) * wordCount) / n) - 1
      expect(last - first + 1).toBe(share)
      expect(ofWord(n, first)).toBe(j)
      expect(ofWord(n, last)).toBe(j)
      const before = first === 0 ? undefined : ofWord(n, first - 1)
      expect(before === undefined || before === j - 1).toBe(true)
      if (dropped > 0 && first > 0 && Math.floor(((first - 1) * n) / wordCount) === j)
        expect(before).toBeUndefined()
    }
  },
)

test("uniformBelow for small n: all words near every border add up to equal shares", () => {
  // n = 3 and 2^32 = 3 * 1431655765 + 1: exactly one word is rejected, and it is 0.
  expect(ofWord(3, 0)).toBeUndefined()
  expect([1, 1431655765, 1431655766, 2863311530, 2863311531, 4294967295].map((w) => ofWord(3, w))).toEqual([
    0, 0, 1, 1, 2, 2,
  ])
})

test.each<[number, readonly number[], number | undefined]>([
  [2 ** 21 + 1, [0xffffffff, 5 * 2 ** 10], 5],
  [2 ** 21 + 1, [(2 ** 21 + 1) * 2 ** 10], undefined],
  [2 ** 21 + 1, [2 ** 21 * 2 ** 10 + 1023], 2 ** 21],
  [2 ** 32 - 1, [0xffffffff], undefined],
  [2 ** 32 - 1, [0xfffffffe], 0xfffffffe],
  [2 ** 32, [0xffffffff], 0xffffffff],
  [2 ** 32, [0], 0],
  [2 ** 32 + 1, [0x7fffffff, 0xffffffff], 0xffffffff],
  [2 ** 32 + 1, [0x80000000, 0], 2 ** 32],
  [2 ** 32 + 1, [0x80000000, 1], undefined],
  [2 ** 33, [0xffffffff, 7], 2 ** 32 + 7],
  [2 ** 53, [0xffffffff, 0xffffffff], 2 ** 53 - 1],
  [2 ** 53 - 1, [0xffffffff, 0xffffffff], undefined],
  [2 ** 53 - 1, [0xffffffff, 0xfffffffe], 2 ** 53 - 2],
  [2 ** 53, [0x7ff, 1], 1],
  [2 ** 53, [0x800, 1], 2 ** 32 + 1],
])("uniformBelow(%d) on the words %j gives %d", (n, words, expected) => {
  const rng = replayBits(words)
  if (expected === undefined) expect(() => uniformBelow(n, rng)).toThrow(OutOfBits)
  else expect(uniformBelow(n, rng)).toBe(expected)
  expect(rng.used).toBe(words.length)
})

test("bug/invariant: uniformBelow and uniformBelowBig refuse what they cannot be uniform on", () => {
  for (const n of [0, -1, 0.5, 2 ** 53 + 2, Number.NaN, Infinity]) {
    expect(() => uniformBelow(n, replayBits([]))).toThrow(bug)
  }
  for (const n of [0n, -1n]) expect(() => uniformBelowBig(n, replayBits([]))).toThrow(bug)
})

test("uniformBelowBig takes the top bits of as few words as it needs, and rejects what is beyond", () => {
  const draw = (n: bigint, words: readonly number[]) => {
    const rng = replayBits(words)
    return { value: uniformBelowBig(n, rng), used: rng.used }
  }
  expect(draw(1n, [])).toEqual({ value: 0n, used: 0 })
  expect(draw(2n, [0x80000000])).toEqual({ value: 1n, used: 1 })
  expect(draw(3n, [0xc0000000, 0x40000000])).toEqual({ value: 1n, used: 2 })
  expect(draw(5n, [0xa0000000, 0x9fffffff])).toEqual({ value: 4n, used: 2 })
  expect(draw((1n << 64n) + 1n, [0x80000000, 0, 0])).toEqual({ value: 1n << 64n, used: 3 })
  expect(draw((1n << 64n) + 1n, [0x80000000, 0, 0x80000000, 0, 0, 0])).toEqual({ value: 0n, used: 6 })
  expect(draw(1n << 100n, [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff])).toEqual({
    value: (1n << 100n) - 1n,
    used: 4,
  })
})

test("a shuffle is the swaps of Fisher and Yates from the last place down", () => {
  // Words near the top draw the greatest index (nothing moves), words near 0 but not rejected draw 0.
  expect([...shuffledIndices(4, replayBits([0xffffffff, 0xffffffff, 0xffffffff]))]).toEqual([0, 1, 2, 3])
  expect([...shuffledIndices(4, replayBits([0, 1, 0]))]).toEqual([1, 2, 3, 0])
  expect([...shuffledIndices(0, replayBits([]))]).toEqual([])
  expect([...shuffledIndices(1, replayBits([]))]).toEqual([0])
})

test("shuffled items are the items, nested arrays and all", () => {
  const items = [["a"], undefined, ["b", "c"], "d"]
  expect(shuffled(items, replayBits([0, 1, 0]))).toEqual([undefined, ["b", "c"], "d", ["a"]])
})
