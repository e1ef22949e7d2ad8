// `dosimeter explain "SELECT ..."`: what a question would cost and give, free and without reading a row.

import type { Engine } from "@dosimeter/engine"
import type { Command } from "commander"
import { explanationObject } from "../../../answers/explanation-value.ts"
import { ownerName, ownerQuestions } from "../../../questions/owner-asker.ts"
import type { Priced } from "../../../questions/questions.ts"
import { withDataset } from "../session/dataset.ts"
import { addQuestionOptions, askingOf, questionOf, type QuestionFlags } from "./question.ts"
import type { Session } from "../session/session.ts"
import { budgetJson } from "../show/show-budget.ts"
import { widthOf, wrap } from "../show/layout.ts"

/** What explain takes besides the question. */
export interface ExplainFlags extends QuestionFlags {
  readonly sql?: true
}

/** Adds the command. */
export function addExplain(program: Command, session: Session): void {
  const command = program
    .command("explain")
    .description("say what a question would cost and how far off its answer may be; free")
    .argument("<sql>", "the question")
  addQuestionOptions(command)
    .option("--sql", "also print the SQL that would be sent to the database")
    .addHelpText(
      "after",
      `
Nothing is read and nothing is charged.

Examples:
  dosimeter explain "SELECT COUNT(*) FROM person"
  dosimeter explain "SELECT COUNT(*) FROM person" --within 50
  dosimeter explain "SELECT COUNT(*) FROM person" --epsilon 0.1 --json`,
    )
    .action(async (sql: string, flags: ExplainFlags) =>
      withDataset(session, flags.policy, async (engine) => explainQuestion(sql, flags, { engine, session })),
    )
}

/** Explains, and prints the explanation. */
export async function explainQuestion(
  sql: string,
  flags: ExplainFlags,
  { engine, session }: { readonly engine: Engine; readonly session: Session },
): Promise<void> {
  session.about(sql)
  const questions = ownerQuestions(engine, askingOf(flags))
  const priced = await questions.price(flags.as ?? ownerName, questionOf(sql, flags))
  if (flags.json === true) return session.out(await explainJson(priced, engine))
  const { explained, within } = priced
  const text = within === undefined ? explained.text : `${within}\n${explained.text}`
  const width = Math.min(100, session.terminal?.columns ?? 100)
  const lines = text.split("\n").map((line) => wrapLabelled(line, width))
  const sent = flags.sql === true ? `\n${explained.sql.join(";\n\n")};\n` : ""
  session.out(`${lines.join("\n")}\n${sent}`)
}

/** The first column of twelve is a label. */
function wrapLabelled(line: string, width: number): string {
  if (widthOf(line) <= width) return line
  const [label, text] = [line.slice(0, 12), line.slice(12).trimEnd()]
  return wrap(text, width - 12, " ".repeat(12)).replace(/^/, label)
}

async function explainJson({ explained, first }: Priced, engine: Engine): Promise<string> {
  const value = {
    ...explanationObject(explained, first),
    budget: budgetJson(await engine.account()),
  }
  return `${JSON.stringify(value, null, 2)}\n`
}
