import { expect, test } from "vitest"
import { DosimeterError } from "../errors/dosimeter-error.ts"
import type { Numeric } from "../exact/decimal.ts"
import { compare, zero, type Rational } from "../exact/rational.ts"
import { refusalOf } from "../testing/refusals.ts"
import * as conversions from "./conversions.ts"

const sizes: readonly Numeric[] = ["1e-300", "1e-30", "0.5", 1, "1e30", "1e300", 5e-324, 1n << 1200n]
const wrong: readonly Numeric[] = [0, -1, "abc", Number.NaN, Infinity, "-1e-300"]
const two = [
  conversions.approxToRho,
  conversions.approxToMu,
  conversions.gdpToDelta,
  conversions.gdpToEpsilon,
  conversions.laplaceToZcdp,
  conversions.zcdpToDelta,
  conversions.zcdpToEpsilon,
] as const
const one = [conversions.pureToGdp, conversions.pureToZcdp] as const

function expectSound(run: () => Rational): void {
  try {
    expect(compare(run(), zero)).toBeGreaterThanOrEqual(0)
  } catch (error) {
    if (!(error instanceof DosimeterError)) throw error
    expect(error.code).toMatch(/^parameter\//)
  }
}

test.each(two.map((convert) => [convert.name, convert] as const))(
  "%s gives a number or refuses a parameter, at any size",
  (_, convert) => {
    // A delta of 1e-300 beside a loss of 1e-300 takes seconds in exact arithmetic; it is tried elsewhere.
    for (const a of sizes)
      for (const b of ["1e-30", "0.5", "1e30", 1n << 1200n]) expectSound(() => convert(a, b))
    for (const bad of wrong.slice(1))
      expect(refusalOf(() => convert(bad, "0.5")).code).toMatch(/^parameter\//)
    for (const bad of wrong.slice(2)) expect(refusalOf(() => convert(1, bad)).code).toMatch(/^parameter\//)
  },
)

test.each(one.map((convert) => [convert.name, convert] as const))("%s, too", (_, convert) => {
  for (const a of sizes) expectSound(() => convert(a))
  for (const bad of wrong) expect(refusalOf(() => convert(bad)).code).toMatch(/^parameter\//)
})

test("nothing lost is an epsilon of 0", () => {
  expect(conversions.zcdpToEpsilon(0, "1e-6")).toEqual(zero)
  expect(conversions.gdpToEpsilon(0, "1e-6")).toEqual(zero)
})
