// One small trained model of each kind, for tests of what becomes of models.

import { rational } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { naiveBayes, naiveBayesLearner } from "../bayes/naive-bayes.ts"
import { boosting } from "../boosting/boosting.ts"
import { boostingLearner } from "../boosting/train-boosting.ts"
import { kMeans, kMeansLearner } from "../clustering/k-means.ts"
import type { CategoryColumn, NumberColumn } from "../columns/columns.ts"
import { components, componentsLearner } from "../components/components.ts"
import { forest, forestLearner } from "../forest/forest.ts"
import { modelOf } from "../regression/model.ts"
import { rowsOf } from "../regression/rows.ts"
import { planTraining } from "../regression/training-plan.ts"
import { trainLearner } from "../rounds/learner.ts"
import { networkData } from "../sgd/inputs.ts"
import { network } from "../sgd/network.ts"
import { trainNetwork } from "../sgd/train-network.ts"
import { fit } from "./fit.ts"
import { examplesOf, unit } from "./made-up.ts"

const age: NumberColumn = { kind: "number", name: "age", low: 0, high: 100 }
const weight: NumberColumn = { kind: "number", name: "weight", low: 0, high: 200 }
const ward: CategoryColumn = { kind: "category", name: "ward", categories: 3 }
const target: CategoryColumn = { kind: "category", name: "died", categories: 2 }
const given = { budget: { epsilon: "1", delta: "1e-6" }, neighbours: "add-or-remove" } as const
const rng = seededBits("models to keep")
/** Sixty people: age, weight, ward and whether they died. */
export const people = examplesOf(60, (row) => [100 * unit(rng), 200 * unit(rng), row % 3, row % 2])
/** The same without ward and target. */
export const numbers = { rows: 60, features: people.features.slice(0, 2) }

const shape = {
  family: "logistic",
  features: [age, weight].map(({ name, low, high }) => ({ name, low, high })),
  target: { name: "died", low: 0, high: 1 },
  rowsPerUnit: 1,
} as const
const fitted = planTraining({ shape, muSquared: rational(1n), neighbours: "replace", rounds: 4 })
/** The same as rows of a regression. */
export const units = Array.from({ length: 60 }, (_, row) => [
  { features: numbers.features.map((values) => values[row] ?? NaN), target: people.target[row] ?? NaN },
])
/** What is declared of their columns. */
export const columns = [age, weight, ward]
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
/** The same as a network reads them. */
export const read = networkData(columns, target, people)
/** A model of each kind, trained on sixty people. */
export const everyModel = {
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
