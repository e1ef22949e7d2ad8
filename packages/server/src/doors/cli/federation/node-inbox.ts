// `dosimeter node inbox`, `approve` and `refuse`: a job in plain words, and what the house says to it.

import type { Command } from "commander"
import { Inbox, type InboxJob } from "../../../federation/node/inbox.ts"
import { fail } from "../../../errors.ts"
import { actingOptions, showTime, tableText, withActor, type ActingFlags } from "../governance/acting.ts"
import { confirmed } from "../session/confirm.ts"
import type { Session } from "../session/session.ts"
import { safeText } from "../show/layout.ts"
import { aboutText, sqlText } from "./coordinator-jobs.ts"

interface DecideFlags extends ActingFlags {
  readonly why?: string
  readonly yes?: true
}

/** Adds the commands to `node`. */
export function addInboxCommands(node: Command, session: Session): void {
  actingOptions(
    node.command("inbox").argument("[job]").description("list the jobs, or show one in plain words"),
  )
    .option("--json", "one JSON object")
    .action(async (id: string | undefined, flags: ActingFlags & { readonly json?: true }) =>
      withActor(session, flags, async (store) => {
        const inbox = new Inbox(store)
        const found = id === undefined ? await inbox.list() : await inbox.find(id)
        if (flags.json === true) session.out(`${JSON.stringify(found, null, 2)}\n`)
        else session.out("id" in found ? jobText(found) : listText(found))
      }),
    )
  actingOptions(node.command("approve <job>").description("let this site take part in a job, and charge it"))
    .option("--why <reasons>", "the reasons; they are written into the audit trail")
    .option("--yes", "approve without asking")
    .action(async (id: string, flags: DecideFlags) =>
      withActor(session, flags, async (store, actor) => {
        const inbox = new Inbox(store)
        const job = await inbox.find(id)
        session.out(jobText(job))
        const isAgreed = flags.yes === true || (await confirmed(session, "Take part in this job?"))
        if (!isAgreed) fail("cli/not-confirmed", {})
        await inbox.decide(id, { decision: "approve", reasons: flags.why ?? "" }, actor)
        session.out(`job ${short(job.id)} is approved; the node charges it and takes part when it runs\n`)
      }),
    )
  actingOptions(node.command("refuse <job>").description("keep this site out of a job; nothing is charged"))
    .requiredOption("--why <reasons>", "the reasons; the lead reads them")
    .action(async (id: string, flags: DecideFlags) =>
      withActor(session, flags, async (store, actor) => {
        const decided = await new Inbox(store).decide(
          id,
          { decision: "refuse", reasons: flags.why ?? "" },
          actor,
        )
        session.out(`job ${short(decided.id)} is refused\n`)
      }),
    )
}

function listText(jobs: readonly InboxJob[]): string {
  if (jobs.length === 0) return "no job was offered yet\n"
  return tableText([
    ["job", "came (UTC)", "state", "epsilon", "answer by (UTC)", "question"],
    ...jobs.map(({ id, receivedAt, state, offer, document }) => [
      short(id),
      showTime(receivedAt),
      state,
      offer?.epsilon ?? "",
      offer === undefined ? "" : showTime(offer.document.deadlines.approval),
      oneLine(aboutText(document.document)),
    ]),
  ])
}

/** A job in plain words. */
export function jobText(job: InboxJob): string {
  const { id, state, offer, document, decidedBy, decidedAt, reasons } = job
  const { study, purpose, sql } = document.document
  const said = decidedBy === undefined ? "" : ` by ${decidedBy}, ${showTime(decidedAt ?? "")} UTC`
  const why = reasons === undefined || reasons === "" ? "" : `\nreasons: ${safeText(reasons)}`
  const words = (offer?.words ?? []).map((line) => `- ${safeText(line)}`).join("\n")
  return `job ${short(id)} of the study ${safeText(study)}: ${state}${said}${why}

${safeText(purpose)}

${sqlText(sql)}

${words}
`
}

function short(id: string): string {
  return id.slice(0, 12)
}

function oneLine(sql: string): string {
  const line = sql.replaceAll(/\s+/g, " ").trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
