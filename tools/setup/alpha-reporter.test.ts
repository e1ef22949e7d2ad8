// The limit on false alarms is itself tested: nobody else would notice if it stopped working.

import { expect, test } from "vitest"
import { alphaLimit, judgeAlpha, showAlpha } from "./alpha-reporter.ts"

test("refuses a sum above the limit, and a sum of nothing", () => {
  expect(alphaLimit).toBe(1e-6)
  expect(judgeAlpha(1e-6)).toBeUndefined()
  expect(judgeAlpha(1e-9)).toBeUndefined()
  expect(judgeAlpha(1.01e-6)).toContain("too often")
  expect(judgeAlpha(0)).toContain("no statistical check")
})

test("shows rates as people write them", () => {
  expect([3.14e-8, 1e-6, 0].map(showAlpha)).toEqual(["3.1e-8", "1e-6", "0"])
})
