// What somebody wants a model of.

import { fail } from "../errors.ts"
import type { Family } from "@dosimeter/ml/regression/shape"
import type { QuestionOptions } from "../ask/ask-question.ts"

/** Models that are served, with what each is of. */
export const servedModels: Readonly<Record<Family, string>> = {
  linear: "a number with a range",
  logistic: "yes or no",
  multinomial: "one of several listed values",
  poisson: "a count",
}

/** A training that somebody wants. */
export interface TrainingQuestion extends Omit<QuestionOptions, "parameters" | "reuse" | "norms"> {
  /** Which model. */
  readonly model: string
  /** A SELECT of rows, one for each unit: the features and the target. */
  readonly sql: string
  /** The column of it that is to be told. */
  readonly target: string
  /** How often the gradient is measured; enough for most models if left out. */
  readonly rounds?: number
  /** Told how far it is: from 0 to 1. */
  readonly onProgress?: (step: string, share: number) => void
}

/** The family of a model's name. */
export function familyOf(model: string): Family {
  const served = Object.keys(servedModels)
  const found = (["linear", "logistic", "multinomial", "poisson"] as const).find((one) => one === model)
  return found ?? fail("training/unknown-model", { model, served: served.join(", ") })
}

/** The fewest and the most rounds that may be asked for. */
export const [roundsMin, roundsMax] = [10, 2000] as const

/** Rounds, checked. */
export function roundsOf({ rounds }: Pick<TrainingQuestion, "rounds">): number | undefined {
  if (rounds === undefined || (Number.isInteger(rounds) && rounds >= roundsMin && rounds <= roundsMax))
    return rounds
  return fail("training/rounds", { got: `${rounds}`, most: `${roundsMax}` })
}
