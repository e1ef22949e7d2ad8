import { rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { readBoolean, readDate, readInterval, readNumber, readTimestamp, roundTo } from "./read-literal.ts"

test.each([
  ["1970-01-01", 0n],
  ["1969-12-31", -1n],
  ["2024-02-29", 19_782n],
  ["20240229", 19_782n],
  [" 2024-2-9 ", 19_762n],
  ["0001-01-01", -719_162n],
  ["9999-12-31", 2_932_896n],
])("%s is a date", (text, day) => {
  expect(readDate(text)).toEqual({ kind: "date", day })
})

test.each([
  "2023-02-29",
  "2024-13-01",
  "2024-00-10",
  "2024-01-32",
  "0000-01-01",
  "24-01-01",
  "2024-01-01 10:00",
  "",
  "x",
])("%s is no date", (text) => {
  expect(readDate(text)).toBeUndefined()
})

test("timestamps are read to the microsecond, without a zone", () => {
  expect(readTimestamp("1970-01-02 00:00:01.5")).toEqual({ kind: "timestamp", micros: 86_401_500_000n })
  expect(readTimestamp("1970-01-01T10:30")).toEqual({ kind: "timestamp", micros: 37_800_000_000n })
  expect(readTimestamp("1970-01-02")).toEqual({ kind: "timestamp", micros: 86_400_000_000n })
  for (const text of ["1970-01-01 24:00", "1970-01-01 10:60", "1970-01-01 10:00Z", "1970-01-01 10:00+02"]) {
    expect(readTimestamp(text)).toBeUndefined()
  }
})

test("intervals are months, days and microseconds", () => {
  const interval = (months: bigint, days: bigint, micros: bigint) => ({
    kind: "interval",
    months,
    days,
    micros,
  })
  expect(readInterval("30 days", undefined)).toEqual(interval(0n, 30n, 0n))
  expect(readInterval("1 year 2 mons -3 days", undefined)).toEqual(interval(14n, -3n, 0n))
  expect(readInterval("2 weeks", undefined)).toEqual(interval(0n, 14n, 0n))
  expect(readInterval("1 day 02:03:04.5", undefined)).toEqual(interval(0n, 1n, 7_384_500_000n))
  expect(readInterval("1.5 hours", undefined)).toEqual(interval(0n, 0n, 5_400_000_000n))
  expect(readInterval("30", "day")).toEqual(interval(0n, 30n, 0n))
  for (const text of ["30", "soon", "1.5 months", "", "1 parsec", "99999999999 years"]) {
    expect(readInterval(text, undefined)).toBeUndefined()
  }
})

test("numbers and booleans are read as PostgreSQL does", () => {
  expect(readNumber("-1.50")).toEqual(rational(-3n, 2n))
  expect(readNumber(".5")).toEqual(rational(1n, 2n))
  expect(readNumber("1e3")).toEqual(rational(1000n))
  expect(readNumber("1e9999")).toBeUndefined()
  expect(readNumber("NaN")).toBeUndefined()
  expect(readNumber(".")).toBeUndefined()
  expect(readBoolean(" Yes ")).toEqual({ kind: "boolean", value: true })
  expect(readBoolean("off")).toEqual({ kind: "boolean", value: false })
  expect(readBoolean("maybe")).toBeUndefined()
})

test("halves are rounded away from zero", () => {
  expect(roundTo(rational(5n, 2n), 0)).toEqual(rational(3n))
  expect(roundTo(rational(-5n, 2n), 0)).toEqual(rational(-3n))
  expect(roundTo(rational(1234n, 1000n), 2)).toEqual(rational(123n, 100n))
})
