// `dosimeter demo`: makes up a hospital and asks it five questions.

import type { Engine } from "@dosimeter/engine"
import type { Command } from "commander"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { hospitalFiles, makeHospital } from "../../../demo/hospital.ts"
import { demoQuestions, refusedQuestion, type DemoQuestion } from "../../../demo/questions.ts"
import { fail } from "../../../errors.ts"
import { withDataset } from "../session/dataset.ts"
import { answerQuestion } from "../ask/answer-question.ts"
import { budgetText } from "../ask/budget.ts"
import { serveDemo } from "./demo-serve.ts"
import { withProgress } from "../session/progress.ts"
import type { Session } from "../session/session.ts"
import { drawProblems } from "../show/show-problems.ts"

interface DemoFlags {
  readonly persons: string
  readonly force?: true
  readonly only?: true
  /** Given as --serve or --no-serve. */
  readonly serve?: boolean
}

/** Adds the command. */
export function addDemo(program: Command, session: Session): void {
  program
    .command("demo")
    .description("make up a hospital, ask it five questions and serve it; half a minute, no data needed")
    .argument("[folder]", "where to put the hospital; a new temporary folder if left out")
    .option("--persons <n>", "how many patients, 100 to 1000000", "100000")
    .option("--force", "replace a hospital that is in the folder, with its ledger")
    .option("--only", "make the hospital, ask nothing and serve nothing")
    .option("--serve", "serve it afterwards, with made-up people; at a terminal that is the default")
    .option("--no-serve", "stop after the questions")
    .addHelpText(
      "after",
      `
Nobody in the data exists. Every run has the same hospital and other noise.

Examples:
  dosimeter demo
  dosimeter demo hospital --persons 5000
  dosimeter demo hospital --no-serve
  dosimeter demo hospital --only`,
    )
    .action(async (folder: string | undefined, flags: DemoFlags) => runDemo(folder, flags, session))
}

async function runDemo(given: string | undefined, flags: DemoFlags, session: Session): Promise<void> {
  const persons = Number(flags.persons)
  if (!/^\d{3,7}$/.test(flags.persons) || persons > 1_000_000)
    fail("cli/bad-option", {
      option: "--persons",
      got: flags.persons,
      wanted: "a whole number of 100 to 1000000",
    })
  const folder =
    given === undefined ? mkdtempSync(join(tmpdir(), "dosimeter-demo-")) : resolve(session.folder, given)
  const started = performance.now()
  const making = makeHospital(folder, { persons, replace: flags.force === true })
  await withProgress(session, () => "making up a hospital", making)
  const took = ((performance.now() - started) / 1000).toFixed(1)
  session.out(`A hospital of ${persons.toLocaleString("en")} patients, made up in ${took} s: ${folder}\n`)
  const policy = join(folder, hospitalFiles.policy)
  if (flags.only !== true)
    await withDataset(session, policy, async (engine) => showQuestions(engine, policy, session))
  session.out(next(policy, session.called))
  if (flags.only === true || flags.serve === false) return
  // A script that runs this must not wait for a server to be stopped.
  if (flags.serve === true || session.terminal !== undefined) await serveDemo(policy, session)
  else session.out(`  ${session.called} demo --serve   # the same, and then a server\n`)
}

async function showQuestions(engine: Engine, policy: string, session: Session): Promise<void> {
  const ask = async (sql: string, wanted: DemoQuestion["wanted"] = {}): Promise<void> => {
    session.out(`${indented(sql)}${optionsOf(wanted)}\n\n`)
    await answerQuestion(sql, { policy, ...wanted }, { engine, session })
  }
  for (const [index, { title, sql, remark, wanted }] of demoQuestions.entries()) {
    session.out(`${heading(`${index + 1}. ${title}`, session)}${remark}\n\n`)
    await ask(sql, wanted)
  }
  const [first] = demoQuestions
  session.out(heading("The first question again", session))
  if (first !== undefined) await ask(first.sql, first.wanted)
  session.out(heading("A question that is refused, and costs nothing", session))
  // The refusal is what is shown here, so the command goes on after the error.
  await ask(refusedQuestion).catch((reason: unknown) => session.out(drawProblems(reason, session.subject)))
  session.out(heading("What is left", session))
  session.out(await budgetText(engine, session))
}

function heading(text: string, { plain }: Session): string {
  return plain ? `\n${text}\n${"-".repeat(text.length)}\n` : `\n\u001B[1m${text}\u001B[0m\n`
}

/** What was asked besides the SQL, as it would be typed. */
function optionsOf(wanted: NonNullable<DemoQuestion["wanted"]>): string {
  const typed = Object.entries(wanted).map(
    ([name, value]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${value}`,
  )
  return typed.length === 0 ? "" : `\n  ${typed.join(" ")}`
}

function indented(sql: string): string {
  return sql.replace(/^/gm, "  ")
}

function next(policy: string, called: string): string {
  return `
Try next (the budget goes on from here):
  ${called} explain "SELECT AVG(year_of_birth) FROM person" --policy ${policy}
  ${called} ask "SELECT COUNT(*) FROM death" --within 50 --policy ${policy}
  ${called} ask --policy ${policy}   # a prompt; \\d lists the tables
  ${called} receipts --policy ${policy}
  ${called} ledger verify --policy ${policy}
`
}
