import type { Used } from "@dosimeter/core/accounting"
import { expect, test } from "vitest"
import { sharesOf } from "./meter-shares.ts"

const used = (loss: number, delta: number): Used => ({
  share: Math.max(loss, delta),
  loss,
  delta,
  first: delta > loss ? "delta" : "loss",
})

test("spent, this question and left make up the whole bar", () => {
  expect(sharesOf(used(0.25, 0), used(0.5, 0), true)).toEqual({ spent: 0.25, now: 0.25, left: 0.5 })
  // Delta runs out first: the bar is delta's.
  expect(sharesOf(used(0.25, 0), used(0.5, 0.75), true)).toEqual({ spent: 0.25, now: 0.5, left: 0.25 })
  expect(sharesOf(used(0.25, 0.5), used(0.3125, 0.5), true)).toEqual({ spent: 0.5, now: 0, left: 0.5 })
})

test("what does not fit takes what is left and leaves it", () => {
  expect(sharesOf(used(0.75, 0), used(1, 0), false)).toEqual({ spent: 0.75, now: 0.25, left: 0.25 })
  expect(sharesOf(used(1, 0), used(1, 0), false)).toEqual({ spent: 1, now: 0, left: 0 })
})
