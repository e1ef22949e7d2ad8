// `dosimeter ask "SELECT ..."`: answers a question and charges for it; without a question, a prompt.

import { Option, type Command } from "commander"
import { answerQuestion, type AnswerFlags } from "./answer-question.ts"
import { withDataset } from "../session/dataset.ts"
import { stateFolder } from "../session/state-folder.ts"
import { runPrompt } from "./prompt.ts"
import { addQuestionOptions } from "./question.ts"
import type { Session } from "../session/session.ts"

/** Adds the command. */
export function addAsk(program: Command, session: Session): void {
  const command = program
    .command("ask")
    .description("answer a question in SQL and charge for it; without one, open a prompt")
    .argument("[sql]", "the question; if left out, questions are read from the prompt or the pipe")
  addQuestionOptions(command)
    .addOption(new Option("--csv", "comma-separated values").conflicts("json"))
    .option("--yes", "with --within: do not wait for a yes")
    .option("--intervals", "write intervals as [low, high]; with --csv, as columns of their own")
    .addHelpText(
      "after",
      `
The charge is recorded before the first row is read, and stands whatever happens then. The same
question on the same data is answered from the record, free. What it would cost: dosimeter explain

Examples:
  dosimeter ask "SELECT COUNT(*) FROM person"
  dosimeter ask "SELECT COUNT(*) FROM person" --policy hospital.yaml --epsilon 0.1
  dosimeter ask "SELECT COUNT(*) FROM person" --within 50 --yes --json
  dosimeter ask 'SELECT COUNT(*) FROM person WHERE year_of_birth < $1' --param 1950
  dosimeter ask                      a prompt: SQL ends with ; and \\q ends the session
  dosimeter ask < questions.sql      each question ends with ; the first error stops`,
    )
    .action(async (sql: string | undefined, flags: AnswerFlags) =>
      withDataset(session, flags.policy, async (engine) => {
        if (sql !== undefined) return answerQuestion(sql, flags, { engine, session })
        await runPrompt({ engine, session, flags, state: stateFolder(session, flags.policy) })
      }),
    )
}
