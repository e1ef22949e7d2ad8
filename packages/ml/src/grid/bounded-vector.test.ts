import { l2SquaredOf } from "@dosimeter/core/mechanisms"
import fc from "fast-check"
import { expect, test } from "vitest"
import { addBounded, stepOf, vectorGrid, vectorSensitivity } from "./bounded-vector.ts"

const hostile = fc.oneof(
  fc.double(),
  fc.constantFrom(NaN, Infinity, -Infinity, 1e308, -1e308, 5e-324, 0.7, 1 - 2 ** -53),
)

test("no vector adds more than the bound, whatever it holds, and all that is added is whole", () => {
  const cases = fc.tuple(
    fc.array(hostile, { minLength: 1, maxLength: 12 }),
    fc.constantFrom(1e-6, 0.5, 1, 300),
  )
  fc.assert(
    fc.property(cases, ([values, clip]) => {
      const grid = vectorGrid(clip, values.length, 64)
      const sum = new Float64Array(values.length)
      addBounded(sum, Float64Array.from(values), grid)
      const square = [...sum].reduce((total, value) => total + BigInt(value) ** 2n, 0n)
      expect(square).toBeLessThanOrEqual(l2SquaredOf(vectorSensitivity(grid, "add-or-remove")))
    }),
  )
})

test("vectors at the clip's edge keep the bound in every direction", () => {
  for (const dimension of [1, 2, 3, 50]) {
    const grid = vectorGrid(1, dimension, 128)
    for (let turn = 0; turn < 200; turn += 1) {
      const vector = Float64Array.from(
        { length: dimension },
        (_, at) => Math.sin(turn * 7.1 + at * 3.3 + 1) * 1e9,
      )
      const sum = new Float64Array(dimension)
      addBounded(sum, vector, grid)
      const length = Math.hypot(...sum)
      expect(length).toBeLessThanOrEqual(128)
      // Clipped, not dropped.
      expect(length).toBeGreaterThan(128 - 2 * Math.sqrt(dimension) - 2)
    }
  }
})

test("a vector inside the clip comes back to half a step", () => {
  const grid = vectorGrid(2, 3)
  const sum = new Float64Array(3)
  addBounded(sum, Float64Array.of(0.5, -1, 0.25), grid)
  const back = [...sum].map((value) => value * stepOf(grid))
  for (const [at, value] of [0.5, -1, 0.25].entries()) {
    expect(Math.abs((back[at] ?? 0) - value)).toBeLessThanOrEqual(0.5001 * stepOf(grid))
  }
})

test("replacing a unit may change a sum by twice the bound", () => {
  const grid = vectorGrid(1, 4, 1024)
  expect(l2SquaredOf(vectorSensitivity(grid, "replace"))).toBe(2048n ** 2n)
})
