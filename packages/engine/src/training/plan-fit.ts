// How a model is fitted: which sums it asks for, with how much noise each. Decided before anything is read.

import { assert } from "@dosimeter/core/errors"
import type { Rational } from "@dosimeter/core/exact"
import type { GaussianSpec } from "@dosimeter/core/mechanisms"
import type { ClustersPlan } from "@dosimeter/ml/clustering/clusters-plan"
import type { ComponentsPlan } from "@dosimeter/ml/components/components-plan"
import { planBayes, type BayesPlan } from "@dosimeter/ml/bayes/bayes-plan"
import { planBoosting, type BoostingPlan } from "@dosimeter/ml/boosting/boosting-plan"
import { curvatureBound } from "@dosimeter/ml/regression/curvature-sum"
import { firstLookGrid } from "@dosimeter/ml/regression/first-look"
import { gradientBound } from "@dosimeter/ml/regression/gradient-sum"
import { qualityGrid } from "@dosimeter/ml/regression/quality"
import type { Family, ModelShape } from "@dosimeter/ml/regression/shape"
import {
  lengthOf,
  planTraining as planRegression,
  usualRounds,
  type StepKind,
  type TrainingPlan,
} from "@dosimeter/ml/regression/training-plan"
import type { ProposedTraining } from "@dosimeter/proof/verify/verify-training"
import { expectedNoise, type ExpectedNoise } from "./expected-noise.ts"
import { featuresOf, specOf, type ModelColumn, type ModelTarget, type TellingKind } from "./model-columns.ts"
import { noiseOfCurves, noiseOfTables } from "./noise-of-curves.ts"

/** What is fitted, and how. */
export type FitPlan =
  | { readonly kind: "regression"; readonly plan: TrainingPlan }
  | { readonly kind: "boosting"; readonly plan: BoostingPlan }
  | { readonly kind: "bayes"; readonly plan: BayesPlan }
  | { readonly kind: "components"; readonly plan: ComponentsPlan }
  | { readonly kind: "k-means"; readonly plan: ClustersPlan }

/** What it may lose. */
export interface Loss {
  readonly muSquared: Rational
  readonly neighbours: "add-or-remove" | "replace"
  readonly rounds: number | undefined
}

/** How a model is fitted: its plan, the sums that it asks for, and what their noise will do. */
export interface Learning {
  readonly fit: FitPlan
  /** The names of what the columns become. */
  readonly features: readonly string[]
  /** How often the data is measured to fit it. */
  readonly rounds: number
  /** How many components or groups it has, if it is of these. */
  readonly count?: number
  readonly noise: ExpectedNoise
  readonly sums: ProposedTraining["sums"]
}

/** The plan of a regression; other kinds are not fitted where this is asked. */
export function regressionIn({ fit }: Pick<Learning, "fit">): TrainingPlan {
  assert(fit.kind === "regression", "a regression is fitted")
  return fit.plan
}

/** What a model is of. */
interface Subject {
  readonly inputs: readonly ModelColumn[]
  readonly target: ModelTarget
}

/** How a model that tells a column is fitted. */
export function learningOf(kind: TellingKind, subject: Subject, loss: Loss): Learning {
  switch (kind) {
    case "boosting":
      return curves(subject, loss)
    case "bayes":
      return tables(subject, loss)
    default:
      return regression(kind, subject, loss)
  }
}

function regression(
  family: Family,
  { inputs, target }: Subject,
  { rounds = usualRounds, ...loss }: Loss,
): Learning {
  const shape = { family, features: inputs.flatMap(featuresOf), target: target.range, rowsPerUnit: 1 }
  const plan = planRegression({ shape, rounds, ...loss })
  return {
    fit: { kind: "regression", plan },
    features: shape.features.map(({ name }) => name),
    rounds,
    noise: expectedNoise(plan),
    sums: sumsOf(plan),
  }
}

function curves({ inputs, target }: Subject, { rounds: epochs, ...loss }: Loss): Learning {
  const plan = planBoosting({
    features: inputs.map(specOf),
    target: specOf(target.column),
    ...loss,
    ...(epochs === undefined ? {} : { epochs }),
  })
  return {
    fit: { kind: "boosting", plan },
    features: inputs.map(({ name }) => name),
    rounds: plan.model.epochs,
    noise: noiseOfCurves(plan),
    sums: plan.sums.map(proposed),
  }
}

function tables({ inputs, target }: Subject, { muSquared, neighbours }: Loss): Learning {
  const { name } = target.column
  const categories = target.classes.length
  const plan = planBayes({
    features: inputs.map(specOf),
    target: { kind: "category", name, categories },
    muSquared,
    neighbours,
  })
  return {
    fit: { kind: "bayes", plan },
    features: inputs.map((column) => column.name),
    rounds: 1,
    noise: noiseOfTables(plan),
    sums: plan.sums.map((one) => proposed({ ...one, count: 1 })),
  }
}

function sumsOf({ shape, steps }: TrainingPlan): ProposedTraining["sums"] {
  return steps.map(({ kind, count, spec: { variance } }) => ({
    name: kind,
    count,
    length: lengthOf(kind, shape),
    bound: BigInt(boundOf(kind, shape)),
    variance,
  }))
}

function boundOf(kind: StepKind, shape: ModelShape): number {
  switch (kind) {
    case "look":
      return firstLookGrid(shape).bound
    case "gradient":
      return gradientBound
    case "curvature":
      return curvatureBound
    case "quality":
      return qualityGrid(shape).bound
    default:
      return kind satisfies never
  }
}

/** Sums of a learner as a ledger has them. */
export function proposed(of: {
  readonly kind: string
  readonly count: number
  readonly length: number
  readonly bound: number
  readonly spec: GaussianSpec
}): ProposedTraining["sums"][number] {
  const { kind, count, length, bound, spec } = of
  return { name: kind, count, length, bound: BigInt(bound), variance: spec.variance }
}
