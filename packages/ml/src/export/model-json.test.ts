import { expect, test } from "vitest"
import { predictBayes } from "../bayes/naive-bayes.ts"
import { predictShapes } from "../boosting/shape-model.ts"
import { alongComponents } from "../components/components.ts"
import { predictForest } from "../forest/forest.ts"
import { expectedOf } from "../regression/model.ts"
import { predictNetwork } from "../sgd/train-network.ts"
import { columns, everyModel as trained, numbers, people, read, units } from "../testing/every-model.ts"
import { modelFromJson, modelToJson } from "./model-json.ts"
import type { ReleasedModel } from "./model-shapes.ts"

/** What a model says of everybody, whatever it is. */
function saidBy(model: ReleasedModel): readonly number[] {
  switch (model.kind) {
    case "regression":
      return units.flatMap(([row]) => expectedOf(model, row?.features ?? []))
    case "shapes":
      return [...predictShapes(model, people)]
    case "network":
      return [...predictNetwork(model, read)]
    case "bayes":
      return [...predictBayes(model, people)]
    case "clusters":
      return [...model.centres, ...model.people]
    case "components":
      return [...alongComponents(model, numbers)]
    case "forest":
      return [...predictForest(model, people)]
    default:
      return model satisfies never
  }
}

test.each(Object.entries(trained))(
  "a model comes back from JSON whole, and says the same: %s",
  (_, model) => {
    const back = modelFromJson(modelToJson(model))
    expect(back).toEqual(model)
    expect(saidBy(back)).toEqual(saidBy(model))
    expect(saidBy(back).every(Number.isFinite)).toBe(true)
  },
)

test.each(Object.entries(trained))(
  "a model that lacks a field, or has one too many, is none: %s",
  (_, model) => {
    for (const name of Object.keys(model)) {
      const text = modelToJson({ ...model, [name]: undefined })
      expect(() => modelFromJson(text), name).toThrow(expect.objectContaining({ code: "model/unreadable" }))
    }
    const more = modelToJson(Object.assign({ more: 1 }, model))
    expect(() => modelFromJson(more)).toThrow(expect.objectContaining({ code: "model/unreadable" }))
  },
)

test.each([
  ["network", { weights: new Float64Array(3) }],
  ["network", { sizes: [5] }],
  ["network", { weights: trained.network.weights.map((value, at) => (at === 1 ? NaN : value)) }],
  ["regression", { predictors: [[1, 2]] }],
  ["shapes", { shapes: trained.shapes.shapes.map((one) => ({ ...one, effect: one.effect.slice(1, 2) })) }],
  ["shapes", { features: columns.slice(1) }],
  ["bayes", { classes: 3 }],
  ["clusters", { people: new Float64Array(3) }],
  ["components", { means: new Float64Array(1) }],
  ["forest", { chances: trained.forest.chances.slice(1) }],
  ["forest", { forest: { ...trained.forest.forest, depth: 2 } }],
] as const)("a model whose lengths do not agree is none: %s %o", (kind, part) => {
  const text = modelToJson({ ...trained[kind], ...part } as never)
  expect(() => modelFromJson(text)).toThrow(expect.objectContaining({ code: "model/unreadable" }))
})

test.each(["", "{", "null", "[]", "{}", '{"format":"dosimeter-model","version":2,"model":{}}'])(
  "what is no model is refused: %s",
  (text) => {
    expect(() => modelFromJson(text)).toThrow(expect.objectContaining({ code: "model/unreadable" }))
  },
)
