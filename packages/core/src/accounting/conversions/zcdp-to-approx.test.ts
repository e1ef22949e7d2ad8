import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { compare, multiply, one, rational, type Rational } from "../../exact/rational.ts"
import rdp from "../../testing/fixtures/rdp.json" with { type: "json" }
import { checkRecord, recordsOf, type VectorRecord } from "../../testing/vectors.ts"
import { gdpToDelta, gdpToEpsilon } from "./gaussian-delta.ts"
import { zcdpToDelta, zcdpToEpsilon } from "./zcdp-to-approx.ts"

const input = (record: VectorRecord, field: string): Rational => exactly(String(record.inputs[field]), field)

test.each(recordsOf(rdp, "convert.zcdp_to_approx"))("gives the epsilon of $id", (record) => {
  const got = numberUp(zcdpToEpsilon(input(record, "rho"), input(record, "delta")))
  checkRecord({ record, field: "epsilon_optimal", got })
  expect(got).toBeLessThanOrEqual(Number(record.expected["epsilon_classic"]))
})

test.each(recordsOf(rdp, "convert.zcdp_delta"))("gives the delta of $id", (record) => {
  const got = numberUp(zcdpToDelta(input(record, "rho"), input(record, "epsilon")))
  checkRecord({ record, field: "delta", got })
})

test("is never below the exact delta and epsilon of the Gaussian, which is rho-zCDP", () => {
  for (const mu of ["0.01", "0.3", "1", "3"]) {
    const exact = exactly(mu, "mu")
    const rho = multiply(multiply(exact, exact), rational(1n, 2n))
    for (const epsilon of ["0", "0.01", "0.5", "2", "9"]) {
      const e = exactly(epsilon, "epsilon")
      const delta = gdpToDelta(exact, e)
      // Below this gdpToDelta is a coarse bound.
      if (numberUp(delta) > 1e-300) expect(compare(zcdpToDelta(rho, e), delta)).toBeGreaterThanOrEqual(0)
    }
    for (const delta of ["1e-12", "1e-6", "0.1"]) {
      const d = exactly(delta, "delta")
      expect(compare(zcdpToEpsilon(rho, d), gdpToEpsilon(exact, d))).toBeGreaterThanOrEqual(0)
    }
  }
})

test("its two directions fit together", () => {
  for (const rho of ["0.001", "0.1", "2"].map((text) => exactly(text, "rho"))) {
    for (const delta of ["1e-9", "1e-3"].map((text) => exactly(text, "delta"))) {
      const epsilon = zcdpToEpsilon(rho, delta)
      const back = numberUp(zcdpToDelta(rho, epsilon)) / numberUp(delta)
      expect(back).toBeGreaterThan(0.999)
      expect(back).toBeLessThan(1 + 1e-9)
    }
  }
})

test("ends and means something at the extremes", () => {
  const at = (text: string): Rational => exactly(text, "x")
  for (const [rho, epsilon] of [
    ["1e-12", "1e3"],
    ["1e-300", "1"],
    ["1e-6", "1e-6"],
    ["1e3", "1e-6"],
    ["1e3", "1e6"],
  ] as const) {
    const delta = zcdpToDelta(at(rho), at(epsilon))
    expect(delta.numerator).toBeGreaterThan(0n)
    expect(compare(delta, one)).toBeLessThanOrEqual(0)
  }
  for (const [rho, delta] of [
    ["1e-6", "1e-300"],
    ["1e3", "1e-300"],
    ["1e-12", "0.5"],
    ["1e-300", "1e-9"],
  ] as const) {
    const epsilon = zcdpToEpsilon(at(rho), at(delta))
    expect(epsilon.numerator).toBeGreaterThanOrEqual(0n)
    const simple = Number(rho) + 2 * Math.sqrt(Number(rho) * Math.log(1 / Number(delta)))
    expect(numberUp(epsilon)).toBeLessThanOrEqual(simple * (1 + 1e-9) + 1e-12)
  }
  // A delta that came as a double has more bits below than a double can hold.
  expect(numberUp(zcdpToEpsilon(one, exactly(1e-300, "delta")))).toBeGreaterThan(40)
})
