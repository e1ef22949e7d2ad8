import { expect, test } from "vitest"
import { chacha20Block } from "./chacha20.ts"

// RFC 8439, section 2.3.2: key 00 01 .. 1f, counter 1, nonce 00000009 0000004a 00000000.
const key = Uint32Array.from({ length: 8 }, (_, word) => 0x03020100 + word * 0x04040404)
const nonce = [0x09000000, 0x4a000000, 0] as const

test("gives the block of RFC 8439, section 2.3.2", () => {
  expect(
    [...chacha20Block({ key, counter: 1, nonce })].map((word) => word.toString(16).padStart(8, "0")),
  ).toEqual([
    "e4e7f110",
    "15593bd1",
    "1fdd0f50",
    "c47120a3",
    "c7f4d1c7",
    "0368c033",
    "9aaa2204",
    "4e6cd4c3",
    "466482d2",
    "09aa9f07",
    "05d7c214",
    "a2028bd9",
    "d19c12b5",
    "b94e16de",
    "e883d0cb",
    "4e3c50a2",
  ])
})

test("gives another block for another counter", () => {
  expect(chacha20Block({ key, counter: 2, nonce })).not.toEqual(chacha20Block({ key, counter: 1, nonce }))
})
