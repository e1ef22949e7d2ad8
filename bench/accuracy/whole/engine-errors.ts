// What the product itself answers, whole error: through the door for auditors, on ledgers in memory, each
// time with fresh noise. With nothing said about bounds, where norms are learnt with what is left out below
// the noise; with norms of least error; and with `groups_per_unit: auto`.

import { openAudit, type Audit } from "@dosimeter/engine/testing"
import { deciles, rankError, type Ranks } from "./decile-errors.ts"
import { loss, type Accounting } from "./loss.ts"
import { mostValues, type MostValues } from "./skewed-people.ts"

/** Ways to set the bounds. */
export const settings = ["default", "least error", "auto"] as const
/** A way to set the bounds. */
export type BoundSetting = (typeof settings)[number]

const bounding: Readonly<Record<BoundSetting, string>> = {
  default: "{}",
  "least error": "{ aim: least-error }",
  auto: "{ groups_per_unit: auto, norm: fixed }",
}

/** Opens the generated table as an owner would declare it. */
export async function openEngine(
  folder: string,
  file: string,
  options: {
    readonly accounting: Accounting
    readonly setting: BoundSetting
    readonly most?: MostValues
  },
): Promise<Audit> {
  const { accounting, setting, most = mostValues } = options
  const deltaOf = (delta: number): string => (accounting === "pure" ? "" : `, delta: ${delta}`)
  const policy = `dataset: skewed
source: { duckdb: ${file} }
neighbours: add-or-remove
budget: { epsilon: 100${deltaOf(1e-3)}, accounting: ${accounting} }
question: { epsilon: ${loss.epsilon}${deltaOf(loss.delta)}, confidence: 0.95 }
bounding: ${bounding[setting]}
tables:
  events:
    unit: person_id
    columns:
      code: { type: integer, min: 0, max: ${most.code}, nullable: false }
      month: { type: integer, min: 0, max: ${most.month}, nullable: false }
      ward: { type: integer, min: 0, max: ${most.ward}, nullable: false }
      amount: { type: integer, min: 0, max: ${most.amount}, nullable: false }
`
  return openAudit({ policy, folder })
}

/** The questions, by name. */
export const questions = {
  "events by code": "SELECT code, COUNT(*) AS n FROM events GROUP BY code",
  "people by code": "SELECT code, COUNT(DISTINCT person_id) AS n FROM events GROUP BY code",
  "sum by month": "SELECT month, SUM(amount) AS n FROM events GROUP BY month",
  "mean by ward": "SELECT ward, AVG(amount) AS n FROM events GROUP BY ward",
  deciles: `SELECT ${deciles
    .map((at) => `PERCENTILE_DISC(${at}) WITHIN GROUP (ORDER BY amount) AS q${Math.round(10 * at)}`)
    .join(", ")} FROM events`,
} as const

/** A kind of question. */
export type QuestionName = keyof typeof questions

/** One answer: values by group, or the deciles in order; a refusal's code. */
export async function answered(audit: Audit, name: QuestionName): Promise<readonly number[] | string> {
  for await (const outcome of audit.repeat(questions[name], 1)) {
    if (outcome.kind === "refused") return outcome.error.code
    const { rows } = outcome.answer
    if (name === "deciles") return (rows[0] ?? []).map(({ value }) => Number(value))
    const values: number[] = []
    for (const [key, cell] of rows) values[Number(key?.value)] = Number(cell?.value)
    return values
  }
  return "no answer"
}

/** The root mean square of the errors of some answers; for deciles, of ranks. */
export async function engineError(
  audit: Audit,
  name: QuestionName,
  truth: { readonly values: readonly number[]; readonly ranks: Ranks; readonly runs: number },
): Promise<number | string> {
  const squared: number[] = []
  for (let run = 0; run < truth.runs; run += 1) {
    const values = await answered(audit, name)
    if (typeof values === "string") return values
    if (name === "deciles") {
      deciles.forEach((at, place) => squared.push(rankError(truth.ranks, values[place] ?? 0, at) ** 2))
    } else truth.values.forEach((exact, group) => squared.push(((values[group] ?? 0) - exact) ** 2))
  }
  return Math.sqrt(squared.reduce((sum, value) => sum + value, 0) / squared.length)
}
