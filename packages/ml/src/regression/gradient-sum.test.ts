import { l2SquaredOf } from "@dosimeter/core/mechanisms"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { AskedRows } from "./answer-ask.ts"
import { curvatureBound, curvatureSum } from "./curvature-sum.ts"
import { gradientBound, gradientSteps, gradientSum } from "./gradient-sum.ts"
import { gridRows, type Centring } from "./grid-rows.ts"
import { rowsOf, type RowValues } from "./rows.ts"
import type { ModelShape } from "./shape.ts"
import type { SumAsk } from "./train.ts"
import { sensitivityOf } from "./training-plan.ts"

const wide = (family: ModelShape["family"], high = 1): ModelShape => ({
  family,
  features: [
    { name: "age", low: 0, high: 100 },
    { name: "sex", low: 0, high: 1 },
    { name: "pressure", low: -1e6, high: 1e6 },
  ],
  target: { name: "y", low: 0, high },
  rowsPerUnit: 3,
})
const shapes = [wide("linear", 40), wide("logistic"), wide("poisson", 1000), wide("multinomial", 4)] as const

const hostile = fc.oneof(
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 1e308, -1e308, 0, 1, 100, 5e-324),
)
const row = fc.record({ features: fc.array(hostile, { minLength: 3, maxLength: 3 }), target: hostile })
// Longer than declared too: what bounds a unit is the sum itself.
const unit: fc.Arbitrary<readonly RowValues[]> = fc.array(row, { minLength: 1, maxLength: 7 })
const weights = (outputs: number): fc.Arbitrary<Float64Array> =>
  fc
    .array(fc.oneof(fc.double({ min: -50, max: 50, noNaN: true }), fc.double()), {
      minLength: 4 * outputs,
      maxLength: 4 * outputs,
    })
    .map((values) => Float64Array.from(values))
const centring: Centring = { centre: Float64Array.of(0.3, -0.9, 0), stretch: Float64Array.of(4, 1, 2.5) }

/** The squared length of a difference of exact sums. */
function squaredChange(a: readonly bigint[], b: readonly bigint[]): bigint {
  return a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0n)) ** 2n, 0n)
}

describe.each(shapes)("$family", (shape) => {
  const outputs = shape.family === "multinomial" ? shape.target.high : 1

  test("a unit changes no sum by more than is counted on, whatever rows and weights hold", () => {
    const cases = fc.tuple(
      fc.array(unit, { maxLength: 3 }),
      unit,
      weights(outputs),
      fc.constantFrom(1e-3, 1, 1e6),
    )
    fc.assert(
      fc.property(cases, ([others, one, at, clip]) => {
        const withOne = new AskedRows(rowsOf(shape, [...others, one]))
        const without = new AskedRows(rowsOf(shape, others))
        const asks: readonly SumAsk[] = [
          { kind: "look" },
          { kind: "gradient", centring, weights: at, clip },
          { kind: "curvature", centring, weights: at, clip },
          { kind: "quality", centring, weights: at, meanTarget: 0.5 },
        ]
        for (const ask of asks) {
          const change = squaredChange(withOne.sumOf(ask), without.sumOf(ask))
          const allowed = l2SquaredOf(sensitivityOf(ask.kind, shape, "add-or-remove"))
          expect(change).toBeLessThanOrEqual(allowed)
        }
      }),
    )
  })

  test("a unit that is clipped uses nearly all of the bound, in any direction and over several rows", () => {
    for (let turn = 0; turn < 40; turn += 1) {
      const rows = Array.from({ length: 1 + (turn % 3) }, (_, place) => ({
        features: [50 + 50 * Math.sin(turn), turn % 2, 1e6 * Math.cos(turn + place)],
        target: turn % (shape.target.high + 1),
      }))
      const grid = gridRows(rowsOf(shape, [rows]), centring)
      const at = Float64Array.from({ length: 4 * outputs }, (_, number) => 0.3 * Math.sin(turn * 3 + number))
      const length = (sum: readonly bigint[]): number => Math.sqrt(Number(squaredChange(sum, [])))
      const gradient = length(gradientSum(grid, at, 1e-4))
      expect(gradient).toBeLessThanOrEqual(gradientBound)
      expect(length(curvatureSum(grid, at, 1e-6))).toBeLessThanOrEqual(curvatureBound)
      if (rows.length === 1) expect(gradient).toBeGreaterThan(0.999 * gradientBound)
    }
  })

  test("far inside the clip the sum is the gradient", () => {
    const units = Array.from({ length: 20 }, (_, place) => [
      { features: [place * 5, place % 2, 1e5 * place], target: place % (shape.target.high + 1) },
    ])
    const grid = gridRows(rowsOf(shape, units), centring)
    const at = Float64Array.from({ length: 4 * outputs }, (_, number) => 0.2 * Math.sin(number + 1))
    const clip = 2000
    const sum = gradientSum(grid, at, clip).map((value) => Number(value) / gradientSteps(clip))
    const expected = plainGradient(shape, grid.values, { at, targets: grid.rows.targets })
    // Each residual is cut to a whole step, towards 0.
    const most = (20 * clip * 4096 * 4) / gradientBound
    for (const [number, value] of expected.entries()) {
      expect(Math.abs((sum[number] ?? 0) - value)).toBeLessThan(most)
    }
  })
})

/** The gradient worked out plainly, without a grid of residuals. */
function plainGradient(
  { family }: ModelShape,
  values: Int16Array,
  { at, targets }: { readonly at: Float64Array; readonly targets: Float64Array },
): number[] {
  const outputs = at.length / 4
  const sum = Array<number>(at.length).fill(0)
  for (const [place, target] of targets.entries()) {
    const x = [0, 1, 2, 3].map((number) => (values[place * 4 + number] ?? 0) / 4096)
    const predictors = Array.from({ length: outputs }, (_, output) =>
      x.reduce((total, value, number) => total + value * (at[output * 4 + number] ?? 0), 0),
    )
    const all = 1 + predictors.reduce((total, value) => total + Math.exp(value), 0)
    for (const [output, predictor] of predictors.entries()) {
      const exp = Math.exp(predictor)
      const mean = { linear: predictor, logistic: exp / (1 + exp), poisson: exp, multinomial: exp / all }[
        family
      ]
      const aim = family === "multinomial" ? Number(target === output + 1) : target
      for (const [number, value] of x.entries()) {
        sum[output * 4 + number] = (sum[output * 4 + number] ?? 0) + (mean - aim) * value
      }
    }
  }
  return sum
}

test("a target that is not known says nothing", () => {
  const shape = wide("logistic")
  const rows = rowsOf(shape, [[{ features: [10, 1, 5], target: Number.NaN }]])
  const asked = new AskedRows(rows)
  for (const kind of ["gradient", "curvature"] as const) {
    const sum = asked.sumOf({ kind, centring, weights: new Float64Array(4), clip: 1 })
    expect(sum.every((value) => value === 0n)).toBe(true)
  }
  expect(asked.sumOf({ kind: "look" }).every((value) => value === 0n)).toBe(true)
})
