// What a training will measure, decided before anything is read: which sums, how often, with which noise.
// The charge is read from it.

import { assert } from "@dosimeter/core/errors"
import { add, divide, isPositive, multiply, rational, type Rational } from "@dosimeter/core/exact"
import {
  gaussianOfVariance,
  l2SquaredOf,
  lossOf,
  normSensitivity,
  type GaussianSpec,
  type Neighbours,
  type Sensitivity,
} from "@dosimeter/core/mechanisms"
import { vectorSensitivity } from "../grid/bounded-vector.ts"
import { curvatureBound, curvatureLength } from "./curvature-sum.ts"
import { firstLookGrid } from "./first-look.ts"
import { gradientBound } from "./gradient-sum.ts"
import { qualityGrid } from "./quality.ts"
import { checkShape, outputsOf, widthOf, type ModelShape } from "./shape.ts"

/** The kinds of sums that a training measures, in their order. */
export type StepKind = "look" | "gradient" | "curvature" | "quality"

/** Sums of one kind: the noise of each, and how many there are. */
export interface PlannedSteps {
  readonly kind: StepKind
  readonly spec: GaussianSpec
  readonly count: number
}

/** A training before it begins. */
export interface TrainingPlan {
  readonly shape: ModelShape
  readonly neighbours: Neighbours
  readonly steps: readonly PlannedSteps[]
}

/** How many rounds there are unless said: more cost time and no privacy, since each has more noise then. */
export const usualRounds = 200

/** Models up to so many numbers get a curvature, and intervals from it. */
const curvedMax = 120

/** Parts of the squared GDP loss, in hundredths. */
const parts: Readonly<Record<StepKind, bigint>> = { look: 4n, gradient: 81n, curvature: 10n, quality: 5n }

/**
 * The plan of a training that loses `muSquared` in all: mu^2 of Gaussian differential privacy, or twice rho.
 */
export function planTraining(options: {
  readonly shape: ModelShape
  readonly muSquared: Rational
  readonly neighbours: Neighbours
  readonly rounds?: number
}): TrainingPlan {
  const { shape, muSquared, neighbours, rounds = usualRounds } = options
  checkShape(shape)
  assert(isPositive(muSquared), "a training loses something")
  assert(Number.isSafeInteger(rounds) && rounds >= 2 && rounds <= 100_000, "rounds are counted")
  const numbers = outputsOf(shape) * widthOf(shape)
  const kinds: StepKind[] = [
    "look",
    "gradient",
    ...(numbers <= curvedMax ? (["curvature"] as const) : []),
    "quality",
  ]
  const all = kinds.reduce((sum, kind) => sum + parts[kind], 0n)
  const steps = kinds.map((kind): PlannedSteps => {
    const count = kind === "gradient" ? rounds : 1
    const each = multiply(muSquared, rational(parts[kind], all * BigInt(count)))
    const sensitivity = sensitivityOf(kind, shape, neighbours)
    const variance = divide(rational(l2SquaredOf(sensitivity)), each)
    return { kind, count, spec: gaussianOfVariance({ sensitivity, variance }) }
  })
  return { shape, neighbours, steps }
}

/** What one unit can change in the sums of a kind. */
export function sensitivityOf(kind: StepKind, shape: ModelShape, neighbours: Neighbours): Sensitivity {
  switch (kind) {
    case "look":
      return vectorSensitivity(firstLookGrid(shape), neighbours)
    case "gradient":
      return normSensitivity({ norm: "l2", bound: BigInt(gradientBound), isSigned: true, neighbours })
    case "curvature":
      return normSensitivity({ norm: "l2", bound: BigInt(curvatureBound), isSigned: true, neighbours })
    case "quality":
      return vectorSensitivity(qualityGrid(shape), neighbours)
    default:
      return kind satisfies never
  }
}

/** The steps of one kind, if the plan has any. */
export function stepsOf(plan: TrainingPlan, kind: StepKind): PlannedSteps | undefined {
  return plan.steps.find((step) => step.kind === kind)
}

/** How many numbers a sum of a kind has. */
export function lengthOf(kind: StepKind, shape: ModelShape): number {
  const [width, outputs] = [widthOf(shape), outputsOf(shape)]
  switch (kind) {
    case "look":
      return firstLookGrid(shape).dimension
    case "gradient":
      return outputs * width
    case "curvature":
      return curvatureLength(width, outputs)
    case "quality":
      return qualityGrid(shape).dimension
    default:
      return kind satisfies never
  }
}

/**
 * What a whole training loses: rho of zCDP; mu^2 of Gaussian differential privacy is twice that, exactly.
 *
 * Guarantee: the training is rho-zCDP, and mu-GDP with mu^2 = 2 rho, for the rho returned.
 * Needs: each planned sum is released once, with its spec, by releaseGaussian; a unit changes it by no more
 *   than the spec's sensitivity (gradientSum, curvatureSum, addBounded).
 * Proof: every later sum depends on the data and on earlier releases only; losses of Gaussian mechanisms that
 *   are chosen adaptively add up, in rho and in mu^2.
 * Numerics: exact fractions.
 * Source: Bun and Steinke 2016, lemma 1.7; Dong, Roth, Su 2022, theorem 4.
 */
export function trainingLoss(plan: Pick<TrainingPlan, "steps">): Rational {
  return plan.steps
    .map(({ spec, count }) => multiply(lossOf(spec).zcdp.rho, rational(BigInt(count))))
    .reduce(add, rational(0n))
}
