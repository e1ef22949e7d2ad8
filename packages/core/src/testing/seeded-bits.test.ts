import { afterEach, expect, test, vi } from "vitest"
import { freshSeed, seededBits } from "./seeded-bits.ts"

afterEach(() => vi.unstubAllGlobals())

const wordsOf = (seed: bigint | string, count: number) => {
  const rng = seededBits(seed)
  return Array.from({ length: count }, () => rng.word())
}

test("gives the same bits for the same seed, whichever way they are read", () => {
  const filled = new Uint32Array(50)
  const rng = seededBits("again")
  const first = rng.word()
  rng.fill(filled)
  expect([first, ...filled]).toEqual(wordsOf("again", 51))
  expect(wordsOf(5n, 20)).toEqual(wordsOf("5", 20))
  expect(rng.seed).toBe("again")
})

test("keeps its known answers, so that a printed seed can be replayed tomorrow", () => {
  expect(wordsOf("dosimeter", 4)).toEqual([3450549558, 212762002, 1111392625, 644990724])
})

test("gives unrelated bits for seeds that differ in one character, in length or past the eighth", () => {
  const seeds = ["", "\0", "a", "b", "a\0", "12345678", "123456789", "12345678a", "12345678\0"]
  const words = seeds.flatMap((seed) => wordsOf(seed, 8))
  expect(new Set(words).size).toBe(words.length)
})

test("does not repeat a block", () => {
  expect(new Set(wordsOf("blocks", 1000)).size).toBe(1000)
})

test("makes another seed each time, and the one in SEED when it is set", () => {
  vi.stubGlobal("process", undefined)
  expect(freshSeed()).toMatch(/^[0-9a-f]{32}$/)
  expect(freshSeed()).not.toBe(freshSeed())
  vi.stubGlobal("process", { env: { SEED: "0123abc" } })
  expect(freshSeed()).toBe("0123abc")
})
