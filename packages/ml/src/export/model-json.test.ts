import { rational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import { naiveBayes, naiveBayesLearner, predictBayes } from "../bayes/naive-bayes.ts"
import { boosting } from "../boosting/boosting.ts"
import { predictShapes } from "../boosting/shape-model.ts"
import { boostingLearner } from "../boosting/train-boosting.ts"
import { kMeans, kMeansLearner } from "../clustering/k-means.ts"
import type { CategoryColumn, NumberColumn } from "../columns/columns.ts"
import { alongComponents, components, componentsLearner } from "../components/components.ts"
import { forest, forestLearner, predictForest } from "../forest/forest.ts"
import { expectedOf, modelOf } from "../regression/model.ts"
import { rowsOf } from "../regression/rows.ts"
import { planTraining } from "../regression/training-plan.ts"
import { trainLearner } from "../rounds/learner.ts"
import { network } from "../sgd/network.ts"
import { predictNetwork, trainNetwork } from "../sgd/train-network.ts"
import { networkData } from "../sgd/inputs.ts"
import { fit } from "../testing/fit.ts"
import { examplesOf, unit } from "../testing/made-up.ts"
import { modelFromJson, modelToJson } from "./model-json.ts"
import type { ReleasedModel } from "./model-shapes.ts"

const age: NumberColumn = { kind: "number", name: "age", low: 0, high: 100 }
const weight: NumberColumn = { kind: "number", name: "weight", low: 0, high: 200 }
const ward: CategoryColumn = { kind: "category", name: "ward", categories: 3 }
const target: CategoryColumn = { kind: "category", name: "died", categories: 2 }
const given = { budget: { epsilon: "1", delta: "1e-6" }, neighbours: "add-or-remove" } as const
const rng = seededBits("models to keep")
const people = examplesOf(60, (row) => [100 * unit(rng), 200 * unit(rng), row % 3, row % 2])
const numbers = { rows: 60, features: people.features.slice(0, 2) }

const shape = {
  family: "logistic",
  features: [age, weight].map(({ name, low, high }) => ({ name, low, high })),
  target: { name: "died", low: 0, high: 1 },
  rowsPerUnit: 1,
} as const
const fitted = planTraining({ shape, muSquared: rational(1n), neighbours: "replace", rounds: 4 })
const units = Array.from({ length: 60 }, (_, row) => [
  { features: numbers.features.map((values) => values[row] ?? NaN), target: people.target[row] ?? NaN },
])
const columns = [age, weight, ward]
const told = { ...given, features: columns, target }
const planned = network({
  inputs: 5,
  hidden: [4],
  outputs: 2,
  target: "classes",
  people: 60,
  batch: 60,
  epochs: 2,
  noise: { sigma: "2" },
})
const read = networkData(columns, target, people)
const trained = {
  regression: modelOf(fitted, fit(fitted, rowsOf(shape, units), rng)),
  shapes: trainLearner(boostingLearner(boosting({ ...told, pairs: [["age", "ward"]] })), people, rng),
  network: trainNetwork(planned, read, rng),
  bayes: trainLearner(naiveBayesLearner(naiveBayes(told)), people, rng),
  clusters: trainLearner(
    kMeansLearner(kMeans({ ...given, features: [age, weight], clusters: 2 })),
    numbers,
    rng,
  ),
  components: trainLearner(
    componentsLearner(components({ ...given, features: [age, weight], count: 1 })),
    numbers,
    rng,
  ),
  forest: trainLearner(forestLearner(forest({ ...told, depth: 3, trees: 2 }, rng)), people, rng),
}

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
