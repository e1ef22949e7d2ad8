// What somebody has written on the screen, and the question that follows from it.

import type { ModelBody, Reply } from "../../api/server.ts"
import { columnsOf, tablesOf } from "../../parts/browser/declared-tables.ts"
import type { Dataset } from "../../parts/browser/session.tsx"

/** Models that can be chosen, in the order of the list. */
export const modelNames = [
  "logistic",
  "linear",
  "poisson",
  "multinomial",
  "boosting",
  "bayes",
  "components",
  "k-means",
] as const

/** The name of a model. */
export type ModelName = (typeof modelNames)[number]

/** Models of how rows lie: they have no target, and a number of parts. */
export function isPlacing(model: string): boolean {
  return model === "components" || model === "k-means"
}

/** An area under the curve, or a share, with such an error is not known. */
export const aucUnknown = 0.25

/** The fields. */
export interface ModelDraft {
  readonly model: ModelName
  readonly sql: string
  readonly target: string
  /** How many components or groups; empty for as many as is usual. */
  readonly count: string
  readonly epsilon: string
}

/** A model as it comes from the server. */
export type Card = Pick<
  Reply<"trainModel">,
  | "charge"
  | "model"
  | "target"
  | "columns"
  | "rows"
  | "quality"
  | "coefficients"
  | "confidence"
  | "dose"
  | "files"
>

/** The fields at first: the declared columns of the first table. */
export function firstDraft(dataset: Dataset): ModelDraft {
  const [table] = tablesOf(dataset)
  return {
    model: "logistic",
    sql: table === undefined ? "" : `SELECT ${columnsOf(table).join(",\n  ")}\nFROM ${table.name}`,
    target: "",
    count: "",
    epsilon: dataset.question.epsilonDefault,
  }
}

/** The question; undefined where something is missing. */
export function bodyOf(
  { model, sql, target, count, epsilon }: ModelDraft,
  study: string | undefined,
): ModelBody | undefined {
  if (sql.trim() === "" || epsilon.trim() === "") return undefined
  const of = isPlacing(model) ? partsOf(count) : target.trim() === "" ? undefined : { target: target.trim() }
  if (of === undefined) return undefined
  return {
    model,
    sql: sql.trim(),
    ...of,
    epsilon: epsilon.trim(),
    ...(study === undefined ? {} : { study }),
  }
}

function partsOf(count: string): { readonly count?: number } | undefined {
  if (count.trim() === "") return {}
  return /^\d{1,4}$/.test(count.trim()) ? { count: Number(count) } : undefined
}

/** The server's name of a model in words, if the screen has some. */
export function wordsOf(words: Readonly<Record<ModelName, string>>, model: string): string {
  const known = modelNames.find((name) => name === model)
  return known === undefined ? model : words[known]
}
