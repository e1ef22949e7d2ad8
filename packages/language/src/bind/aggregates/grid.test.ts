import { compare, divide, rational } from "@dosimeter/core/exact"
import { expect, test } from "vitest"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { gridOf, powerOfTwo } from "./grid.ts"

function between(type: Domain["type"], min: bigint, max: bigint, more: Partial<Domain> = {}): Domain {
  const end = (value: bigint) => ({ value: rational(value), declared: true })
  return { type, nullable: true, range: { min: end(min), max: end(max) }, ...more }
}

test("integers and decimals are added up in their own last digit", () => {
  expect(gridOf(between({ kind: "integer" }, -3n, 5n))).toEqual({ grid: rational(1n), lower: -3n, upper: 5n })
  const decimal = gridOf(between({ kind: "decimal", scale: 2 }, 0n, 500n))
  expect(decimal).toEqual({ grid: rational(1n, 100n), lower: 0n, upper: 50_000n })
})

test("floats are added up on the owner's grid, or in a power of two with at least 2^20 steps", () => {
  const given = gridOf(between({ kind: "float" }, 0n, 1n, { grid: rational(1n, 3n) }))
  expect(given).toEqual({ grid: rational(1n, 3n), lower: 0n, upper: 3n })
  expect(gridOf(between({ kind: "float" }, 0n, 1n))).toEqual({
    grid: rational(1n, 1n << 20n),
    lower: 0n,
    upper: 1n << 20n,
  })
  for (const max of [3n, 99n, 1000n, 12_345_678n]) {
    const found = gridOf(between({ kind: "float" }, 0n, max))
    if (found === undefined || found === "too-wide") throw new Error("there is a grid")
    expect(found.upper).toBeGreaterThanOrEqual(1n << 20n)
    expect(found.upper).toBeLessThanOrEqual(1n << 21n)
    expect(
      compare(rational(max), divide(rational(found.upper), divide(rational(1n), found.grid))),
    ).toBeLessThanOrEqual(0)
  }
})

test("there is no grid without declared ends, and none beyond 2^62 steps", () => {
  const open = { min: { value: rational(0n), declared: true }, max: { value: rational(9n), declared: false } }
  expect(gridOf({ type: { kind: "integer" }, nullable: false, range: open })).toBeUndefined()
  expect(gridOf({ type: { kind: "text" }, nullable: false })).toBeUndefined()
  expect(gridOf(between({ kind: "integer" }, 0n, 1n << 62n))).toBe("too-wide")
})

test("the greatest power of two below a number", () => {
  expect(powerOfTwo(rational(1n))).toEqual(rational(1n))
  expect(powerOfTwo(rational(1023n))).toEqual(rational(512n))
  expect(powerOfTwo(rational(1n, 3n))).toEqual(rational(1n, 4n))
})
