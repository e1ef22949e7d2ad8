// What somebody wants a model of.

import { fail } from "../errors.ts"
import type { QuestionOptions } from "../ask/ask-question.ts"
import { isTelling, type ModelKind, type PlacingKind, type TellingKind } from "./model-columns.ts"

/** Models that are served, with what each is of. */
export const servedModels: Readonly<Record<ModelKind, string>> = {
  linear: "a number with a range",
  logistic: "yes or no",
  multinomial: "one of several listed values",
  poisson: "a count",
  boosting: "yes or no, or a number with a range: a curve for each feature",
  bayes: "one of several listed values, from counts alone",
  components: "no target: the directions in which rows differ most (PCA)",
  "k-means": "no target: groups of rows that are alike",
}

/** A training that somebody wants. */
export interface TrainingQuestion extends Omit<QuestionOptions, "parameters" | "reuse" | "norms"> {
  /** Which model. */
  readonly model: string
  /** A SELECT of rows, one for each unit: the features and the target. */
  readonly sql: string
  /** The column of it that is to be told; components and groups have none. */
  readonly target?: string
  /** How many components or groups; 2 components or 3 groups if left out. */
  readonly count?: number
  /** How often the gradient is measured; enough for most models if left out. */
  readonly rounds?: number
  /** Told how far it is: from 0 to 1. */
  readonly onProgress?: (step: string, share: number) => void
}

const kinds = [
  "linear",
  "logistic",
  "multinomial",
  "poisson",
  "boosting",
  "bayes",
  "components",
  "k-means",
] as const satisfies readonly ModelKind[]

/** The model of a name. */
export function kindOf(model: string): ModelKind {
  const served = Object.keys(servedModels)
  const found = kinds.find((one) => one === model)
  return found ?? fail("training/unknown-model", { model, served: served.join(", ") })
}

/** The fewest and the most rounds of a regression. */
export const roundsMin = 10
/** The same. */
export const roundsMax = 2000

const ofRegressions = { least: roundsMin, most: roundsMax }

/** How many rounds may be asked for: of boosting, in which each is one look at every feature, fewer do. */
const roundsOfKinds: Readonly<Record<ModelKind, { readonly least: number; readonly most: number }>> = {
  linear: ofRegressions,
  logistic: ofRegressions,
  multinomial: ofRegressions,
  poisson: ofRegressions,
  boosting: { least: 2, most: 100 },
  bayes: { least: 1, most: 1 },
  components: { least: 1, most: 1 },
  "k-means": { least: 1, most: 50 },
}

/** Rounds, checked. */
export function roundsOf({ rounds }: Pick<TrainingQuestion, "rounds">, kind: ModelKind): number | undefined {
  const { least, most } = roundsOfKinds[kind]
  if (rounds === undefined || (Number.isInteger(rounds) && rounds >= least && rounds <= most)) return rounds
  return fail("training/rounds", { got: `${rounds}`, least: `${least}`, most: `${most}` })
}

/** What a model is of: the column that it tells, or how many parts it has; never both. */
export function subjectOf(
  { target, count }: Pick<TrainingQuestion, "target" | "count">,
  kind: ModelKind,
):
  | { readonly kind: TellingKind; readonly target: string }
  | { readonly kind: PlacingKind; readonly count: number | undefined } {
  if (isTelling(kind)) {
    if (count !== undefined) return fail("training/no-count", { model: kind })
    return target === undefined ? fail("training/needs-target", { model: kind }) : { kind, target }
  }
  return target === undefined ? { kind, count } : fail("training/without-target", { model: kind })
}
