import { expect, test } from "vitest"
import { drainAlpha, spendAlpha } from "./alpha-budget.ts"

test("adds up, and starts again once drained", () => {
  drainAlpha()
  spendAlpha(0.25)
  spendAlpha(0.5)
  expect([drainAlpha(), drainAlpha()]).toEqual([0.75, 0])
})

test("refuses a rate that is none", () => {
  for (const alpha of [0, -1, 1.5, Number.NaN]) expect(() => spendAlpha(alpha)).toThrow("alpha")
})
