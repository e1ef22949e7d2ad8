// `dosimeter synth`: rows that look like those of a table and are those of nobody in it. Priced first,
// charged once, and made again in any number for nothing.

import { makeRows, writeTable, type SyntheticQuestion } from "@dosimeter/engine"
import { exactly } from "@dosimeter/core/exact"
import { Option, type Command } from "commander"
import { existsSync } from "node:fs"
import { extname, resolve } from "node:path"
import { fail } from "../../../errors.ts"
import { ownerStanding } from "../../../questions/owner-asker.ts"
import { confirmed } from "../session/confirm.ts"
import { withDataset } from "../session/dataset.ts"
import { withProgress } from "../session/progress.ts"
import type { Session } from "../session/session.ts"
import { budgetJson, budgetLine } from "../show/show-budget.ts"
import { madeJson, planJson, showMade, showSyntheticPlan } from "../show/show-synthetic.ts"

interface SynthFlags {
  readonly policy: string
  readonly table?: string
  readonly sql?: string
  readonly columns?: string
  readonly rowsOf?: string
  readonly rowColumns?: string
  readonly order?: string
  readonly most: string
  readonly rule?: readonly string[]
  readonly target?: string
  readonly epsilon?: string
  readonly rows?: string
  readonly seed: string
  readonly out?: string
  readonly explain?: true
  readonly study?: string
  readonly purpose?: readonly string[]
  readonly as?: string
  readonly force?: true
  readonly yes?: true
  readonly json?: true
}

/** Adds the command. */
export function addSynth(program: Command, session: Session): void {
  program
    .command("synth")
    .description("make rows like those of a table, of nobody in it; --explain says what that costs, free")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--table <name>", "the table that has one row for each person")
    .addOption(
      new Option("--sql <select>", "or a SELECT that has one row for each person").conflicts("table"),
    )
    .option(
      "--columns <names>",
      "columns of the table, with commas between; all that are declared if left out",
    )
    .option("--rows-of <name>", "a second table, of which people have several rows")
    .option("--row-columns <names>", "columns of that table")
    .option("--order <column>", "the column of that table that puts a person's rows in order")
    .option("--most <n>", "more rows of a person than this count as so many", "10")
    .option(
      "--rule <text>",
      'what all rows keep, such as "age < 16 => employed = no"; may be repeated',
      collect,
    )
    .option("--target <column>", "the column that matters most, such as what a model is to tell")
    .option("--epsilon <e>", "what to spend on all of it")
    .option("--rows <n>", "how many rows; about as many as there are people if left out")
    .option("--seed <text>", "the same seed makes the same rows", "1")
    .option("--out <file>", "where rows are written: .csv or .parquet")
    .option("--explain", "say what it costs and how good it would be; nothing is read or written")
    .option("--study <name>", "charge a study as well")
    .option("--purpose <code>", "what the rows are for, where people decide that; may be repeated", collect)
    .option("--as <name>", "who asks")
    .option("--force", "replace files that are there")
    .option("--yes", "do not ask before paying")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
Rows are drawn from a model of noisy tables. They protect people as far as the stated loss says, and no
further: they are not anonymous data. The same question again costs nothing, with any number of rows.

Examples:
  dosimeter synth --table person --epsilon 1 --explain
  dosimeter synth --table person --epsilon 1 --out people.csv
  dosimeter synth --table person --rows-of visit_occurrence --order visit_start_date --out people.parquet
  dosimeter synth --sql "SELECT sex, age, income FROM survey" --rule "age < 16 => income = 0" --out rows.csv`,
    )
    .action(async (flags: SynthFlags) => runSynth(flags, session))
}

async function runSynth(flags: SynthFlags, session: Session): Promise<void> {
  const { out, force } = flags
  if (flags.explain !== true && out === undefined)
    fail("cli/usage", { what: "name a file for the rows: --out FILE" })
  const files = filesOf(flags, session)
  for (const file of files)
    if (force !== true && existsSync(file))
      fail("cli/file-exists", { file, elsewhere: "write elsewhere with --out FILE" })
  const rows = flags.rows === undefined ? undefined : wholeNumber(flags.rows, "--rows", 10_000_000)
  await withDataset(session, flags.policy, async (engine) => {
    const { options } = ownerStanding(engine, { as: flags.as, purposes: flags.purpose }, flags.study)
    let what = "planning"
    const asked: SyntheticQuestion = {
      ...options,
      ...questionOf(flags),
      ...(session.signal === undefined ? {} : { signal: session.signal }),
      onProgress: (step) => {
        what = step
      },
    }
    const plan = await engine.synthetic.plan(asked)
    const account = await engine.account()
    if (flags.explain === true) {
      const shown = { ...planJson(plan), budget: budgetJson(account) }
      return session.out(
        flags.json === true
          ? `${JSON.stringify(shown, null, 2)}\n`
          : `${showSyntheticPlan(plan)}budget      ${budgetLine(account, "", session.plain)}\n`,
      )
    }
    const isKnown = await engine.synthetic.isMeasured(asked)
    if (!isKnown && flags.yes !== true) {
      session.note(showSyntheticPlan(plan))
      if (!(await confirmed(session, "measure it?"))) fail("cli/not-confirmed", {})
    }
    const release = await withProgress(session, () => what, engine.synthetic.measure(asked))
    const made = makeRows(release, { rows, seed: flags.seed })
    const [units, ofRows] = files
    if (units !== undefined) await writeTable(made.units, units)
    if (ofRows !== undefined && made.rows !== undefined) await writeTable(made.rows, ofRows)
    const left = await engine.account()
    if (flags.json === true) {
      return session.out(
        `${JSON.stringify({ ...madeJson(release, made, files), budget: budgetJson(left) }, null, 2)}\n`,
      )
    }
    session.out(showMade(release, made, files))
    session.out(`budget      ${budgetLine(left, "", session.plain)}\n`)
  })
}

function questionOf(flags: SynthFlags): SyntheticQuestion {
  const { sql, table, columns, rowsOf, rowColumns, order, most, rule, target, epsilon } = flags
  if (rowsOf !== undefined && order === undefined) {
    fail("cli/usage", { what: "say which column puts a person's rows in order: --order COLUMN" })
  }
  return {
    ...(sql === undefined ? {} : { sql }),
    ...(table === undefined ? {} : { table }),
    ...(columns === undefined ? {} : { columns: namesOf(columns) }),
    ...(rowsOf === undefined
      ? {}
      : {
          rowsOf: {
            table: rowsOf,
            order: order ?? "",
            most: wholeNumber(most, "--most", 1000),
            ...(rowColumns === undefined ? {} : { columns: namesOf(rowColumns) }),
          },
        }),
    ...(rule === undefined ? {} : { rules: rule }),
    ...(target === undefined ? {} : { target }),
    ...(epsilon === undefined ? {} : { ask: { epsilon: exactly(epsilon, "epsilon") } }),
  }
}

// People's rows stand beside people: people.csv and people-visits.csv.
function filesOf({ out, rowsOf }: SynthFlags, session: Session): readonly string[] {
  if (out === undefined) return []
  const ending = extname(out)
  if (![".csv", ".parquet"].includes(ending.toLowerCase())) {
    fail("cli/bad-option", { option: "--out", got: out, wanted: "a file that ends in .csv or .parquet" })
  }
  const file = resolve(session.folder, out)
  return rowsOf === undefined ? [file] : [file, `${file.slice(0, -ending.length)}-${rowsOf}${ending}`]
}

function namesOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
}

function wholeNumber(text: string, option: string, most: number): number {
  const value = Number(text)
  return text.trim() !== "" && Number.isInteger(value) && value >= 1 && value <= most
    ? value
    : fail("cli/bad-option", { option, got: text, wanted: `a whole number of 1 to ${most}` })
}

/** Each time the option is given adds to its values. */
function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
