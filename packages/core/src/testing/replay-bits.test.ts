import { expect, test } from "vitest"
import { OutOfBits, replayBits } from "./replay-bits.ts"

test("hands out the words in order, counts them, then throws", () => {
  const bits = replayBits([7, 0xffffffff, 3])
  expect([bits.used, bits.word(), bits.used]).toEqual([0, 7, 1])
  const words = new Uint32Array(2)
  bits.fill(words)
  expect([...words, bits.used]).toEqual([0xffffffff, 3, 3])
  expect(() => bits.word()).toThrow(OutOfBits)
  expect(() => bits.fill(words)).toThrow("more bits than the 3 words")
})

test("refuses what is not a word", () => {
  for (const wrong of [-1, 0.5, 2 ** 32, Number.NaN]) expect(() => replayBits([1, wrong])).toThrow("32 bits")
})
