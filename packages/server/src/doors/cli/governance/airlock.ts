// `dosimeter airlock`: releases that wait for somebody to look at them.

import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { writeAnswer, writeAnswers, type RecordedAnswer } from "@dosimeter/answers/shown/answer-text"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import { type Ledger, openLedger, readWithSource } from "@dosimeter/engine"
import type { Command } from "commander"
import { dirname, resolve } from "node:path"
import { Airlock, type HeldRelease, type ShownRelease } from "../../../studies/airlock.ts"
import { actingOptions, showTime, tableText, withActor, type ActingFlags } from "./acting.ts"
import { showAnswer } from "../show/show-answer.ts"
import { ledgerPlace } from "../session/state-folder.ts"
import type { Session } from "../session/session.ts"

interface AirlockFlags extends ActingFlags {
  readonly why?: string
  readonly study?: string
  readonly all?: true
  readonly json?: true
}

/** Adds the command. */
export function addAirlock(program: Command, session: Session): void {
  const airlock = program
    .command("airlock")
    .description("look at releases that wait for an approval, and approve or refuse them")
  actingOptions(airlock.command("list").description("list what waits"))
    .option("--study <id>", "of one study")
    .option("--all", "what was decided as well")
    .option("--json", "one JSON object")
    .action(async (flags: AirlockFlags) =>
      withAirlock(session, flags, async (held) => {
        const found = (await held.list(flags.study)).filter(
          ({ state }) => flags.all === true || state === "waiting",
        )
        session.out(flags.json === true ? `${JSON.stringify(found, null, 2)}\n` : heldText(found))
      }),
    )
  actingOptions(
    airlock.command("show <release>").description("the release as it would leave: noisy, never exact"),
  )
    .option("--study <id>", "of this study, where several wait for it")
    .option("--json", "one JSON object")
    .action(async (release: string, flags: AirlockFlags) =>
      withActor(session, flags, async (store, actor) =>
        withLedger(session, flags.policy, async (ledger) => {
          const found = await new Airlock(store, ledger).show(release, actor, flags.study)
          session.out(flags.json === true ? shownJson(found) : shownText(found))
        }),
      ),
    )
  for (const decision of ["approve", "refuse"] as const) {
    const words = { approve: "let it leave", refuse: "keep it inside for ever" }
    actingOptions(airlock.command(`${decision} <release>`).description(words[decision]))
      .requiredOption("--why <reasons>", "the reasons, for the analyst to read")
      .option("--study <id>", "of this study, where several wait for it")
      .action(async (release: string, flags: AirlockFlags) =>
        withActor(session, flags, async (store, actor) =>
          withLedger(session, flags.policy, async (ledger) => {
            const { why: reasons = "", study } = flags
            const review = { decision, reasons, ...(study === undefined ? {} : { study }) }
            await new Airlock(store, ledger).review(release, review, actor)
            session.out(`release ${release} is ${decision === "approve" ? "approved" : "refused"}\n`)
          }),
        ),
      )
  }
}

async function withAirlock(
  session: Session,
  flags: AirlockFlags,
  use: (airlock: Airlock) => Promise<void>,
): Promise<void> {
  await withActor(session, flags, async (store) =>
    withLedger(session, flags.policy, (ledger) => use(new Airlock(store, ledger))),
  )
}

/** Runs something with the ledger of a policy. */
export async function withLedger(
  session: Session,
  file: string,
  use: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const folder = dirname(resolve(session.folder, file))
  const policy = await readWithSource(session.read(file), folder)
  const ledger = await openLedger(policy, ledgerPlace(session, file))
  try {
    await use(ledger)
  } finally {
    await ledger.close()
  }
}

function heldText(held: readonly HeldRelease[]): string {
  if (held.length === 0) return "nothing waits\n"
  return tableText([
    ["release", "study", "state", "asked by", "at (UTC)", "question"],
    ...held.map(({ charge, study, state, askedBy, askedAt, question }) => [
      charge,
      study,
      state,
      askedBy,
      showTime(askedAt),
      question.length > 60 ? `${question.slice(0, 59)}…` : question,
    ]),
  ])
}

function shownText({ charge, study, state, askedBy, question, answer }: ShownRelease): string {
  const tables = tablesIn(answer)
  const shown = tables.map((table) => showAnswer(table, { intervals: false }))
  const lines = shown.length === 0 ? ["its answer cannot be shown"] : shown.flat()
  return [
    `release ${charge} of the study ${study}, ${state}; asked by ${askedBy}:`,
    question,
    "",
    ...lines,
    "",
  ].join("\n")
}

/** With the texts that the ledger has. */
function shownJson({ answer, receipt, ...held }: ShownRelease): string {
  const tables = tablesIn(answer)
  const [only] = tables
  const text =
    answer?.kind === "workload" ? writeAnswers(tables) : only === undefined ? "" : writeAnswer(only)
  const own = { ...held, answer: text, receipt: receipt === undefined ? "" : writeReceipt(receipt) }
  return `${JSON.stringify(own, null, 2)}\n`
}

// One, or several where questions were asked together.
function tablesIn(recorded: RecordedAnswer | undefined): readonly AnswerTable[] {
  if (recorded?.kind === "workload") return recorded.answers
  return recorded?.kind === "answer" ? [recorded.answer] : []
}
