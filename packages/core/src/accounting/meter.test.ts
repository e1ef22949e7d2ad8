import { expect, test } from "vitest"
import { exactly } from "../exact/decimal.ts"
import { zero } from "../exact/rational.ts"
import { budgetFor, takeCharge, type FilterState } from "./filter.ts"
import { showShare, usedOf } from "./meter.ts"

const pure = budgetFor({ epsilon: 4, delta: "1e-6", accounting: "pure" })
const of = (spent: string, delta: string, budget = pure): FilterState => ({
  budget,
  spent: exactly(spent, "spent"),
  deltaSpent: exactly(delta, "delta"),
})

test("the larger share says how much is used, and what runs out first", () => {
  expect(usedOf(of("0", "0"))).toEqual({ share: 0, loss: 0, delta: 0, first: "loss" })
  expect(usedOf(of("1", "0"))).toMatchObject({ share: 0.25, loss: 0.25, delta: 0, first: "loss" })
  expect(usedOf(of("1", "5e-7"))).toMatchObject({ share: 0.5, loss: 0.25, delta: 0.5, first: "delta" })
  expect(usedOf(of("9", "5e-7"))).toMatchObject({ share: 1, first: "loss" })
})

test("where there is no delta, to use some is to use all of it", () => {
  const none = budgetFor({ epsilon: 4, delta: 0, accounting: "pure" })
  expect(usedOf(of("1", "0", none))).toMatchObject({ share: 0.25, delta: 0 })
  expect(usedOf(of("1", "1e-9", none))).toMatchObject({ share: 1, first: "delta" })
})

test.each(["zcdp", "gdp"] as const)("a fifth of delta is for charges: %s", (accounting) => {
  const budget = budgetFor({ epsilon: 3, delta: "1e-6", accounting })
  expect(usedOf({ budget, spent: zero, deltaSpent: exactly("1e-7", "delta") }).share).toBe(0.5)
})

test("an account is full just when no charge fits any more", () => {
  const budget = budgetFor({ epsilon: 1, delta: "4e-7", accounting: "pure" })
  const delta = exactly("1e-7", "delta")
  const charge = {
    approx: { measure: "approx", epsilon: exactly("0.1", "epsilon"), delta },
    zcdp: { measure: "zcdp", rho: exactly("0.005", "rho"), delta },
  } as const
  let state: FilterState | undefined = { budget, spent: zero, deltaSpent: zero }
  const shares: number[] = []
  for (; state !== undefined; state = takeCharge(state, charge)) shares.push(usedOf(state).share)
  expect(shares).toEqual([0, 0.25, 0.5, 0.75, 1])
})

test("little is not nothing, and almost all is not all", () => {
  expect([0, 1e-9, 0.01, 0.166, 0.99, 0.999999, 1].map(showShare)).toEqual([
    "0 %",
    "<1 %",
    "1 %",
    "17 %",
    "99 %",
    ">99 %",
    "100 %",
  ])
})
