import { expect, test } from "vitest"
import { bitSourceOf } from "./bit-source.ts"
import { replayBits } from "./replay-bits.ts"

test("reads each word from the top bit down, and no word before it is needed", () => {
  const words = replayBits([0xa0000001, 0x80000000])
  const source = bitSourceOf(words)
  const first = Array.from({ length: 32 }, () => source.bit())
  expect(first.join("")).toBe("10100000000000000000000000000001")
  expect(words.used).toBe(1)
  expect([source.bit(), source.bit()]).toEqual([1, 0])
})
