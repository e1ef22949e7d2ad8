import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { Workspace } from "./products.ts"

test("WebAssembly and the script give the same sums of integers, also at the ends of 16 bits", () => {
  const rng = seededBits("outer sums")
  const [left, pairs, right] = [12, 33, 16]
  const ends = [-32_767, 32_767, 0, 1, -1]
  const [a, d] = [left * pairs * 2, right * pairs * 2].map((count) =>
    Int16Array.from({ length: count }, () => {
      const word = rng.word()
      return word % 3 === 0 ? (ends[word % 5] ?? 0) : (word % 181) - 90
    }),
  )
  const results = [false, true].map((isPlain) => {
    const space = new Workspace(65_536, isPlain)
    const of = {
      a: space.halves(left * pairs * 2),
      d: space.halves(right * pairs * 2),
      g: space.integers(left * right),
    }
    of.a.values.set(a ?? [])
    of.d.values.set(d ?? [])
    space.outerSums({ ...of, left, pairs, right })
    return [...of.g.values]
  })
  expect(results[0]).toEqual(results[1])
  // And what the definition says.
  const at = (i: number, k: number): number => {
    let sum = 0
    for (let p = 0; p < pairs; p += 1) {
      for (const s of [0, 1]) sum += (a?.[2 * (i * pairs + p) + s] ?? 0) * (d?.[2 * (p * right + k) + s] ?? 0)
    }
    return sum | 0
  }
  expect(results[0]).toEqual(
    Array.from({ length: left * right }, (_, place) => at(Math.floor(place / right), place % right)),
  )
})

test("products of floats are the same but for rounding", () => {
  const rng = seededBits("products")
  const [rows, inner, columns] = [8, 37, 24]
  const [a, b] = [rows * inner, inner * columns].map((count) =>
    Float32Array.from({ length: count }, () => rng.word() / 2 ** 31 - 1),
  )
  for (const isPlain of [false, true]) {
    const space = new Workspace(65_536, isPlain)
    const of = {
      a: space.floats(rows * inner),
      b: space.floats(inner * columns),
      c: space.floats(rows * columns),
    }
    of.a.values.set(a ?? [])
    of.b.values.set(b ?? [])
    space.products({ ...of, rows, inner, columns })
    for (let row = 0; row < rows; row += 1) {
      for (let k = 0; k < columns; k += 1) {
        let sum = 0
        for (let i = 0; i < inner; i += 1) sum += (a?.[row * inner + i] ?? 0) * (b?.[i * columns + k] ?? 0)
        expect(of.c.values[row * columns + k]).toBeCloseTo(sum, 4)
      }
    }
  }
})

test("a workspace hands out no more than it has, and whole blocks only", () => {
  const space = new Workspace(65_536)
  const [a, b, c] = [space.floats(12), space.floats(24), space.floats(24)]
  expect(() => space.floats(20_000)).toThrow("as large as what is taken")
  expect(() => space.products({ a, b, c, rows: 3, inner: 4, columns: 8 })).toThrow("in fours")
})
