// A whole training in one call, with noise or without: for tests and benchmarks only. Without noise nothing
// is private, which is why it is here and nowhere else.

import type { RandomBits } from "@dosimeter/core/noise"
import { releaseGaussian } from "@dosimeter/core/mechanisms"
import { assert } from "@dosimeter/core/errors"
import { AskedRows } from "../regression/answer-ask.ts"
import type { Rows } from "../regression/rows.ts"
import { train, type SumAsk, type Trained } from "../regression/train.ts"
import { stepsOf, type TrainingPlan } from "../regression/training-plan.ts"

/** Fits a plan to rows with its own noise. */
export function fit(plan: TrainingPlan, rows: Rows, rng: RandomBits): Trained {
  return answered(plan, rows, (ask, exact) => {
    const spec = stepsOf(plan, ask.kind)?.spec
    assert(spec !== undefined, "what is asked for is planned")
    return releaseGaussian(spec, exact, rng)
  })
}

/** Fits a plan to rows without any noise, by the settings of a plan with next to none. */
export function fitWithoutNoise(plan: TrainingPlan, rows: Rows): Trained {
  return answered(plan, rows, (_, exact) => exact)
}

function answered(
  plan: TrainingPlan,
  rows: Rows,
  answer: (ask: SumAsk, exact: readonly bigint[]) => readonly bigint[],
): Trained {
  const asked = new AskedRows(rows)
  const dialogue = train(plan)
  let turn = dialogue.next()
  while (turn.done !== true) turn = dialogue.next(answer(turn.value, asked.sumOf(turn.value)))
  return turn.value
}
