// `dosimeter plan queries.sql`: several questions planned together, for one allowance; released under one
// charge if asked.

import { exactly, numberNear, rational, type Rational } from "@dosimeter/core/exact"
import type { Engine, WorkloadAnswer } from "@dosimeter/engine"
import { hasWords, onOneLine, splitStatements } from "@dosimeter/language/text/statements"
import { showCharge } from "@dosimeter/planner/explain/show-explanation"
import type { PlannedQuestion, Workload, WorkloadQuestion } from "@dosimeter/planner/workload/plan-workload"
import { Option, type Command } from "commander"
import { workloadAnswers, workloadObject } from "../../../answers/workload-value.ts"
import { fail } from "../../../errors.ts"
import { ownerName, ownerQuestions } from "../../../questions/owner-asker.ts"
import { confirmed } from "../session/confirm.ts"
import { withDataset } from "../session/dataset.ts"
import { pad, safeText, shorten, widthOf } from "../show/layout.ts"
import { costNumber, shortNumber } from "../show/numbers.ts"
import { askingOf, questionOf, type QuestionFlags } from "./question.ts"
import type { Session } from "../session/session.ts"
import { showAnswer } from "../show/show-answer.ts"
import { budgetJson, budgetLine } from "../show/show-budget.ts"

interface PlanFlags extends QuestionFlags {
  readonly weight?: readonly string[]
  readonly release?: true
  readonly yes?: true
}

/** Adds the command. */
export function addPlan(program: Command, session: Session): void {
  program
    .command("plan")
    .description("plan several questions together for one allowance; free, unless they are released")
    .argument("<file>", "the questions, each ending with ;")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .addOption(new Option("--epsilon <e>", "what to spend on all of them, such as 1").conflicts("rho"))
    .option("--rho <r>", "the same as rho, where the budget adds up zcdp")
    .option("--groups-per-unit <n>", "in how many groups one person counts")
    .option("--rows-per-group <n>", "how many rows of one person count in a group")
    .option("--study <name>", "charge a study as well")
    .option("--as <name>", "who asks")
    .option("--json", "one JSON object")
    .option("--weight <n=w>", "how much the errors of question n count, such as 2=3", collect)
    .option("--release", "answer all of them under one charge, after asking")
    .option("--yes", "with --release: do not ask")
    .addHelpText(
      "after",
      `
What several questions need is measured once, and what can be worked out from something finer is not
measured where that costs more than it gives. The loss is split so that the sum of the questions'
relative errors is least. Epsilon is that of all questions together.

Examples:
  dosimeter plan dashboard.sql
  dosimeter plan dashboard.sql --epsilon 1 --weight 2=3
  dosimeter plan dashboard.sql --epsilon 1 --release --yes --json`,
    )
    .action(async (file: string, flags: PlanFlags) => {
      // Weights are of questions here, not of columns.
      const { weight = [], ...rest } = flags
      const questions = readQuestions(session.read(file), weight)
      await withDataset(session, flags.policy, async (engine) =>
        planQuestions(questions, rest, { engine, session }),
      )
    })
}

async function planQuestions(
  questions: readonly WorkloadQuestion[],
  flags: PlanFlags,
  { engine, session }: { readonly engine: Engine; readonly session: Session },
): Promise<void> {
  const asking = ownerQuestions(engine, askingOf(flags))
  const user = flags.as ?? ownerName
  // One by one first, so that an error points into its question.
  for (const { sql } of questions) {
    session.about(sql)
    await asking.explain(user, questionOf(sql, flags))
  }
  const { ask = {}, rho, study } = questionOf("", flags)
  const asked = { questions, ask, rho, study }
  const wantsJson = flags.json === true
  if (flags.release !== true) {
    const workload = await asking.plan(user, asked)
    const account = await engine.account()
    const shown = wantsJson
      ? `${JSON.stringify({ ...workloadObject(workload), budget: budgetJson(account) }, null, 2)}\n`
      : planText(workload, engine)
    return session.out(shown)
  }
  const onPlan = async (workload: Workload): Promise<void> => {
    if (!wantsJson) session.note(planText(workload, engine))
    if (flags.yes !== true && !(await confirmed(session, "release all of them?"))) {
      fail("cli/not-confirmed", {})
    }
  }
  const { workload, answer } = await asking.release(user, { ...asked, onPlan })
  const account = await engine.account()
  if (wantsJson) {
    const value = { ...workloadObject(workload), ...workloadAnswers(answer), budget: budgetJson(account) }
    return session.out(`${JSON.stringify(value, null, 2)}\n`)
  }
  session.out(`${answersText(workload, answer, session)}budget  ${budgetLine(account, "", session.plain)}\n`)
}

function readQuestions(text: string, weights: readonly string[]): readonly WorkloadQuestion[] {
  const { statements, rest } = splitStatements(text)
  const all = hasWords(rest) ? [...statements, rest.trim()] : statements
  if (all.length === 0) fail("cli/usage", { what: "the file has no question" })
  const own = new Map(weights.map((weight) => readWeight(weight, all.length)))
  return all.map((sql, index) => ({ sql, weight: own.get(index + 1) ?? rational(1n) }))
}

function readWeight(text: string, count: number): readonly [number, Rational] {
  const [, place = "", weight = ""] = /^(\d{1,6})=(.+)$/.exec(text) ?? []
  const number = Number(place)
  const wanted = `the number of a question and its weight, such as 1=3; there are ${count}`
  if (number < 1 || number > count) return fail("cli/bad-option", { option: "--weight", got: text, wanted })
  const value = exactly(weight, "--weight")
  if (value.numerator <= 0n) return fail("cli/bad-option", { option: "--weight", got: text, wanted })
  return [number, value]
}

/** Each time the option is given adds to its values. */
function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}

const amountNames = { pure: "epsilon", zcdp: "rho", gdp: "mu squared" } as const

function planText({ questions, charge, parts }: Workload, { policy }: Engine): string {
  const name = amountNames[charge.accounting]
  const confidence = numberNear(policy.terms.question.confidence) * 100
  const head = ["", "question", "alone", "in plan", `errors at ${Number(confidence.toPrecision(6))} %`]
  const rows = questions.map((question, index) => [
    `${index + 1}`,
    shorten(safeText(onOneLine(question.sql)), 48),
    costNumber(question.alone),
    costNumber(question.inPlan),
    errorsOf(question),
  ])
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => widthOf(row[column] ?? ""))),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0, [0, 2, 3].includes(column) ? "right" : "left"))
      .join("  ")
      .trimEnd()
  const alone = questions.reduce((sum, question) => sum + question.alone, 0)
  const measured = `${parts.length} ${parts.length === 1 ? "table is" : "tables are"} measured`
  return [
    line(head),
    ...rows.map(line),
    "",
    `${name} "alone" is what a question would cost by itself for the same errors`,
    `cost    ${showCharge(charge)}; one by one: ${name} ${costNumber(alone)}; ${measured}`,
    "",
  ].join("\n")
}

function errorsOf({ errors }: PlannedQuestion): string {
  if (errors.length === 0) return "none: depends on nobody"
  return errors
    .map(({ label, error, kind }) => {
      if (kind === "rows") return `${label} ${shortNumber(error)} rows off`
      return kind === "mean"
        ? `${label} ± ${shortNumber(error / 1000)} of 1,000 values`
        : `${label} ± ${shortNumber(error)}`
    })
    .join("; ")
}

function answersText({ questions, charge }: Workload, answer: WorkloadAnswer, session: Session): string {
  const columns = session.terminal?.columns
  const tables = answer.answers.flatMap((table, index) => {
    const sql = shorten(safeText(onOneLine(questions[index]?.sql ?? "")), 90)
    const lines = showAnswer(table, { intervals: false, ...(columns === undefined ? {} : { columns }) })
    return [`-- ${index + 1} of ${questions.length}: ${sql}`, ...lines, ""]
  })
  const paid = answer.origin === "released" ? showCharge(charge) : "nothing: recorded, or depends on nobody"
  return [...tables, `cost    ${paid}`, ""].join("\n")
}
