import { exactly } from "@dosimeter/core/exact"
import { lossIn } from "@dosimeter/core/mechanisms"
import { publicNumbers, survivalCurve } from "@dosimeter/core/post"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { unit } from "../testing/made-up.ts"
import { countTimes, hazards, kaplanMeier, releaseTimes, times, type TimeData } from "./times.ts"

const options = { end: 800, bins: 20, epsilon: "1", neighbours: "add-or-remove" } as const

/** Times with a mean of 400 days until the event; seen until a uniform day. */
function followed(rows: number, seed: string): TimeData {
  const rng = seededBits(seed)
  const made = Array.from({ length: rows }, () => {
    const [event, seen] = [-400 * Math.log(unit(rng)), 1000 * unit(rng)]
    return { time: Math.min(event, seen), event: event <= seen ? 1 : 0 }
  })
  return {
    times: Float64Array.from(made, ({ time }) => time),
    events: Uint8Array.from(made, ({ event }) => event),
  }
}

test("a row changes one count by 1, and the loss is epsilon", () => {
  const plan = times(options)
  const odd = Float64Array.of(NaN, Infinity, -Infinity, -3, 0, 800, 799.9)
  for (const [row, time] of odd.entries()) {
    for (const event of [0, 1, 7]) {
      const counts = countTimes(plan, { times: Float64Array.of(time), events: Uint8Array.of(event) })
      expect(
        counts.filter((count) => count === 1n),
        `row ${row}`,
      ).toHaveLength(1)
      expect(counts.filter((count) => count === 0n)).toHaveLength(2 * plan.bins)
    }
  }
  expect(lossIn(plan.spec, "pure")).toEqual({ measure: "pure", epsilon: exactly("1", "epsilon") })
})

test("the curve of 228 people at epsilon 1 is within 0.025 of the one without noise", () => {
  const plan = times(options)
  const misses = Array.from({ length: 60 }, (_, run) => {
    const data = followed(228, `lung ${run}`)
    const counts = countTimes(plan, data).map(Number)
    const exact = counts.slice(0, -1).map((count, at) => (at === 39 ? count + (counts.at(-1) ?? 0) : count))
    const truth = survivalCurve(publicNumbers(exact), 0.05)
    const noisy = kaplanMeier(releaseTimes(plan, data, seededBits(`noise of ${run}`)))
    return noisy.flatMap(({ value }, bin) => {
      const wanted = truth[bin]?.value
      return value === undefined || wanted === undefined ? [] : [(value - wanted) ** 2]
    })
  }).flat()
  expect(misses.length).toBeGreaterThan(1000)
  expect(Math.sqrt(misses.reduce((sum, miss) => sum + miss, 0) / misses.length)).toBeLessThan(0.025)
})

test("rates of a constant hazard are that hazard, and their deviations are what runs differ by", () => {
  const plan = times(options)
  const runs = Array.from({ length: 60 }, (_, run) =>
    hazards(releaseTimes(plan, followed(3000, `hazard ${run}`), seededBits(`rate ${run}`)), 4),
  )
  for (const piece of [0, 1, 2, 3]) {
    const rates = runs.map((found) => found[piece]?.rate ?? NaN)
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length
    const spread = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / (rates.length - 1))
    const told = runs.reduce((sum, found) => sum + (found[piece]?.deviation ?? NaN), 0) / runs.length
    expect(mean * 400).toBeGreaterThan(0.95)
    expect(mean * 400).toBeLessThan(1.05)
    expect(spread / told).toBeGreaterThan(0.7)
    expect(spread / told).toBeLessThan(1.4)
  }
})

test.each([
  [{ end: Infinity }, "model/unbounded-feature"],
  [{ bins: 0 }, "model/bad-setting"],
] as const)("refuses %o", (part, code) => {
  expect(() => times({ ...options, ...part })).toThrow(expect.objectContaining({ code }))
})

test("refuses more pieces than stretches", () => {
  const measured = releaseTimes(times(options), followed(10, "ten"), seededBits("pieces"))
  expect(() => hazards(measured, 21)).toThrow(expect.objectContaining({ code: "model/bad-setting" }))
})
