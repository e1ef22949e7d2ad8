import { robustnessOf } from "@dosimeter/core/collect"
import { subsetProtocol } from "@dosimeter/core/local"
import { expect, test } from "vitest"
import { estimatePoints, movedBy } from "./estimate-points.ts"

const options = [
  { option: "no", share: 1.1, lower: 0.9, upper: 1, consistent: 1 },
  { option: "yes", share: -0.1, lower: 0, upper: 0.1, consistent: 0 },
]

test("shares are percent, made to add up or raw, with the same intervals", () => {
  const shown = (view: "raw" | "consistent") =>
    estimatePoints({ options, mean: null }, { view, meanName: "mean" }).map(({ name, value, low, high }) =>
      [name, ...[value, low, high].map(Math.round)].join(" "),
    )
  expect(shown("consistent")).toEqual(["no 100 90 100", "yes 0 0 10"])
  expect(shown("raw")).toEqual(["no 110 90 100", "yes -10 0 10"])
})

test("a mean is one point; of very many answers the largest are shown", () => {
  const mean = { mean: 7, lower: 6, upper: 8 }
  expect(estimatePoints({ options: [], mean }, { view: "raw", meanName: "mean" })).toEqual([
    { name: "mean", value: 7, low: 6, high: 8 },
  ])
  const many = Array.from({ length: 100 }, (_, i) => ({
    option: `${i}`,
    share: i / 4950,
    lower: 0,
    upper: 1,
    consistent: i / 4950,
  }))
  const points = estimatePoints({ options: many, mean: null }, { view: "raw", meanName: "mean" })
  expect([points.length, points[0]?.name, points.at(-1)?.name]).toEqual([40, "99", "60"])
})

test("so many fakes move an estimate as core says", () => {
  const protocol = subsetProtocol({ values: 4, epsilon: 1 })
  const percent = robustnessOf(protocol, { fakes: 1, people: 100 })
  const ifOnePercentAreFakes = { tooHigh: percent.up, tooLow: percent.down }
  const exact = robustnessOf(protocol, { fakes: 7, people: 350 })
  const moved = movedBy({ kind: "choice", reports: 350, ifOnePercentAreFakes }, 7)
  expect(moved?.tooHigh).toBeCloseTo(100 * exact.up, 9)
  expect(moved?.tooLow).toBeCloseTo(100 * exact.down, 9)
  expect(movedBy({ kind: "choice", reports: 7, ifOnePercentAreFakes }, 7)).toBeUndefined()
})
