// Whole regressions under attack: whether a canary was in the data cannot be told better than the stated loss
// allows, from the model or from everything that the training was told; a training that forgets to count its
// rounds is caught.

import { numberNear } from "@dosimeter/core/exact"
import { checkPrivacy, expectViolation } from "@dosimeter/core/testing"
import { releaseGaussian } from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import { expect, test } from "vitest"
import { muSquaredOf } from "../rounds/round-spec.ts"
import { fit } from "../testing/fit.ts"
import { AskedRows } from "./answer-ask.ts"
import { rowsOf, type Rows } from "./rows.ts"
import type { ModelShape } from "./shape.ts"
import { train } from "./train.ts"
import { planTraining, stepsOf, type TrainingPlan } from "./training-plan.ts"

/** Large, so that what a bug adds shows within few draws. */
const delta = 0.05
const shape: ModelShape = {
  family: "linear",
  features: [{ name: "x", low: -1, high: 1 }],
  target: { name: "y", low: -1, high: 1 },
  rowsPerUnit: 1,
}
const plan = planTraining({
  shape,
  muSquared: muSquaredOf({ epsilon: "1", delta: `${delta}` }),
  neighbours: "add-or-remove",
  rounds: 2,
})
const claim = { epsilon: 1, delta, draws: 3000 }

/** Three units of one kind, and a canary of the other. */
const three = Array.from({ length: 3 }, () => [{ features: [0], target: 1 }])
const canary = rowsOf(shape, [...three, [{ features: [0], target: -1 }]])
const without = rowsOf(shape, three)
const alone = rowsOf(shape, [[{ features: [0], target: -1 }]])

/**
 * What an attacker makes of everything that a training was told, who knows all units but the canary: the
 * logarithm of how much likelier it is with the canary than without.
 */
function likelier(asked: TrainingPlan, rows: Rows, rng: RandomBits): number {
  const [exact, others, own] = [new AskedRows(rows), new AskedRows(without), new AskedRows(alone)]
  const dialogue = train(asked)
  let sum = 0
  for (let turn = dialogue.next(); turn.done !== true;) {
    const spec = stepsOf(asked, turn.value.kind)?.spec
    if (spec === undefined) throw new Error("every ask is planned")
    const noisy = releaseGaussian(spec, exact.sumOf(turn.value), rng)
    const known = others.sumOf(turn.value)
    const variance = numberNear(spec.variance)
    for (const [at, part] of own.sumOf(turn.value).entries()) {
      const found = Number((noisy[at] ?? 0n) - (known[at] ?? 0n))
      sum += (Number(part) * (found - Number(part) / 2)) / variance
    }
    turn = dialogue.next(noisy)
  }
  return sum
}

test("a canary in a regression cannot be told from its coefficients better than epsilon allows", () => {
  const seen = (rows: Rows) => (rng: RandomBits) => fit(plan, rows, rng).weights[0] ?? NaN
  checkPrivacy({ name: "a regression", onD: seen(canary), onNeighbour: seen(without), ...claim })
})

test("nor from all that its training was told", () => {
  const seen = (rows: Rows) => (rng: RandomBits) => likelier(plan, rows, rng)
  checkPrivacy({ name: "a training", onD: seen(canary), onNeighbour: seen(without), ...claim })
})

test("caught: a training with more rounds than were counted", () => {
  const steps = plan.steps.map((step) => (step.kind === "gradient" ? { ...step, count: 12 } : step))
  const seen = (rows: Rows) => (rng: RandomBits) => likelier({ ...plan, steps }, rows, rng)
  const finding = expectViolation({
    name: "a training that forgets rounds",
    onD: seen(canary),
    onNeighbour: seen(without),
    ...claim,
  })
  expect(finding.epsilonLower).toBeGreaterThan(claim.epsilon)
})
