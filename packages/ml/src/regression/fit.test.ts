import { rational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { expectedOf, modelOf } from "./model.ts"
import { rowsOf } from "./rows.ts"
import type { ModelShape } from "./shape.ts"
import { fitVersion, train } from "./train.ts"
import { lengthOf, planTraining } from "./training-plan.ts"
import { fit, fitWithoutNoise } from "../testing/fit.ts"

/** So much loss that noise is nothing, and enough rounds to arrive. */
const nothing = rational(10n ** 18n)

// Challenger: temperature at launch, and whether an O-ring failed. Dalal, Fowlkes, Hoadley 1989.
const launches = [
  [66, 0],
  [70, 1],
  [69, 0],
  [68, 0],
  [67, 0],
  [72, 0],
  [73, 0],
  [70, 0],
  [57, 1],
  [63, 1],
  [70, 1],
  [78, 0],
  [67, 0],
  [53, 1],
  [67, 0],
  [75, 0],
  [70, 0],
  [81, 0],
  [76, 0],
  [79, 0],
  [75, 1],
  [76, 0],
  [58, 1],
] as const

test("without noise the coefficients and errors of the O-rings are the published ones", () => {
  const shape: ModelShape = {
    family: "logistic",
    features: [{ name: "temperature", low: 50, high: 85 }],
    target: { name: "failed", low: 0, high: 1 },
    rowsPerUnit: 1,
  }
  const plan = planTraining({ shape, muSquared: nothing, neighbours: "add-or-remove", rounds: 4000 })
  const rows = rowsOf(
    shape,
    launches.map(([temperature, failed]) => [{ features: [temperature], target: failed }]),
  )
  const [coefficients = []] = modelOf(plan, fitWithoutNoise(plan, rows)).coefficients
  const [intercept, temperature] = coefficients
  expect(intercept?.value).toBeCloseTo(15.04290165, 1)
  expect(temperature?.value).toBeCloseTo(-0.23216274, 3)
  expect(intercept?.error).toBeCloseTo(7.37863638, 1)
  expect(temperature?.error).toBeCloseTo(0.10823652, 3)
})

const generated = (count: number): { readonly features: number[]; readonly target: number }[][] =>
  Array.from({ length: count }, (_, at) => {
    const [age, flag] = [20 + ((at * 37) % 60), (at * 7) % 3 === 0 ? 1 : 0]
    const chance = (((at * 7919) % 1009) + ((at * 104729) % 997)) / 1003 - 1
    return [{ features: [age, flag], target: 3 + 0.1 * age - 2 * flag + chance }]
  })
const linear: ModelShape = {
  family: "linear",
  features: [
    { name: "age", low: 0, high: 100 },
    { name: "flag", low: 0, high: 1 },
  ],
  target: { name: "y", low: 0, high: 20 },
  rowsPerUnit: 1,
}

test("what a fit asks for after the same answers is that of its version", () => {
  const asked = (["linear", "logistic", "poisson", "multinomial"] as const).map((family) => {
    const high = family === "multinomial" ? 2 : 1
    const shape: ModelShape = { ...linear, family, target: { name: "y", low: 0, high } }
    const plan = planTraining({ shape, muSquared: rational(1n), neighbours: "add-or-remove", rounds: 10 })
    const dialogue = train(plan)
    let [turn, sum] = [dialogue.next(), 0]
    for (let step = 1; turn.done !== true; step += 1) {
      const { value: ask } = turn
      if (ask.kind !== "look") for (const [at, weight] of ask.weights.entries()) sum += (at + step) * weight
      if (ask.kind === "gradient" || ask.kind === "curvature") sum += ask.clip
      const length = lengthOf(ask.kind, shape)
      turn = dialogue.next(Array.from({ length }, (_, at) => BigInt((at + 1) * step) * 40_000_000n))
    }
    return sum.toPrecision(9)
  })
  // Whoever changes these gives fitVersion another number.
  expect({ fitVersion, asked }).toEqual({
    fitVersion: 2,
    asked: ["37.0688651", "321.894224", "-36.5970516", "-582.939574"],
  })
})

test.each(["logistic", "poisson"] as const)(
  "of a rare target a %s fit has settled after 50 rounds",
  (family) => {
    // One in eight of a group, and one in sixteen of the other.
    const units = Array.from({ length: 2000 }, (_, at) => {
      const flag = at % 2
      const isSo = ((at * 7919) % 1009) / 1009 < (flag === 1 ? 1 / 8 : 1 / 16)
      return [{ features: [30 + ((at * 37) % 40), flag], target: isSo ? 1 : 0 }]
    })
    const shape: ModelShape = { ...linear, family, target: { name: "so", low: 0, high: 1 } }
    const flagAfter = (rounds: number) => {
      const plan = planTraining({ shape, muSquared: nothing, neighbours: "add-or-remove", rounds })
      const model = modelOf(plan, fitWithoutNoise(plan, rowsOf(shape, units)))
      return model.coefficients[0]?.find(({ name }) => name === "flag")
    }
    const [early, settled] = [flagAfter(50), flagAfter(400)]
    expect(settled?.value).toBeGreaterThan(0.5)
    const off = Math.abs((early?.value ?? 0) - (settled?.value ?? 0))
    expect(off).toBeLessThan(0.5 * (settled?.error ?? 0))
  },
)

test("without noise a linear model is that of least squares", () => {
  const plan = planTraining({ shape: linear, muSquared: nothing, neighbours: "add-or-remove", rounds: 2000 })
  const units = generated(500)
  const model = modelOf(plan, fitWithoutNoise(plan, rowsOf(linear, units)))
  // Solved plainly, with centred columns.
  const points = units.flat().map(({ features, target }) => [...features, target])
  const mean = [0, 1, 2].map((at) => points.reduce((sum, point) => sum + (point[at] ?? 0), 0) / points.length)
  const [maa, mab, may, mbb, mby] = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
  ].map(([a = 0, b = 0]) =>
    points.reduce(
      (sum, point) => sum + ((point[a] ?? 0) - (mean[a] ?? 0)) * ((point[b] ?? 0) - (mean[b] ?? 0)),
      0,
    ),
  ) as [number, number, number, number, number]
  const determinant = maa * mbb - mab * mab
  const slopes = [(may * mbb - mby * mab) / determinant, (mby * maa - may * mab) / determinant]
  const [, age, flag] = model.coefficients[0] ?? []
  expect(age?.value).toBeCloseTo(slopes[0] ?? 0, 4)
  expect(flag?.value).toBeCloseTo(slopes[1] ?? 0, 3)
  expect(model.quality).toMatchObject({ kind: "explained" })
})

test("a model with noise predicts, says how good it is, and is plain data", () => {
  const plan = planTraining({ shape: linear, muSquared: rational(1n, 4n), neighbours: "add-or-remove" })
  const model = modelOf(plan, fit(plan, rowsOf(linear, generated(4000)), seededBits("a model")))
  expect(structuredClone(JSON.parse(JSON.stringify(model)))).toEqual(model)
  const [expected = 0] = expectedOf(model, [50, 0])
  expect(expected).toBeGreaterThan(6.5)
  expect(expected).toBeLessThan(9.5)
  // Values beyond the declared range are as its ends.
  expect(expectedOf(model, [1e9, 0])).toEqual(expectedOf(model, [100, 0]))
  expect(model.rows).toBeGreaterThan(3500)
  const shares = model.coefficients.flat().map(({ noiseShare = -1 }) => noiseShare)
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
})

test("probabilities of classes add up to 1, and the area of a curve that tells is above one half", () => {
  const shape: ModelShape = { ...linear, family: "multinomial", target: { name: "y", low: 0, high: 2 } }
  const plan = planTraining({ shape, muSquared: rational(1n), neighbours: "add-or-remove", rounds: 60 })
  const units = generated(1500).map(([row]) => [
    { features: row?.features ?? [], target: (row?.target ?? 0) > 8 ? 2 : (row?.target ?? 0) > 6 ? 1 : 0 },
  ])
  const model = modelOf(plan, fit(plan, rowsOf(shape, units), seededBits("classes")))
  const chances = expectedOf(model, [30, 1])
  expect(chances).toHaveLength(3)
  expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9)
  expect(chances[0]).toBeGreaterThan(chances[2] ?? 1)
  const yes: ModelShape = { ...linear, family: "logistic", target: { name: "y", low: 0, high: 1 } }
  const second = planTraining({
    shape: yes,
    muSquared: rational(1n),
    neighbours: "add-or-remove",
    rounds: 60,
  })
  const flags = units.map(([row]) => [
    { features: row?.features ?? [], target: Math.min(1, row?.target ?? 0) },
  ])
  const { quality } = modelOf(second, fit(second, rowsOf(yes, flags), seededBits("curve")))
  if (quality.kind !== "curve") throw new Error("a logistic model has a curve")
  expect(quality.auc).toBeGreaterThan(0.8)
  expect(quality.points[0]).toEqual({ falseAlarms: 1, found: 1 })
  expect(quality.points.at(-1)).toEqual({ falseAlarms: 0, found: 0 })
})
