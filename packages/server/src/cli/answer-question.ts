// One question from text to what is printed: a table, a JSON object or CSV.

import { numberNear } from "@dosimeter/core"
import {
  spending,
  type Account,
  type AnswerTable,
  type Engine,
  type LearntBounds,
  type QuestionOptions,
  type Recorded,
} from "@dosimeter/engine"
import { roomFor } from "../answers/account-value.ts"
import {
  answerCsv,
  answerObject,
  stagesOfLearning,
  tableIn,
  type AnsweredInStages,
  type EarlierStage,
} from "../answers/answer-value.ts"
import { fieldOf } from "../answers/fields.ts"
import { fail } from "../errors.ts"
import { withProgress } from "./progress.ts"
import { questionOf, type QuestionFlags } from "./question.ts"
import type { Session } from "./session.ts"
import { showAnswer } from "./show-answer.ts"
import { budgetJson, budgetLine, lossesIn } from "./show-budget.ts"
import { costNumber } from "./numbers.ts"
import { payWithin } from "./within.ts"

/** How an answer is wanted. */
export interface AnswerFlags extends QuestionFlags {
  readonly csv?: true
  readonly intervals?: true
  readonly yes?: true
}

/** Asks, and prints the answer. */
export async function answerQuestion(
  sql: string,
  flags: AnswerFlags,
  {
    engine,
    session,
    signal,
  }: { readonly engine: Engine; readonly session: Session; readonly signal?: AbortSignal },
): Promise<void> {
  session.about(sql)
  const stop = signal ?? session.signal
  const plain = { ...questionOf(flags, engine), ...(stop === undefined ? {} : { signal: stop }) }
  // Once the engine has it, a question that is stopped stays charged.
  if (stop?.aborted === true) fail("cli/stopped", {})
  const { options, earlier } = await stagesOf(sql, flags, { engine, session, options: plain })
  const asked = engine.ask(sql, options)
  const answered = await withProgress(session, () => "asking", asked)
  const { learnt = [], ...recorded } = answered
  const paid = [...earlier, ...stagesOfLearning(answered)]
  const table = tableIn(recorded.answer)
  const account = await engine.account()
  if (flags.json === true) session.out(answerJson({ ...recorded, learnt, earlier: paid }, account))
  else if (flags.csv === true) session.out(answerCsv(table, flags.intervals === true))
  else session.out(answerText(table, { recorded, learnt, earlier: paid, account, engine, session, flags }))
}

/** What must be asked before, such as a first look; the options then are what it told. */
async function stagesOf(
  sql: string,
  { within, yes }: AnswerFlags,
  asked: { readonly engine: Engine; readonly session: Session; readonly options: QuestionOptions },
): Promise<{ readonly options: QuestionOptions; readonly earlier: readonly EarlierStage[] }> {
  const { engine, session, options } = asked
  if (within === undefined) return { options, earlier: [] }
  const { epsilon, first } = await payWithin({ sql, within, engine, options }, session, yes === true)
  const recorded = first?.recorded
  return {
    options: spending(options, epsilon),
    earlier: recorded === undefined ? [] : [{ name: "first look", recorded }],
  }
}

/** The answer for programs: rows by name, the receipt, what is left. */
export function answerJson(recorded: AnsweredInStages, account: Account): string {
  const value = { ...answerObject(recorded), budget: budgetJson(account) }
  return `${JSON.stringify(value, null, 2)}\n`
}

interface Shown {
  readonly recorded: Recorded
  readonly learnt: readonly LearntBounds[]
  readonly earlier: readonly EarlierStage[]
  readonly account: Account
  readonly engine: Engine
  readonly session: Session
  readonly flags: AnswerFlags
}

function answerText(
  table: AnswerTable,
  { recorded, learnt, earlier, account, engine, session, flags }: Shown,
): string {
  const isExplanation = table.columns[0]?.name === "explanation" && recorded.receipt === "{}"
  if (isExplanation) return `${table.rows.map(([cell]) => `${cell?.value ?? ""}`).join("\n")}\n`
  const columns = session.terminal?.columns
  const lines = showAnswer(table, {
    intervals: flags.intervals === true,
    ...(columns === undefined ? {} : { columns }),
  })
  const confidence = numberNear(engine.policy.terms.question.confidence) * 100
  const count = `${table.rows.length} ${table.rows.length === 1 ? "row" : "rows"}`
  const hasIntervals = table.rows.some((row) => row.some(({ low }) => low !== undefined))
  const receipt: unknown = JSON.parse(recorded.receipt)
  const losses = lossesIn(receipt, account)
  const room = losses === undefined ? undefined : roomFor(account, losses)
  const more =
    room === undefined ? "" : `${room === 0n ? "no" : room} more like it ${room === 1n ? "fits" : "fit"}`
  return [
    ...lines,
    hasIntervals ? `(${count}; intervals at ${Number(confidence.toPrecision(6))} %)` : `(${count})`,
    "",
    ...boundsOf(receipt).map((line) => `bounds  ${line}`),
    ...learnt.map(({ label, low, high }) => `bounds  ${label} inside [${low}, ${high}], learnt`),
    ...(table.bias ?? []).map(({ text }) => `bias    ${text}`),
    ...differencesIn(receipt).map((line) => `note    ${line}`),
    `cost    ${costWords(recorded, receipt)}`,
    ...earlier.map(({ name, recorded: stage }) => `        ${name}: ${stageCost(stage)}`),
    `budget  ${budgetLine(account, more, session.plain)}`,
    "",
  ].join("\n")
}

/** What of each person is in the numbers, where not all of it has to be: intervals are about noise only. */
function boundsOf(receipt: unknown): readonly string[] {
  const [unit, bounding] = [fieldOf(receipt, "unit"), fieldOf(receipt, "bounding")]
  if (typeof unit !== "string" || !Array.isArray(bounding)) return []
  const lines = bounding.flatMap((one: unknown) => {
    const groups = fieldOf(one, "groupsProof") === undefined ? fieldOf(one, "groupsPerUnit") : undefined
    const rows = fieldOf(one, "rowsProof") === undefined ? fieldOf(one, "rowsPerGroup") : undefined
    const parts = [
      ...(typeof groups === "string" ? [`${groups} groups a ${unit}`] : []),
      ...(typeof rows === "string" ? [`${rows} rows a ${typeof groups === "string" ? "group" : unit}`] : []),
    ]
    return parts.length === 0 ? [] : [`at most ${parts.join(" and ")} count; the rest is dropped`]
  })
  return [...new Set(lines)]
}

function stageCost(stage: Recorded): string {
  return costWords(stage, JSON.parse(stage.receipt) as unknown)
}

/** In what an answer from earlier releases is less than what was asked. */
function differencesIn(receipt: unknown): readonly string[] {
  const differences = fieldOf(receipt, "differences")
  return Array.isArray(differences) ? differences.map(String) : []
}

function costWords({ origin, from = [] }: Recorded, receipt: unknown): string {
  switch (origin) {
    case "reused": {
      const entries = from
        .map(String)
        .join(", ")
        .replace(/, ([^,]*)$/, " and $1")
      const many = from.length === 1 ? "release at entry" : "releases at entries"
      return `nothing: worked out from the ${many} ${entries}`
    }
    case "public":
      return "nothing: the answer depends on nobody"
    case "recorded":
      return "recorded answer, free: it was paid for when it was first asked"
    case "released": {
      const [epsilon, delta] = [fieldOf(receipt, "epsilon"), fieldOf(receipt, "delta")]
      const shown = (value: unknown): string => (typeof value === "string" ? costNumber(Number(value)) : "?")
      return `epsilon ${shown(epsilon)}${delta === "0" ? "" : `, delta ${shown(delta)}`}`
    }
    default:
      return origin satisfies never
  }
}
