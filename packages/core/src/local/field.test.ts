import { expect, test } from "vitest"
import { refusalOf } from "../testing/refusals.ts"
import { choose, isBelow, isEqual, uniformDraws, whole } from "./draws.ts"
import { fieldOf, isFieldSize } from "./field.ts"
import { digitCount, digitsOf, hashOf } from "./hashing.ts"
import { pointCount, pointOf } from "./projective.ts"

const sizes = [2, 3, 4, 5, 7, 8, 11, 16, 32]

test.each(sizes)(
  "a field of %d: every element but 0 has an inverse, and products spread over sums",
  (size) => {
    const field = fieldOf(size)
    const all = Array.from({ length: size }, (_, i) => i)
    for (const a of all) {
      expect(field.subtract(field.add(a, 1), 1)).toBe(a)
      if (a !== 0) expect(new Set(all.map((b) => field.times(a, b))).size).toBe(size)
      for (const b of all) {
        expect(field.times(a, b)).toBe(field.times(b, a))
        for (const c of [1, size - 1]) {
          expect(field.times(field.add(a, c), b)).toBe(field.add(field.times(a, b), field.times(c, b)))
        }
      }
    }
  },
)

test.each([64, 128, 256, 512, 1024, 2048, 4096])(
  "the polynomial of the field of %d is irreducible",
  (size) => {
    // Otherwise some product of two elements that are not 0 is 0, or the powers of one do not come back.
    const field = fieldOf(size)
    for (const a of [2, 3, size - 1]) {
      let power = 1
      for (let i = 0; i < size - 1; i += 1) power = field.times(power, a)
      expect(power).toBe(1)
    }
  },
)

test("sizes without a field are refused", () => {
  for (const size of [0, 1, 6, 9, 15, 4097, 8192, 2.5]) {
    expect(isFieldSize(size)).toBe(false)
    expect(refusalOf(() => fieldOf(size)).code).toBe("parameter/out-of-range")
  }
})

test.each([
  [3, 2],
  [4, 3],
  [2, 2],
])("hashes into a field of %d of two answers of %d bits are independent, exactly", (size, bits) => {
  const field = fieldOf(size)
  const count = digitCount({ bits, field: size }) + 1
  for (const [a, b] of [
    [0, 1],
    [1, 2],
    [0, 2 ** bits - 1],
  ] as const) {
    const pairs = new Map<string, number>()
    for (let code = 0; code < size ** count; code += 1) {
      const seed = Array.from({ length: count }, (_, i) => Math.floor(code / size ** i) % size)
      const hashes = [a, b].map((x) => hashOf(field, seed, digitsOf({ bits, field: size }, x))).join()
      pairs.set(hashes, (pairs.get(hashes) ?? 0) + 1)
    }
    expect([...pairs.values()]).toEqual(new Array(size * size).fill(size ** (count - 2)))
  }
})

test("points are numbered without gaps, each with a leading 1", () => {
  for (const [field, dimension] of [
    [2, 4],
    [3, 3],
    [4, 3],
  ] as const) {
    const points = Array.from({ length: pointCount(field, dimension) }, (_, i) =>
      pointOf({ field, dimension }, i),
    )
    expect(new Set(points.map(String)).size).toBe(points.length)
    for (const point of points) expect(point.find((x) => x !== 0)).toBe(1)
  }
})

test("comparisons without branches", () => {
  const numbers = [0, 1, 2, 2 ** 31, 2 ** 51, 2 ** 52 - 1, 2 ** 52]
  for (const a of numbers) {
    for (const b of numbers) {
      expect(isBelow(a, b)).toBe(a < b ? 1 : 0)
      expect(isEqual(a, b)).toBe(a === b ? 1 : 0)
    }
  }
  expect([choose(1, 5, 7), choose(0, 5, 7)]).toEqual([5, 7])
})

test("a coin compares 52 fresh bits with its threshold, exactly", () => {
  const coinOf = (words: readonly number[], threshold: number): number => {
    const left = [...words]
    const draws = uniformDraws({ word: () => left.shift() ?? 0, fill: () => undefined })
    return draws.coin(threshold)
  }
  // The highest 20 bits of the first word, then all of the second.
  const bits = 0xabcde * 2 ** 32 + 0x12345678
  const words = [0xabcdefff, 0x12345678]
  expect([coinOf(words, bits), coinOf(words, bits + 1)]).toEqual([0, 1])
  expect([coinOf([0, 0], 0), coinOf([0, 0], 1)]).toEqual([0, 1])
  const most = [0xffffffff, 0xffffffff]
  expect([coinOf(most, whole - 1), coinOf(most, whole)]).toEqual([0, 1])
})
