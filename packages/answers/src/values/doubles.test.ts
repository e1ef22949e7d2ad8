import { numberDown, rationalOfNumber, subtract } from "@dosimeter/core/exact"
import { Dice } from "@dosimeter/proof/testing/dice"
import { expect, test } from "vitest"
import { differenceDown } from "./doubles.ts"

test("differences are rounded down, and no further", () => {
  const dice = new Dice("differences")
  for (let round = 0; round < 3000; round += 1) {
    const a = (dice.below(2_000_001) - 1_000_000) * 10 ** (dice.below(24) - 12)
    const b = dice.below(1_000_001) * 10 ** (dice.below(24) - 12)
    const exact = subtract(rationalOfNumber(a), rationalOfNumber(b))
    expect(differenceDown(a, b), `${a} - ${b}`).toBe(numberDown(exact))
  }
  expect(differenceDown(0, 0)).toBe(0)
})
