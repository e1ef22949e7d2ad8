import { rational } from "@dosimeter/core"
import { describe, expect, it } from "vitest"
import { addMonths, civilOfDay, dayOfCivil, showDay, showMicros, truncateDay } from "./civil-date.ts"
import { microsPerDay, type Constant } from "./constant.ts"
import type { Domain } from "./domain.ts"
import type { SqlType } from "./sql-type.ts"
import { compareConstants, valuesOf } from "./values-of.ts"

const day = (year: bigint, month: bigint, ofMonth: bigint): bigint =>
  dayOfCivil({ year, month, day: ofMonth })
const domain = (type: SqlType, min: bigint, max: bigint, more: Partial<Domain> = {}): Domain => ({
  type,
  nullable: true,
  range: { min: { value: rational(min), declared: true }, max: { value: rational(max), declared: true } },
  ...more,
})

describe("the calendar", () => {
  it("is the one of dates in JavaScript", () => {
    for (let at = -800_000n; at < 3_000_000n; at += 997n) {
      const date = new Date(Number(at) * 86_400_000)
      const { year, month, day: ofMonth } = civilOfDay(at)
      expect([year, month, ofMonth]).toEqual([
        BigInt(date.getUTCFullYear()),
        BigInt(date.getUTCMonth() + 1),
        BigInt(date.getUTCDate()),
      ])
      expect(dayOfCivil({ year, month, day: ofMonth })).toBe(at)
    }
  })

  it("adds months and cuts to units", () => {
    expect(showDay(addMonths(day(2000n, 1n, 31n), 1n))).toBe("2000-02-29")
    expect(showDay(addMonths(day(2000n, 1n, 31n), -11n))).toBe("1999-02-28")
    expect(showDay(truncateDay(day(2026n, 11n, 15n), "week"))).toBe("2026-11-09")
    expect(showDay(truncateDay(day(2026n, 11n, 15n), "quarter"))).toBe("2026-10-01")
    expect(showMicros(-1n)).toBe("1969-12-31 23:59:59.999999")
    expect(showMicros(microsPerDay)).toBe("1970-01-02 00:00:00")
  })
})

describe("values of a domain", () => {
  it("are what is listed, in order and once", () => {
    const text = (value: string): Constant => ({ kind: "text", value })
    const values = ["b", "\u{1F600}", "\uFFFD", "a", "b"].map(text)
    const found = valuesOf({ type: { kind: "text" }, nullable: true, values }, 10)
    expect(found).toEqual(["a", "b", "\uFFFD", "\u{1F600}"].map(text))
    expect(valuesOf({ type: { kind: "text" }, nullable: true, values }, 3)).toBeUndefined()
    expect(valuesOf({ type: { kind: "text" }, nullable: true }, 3)).toBeUndefined()
    expect(
      compareConstants({ kind: "boolean", value: false }, { kind: "boolean", value: true }),
    ).toBeLessThan(0)
  })

  it("follow from declared ranges of integers and booleans", () => {
    expect(valuesOf({ type: { kind: "boolean" }, nullable: true }, 5)?.length).toBe(2)
    expect(valuesOf(domain({ kind: "integer" }, -1n, 3n), 5)?.length).toBe(5)
    expect(valuesOf(domain({ kind: "integer" }, -1n, 3n), 4)).toBeUndefined()
    expect(valuesOf(domain({ kind: "integer" }, 0n, 10n ** 30n), 1000)).toBeUndefined()
    expect(valuesOf(domain({ kind: "float" }, 0n, 1n), 1000)).toBeUndefined()
    const open = domain({ kind: "integer" }, 0n, 3n)
    expect(
      valuesOf(
        {
          ...open,
          range: {
            min: { value: rational(0n), declared: false },
            max: { value: rational(3n), declared: true },
          },
        },
        9,
      ),
    ).toBeUndefined()
  })

  it("follow from declared ranges of dates, by days or by the unit they were cut to", () => {
    const [from, to] = [day(2000n, 2n, 27n), day(2000n, 4n, 2n)]
    const texts = (more: Partial<Domain>): readonly string[] | undefined =>
      valuesOf(domain({ kind: "date" }, from, to, more), 50)?.map((value) =>
        value.kind === "date" ? showDay(value.day) : "?",
      )
    expect(texts({})?.length).toBe(36)
    expect(texts({ calendar: "month" })).toEqual(["2000-02-01", "2000-03-01", "2000-04-01"])
    expect(texts({ calendar: "week" })).toEqual([
      "2000-02-21",
      "2000-02-28",
      "2000-03-06",
      "2000-03-13",
      "2000-03-20",
      "2000-03-27",
    ])
    expect(texts({ calendar: "quarter" })).toEqual(["2000-01-01", "2000-04-01"])
    expect(texts({ calendar: "year" })).toEqual(["2000-01-01"])
    expect(valuesOf(domain({ kind: "date" }, from, to), 35)).toBeUndefined()
  })

  it("follow from ranges of timestamps that were cut", () => {
    const [from, to] = [-1n, microsPerDay + 1n]
    expect(valuesOf(domain({ kind: "timestamp" }, from, to), 1000)).toBeUndefined()
    expect(valuesOf(domain({ kind: "timestamp" }, from, to, { calendar: "day" }), 1000)?.length).toBe(3)
    expect(valuesOf(domain({ kind: "timestamp" }, from, to, { calendar: "hour" }), 1000)?.length).toBe(26)
    expect(valuesOf(domain({ kind: "timestamp" }, from, to, { calendar: "hour" }), 25)).toBeUndefined()
  })
})
