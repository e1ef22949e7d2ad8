import { multiply, rational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { AskedRows } from "./answer-ask.ts"
import { modelOf } from "./model.ts"
import { rowsOf } from "./rows.ts"
import type { ModelShape } from "./shape.ts"
import { train } from "./train.ts"
import { lengthOf, planTraining, trainingLoss } from "./training-plan.ts"
import { fit } from "../testing/fit.ts"

const features = [
  { name: "age", low: 0, high: 100 },
  { name: "sex", low: 0, high: 1 },
]
const shapeOf = (family: ModelShape["family"], high: number): ModelShape => ({
  family,
  features,
  target: { name: "y", low: 0, high },
  rowsPerUnit: 2,
})
const shapes = [
  shapeOf("linear", 9),
  shapeOf("logistic", 1),
  shapeOf("poisson", 9),
  shapeOf("multinomial", 3),
]
const muSquared = rational(1n, 16n)

test.each(shapes)("$family: a training loses all that it was given and no more, exactly", (shape) => {
  for (const neighbours of ["add-or-remove", "replace"] as const) {
    for (const rounds of [2, 7, 200]) {
      const plan = planTraining({ shape, muSquared, neighbours, rounds })
      expect(multiply(trainingLoss(plan), rational(2n))).toEqual(muSquared)
    }
  }
})

test.each(shapes)(
  "$family: every planned sum is asked for as often as it was paid for, and no other",
  (shape) => {
    const plan = planTraining({ shape, muSquared, neighbours: "add-or-remove", rounds: 5 })
    const rows = new AskedRows(rowsOf(shape, [[{ features: [40, 1], target: 1 }]]))
    const asked = new Map<string, number>()
    const dialogue = train(plan)
    let turn = dialogue.next()
    while (turn.done !== true) {
      const { kind } = turn.value
      asked.set(kind, (asked.get(kind) ?? 0) + 1)
      const sum = rows.sumOf(turn.value)
      expect(sum).toHaveLength(lengthOf(kind, shape))
      turn = dialogue.next(sum)
    }
    expect([...asked]).toEqual(plan.steps.map(({ kind, count }) => [kind, count]))
  },
)

test("a model of nobody is a model: noise decides, and nothing fails", () => {
  for (const shape of shapes) {
    const plan = planTraining({ shape, muSquared, neighbours: "add-or-remove", rounds: 20 })
    const model = modelOf(plan, fit(plan, rowsOf(shape, []), seededBits("nobody")))
    const numbers = model.coefficients.flat().flatMap(({ value, error }) => [value, error ?? 0])
    expect(numbers.every(Number.isFinite)).toBe(true)
  }
})

test("what no model can be fitted to is refused before anything is read", () => {
  const plan = (shape: ModelShape) => () =>
    planTraining({ shape, muSquared, neighbours: "add-or-remove", rounds: 5 })
  const shape = shapeOf("linear", 9)
  const refused = [
    [{ ...shape, features: [] }, "model/no-features"],
    [{ ...shape, features: [{ name: "bmi", low: 10, high: Infinity }] }, "model/unbounded-feature"],
    [{ ...shape, features: [{ name: "one", low: 1, high: 1 }] }, "model/constant-feature"],
    [{ ...shape, target: { name: "y", low: 3, high: 3 } }, "model/constant-feature"],
    [shapeOf("logistic", 2), "model/wrong-target"],
    [shapeOf("multinomial", 0.5), "model/wrong-target"],
    [shapeOf("poisson", 1e6), "model/wrong-target"],
    [
      { ...shape, features: Array.from({ length: 1001 }, () => features[0] ?? shape.target) },
      "model/too-many-features",
    ],
  ] as const
  for (const [wrong, code] of refused) expect(plan(wrong)).toThrow(expect.objectContaining({ code }))
})
