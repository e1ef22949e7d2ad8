// What somebody wants a model of.

import { fail } from "../errors.ts"
import type { ModelKind } from "./model-columns.ts"
import type { QuestionOptions } from "../ask/ask-question.ts"

/** Models that are served, with what each is of. */
export const servedModels: Readonly<Record<ModelKind, string>> = {
  linear: "a number with a range",
  logistic: "yes or no",
  multinomial: "one of several listed values",
  poisson: "a count",
  boosting: "yes or no, or a number with a range: a curve for each feature",
  bayes: "one of several listed values, from counts alone",
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

const kinds = ["linear", "logistic", "multinomial", "poisson", "boosting", "bayes"] as const

/** The model of a name. */
export function kindOf(model: string): ModelKind {
  const served = Object.keys(servedModels)
  const found = kinds.find((one) => one === model)
  return found ?? fail("training/unknown-model", { model, served: served.join(", ") })
}

/** How many rounds may be asked for: of boosting, in which each is one look at every feature, fewer do. */
const roundsOfKinds = {
  regression: { least: 10, most: 2000 },
  boosting: { least: 2, most: 100 },
  bayes: { least: 1, most: 1 },
} as const

/** The fewest and the most rounds of a regression. */
export const { least: roundsMin, most: roundsMax } = roundsOfKinds.regression

/** Rounds, checked. */
export function roundsOf({ rounds }: Pick<TrainingQuestion, "rounds">, kind: ModelKind): number | undefined {
  const { least, most } = roundsOfKinds[kind === "boosting" || kind === "bayes" ? kind : "regression"]
  if (rounds === undefined || (Number.isInteger(rounds) && rounds >= least && rounds <= most)) return rounds
  return fail("training/rounds", { got: `${rounds}`, least: `${least}`, most: `${most}` })
}
