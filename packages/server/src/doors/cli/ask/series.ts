// `dosimeter series`: running totals that grow with the data, week by week, paid for once.

import { numberNear } from "@dosimeter/core/exact"
import type { Engine } from "@dosimeter/engine"
import { showCharge } from "@dosimeter/planner/explain/show-explanation"
import { showDay } from "@dosimeter/proof/catalog/civil-date"
import type { SeriesPlan } from "@dosimeter/planner/series/plan-series"
import type { Command } from "commander"
import { uniqueNames } from "../../../answers/answer-value.ts"
import { fail } from "../../../errors.ts"
import { ownerName, ownerQuestions } from "../../../questions/owner-asker.ts"
import { withDataset } from "../session/dataset.ts"
import { askingOf, questionOf, type QuestionFlags } from "./question.ts"
import type { Session } from "../session/session.ts"
import { showAnswer } from "../show/show-answer.ts"
import { budgetLine } from "../show/show-budget.ts"
import { shortNumber } from "../show/numbers.ts"

interface SeriesFlags extends QuestionFlags {
  readonly sql: string
  readonly from: string
  readonly for: string
  readonly appendOnly?: true
  readonly explain?: true
}

interface NamedFlags {
  readonly policy: string
  readonly through?: string
  readonly json?: true
}

/** Adds the command. */
export function addSeries(program: Command, session: Session): void {
  const series = program
    .command("series")
    .description("running totals that grow with the data, such as cases by week; paid for once")
    .addHelpText(
      "after",
      `
Examples:
  dosimeter series create flu --sql "SELECT date_trunc('week', day), COUNT(*) FROM cases GROUP BY 1" \\
    --from 2026-01-05 --for 104 --epsilon 1 --append-only
  dosimeter series create flu ... --explain
  dosimeter series update flu --through 2026-03-02
  dosimeter series show flu`,
    )
  addCreate(series, session)
  series
    .command("update <name>")
    .description("release the periods that are over; free, the series has paid for them")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .requiredOption("--through <day>", "the day before which all data has come in, such as 2026-03-02")
    .action(async (name: string, { policy, through = "" }: NamedFlags) =>
      withDataset(session, policy, async (engine) => {
        const { signal } = session
        const { series: asked } = ownerQuestions(engine, {})
        const until = {
          name,
          through: dayOf("--through", through),
          ...(signal === undefined ? {} : { signal }),
        }
        const count = await asked.update(ownerName, until)
        session.out(`${count} ${count === 1 ? "period" : "periods"} released\n`)
        if (count > 0) await show(name, {}, { engine, session })
      }),
    )
  series
    .command("show <name>")
    .description("the totals that were released so far")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .action(async (name: string, { policy, json }: NamedFlags) =>
      withDataset(session, policy, async (engine) =>
        show(name, json === undefined ? {} : { json }, { engine, session }),
      ),
    )
}

function addCreate(series: Command, session: Session): void {
  series
    .command("create <name>")
    .description("charge for the whole horizon of a series; nothing is read")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .requiredOption("--sql <question>", "one count or sum by day, week, month, quarter or year")
    .requiredOption("--from <day>", "the first day, such as 2026-01-05")
    .requiredOption("--for <n>", "how many periods there will be")
    .option("--epsilon <e>", "what to spend on all of them")
    .option("--groups-per-unit <n>", "in how many periods one person counts, the first ones")
    .option("--rows-per-group <n>", "how many rows of one person count in a period")
    .option("--append-only", "rows are added to the tables; whose rows are changed counts no more")
    .option("--study <name>", "charge a study as well")
    .option("--as <name>", "who asks")
    .option("--explain", "say what it would cost and how far off totals would be; nothing is charged")
    .action(async (name: string, flags: SeriesFlags) => {
      if (flags.appendOnly !== true && flags.explain !== true) fail("cli/series-append-only", {})
      await withDataset(session, flags.policy, async (engine) => create(name, flags, { engine, session }))
    })
}

interface Where {
  readonly engine: Engine
  readonly session: Session
}

async function create(name: string, flags: SeriesFlags, { engine, session }: Where): Promise<void> {
  const { ask = {}, rho, study } = questionOf(flags.sql, flags)
  session.about(flags.sql)
  if (!/^[1-9]\d{0,4}$/.test(flags.for)) {
    fail("cli/bad-option", { option: "--for", got: flags.for, wanted: "a whole number such as 104" })
  }
  const { sql, as: user = ownerName } = flags
  const periods = Number(flags.for)
  const asked = { name, sql, from: dayOf("--from", flags.from), periods, ask, rho, study }
  const { series } = ownerQuestions(engine, askingOf(flags))
  const isExplained = flags.explain === true
  const made = await (isExplained ? series.plan(user, asked) : series.create(user, asked))
  const { days, proven } = made
  const { charge, spec } = proven
  const [first, last] = [days[0] ?? 0n, days.at(-1) ?? 0n]
  const { unitName } = engine.policy.catalog
  session.out(
    [
      `series ${name}: ${periods} periods from ${showDay(first)} until ${showDay(last)}`,
      `bounds  the first ${spec.stepsPerUnit} periods of each ${unitName} count`,
      `late    rows that come in after their period was released ${lateRows(spec)}`,
      `errors  ${errorsOf(engine, made)}`,
      `cost    ${showCharge(charge)}, for all of them${isExplained ? "; nothing was charged" : ""}`,
      `budget  ${budgetLine(await engine.account(), "", session.plain)}`,
      "",
    ].join("\n"),
  )
}

/** Of the first total, one in the middle and the last. */
function errorsOf({ series, policy }: Engine, plan: SeriesPlan): string {
  const errors = series.errors(plan)
  const shown = [0, Math.floor(errors.length / 2), errors.length - 1].map((place) => ({
    place: place + 1,
    error: shortNumber(errors[place] ?? 0),
  }))
  const different = shown.filter(
    ({ place }, index) => shown.findIndex((one) => one.place === place) === index,
  )
  const words = different.map(({ place, error }) => `± ${error} in period ${place}`).join(", ")
  return `${words}, at ${shortNumber(numberNear(policy.terms.question.confidence) * 100)} %`
}

function lateRows({ form }: SeriesPlan["proven"]["spec"]): string {
  if (form.kind === "tree") return "count in later totals as far as these are new sums"
  return form.sixteenths === 0n ? "do not count" : "count in part, the later the more"
}

async function show(
  name: string,
  flags: { readonly json?: true },
  { engine, session }: Where,
): Promise<void> {
  const { table, definition } = await ownerQuestions(engine, {}).series.show(ownerName, name)
  if (flags.json === true) {
    const names = uniqueNames(table.columns.map((column) => column.name))
    const rows = table.rows.map((row) =>
      Object.fromEntries(row.map((cell, index) => [names[index] ?? "", cell])),
    )
    const { sql, periods } = definition
    return session.out(`${JSON.stringify({ name, sql, periods, columns: table.columns, rows }, null, 2)}\n`)
  }
  const lines = showAnswer(table, { intervals: false })
  session.out(`${lines.join("\n")}\n(${table.rows.length} of ${definition.periods} periods)\n`)
}

function dayOf(option: string, text: string): bigint {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  const isDay = Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
  return isDay
    ? BigInt(time / 86_400_000)
    : fail("cli/bad-option", { option, got: text, wanted: "a day such as 2026-01-05" })
}
