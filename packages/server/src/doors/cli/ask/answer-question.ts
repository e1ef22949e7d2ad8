// One question from text to what is printed: a table, a JSON object or CSV.

import { numberNear } from "@dosimeter/core/exact"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { scaledWords } from "@dosimeter/answers/shown/scaled-words"
import type { Account, Engine, LearntBounds, ReachedError, Recorded, WithinPlan } from "@dosimeter/engine"
import { roomFor } from "../../../answers/account-value.ts"
import {
  answerCsv,
  answerObject,
  notesOf,
  stagesOfLearning,
  type AnsweredInStages,
  type EarlierStage,
} from "../../../answers/answer-value.ts"
import { fail } from "../../../errors.ts"
import { ownerName, ownerQuestions } from "../../../questions/owner-asker.ts"
import { withProgress } from "../session/progress.ts"
import { askingOf, questionOf, type QuestionFlags } from "./question.ts"
import type { Session } from "../session/session.ts"
import { wrap } from "../show/layout.ts"
import { showAnswer } from "../show/show-answer.ts"
import { budgetJson, budgetLine, lossesIn } from "../show/show-budget.ts"
import { costNumber, shortNumber } from "../show/numbers.ts"
import { confirmPrice } from "./within.ts"

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
  const { within, yes, as: user = ownerName } = flags
  const question = { ...questionOf(sql, flags), ...(stop === undefined ? {} : { signal: stop }) }
  // Once the engine has it, a question that is stopped stays charged.
  if (stop?.aborted === true) fail("cli/stopped", {})
  // No progress is drawn while somebody is asked to agree.
  const isQuiet = within !== undefined && yes !== true
  const onPlan = isQuiet ? (plan: WithinPlan) => confirmPrice(within, plan, session) : undefined
  const asked = ownerQuestions(engine, askingOf(flags)).ask(user, { ...question, onPlan })
  const answered: AnsweredInStages = isQuiet
    ? await asked
    : await withProgress(session, () => "asking", asked)
  const { learnt = [], earlier = [], reached, ...recorded } = answered
  const paid = [...earlier, ...stagesOfLearning(answered)]
  // What is free as a whole is said to be so once.
  const isFree = [answered, ...paid.map(({ recorded: stage }) => stage)].every(
    ({ origin }) => origin === "recorded",
  )
  const table = recorded.answer
  const account = await engine.account()
  if (flags.json === true) session.out(answerJson({ ...answered, earlier: paid }, account))
  else if (flags.csv === true) session.out(answerCsv(table, flags.intervals === true))
  else
    session.out(
      answerText(table, {
        isExplanation: recorded.origin === "explained",
        recorded,
        learnt,
        earlier: isFree ? [] : paid,
        reached,
        account,
        engine,
        session,
        flags,
      }),
    )
}

/** The answer for programs: rows by name, the receipt, what is left. */
export function answerJson(recorded: AnsweredInStages, account: Account): string {
  const value = { ...answerObject(recorded), budget: budgetJson(account) }
  return `${JSON.stringify(value, null, 2)}\n`
}

interface Shown {
  readonly isExplanation: boolean
  readonly recorded: Recorded
  readonly learnt: readonly LearntBounds[]
  readonly earlier: readonly EarlierStage[]
  readonly reached: ReachedError | undefined
  readonly account: Account
  readonly engine: Engine
  readonly session: Session
  readonly flags: AnswerFlags
}

function answerText(
  table: AnswerTable,
  { isExplanation, recorded, learnt, earlier, reached, account, engine, session, flags }: Shown,
): string {
  if (isExplanation) return `${table.rows.map(([cell]) => `${cell?.value ?? ""}`).join("\n")}\n`
  const columns = session.terminal?.columns
  const lines = showAnswer(table, {
    intervals: flags.intervals === true,
    ...(columns === undefined ? {} : { columns }),
  })
  const confidence = numberNear(engine.policy.terms.question.confidence) * 100
  const count = `${table.rows.length} ${table.rows.length === 1 ? "row" : "rows"}`
  const hasIntervals = table.rows.some((row) => row.some(({ low }) => low !== undefined))
  const { receipt } = recorded
  const losses = lossesIn(receipt, account)
  const room = losses === undefined ? undefined : roomFor(account, losses)
  const more =
    room === undefined ? "" : `${room === 0n ? "no" : room} more like it ${room === 1n ? "fits" : "fit"}`
  const bounds = boundsOf(table, receipt)
  const values = learnt.filter(({ isNorm }) => isNorm !== true || bounds.length === 0)
  return [
    ...lines,
    hasIntervals ? `(${count}; intervals at ${Number(confidence.toPrecision(6))} %)` : `(${count})`,
    "",
    ...bounds.map((line) => `bounds  ${inLines(line)}`),
    ...values.map(
      ({ label, low, high }) =>
        `bounds  ${inLines(`${label} from ${shortNumber(low)} to ${shortNumber(high)}, learnt`)}`,
    ),
    ...[...notesOf(table), ...differencesIn(receipt)].map((line) => `note    ${inLines(line)}`),
    ...reachedLines(reached, flags.within ?? ""),
    `cost    ${costWords(recorded)}`,
    ...earlier.map(({ name, recorded: stage }) => `        ${name}: ${costWords(stage)}`),
    `budget  ${budgetLine(account, more, session.plain)}`,
    "",
  ].join("\n")
}

/** Lines beside a label are no longer than this, and stand under each other. */
const inLines = (text: string): string => wrap(text, 92, " ".repeat(8))

/** In a table an error in percent is meant for at least half of the groups: in how many it was reached. */
function reachedLines(reached: ReachedError | undefined, within: string): readonly string[] {
  if (reached === undefined || reached.of < 2) return []
  return [`within  ${within} in ${reached.inside} of ${reached.of} groups`]
}

/** How much of each person counts, where that may be less than all and no note says it. */
function boundsOf({ columns }: AnswerTable, receipt: AnyReceipt): readonly string[] {
  if (receipt.format === undefined || columns.some(({ bounding }) => bounding === "noise-only")) return []
  const { unit, bounding } = receipt
  const lines = bounding.flatMap((bounds) => {
    const { groupsPerUnit, rowsPerGroup, groupsProof, rowsProof, scaled, norm, scaledTo } = bounds
    if (norm !== undefined) {
      const parts = scaledTo?.leftOut === undefined ? "" : `; ${scaledWords(scaledTo)}`
      return [`all that a ${unit} adds counts, scaled down to at most ${norm}${parts}`]
    }
    if (scaled !== undefined) {
      const rows = rowsProof === undefined ? `${rowsPerGroup} rows` : "one row"
      const size = groupsPerUnit === "1" ? rows : `${rows} in each of ${groupsPerUnit} groups`
      return [`more than ${size} of a ${unit} counts for less: all of it is scaled down`]
    }
    const parts = [
      ...(groupsProof === undefined ? [`${groupsPerUnit} groups a ${unit}`] : []),
      ...(rowsProof === undefined
        ? [`${rowsPerGroup} rows a ${groupsProof === undefined ? "group" : unit}`]
        : []),
    ]
    return parts.length === 0 ? [] : [`at most ${parts.join(" and ")} count; the rest is dropped`]
  })
  return [...new Set(lines)]
}

/** In what an answer from earlier releases is less than what was asked. */
function differencesIn(receipt: AnyReceipt): readonly string[] {
  return receipt.format === "dosimeter-free/1" ? receipt.differences : []
}

function costWords({ origin, from = [], receipt }: Recorded): string {
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
    case "explained":
      return "nothing: the answer depends on nobody"
    case "recorded":
      return "recorded answer, free: it was paid for when it was first asked"
    case "released": {
      if (receipt.format === undefined) return "epsilon ?, delta ?"
      const { epsilon, delta } = receipt
      const shown = (value: string): string => costNumber(Number(value))
      return `epsilon ${shown(epsilon)}${delta === "0" ? "" : `, delta ${shown(delta)}`}`
    }
    default:
      return origin satisfies never
  }
}
