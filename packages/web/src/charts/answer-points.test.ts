import { expect, test } from "vitest"
import type { Answer } from "../api/answer.ts"
import { drawableColumns, pointsOf, shownTicks } from "./answer-points.ts"

const answer: Answer = {
  columns: [
    { name: "year", type: "integer", kind: "key" },
    { name: "sex", type: "text", kind: "key" },
    { name: "n", type: "integer", kind: "noisy" },
  ],
  rows: [
    {
      year: { value: 2020, state: "released" },
      sex: { value: "f", state: "released" },
      n: { value: 12, low: 8, high: 16, noiseLow: 8, noiseHigh: 12, state: "released" },
    },
    {
      year: { value: 2021, state: "released" },
      sex: { value: null, state: "released" },
      n: { value: null, state: "below-threshold" },
    },
  ],
}

test("every row is a point with its interval; below the threshold is no zero", () => {
  const { points, isOrdered, groupName, seriesName } = pointsOf(answer, "n")
  expect({ isOrdered, groupName, seriesName }).toEqual({
    isOrdered: false,
    groupName: "year",
    seriesName: "sex",
  })
  expect(points).toEqual([
    {
      group: "2020",
      series: "f",
      value: 12,
      low: 8,
      high: 16,
      noiseLow: 8,
      noiseHigh: 12,
      isOpen: false,
      isBelow: false,
    },
    {
      group: "2021",
      series: "–",
      value: undefined,
      low: undefined,
      high: undefined,
      noiseLow: undefined,
      noiseHigh: undefined,
      isOpen: false,
      isBelow: true,
    },
  ])
})

test("years go from left to right; numbers that name something do not", () => {
  const times = {
    ...answer,
    columns: [{ name: "day", type: "date", kind: "key" as const }, ...answer.columns.slice(2)],
  }
  expect(pointsOf(times, "n").isOrdered).toBe(true)
  const row = answer.rows[0] ?? {}
  const years = { columns: answer.columns.toSpliced(1, 1), rows: [row, row, row] }
  expect(pointsOf(years, "n").isOrdered).toBe(true)
  const named = {
    ...years,
    columns: years.columns.map((one) => ({ ...one, name: one.kind === "key" ? "ward_id" : "n" })),
  }
  expect(pointsOf(named, "n").isOrdered).toBe(false)
})

test("a group and a time are a curve for each group, whichever is first", () => {
  const rowOf = (arm: string, quarter: number) => ({
    arm: { value: arm, state: "released" as const },
    quarter: { value: quarter, state: "released" as const },
    survival: { value: 0.9, low: 0.8, high: 1, state: "released" as const },
  })
  const keys = [
    { name: "arm", type: "text", kind: "key" as const },
    { name: "quarter", type: "integer", kind: "key" as const },
  ]
  const survival = { name: "survival", type: "float", kind: "derived" as const }
  const rows = [rowOf("new", 0), rowOf("new", 1), rowOf("old", 0), rowOf("old", 1)]
  for (const columns of [keys, keys.toReversed()]) {
    const drawn = pointsOf({ columns: [...columns, survival], rows }, "survival")
    expect(drawn).toMatchObject({ isOrdered: true, groupName: "quarter", seriesName: "arm" })
    expect(drawn.points.map(({ group, series }) => `${series} ${group}`)).toEqual([
      "new 0",
      "new 1",
      "old 0",
      "old 1",
    ])
  }
})

test("a number without a group is no chart", () => {
  expect(drawableColumns(answer).map(({ name }) => name)).toEqual(["n"])
  expect(drawableColumns({ ...answer, columns: answer.columns.slice(2) })).toEqual([])
})

test("as many groups are named as there is room for, and months have no days", () => {
  const months = Array.from(
    { length: 24 },
    (_, i) => `20${20 + Math.floor(i / 12)}-${`${(i % 12) + 1}`.padStart(2, "0")}-01`,
  )
  const { ticks, tickFormat } = shownTicks([...months, "–"], 400)
  expect(ticks.length).toBeLessThanOrEqual(7)
  expect(ticks.map(tickFormat).slice(0, 2)).toEqual(["2020-01", "2020-06"])
  expect(tickFormat("–")).toBe("–")
  const years = shownTicks(["2020-01-01", "2021-01-01"], 400)
  expect(years.ticks.map(years.tickFormat)).toEqual(["2020", "2021"])
  expect(shownTicks(["1", "2", "3"], 400).ticks).toEqual(["1", "2", "3"])
})

test("an interval without an upper end is drawn as far as its noise, and known to be open", () => {
  const open = { value: 12, low: 4, high: null, noiseLow: 8, noiseHigh: 16, state: "released" } as const
  const one = { ...answer, rows: [{ ...answer.rows[0], n: open }] }
  expect(pointsOf(one, "n").points).toMatchObject([{ low: 4, high: 16, noiseHigh: 16, isOpen: true }])
})
