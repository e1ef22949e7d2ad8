import { expect, test } from "vitest"
import { pureToZcdp } from "../../accounting/conversions/pure-to-zcdp.ts"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { expDown, expUp } from "../../exact/exp.ts"
import { compare, divide, multiply, one, rational, subtract, type Rational } from "../../exact/rational.ts"
import anonymity from "../../testing/fixtures/anonymity.json" with { type: "json" }
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import { checkRecord, numberInput, recordsOf } from "../../testing/vectors.ts"
import {
  estimateCounts,
  randomizedResponse,
  randomizedResponseError,
  randomizedResponseLoss,
  randomizedResponseOfTruth,
  releaseRandomizedResponse,
  type RandomizedResponseSpec,
} from "./randomized-response.ts"

/** P(report | answer), from the spec. */
function lawOf({ truth, categories }: RandomizedResponseSpec, answer: number): Rational[] {
  const other = divide(subtract(one, truth), rational(BigInt(categories) - 1n))
  return Array.from({ length: categories }, (_, report) => (report === answer ? truth : other))
}

test("[M6] the largest ratio over all answers and reports is within the loss, and reaches it", () => {
  for (const epsilon of ["1e-6", "0.1", "1", "3.5", "20"]) {
    for (const categories of [2, 3, 10]) {
      const spec = randomizedResponse({ epsilon, categories })
      const loss = randomizedResponseLoss(spec).pure?.epsilon ?? rational(0n)
      expect(compare(loss, exactly(epsilon, "epsilon"))).toBeLessThanOrEqual(0)
      expect(numberUp(loss) / Number(epsilon)).toBeGreaterThan(1 - 1e-9)
      let worst = rational(0n)
      for (let a = 0; a < categories; a += 1) {
        for (let b = 0; b < categories; b += 1) {
          for (const [report, p] of lawOf(spec, a).entries()) {
            const ratio = divide(p, lawOf(spec, b)[report] ?? one)
            if (compare(ratio, worst) > 0) worst = ratio
          }
        }
      }
      expect(compare(worst, expUp(loss, 160))).toBeLessThanOrEqual(0)
      expect(compare(worst, expDown(multiply(loss, rational(999_999n, 1_000_000n)), 160))).toBeGreaterThan(0)
    }
  }
})

test("never costs more than was asked for", () => {
  for (let i = 1; i < 400; i += 1) {
    const epsilon = rational(BigInt(i), 50n)
    const loss = randomizedResponseLoss(randomizedResponse({ epsilon, categories: 2 + (i % 5) }))
    expect(compare(loss.pure?.epsilon ?? rational(100n), epsilon)).toBeLessThanOrEqual(0)
    expect(loss.zcdp.rho).toEqual(pureToZcdp(loss.pure?.epsilon ?? one))
  }
})

test("the coin of the classic survey costs ln 3", () => {
  const spec = randomizedResponseOfTruth({ truth: "3/4", categories: 2 })
  expect(numberUp(randomizedResponseLoss(spec).pure?.epsilon ?? one)).toBeCloseTo(Math.log(3), 14)
  expect(randomizedResponseError(spec)).toEqual({ kind: "report", wrong: 0.25 })
})

test("estimates are exact on the expected reports, so they are unbiased", () => {
  const spec = randomizedResponseOfTruth({ truth: "1/2", categories: 3 })
  // 800, 160 and 40 people; each answer's expected reports: half stay, a quarter goes to each of the others.
  expect(estimateCounts(spec, [450n, 290n, 260n])).toEqual([800, 160, 40])
  const skewed = randomizedResponseOfTruth({ truth: "0.9", categories: 5 })
  const people = [1000, 0, 400, 40, 0]
  const total = people.reduce((a, b) => a + b, 0)
  const reports = people.map((n) => BigInt(Math.round(0.9 * n + (0.1 / 4) * (total - n))))
  for (const [i, estimate] of estimateCounts(skewed, reports).entries())
    expect(estimate).toBeCloseTo(people[i] ?? -1, 9)
})

test.each(recordsOf(anonymity, "rr.estimate"))("estimates the share of $id", (record) => {
  const [n, yes] = [numberInput(record, "n"), numberInput(record, "yes_reports")]
  const spec = randomizedResponseOfTruth({ truth: String(record.inputs["p_yes_given_yes"]), categories: 2 })
  const [, estimate = -1] = estimateCounts(spec, [BigInt(n - yes), BigInt(yes)])
  checkRecord({ record, field: "estimated_proportion", got: estimate / n })
})

test("works with very large and very small losses", () => {
  const saturated = randomizedResponse({ epsilon: "1e300", categories: 1000 })
  expect(compare(saturated.truth, one)).toBeLessThan(0)
  const loss = randomizedResponseLoss(saturated).pure?.epsilon ?? rational(0n)
  expect(numberUp(loss)).toBeGreaterThan(44)
  expect(compare(randomizedResponse({ epsilon: "1e-15", categories: 2 }).truth, rational(1n, 2n))).toBe(1)
  for (const categories of [2, 3, 7]) {
    const error = refusalOf(() => randomizedResponse({ epsilon: "1e-30", categories }))
    expect(error.code).toBe("parameter/out-of-range")
  }
})

test("[E2] refuses answers that are none, without saying which", () => {
  const spec = randomizedResponse({ epsilon: 1, categories: 3 })
  for (const answer of [-1, 3, 1.5, Number.NaN, Infinity]) {
    const error = refusalOf(() => releaseRandomizedResponse(spec, answer, untouchedBits()))
    expect(error.code).toBe("parameter/out-of-range")
    expect(error.message).not.toContain(String(answer))
  }
})

test("refuses reports of another number of categories", () => {
  const spec = randomizedResponse({ epsilon: 1, categories: 3 })
  expect(refusalOf(() => estimateCounts(spec, [1n, 2n])).code).toBe("parameter/length")
})
