// Planted bugs in the learners of packages/ml, by the folder they are planted in. mutants.ts lists all.

import type { Mutant } from "./mutant.ts"

const boostingTest = "packages/ml/src/boosting/boosting.test.ts"
const boostTest = "packages/ml/src/boosting/boost.test.ts"
const networkTest = "packages/ml/src/sgd/network-loss.test.ts"
const trainTest = "packages/ml/src/sgd/train-network.test.ts"

/** Planted bugs of private learning. */
export const learningMutants: readonly Mutant[] = [
  {
    name: "boost-people-of-one-feature",
    file: "packages/ml/src/boosting/boosting-plan.ts",
    find: "const bound = peopleBound(features.length)",
    replace: "const bound = peopleBound(1)",
    tests: [boostTest],
    title: "within the bound that is charged",
  },
  {
    name: "boost-quality-for-free",
    file: "packages/ml/src/boosting/boosting-plan.ts",
    find: "const forModel = subtract(muSquared, forQuality)",
    replace: "const forModel = muSquared",
    tests: [boostTest],
    title: "lose what was given",
  },
  {
    name: "boost-round-of-each-feature-for-free",
    file: "packages/ml/src/boosting/boosting-plan.ts",
    find: "count: model.epochs * features.length,",
    replace: "count: model.epochs,",
    tests: [boostTest],
    title: "within the bound that is charged",
  },
  {
    name: "boost-score-of-the-row-before",
    file: "packages/ml/src/boosting/asked-examples.ts",
    find: "targets[unit] ?? Number.NaN, scores[unit] ?? 0)",
    replace: "targets[unit] ?? Number.NaN, scores[unit - 1] ?? 0)",
    tests: [boostTest],
    title: "whoever else is there",
  },
  {
    name: "boosting-residual-without-bound",
    file: "packages/ml/src/boosting/read-residuals.ts",
    find: "return Math.max(-errorBound, Math.min(errorBound, steps))",
    replace: "return steps",
    tests: [boostingTest],
    title: "no row changes",
  },
  {
    name: "boosting-counts-for-free",
    file: "packages/ml/src/boosting/boosting.ts",
    find: "subtract(muSquared, shareOf(muSquared, binPercent * counts.length))",
    replace: "muSquared",
    tests: [boostingTest],
    title: "lose what was given",
  },
  {
    name: "boosting-counts-one-feature",
    file: "packages/ml/src/boosting/boosting.ts",
    find: 'countsOf("people in cells", terms.length - pairs)',
    replace: 'countsOf("people in cells", 1)',
    tests: [boostingTest],
    title: "no row changes",
  },
  {
    name: "boosting-epochs-half-paid",
    file: "packages/ml/src/boosting/boosting.ts",
    find: "divide(rest, rational(BigInt(many)))",
    replace: "divide(rest, rational(BigInt(Math.ceil(many / 2))))",
    tests: [boostingTest],
    title: "lose what was given",
  },
  {
    name: "network-length-of-errors-alone",
    file: "packages/ml/src/sgd/place-row.ts",
    find: "return square * stepsSquare(steps, { ins, row })",
    replace: "return square",
    tests: ["packages/ml/src/sgd/place-row.test.ts"],
  },
  {
    name: "network-clips-without-the-first-layer",
    file: "packages/ml/src/sgd/place-row.ts",
    find: "for (const layer of layers) bounded += placeErrors(layer, row, scale)",
    replace: "for (const layer of layers) bounded = placeErrors(layer, row, scale)",
    tests: ["packages/ml/src/sgd/place-row.test.ts"],
  },
  {
    name: "network-forgets-a-step",
    file: "packages/ml/src/sgd/poisson-sample.ts",
    find: "return { event, count: steps }",
    replace: "return { event, count: steps - 1 }",
    tests: [networkTest],
    title: "steps are all counted",
  },
  {
    name: "network-noise-of-the-clip-count-free",
    file: "packages/ml/src/sgd/network.ts",
    find: "subtract(divide(one, square), divide(one, variance))",
    replace: "divide(one, square)",
    tests: [networkTest],
    title: "one noise multiplier together",
  },
  {
    name: "network-skips-empty-samples",
    file: "packages/ml/src/sgd/train-network.ts",
    find: "mover.move(weights, noisy.gradients, clip / gradientBound / network.batch)",
    replace:
      "if (exact.within !== 0) mover.move(weights, noisy.gradients, clip / gradientBound / network.batch)",
    tests: [trainTest],
    title: "noise all the same",
  },
  {
    name: "poisson-coin-without-its-rest",
    file: "packages/ml/src/sgd/poisson-sample.ts",
    find: "(word === this.#whole && !bernoulli(this.#rest, rng))",
    replace: "word === this.#whole",
    tests: [networkTest],
    title: "exact at the edge",
  },
  {
    name: "bayes-pays-for-one-feature",
    file: "packages/ml/src/bayes/naive-bayes.ts",
    find: "countedOnce(features.length, neighbours)",
    replace: "countedOnce(1, neighbours)",
    tests: ["packages/ml/src/bayes/naive-bayes.test.ts"],
    title: "a row changes",
  },
  {
    name: "k-means-forgets-the-count",
    file: "packages/ml/src/clustering/k-means.ts",
    find: "Math.sqrt(countSteps ** 2 + features.length * pointSteps ** 2)",
    replace: "Math.sqrt(features.length * pointSteps ** 2)",
    tests: ["packages/ml/src/clustering/k-means.test.ts"],
    title: "no row changes",
  },
  {
    name: "k-means-one-round-free",
    file: "packages/ml/src/clustering/k-means.ts",
    find: "rational(BigInt(rounds))",
    replace: "rational(BigInt(Math.max(1, rounds - 1)))",
    tests: ["packages/ml/src/clustering/k-means.test.ts"],
    title: "lose what was given",
  },
  {
    name: "forest-pays-for-one-tree",
    file: "packages/ml/src/forest/forest.ts",
    find: "countedOnce(trees, neighbours)",
    replace: "countedOnce(1, neighbours)",
    tests: ["packages/ml/src/forest/forest.test.ts"],
    title: "a row changes",
  },
  {
    name: "times-counted-twice",
    file: "packages/ml/src/survival/times.ts",
    find: "counts[place] = (counts[place] ?? 0n) + 1n",
    replace: "counts[place] = (counts[place] ?? 0n) + 2n",
    tests: ["packages/ml/src/survival/times.test.ts"],
    title: "a row changes",
  },
]
