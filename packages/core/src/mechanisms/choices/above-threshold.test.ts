import { expect, test } from "vitest"
import { pureToZcdp } from "../../accounting/conversions/pure-to-zcdp.ts"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { add, compare, divide, multiply, one, rational, type Rational } from "../../exact/rational.ts"
import { freshSeed, seededBits } from "../../testing/seeded-bits.ts"
import { refusalOf } from "../../testing/refusals.ts"
import {
  aboveThreshold,
  aboveThresholdError,
  aboveThresholdLoss,
  releaseAboveThreshold,
  type AboveThresholdSpec,
} from "./above-threshold.ts"

const good = { epsilon: "1", answers: 2, questions: 5, sensitivity: 1, queries: "any" } as const

test("charges for the threshold once and for each answer above, independently added up", () => {
  for (const queries of ["any", "monotone"] as const) {
    for (const answers of [1, 3, 10]) {
      for (const sensitivity of [1, 7]) {
        const spec = aboveThreshold({ ...good, epsilon: "0.9", answers, sensitivity, queries })
        const { thresholdScale, queryScale } = spec
        const shiftsEach = queries === "monotone" ? 1n : 2n
        const d = rational(BigInt(sensitivity))
        const threshold = divide(d, thresholdScale)
        const questions = divide(multiply(rational(BigInt(answers) * shiftsEach), d), queryScale)
        expect(aboveThresholdLoss(spec).pure?.epsilon).toEqual(add(threshold, questions))
        expect(add(threshold, questions)).toEqual(exactly("0.9", "epsilon"))
        expect(aboveThresholdLoss(spec).zcdp.rho).toEqual(pureToZcdp(exactly("0.9", "epsilon")))
      }
    }
  }
})

test("splits the loss near the best ratio, 1 : (2 answers)^(2/3)", () => {
  const share = (queries: "any" | "monotone", answers: number): number => {
    const { thresholdScale } = aboveThreshold({ ...good, queries, answers })
    // epsilon of the threshold is 1 / thresholdScale; the rest of 1 is the questions'.
    return numberUp(thresholdScale) - 1
  }
  expect(share("any", 4)).toBeCloseTo(4, 5)
  expect(share("monotone", 8)).toBeCloseTo(4, 5)
  expect(share("any", 1)).toBeCloseTo(2 ** (2 / 3), 5)
})

const quiet: AboveThresholdSpec = {
  kind: "above-threshold",
  thresholdScale: rational(1n, 1000n),
  queryScale: rational(1n, 1000n),
  answers: 2n,
  questions: 4n,
  sensitivity: 1n,
  queries: "any",
}

test("[M3] answers whether a value reaches the threshold, until its answers are used up", () => {
  const run = releaseAboveThreshold({ ...quiet, questions: 100n }, 10n, seededBits(freshSeed()))
  expect([9n, 10n, 9n, 11n].map((value) => run.ask(value))).toEqual([false, true, false, true])
  const error = refusalOf(() => run.ask(0n))
  expect(error.code).toBe("mechanism/finished")
  expect(error.kind).toBe("refused")
})

test("answers no more questions than it was made for", () => {
  const run = releaseAboveThreshold(quiet, 10n, seededBits(freshSeed()))
  expect([0n, 0n, 0n, 0n].map((value) => run.ask(value))).toEqual([false, false, false, false])
  expect(refusalOf(() => run.ask(0n)).code).toBe("mechanism/finished")
})

test("states an error that grows with the noise and the confidence", () => {
  const error = (miss: string, epsilon: string): bigint =>
    aboveThresholdError(aboveThreshold({ ...good, epsilon }), exactly(miss, "miss")).shortfall
  expect(error("0.01", "1")).toBeGreaterThan(error("0.1", "1"))
  expect(error("0.1", "0.1")).toBeGreaterThan(error("0.1", "1"))
})

test("has at most the loss that was asked for, however large", () => {
  for (const epsilon of ["1e-9", "0.3", "1e6"]) {
    const spec = aboveThreshold({ ...good, epsilon, answers: 1_000_000, questions: 1_000_000 })
    const loss: Rational = aboveThresholdLoss(spec).pure?.epsilon ?? one
    expect(compare(loss, exactly(epsilon, "epsilon"))).toBeLessThanOrEqual(0)
  }
})
