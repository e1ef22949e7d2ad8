import { describe, expect, test } from "vitest"
import { add, multiply, rational, zero } from "../exact/rational.ts"
import { refusalOf } from "../testing/refusals.ts"
import {
  momentCoordinates,
  momentDegree,
  momentFactors,
  momentNorm,
  momentSensitivity,
  type MomentBasis,
} from "./moments.ts"
import { l1Of, l2SquaredOf } from "./sensitivity.ts"

const bases = ["pair", "tilted", "triple", "nodes"] as const

/** The vectors of every choice of at most `rows` values from 0 to `width`. */
function vectors(basis: MomentBasis, width: number, rows: number): readonly (readonly bigint[])[] {
  const sums = new Map<string, readonly bigint[]>([["0 0 0", [0n, 0n, 0n]]])
  for (let row = 0; row < rows; row += 1) {
    for (const [n = 0n, s = 0n, q = 0n] of Array.from(sums.values())) {
      for (let value = 0n; value <= BigInt(width); value += 1n) {
        const next = [n + 1n, s + value, q + value * value]
        sums.set(next.join(" "), next)
      }
    }
  }
  return [...sums.values()].map((one) =>
    momentCoordinates(basis, BigInt(width), one.slice(0, momentDegree(basis) + 1)),
  )
}

const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n)
const size = (value: bigint): bigint => (value < 0n ? -value : value)
const l1 = (vector: readonly bigint[]): bigint => sum(vector.map(size))
const l2 = (vector: readonly bigint[]): bigint => sum(vector.map((one) => one * one))
const largest = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b), 0n)

describe.each(bases)("%s", (basis) => {
  test.each([1, 2, 3, 7, 12])("[S3] covers every unit, and is reached: width %i", (width) => {
    for (const rows of [1, 2, 3]) {
      const claim = momentSensitivity({
        basis,
        width,
        rowsPerGroup: rows,
        groupsPerUnit: 1,
        neighbours: "add-or-remove",
      })
      const all = vectors(basis, width, rows)
      expect(largest(all.map(l2))).toBe(l2SquaredOf(claim))
      if (momentNorm(basis) === "L1") expect(largest(all.map(l1))).toBe(l1Of(claim))
    }
  })

  test("[S3] moments come back from the coordinates", () => {
    for (const sums of [
      [5n, 17n, 91n],
      [1n, 0n, 0n],
      [0n, 0n, 0n],
      [3n, 30n, 300n],
    ]) {
      const own = sums.slice(0, momentDegree(basis) + 1)
      const coordinates = momentCoordinates(basis, 10n, own)
      const back = momentFactors(basis, 10n).map((row) =>
        row.map((factor, index) => multiply(factor, rational(coordinates[index] ?? 0n))).reduce(add, zero),
      )
      expect(back).toEqual(own.map((one) => rational(one)))
    }
  })
})

test.each(["pair", "triple"] as const)("[S3] [U2] a %s moves twice where a unit is replaced", (basis) => {
  for (const width of [1, 3, 6]) {
    const claim = momentSensitivity({
      basis,
      width,
      rowsPerGroup: 2,
      groupsPerUnit: 1,
      neighbours: "replace",
    })
    const all = vectors(basis, width, 2)
    const changes = all.flatMap((a) => all.map((b) => a.map((one, index) => one - (b[index] ?? 0n))))
    expect(largest(changes.map(l1))).toBe(l1Of(claim))
    expect(largest(changes.map(l2))).toBe(l2SquaredOf(claim))
  }
})

test("[S2] coordinates for Gaussian noise have no bound where a unit is replaced", () => {
  const bounds = { width: 5, rowsPerGroup: 1, groupsPerUnit: 1, neighbours: "replace" } as const
  expect(refusalOf(() => momentSensitivity({ ...bounds, basis: "tilted" })).code).toBe("privacy/no-such-loss")
  expect(refusalOf(() => momentSensitivity({ ...bounds, basis: "nodes" })).code).toBe("privacy/no-such-loss")
})

test("[S2] a range without width is refused", () => {
  const bounds = { basis: "pair", rowsPerGroup: 1, groupsPerUnit: 1, neighbours: "add-or-remove" } as const
  expect(refusalOf(() => momentSensitivity({ ...bounds, width: 0 })).code).toBe("parameter/out-of-range")
})

// What the proof says of trade-off curves, looked at as (epsilon, delta): two coordinates that move by a and
// by b are no easier to tell than one that moves by a + b.
test.each([
  [1, 1, 1],
  [1, 2, 1.5],
  [3, 3, 4],
  [2, 5, 2],
  [7, 1, 10],
])("[S3] Laplace noise: moves of %i and %i lose no more than one of both (scale %f)", (a, b, scale) => {
  const losses = (move: number): readonly (readonly [loss: number, chance: number])[] =>
    Array.from({ length: 241 }, (_, index) => index - 120).map((z) => [
      (Math.abs(z - move) - Math.abs(z)) / scale,
      Math.tanh(1 / (2 * scale)) * Math.exp(-Math.abs(z) / scale),
    ])
  const [first, second, both] = [losses(a), losses(b), losses(a + b)]
  for (let epsilon = -3; epsilon <= 6; epsilon += 0.5) {
    const over = (loss: number): number => Math.max(0, 1 - Math.exp(epsilon - loss))
    const one = both.reduce((total, [loss, chance]) => total + chance * over(loss), 0)
    const two = first.reduce(
      (total, [x, p]) => total + p * second.reduce((part, [y, q]) => part + q * over(x + y), 0),
      0,
    )
    expect(two).toBeLessThanOrEqual(one + 1e-12)
  }
})
