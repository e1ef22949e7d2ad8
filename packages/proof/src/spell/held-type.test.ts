import { rational, type Rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import type { Range } from "../catalog/domain.ts"
import { duckdb } from "../dialects/duckdb.ts"
import { postgres } from "../dialects/postgres.ts"
import { assertHeld, castWithin } from "./held-type.ts"

function range(min: Rational, max: Rational): Range {
  return { min: { value: min, declared: false }, max: { value: max, declared: false } }
}

test.each([
  ["INTEGER", rational(-(2n ** 31n)), rational(2n ** 31n - 1n)],
  ["BIGINT", rational(-(2n ** 63n)), rational(2n ** 63n - 1n)],
  ["HUGEINT", rational(-(2n ** 127n)), rational(2n ** 127n - 1n)],
  ["DECIMAL(18, 2)", rational(-(10n ** 18n) + 1n, 100n), rational(10n ** 18n - 1n, 100n)],
  ["DECIMAL(38, 12)", rational(-(10n ** 38n) + 1n, 10n ** 12n), rational(10n ** 38n - 1n, 10n ** 12n)],
] as const)("%s holds its ends, and nothing beyond them", (type, low, high) => {
  const beyond = ({ numerator, denominator }: Rational): Rational =>
    rational(numerator + (numerator < 0n ? -1n : 1n), denominator)
  expect(() => assertHeld(range(low, high), type)).not.toThrow()
  expect(() => assertHeld(range(beyond(low), high), type)).toThrow("holds what is cast")
  expect(() => assertHeld(range(low, beyond(high)), type)).toThrow("holds what is cast")
})

test("a cast that could fail if its range were false gives NULL where the database can", () => {
  const small = range(rational(0n), rational(5n))
  expect(castWithin("x", small, { type: "INTEGER", dialect: duckdb })).toBe("TRY_CAST(x AS INTEGER)")
  expect(castWithin("x", small, { type: "INTEGER", dialect: postgres })).toBe("CAST(x AS INTEGER)")
})
