// Learners with their defaults: how well they do on rows they have not seen, by epsilon, beside fits without
// privacy and published methods; and seconds an epoch of a network on images.

import { calibrateGaussian, calibrateSampledGaussian } from "@dosimeter/core/accounting"
import { numberUp, rational } from "@dosimeter/core/exact"
import { systemBits, type RandomBits } from "@dosimeter/core/noise"
import {
  boosting,
  boostingLearner,
  expectedOf,
  forest,
  forestLearner,
  inputCount,
  kaplanMeier,
  modelOf,
  naiveBayes,
  naiveBayesLearner,
  network,
  networkData,
  planTraining,
  predictBayes,
  predictForest,
  predictNetwork,
  predictShapes,
  releaseTimes,
  rowsOf,
  times,
  trainLearner,
  trainNetwork,
  type CategoryColumn,
  type Examples,
} from "@dosimeter/ml"
import { muSquaredOf } from "../../packages/ml/src/rounds/round-spec.ts"
import { countTimes } from "../../packages/ml/src/survival/times.ts"
import { fit } from "../../packages/ml/src/testing/fit.ts"
import { areaUnderCurve, unit } from "../../packages/ml/src/testing/made-up.ts"
import { seededBits } from "@dosimeter/core/testing"
import { images, patients, split, type LearnSet } from "./learn-data.ts"
import { realSets } from "./real-data.ts"
import { shapeOf, unitsOf } from "./regression-rows.ts"
import {
  adaSsp,
  objectivePerturbation,
  plainLinear,
  plainLogistic,
  productsOf,
  sparseRows,
} from "./learn-references.ts"

const delta = "1e-6"
const epsilons = ["0.1", "0.5", "1", "3"] as const

/** One way to learn: rows and a loss in, scores of other rows out. */
interface Way {
  readonly name: string
  readonly learn: (task: Task) => Float64Array
}

interface Task extends LearnSet {
  readonly training: Examples
  readonly test: Examples
  readonly epsilon: string
  readonly rng: RandomBits
}

/** Runs the benchmark. */
export async function benchLearn(options: {
  readonly quick: boolean
  readonly runs?: number
  readonly data?: string
  readonly only?: string
}): Promise<Readonly<Record<string, number>>> {
  const runs = options.runs ?? (options.quick ? 1 : 3)
  const made = seededBits("learners")
  const real = await realSets(options.data)
  const sets = [patients("classes", 20_000, made), patients("numbers", 20_000, made), ...real]
  if (real.length === 0)
    console.log("Real data was left out: give its folder by --data DIR (adult, nist_acs, omop_diabetes130).")
  const medians: Record<string, number> = {}
  for (const set of sets) {
    if (options.only === undefined || set.name === options.only) Object.assign(medians, compare(set, runs))
  }
  if (options.only === undefined)
    Object.assign(medians, missOfCurve(options.quick ? 40 : 200), timeNetwork(options.quick))
  return medians
}

function compare(set: LearnSet, runs: number): Readonly<Record<string, number>> {
  const isClass = set.target.kind === "category"
  const figure = isClass ? "AUC" : "R squared"
  console.log(
    `\n${set.name}: ${figure} on a fifth of ${set.examples.rows} rows, trained on ${set.trainOn ?? "the rest"}, ` +
      `delta ${delta}, means of ${runs} splits`,
  )
  console.log(`${"".padEnd(26)}${epsilons.map((epsilon) => `epsilon ${epsilon}`.padStart(13)).join("")}`)
  const all: Record<string, number> = {}
  for (const { name, learn } of isClass ? classWays : numberWays) {
    const isPlain = name.startsWith("no privacy")
    const means = (isPlain ? ["1"] : epsilons).map((epsilon) => {
      let sum = 0
      for (let run = 0; run < runs; run += 1) {
        const [training, test] = split(set, seededBits(`split ${run}`))
        const scores = learn({ ...set, training, test, epsilon, rng: systemBits() })
        sum += isClass ? areaUnderCurve(scores, test.target) : explained(scores, test.target)
      }
      all[`${set.name} ${name} ${epsilon}`] = sum / runs
      return sum / runs
    })
    const cells = isPlain ? epsilons.map(() => means[0] ?? NaN) : means
    console.log(`${name.padEnd(26)}${cells.map((mean) => mean.toFixed(4).padStart(13)).join("")}`)
  }
  return all
}

const boosted: Way = {
  name: "explainable boosting",
  learn: ({ features, target, training, test, epsilon, rng }) => {
    const plan = boosting({ features, target, budget: { epsilon, delta }, neighbours: "add-or-remove" })
    return predictShapes(trainLearner(boostingLearner(plan), training, rng), test)
  },
}

/** A regression with its defaults: noisy gradients of everybody. */
function regressed(name: string): Way {
  return {
    name,
    learn: ({ features, target, training, test, epsilon, rng }) => {
      const shape = shapeOf(features, target)
      const muSquared = muSquaredOf({ epsilon, delta })
      const plan = planTraining({ shape, muSquared, neighbours: "add-or-remove" })
      const model = modelOf(plan, fit(plan, rowsOf(shape, unitsOf(features, training)), rng))
      return Float64Array.from(
        unitsOf(features, test),
        ([row]) => expectedOf(model, row?.features ?? [])[0] ?? NaN,
      )
    },
  }
}

/** A network with its defaults; without hidden layers it is logistic or linear regression by DP-SGD. */
function networked(name: string, hidden: readonly number[]): Way {
  return {
    name,
    learn: ({ features, target, training, test, epsilon, rng }) => {
      const isClass = target.kind === "category"
      const people = 1000 * Math.round(training.rows / 1000)
      const plan = network({
        inputs: inputCount(features),
        hidden,
        outputs: isClass ? 2 : 1,
        target: isClass ? "classes" : "numbers",
        people,
        noise: { sigma: sigmaFor(epsilon) },
      })
      const model = trainNetwork(plan, networkData(features, target, training), rng)
      const outputs = predictNetwork(model, networkData(features, target, test))
      if (isClass) return outputs.filter((_, at) => at % 2 === 1)
      const { low, high } = target
      return outputs.map((value) => low + ((high - low) * (value + 1)) / 2)
    },
  }
}

const sigmas = new Map<string, string>()

/** The noise of the default network, 640 steps at rate 1/32: worked out once for each epsilon. */
function sigmaFor(epsilon: string): string {
  const known = sigmas.get(epsilon)
  if (known !== undefined) return known
  const sigma = calibrateSampledGaussian({
    epsilon,
    delta,
    releases: 640,
    rate: rational(1n, 31n),
    neighbours: "add-or-remove",
  })
  const text = `${numberUp(sigma)}`
  sigmas.set(epsilon, text)
  return text
}

function classOf(target: LearnSet["target"]): CategoryColumn {
  if (target.kind !== "category") throw new Error("classes only")
  return target
}

const classWays: readonly Way[] = [
  {
    name: "no privacy: logistic",
    learn: ({ features, training, test }) =>
      productsOf(sparseRows(features, test), plainLogistic(sparseRows(features, training), training.target)),
  },
  {
    name: "no privacy: boosting",
    learn: ({ features, target, training, test, rng }) => {
      const budget = { muSquared: "1000000000000" }
      const plan = boosting({ features, target, budget, neighbours: "add-or-remove", epochs: 60, bins: 64 })
      return predictShapes(trainLearner(boostingLearner(plan), training, rng), test)
    },
  },
  boosted,
  regressed("logistic regression"),
  networked("network of 64 units", [64]),
  networked("DP-SGD, logistic", []),
  {
    name: "forest",
    learn: ({ features, target, training, test, epsilon, rng }) => {
      const budget = { epsilon, delta }
      const plan = forest({ features, target: classOf(target), budget, neighbours: "add-or-remove" }, rng)
      return predictForest(trainLearner(forestLearner(plan), training, rng), test).filter(
        (_, at) => at % 2 === 1,
      )
    },
  },
  {
    name: "naive Bayes",
    learn: ({ features, target, training, test, epsilon, rng }) => {
      const budget = { epsilon, delta }
      const plan = naiveBayes({ features, target: classOf(target), budget, neighbours: "add-or-remove" })
      return predictBayes(trainLearner(naiveBayesLearner(plan), training, rng), test).filter(
        (_, at) => at % 2 === 1,
      )
    },
  },
  {
    name: "objective perturbation",
    learn: ({ features, training, test, epsilon, rng }) => {
      const loss = { epsilon: Number(epsilon), delta: Number(delta), rng }
      return productsOf(
        sparseRows(features, test),
        objectivePerturbation(sparseRows(features, training), training.target, loss),
      )
    },
  },
]

const numberWays: readonly Way[] = [
  {
    name: "no privacy: linear",
    learn: ({ features, training, test }) =>
      productsOf(sparseRows(features, test), plainLinear(sparseRows(features, training), training.target)),
  },
  boosted,
  regressed("linear regression"),
  networked("network of 64 units", [64]),
  networked("DP-SGD, linear", []),
  adaSspOf(
    "AdaSSP as published",
    (epsilon) => Math.sqrt(Math.log(6 / Number(delta))) / (Number(epsilon) / 3),
  ),
  // Two releases, each of sensitivity 1: mu squared is parted in halves.
  adaSspOf("AdaSSP, exact accounting", (epsilon) =>
    Math.sqrt(numberUp(calibrateGaussian({ epsilon, delta, releases: 2, l2Squared: 1 }))),
  ),
]

function adaSspOf(name: string, deviationOf: (epsilon: string) => number): Way {
  return {
    name,
    learn: ({ features, target, training, test, epsilon, rng }) => {
      if (target.kind !== "number") throw new Error("numbers only")
      const [middle, half] = [(target.low + target.high) / 2, (target.high - target.low) / 2]
      const weights = adaSsp(
        sparseRows(features, training),
        training.target.map((value) => (value - middle) / half),
        { deviation: deviationOf(epsilon), rng },
      )
      return productsOf(sparseRows(features, test), weights).map((value) => middle + half * value)
    },
  }
}

function explained(guesses: Float64Array, truth: Float64Array): number {
  const mean = truth.reduce((sum, value) => sum + value, 0) / truth.length
  const [off, all] = [
    truth.reduce((sum, value, row) => sum + (value - (guesses[row] ?? 0)) ** 2, 0),
    truth.reduce((sum, value) => sum + (value - mean) ** 2, 0),
  ]
  return 1 - off / all
}

/** How far the curve of 228 people is from the one without noise, at epsilon 1: 20 stretches. */
function missOfCurve(runs: number): Readonly<Record<string, number>> {
  const rng = seededBits("curves")
  const plan = times({ end: 800, bins: 20, epsilon: "1", neighbours: "add-or-remove" })
  let [squares, points] = [0, 0]
  for (let run = 0; run < runs; run += 1) {
    const people = Array.from({ length: 228 }, () => [-400 * Math.log(unit(rng)), 1000 * unit(rng)] as const)
    const data = {
      times: Float64Array.from(people, ([event, seen]) => Math.min(event, seen)),
      events: Uint8Array.from(people, ([event, seen]) => (event <= seen ? 1 : 0)),
    }
    const truth = kaplanMeier({ plan, counts: countTimes(plan, data).map(Number) })
    for (const [at, { value }] of kaplanMeier(releaseTimes(plan, data, systemBits())).entries()) {
      const wanted = truth[at]?.value
      if (value === undefined || wanted === undefined) continue
      squares += (value - wanted) ** 2
      points += 1
    }
  }
  const miss = Math.sqrt(squares / points)
  console.log(
    `\nKaplan-Meier of 228 people, 20 stretches, epsilon 1: RMSE ${miss.toFixed(4)} over ${runs} runs`,
  )
  return { "Kaplan-Meier RMSE": miss }
}

/** 784-128-10 on 60,000 images, batches of 256. */
function timeNetwork(quick: boolean): Readonly<Record<string, number>> {
  const rng = seededBits("images")
  const data = images(60_000, rng)
  const plan = network({
    inputs: 784,
    hidden: [128],
    outputs: 10,
    target: "classes",
    people: 60_000,
    batch: 256,
    epochs: 1,
    noise: { sigma: "1.1" },
  })
  const seconds = Array.from({ length: quick ? 1 : 3 }, () => {
    const start = process.cpuUsage()
    trainNetwork(plan, data, systemBits())
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1e6
  }).toSorted((a, b) => a - b)
  const least = seconds[0] ?? NaN
  const middle = seconds[seconds.length >> 1] ?? NaN
  console.log(
    `\nA network of 784-128-10 on 60,000 images: ${middle.toFixed(2)} s of one core an epoch (least ${least.toFixed(2)} s)`,
  )
  return { "seconds an epoch": middle }
}
