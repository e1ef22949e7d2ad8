// What one vector is worth: the variance of means, counts, sums and spreads against a share for each, from
// the plans themselves.

import { numberNear } from "@dosimeter/core/exact"
import { beforeAll, expect, test } from "vitest"
import { compile } from "../compile.ts"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { factorsOf, type Moments } from "@dosimeter/proof/algebra/moment-reading"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "../testing/clinic/clinic.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { momentVariance } from "../aggregates/errors/moment-error.ts"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

type Accounting = "pure" | "zcdp" | "gdp"

function planOf(sql: string, accounting: Accounting): ReleasePlan {
  const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
  return compile(sql, { grammar, catalog, terms }).plan
}

function vectorOf(sql: string, accounting: Accounting): Moments {
  const { releases } = planOf(sql, accounting)
  const vector = releases
    .flatMap(({ measurements }) => measurements)
    .find((one) => hasStrategy(one, "moments"))
  if (!hasStrategy(vector, "moments")) throw new Error("a mean is a vector")
  return vector
}

/** The epsilon of the whole question, or the root of rho or mu squared. */
function lossOf({ charge: { accounting, amount } }: ReleasePlan): number {
  return accounting === "pure" ? numberNear(amount) : Math.sqrt(numberNear(amount))
}

/** The variance of a sum of polynomials p(x) over the values, p = p0 + p1 x + p2 x^2 with x in [0, 250]. */
function varianceOf(vector: Moments, [p0, p1, p2 = 0]: readonly [number, number, number?]): number {
  const [rows, sum] = (["rows", "values"] as const).map((of) => factorsOf(vector, of).map(numberNear))
  const from = Number(vector.strategy.from)
  const squares = vector.columns.length === 2 ? [] : factorsOf(vector, "squares").map(numberNear)
  // The sum of x^2 is that of (x - from)^2, 2 from x and -from^2.
  const mixed = (rows ?? []).map((row, index) => {
    const [s, q] = [sum?.[index] ?? 0, squares[index] ?? 0]
    return p0 * row + p1 * s + p2 * (q + 2 * from * s - from * from * row)
  })
  const { spec } = vector.strategy
  const each = spec.kind === "laplace" ? 2 * numberNear(spec.scale) ** 2 : numberNear(spec.variance)
  return each * mixed.reduce((total, factor) => total + factor * factor, 0)
}

const width = 250
const means = [0, 0.1, 0.3, 0.5, 0.8, 1]

test("[S3] a mean has half of the variance that half of epsilon for each of sum and count gives", () => {
  const sql = "SELECT AVG(height) FROM person"
  const epsilon = lossOf(planOf(sql, "pure"))
  const vector = vectorOf(sql, "pure")
  for (const mean of means) {
    // Half each: the sum of x - middle moves by half of the range, the count by 1.
    const [sum, count] = [2 * (width / epsilon) ** 2, 2 * (2 / epsilon) ** 2]
    const split = sum + ((mean - 0.5) * width) ** 2 * count
    const ratio = varianceOf(vector, [-mean * width, 1]) / split
    expect(ratio).toBeCloseTo(0.5, 9)
  }
})

test("[S3] under Gaussian noise a mean has less variance than half of rho for each, over all means", () => {
  const sql = "SELECT AVG(height) FROM person"
  const rho = lossOf(planOf(sql, "zcdp")) ** 2
  const vector = vectorOf(sql, "zcdp")
  const uniform = Array.from({ length: 101 }, (_, index) => index / 100)
  const own = uniform.map((mean) => varianceOf(vector, [-mean * width, 1]))
  const split = uniform.map((mean) => (width / 2) ** 2 / rho + ((mean - 0.5) * width) ** 2 / rho)
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
  expect(total(own) / total(split)).toBeLessThan(0.96)
})

test.each([
  ["pure", { count: 0.19, sum: 0.19, mean: 0.19, spread: 0.31 }],
  ["zcdp", { count: 0.77, sum: 0.4, mean: 0.51, spread: 0.3 }],
] as const)(
  "[S3] SUM, COUNT, AVG and STDDEV of one column against a share for each of four sums (%s)",
  (accounting, most) => {
    const sql = "SELECT SUM(height), COUNT(height), AVG(height), STDDEV(height) FROM person"
    const loss = lossOf(planOf(sql, accounting))
    const vector = vectorOf(sql, accounting)
    // A count, a sum, a centred sum and a centred sum of squares, each with a quarter of the loss.
    const noise = (change: number): number =>
      accounting === "pure" ? 2 * ((4 * change) / loss) ** 2 : (4 * change * change) / (2 * loss * loss)
    const mean = 0.5 * width
    const deviation = 0.25 * width
    const ratios = {
      count: numberNear(momentVariance(vector, "rows")) / noise(1),
      sum: numberNear(momentVariance(vector, "values")) / noise(width),
      mean: varianceOf(vector, [-mean, 1]) / noise(width / 2),
      spread:
        varianceOf(vector, [mean * mean - deviation ** 2, -2 * mean, 1]) /
        (noise((width / 2) ** 2) + deviation ** 4 * noise(1)),
    }
    expect(ratios.count).toBeLessThan(most.count)
    expect(ratios.sum).toBeLessThan(most.sum)
    expect(ratios.mean).toBeLessThan(most.mean)
    expect(ratios.spread).toBeLessThan(most.spread)
  },
)

test("[S3] a mean, its count and its sum are paid once", () => {
  const one = planOf("SELECT AVG(height) FROM person", "pure")
  const all = planOf("SELECT COUNT(height), SUM(height), AVG(height) FROM person", "pure")
  expect(all.releases[0]?.measurements).toHaveLength(1)
  expect(all.charge).toEqual(one.charge)
})
