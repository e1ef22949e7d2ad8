// The plan of a regression that sites fit together: rounds of sums with noise in shares. All rounds are paid
// for before the first; what each asks for follows from the sums before it, at every site by itself.

import { createHash } from "node:crypto"
import { noiseOfSum, readShares } from "@dosimeter/core/distributed"
import { assert } from "@dosimeter/core/errors"
import { showRational } from "@dosimeter/core/exact"
import { fitVersion } from "@dosimeter/ml/regression/train"
import type { TrainingPlan } from "@dosimeter/ml/regression/training-plan"
import { canonicalJson } from "../ledger/entries/canonical.ts"
import { sharesOfTraining } from "../release/release-training.ts"
import { regressionIn } from "../training/plan-fit.ts"
import { planModel, type PlannedModel } from "../training/plan-training.ts"
import type { JobDocument } from "./job.ts"
import { optionsOf, planJob, refuse, type JobPlan, type PlanningAt } from "./plan-job.ts"
import { overViews, withViews, type Views } from "./views.ts"

/** What a job is planned from. */
export type PlannedFrom = Pick<JobDocument, "sql" | "ask" | "honest" | "model">

/** Plans a job: a question that one sum answers, or a regression. */
export function planOfJob(document: PlannedFrom, at: PlanningAt, views: Views = {}): JobPlan {
  const { sql, ask, honest, model } = document
  if (model === undefined) return planJob(withViews(sql, views), ask, honest, at)
  const over = (text: string): string => {
    const viewed = withViews(text, views)
    return typeof viewed === "string" ? viewed : overViews(viewed, at.grammar)
  }
  const { kind, target, rounds } = model
  const planned = planModel({ model: kind, sql, target, rounds }, optionsOf(ask, at), {
    over,
    sorted: true,
  })
  const { charge, training } = planned
  const { accounting } = charge
  if (accounting !== "zcdp")
    return refuse(`a model under ${accounting} accounting`, "give the datasets accounts in zcdp")
  if (training.plan.consent !== undefined) {
    refuse("data of people who are asked first", "train at each site by itself, where their decisions are")
  }
  return {
    plan: training.plan,
    layout: layoutOfModel(planned),
    loss: { accounting, amount: showRational(charge.amount), delta: showRational(charge.delta) },
    shares: sharesOfTraining(training, honest),
    model: planned,
  }
}

/** A hash of what must be alike for the sums of two sites' models to be added up. */
function layoutOfModel(planned: PlannedModel): string {
  const { rule, training } = planned
  const { sums, charge, plan: of } = training
  const { unitName, neighbours, confidence } = of
  const { accounting, amount, delta } = charge
  const all = {
    fit: fitVersion,
    rule,
    sums: sums.map(({ name, count, length, bound, variance }) => [
      name,
      count,
      length,
      `${bound}`,
      showRational(variance),
    ]),
    features: regressionIn(planned).shape.features.map(({ name, low, high }) => [name, low, high]),
    protects: { accounting, amount: showRational(amount), delta: showRational(delta), unitName, neighbours },
    confidence: showRational(confidence),
  }
  return createHash("sha256")
    .update(`dosimeter model layout 1\n${canonicalJson(all)}`)
    .digest("hex")
}

/**
 * The plan that the fit follows: with the noise of the sum over all sites of the job. If some drop out there
 * is less of it than intervals count on.
 */
export function dialoguePlan(planned: PlannedModel, shares: JobPlan["shares"], sites: number): TrainingPlan {
  const plan = regressionIn(planned)
  const steps = plan.steps.map((step, kind) => {
    const share = shares[kind]
    assert(share !== undefined, "every kind of sums has a share")
    const { spec } = noiseOfSum(share, sites)
    assert(spec.kind === "gaussian", "sums of a training have Gaussian noise")
    return { ...step, spec }
  })
  return { ...plan, steps }
}

/** What a sum of shares says, in whole steps. */
export function noisySum(share: JobPlan["shares"][number], numbers: readonly bigint[]): readonly bigint[] {
  const [sum] = readShares(share, numbers)
  assert(sum !== undefined, "a vector is one part")
  return sum
}
