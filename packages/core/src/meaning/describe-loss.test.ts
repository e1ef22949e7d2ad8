import { expect, test } from "vitest"
import { exactly, type Numeric } from "../exact/decimal.ts"
import { zero, type Rational } from "../exact/rational.ts"
import type { Loss } from "../privacy/loss.ts"
import { describeLoss } from "./describe-loss.ts"

const of = (value: Numeric): Rational => exactly(value, "value")
const pure = (epsilon: Numeric): Loss => ({ measure: "pure", epsilon: of(epsilon) })

test("says in four sentences what epsilon 1 means", () => {
  expect(describeLoss(pure(1))).toEqual([
    "Whatever is released, one person's data changes the odds of any guess about that person by a factor of at most " +
      "2.72, up or down.",
    "A guess that was held at 1 % rises to 2.68 % at most, and one held at 50 % stays between 26.8 % and 73.2 %.",
    "An attacker who must say whether a person is in the data, both being equally likely, is right at most 73.2 % of " +
      "the time; a coin is right 50 % of it.",
    "An attacker who may accuse 1 % of the people who are not in the data accuses at most 2.72 % of those who are.",
  ])
})

test("says that other measures may fail, and how rarely", () => {
  const losses: readonly Loss[] = [
    { measure: "approx", epsilon: of(1), delta: of("1e-5") },
    { measure: "zcdp", rho: of("0.1"), delta: zero },
    { measure: "gdp", muSquared: of("0.2"), delta: zero },
  ]
  for (const loss of losses) {
    expect(describeLoss(loss)[0]).toMatch(/^But for a chance of 0\.1 %, one person's data changes the odds/)
    expect(describeLoss(loss, { failure: "0.05" })[0]).toMatch(/^But for a chance of 5 %/)
    expect(describeLoss(loss)).toHaveLength(4)
  }
  const leaky: Loss = { measure: "gdp", muSquared: of("0.2"), delta: of("0.01") }
  expect(describeLoss(leaky)[0]).toMatch(/^But for a chance of 2 %/)
  const worse: Loss = { measure: "approx", epsilon: zero, delta: of("0.6") }
  expect(describeLoss(worse)[0]).toMatch(/^But for a chance of 80 %/)
})

test("speaks of records where a person's record may be replaced", () => {
  const sentences = describeLoss(pure("0.1"), { neighbours: "replace", falsePositiveRate: "0.001" })
  expect(sentences.slice(2)).toEqual([
    "An attacker who must say which of two equally likely records a person has is right at most 52.5 % of the time; a " +
      "coin is right 50 % of it.",
    "An attacker who may accuse 0.1 % of the people to whom a suspicion does not apply accuses at most 0.111 % of " +
      "those to whom it does.",
  ])
})

test("does not call a huge loss protection", () => {
  for (const epsilon of [20, "1e9"]) {
    expect(describeLoss(pure(epsilon))[0]).toBe(
      "A loss this large limits what can be learned about one person too little to be called protection.",
    )
  }
})

test("a loss of 0 changes nothing", () => {
  expect(describeLoss(pure(0))[0]).toContain("by a factor of at most 1, up or down")
  expect(describeLoss(pure(0))[1]).toContain("held at 1 % rises to 1 % at most")
})
