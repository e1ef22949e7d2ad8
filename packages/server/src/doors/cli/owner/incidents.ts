// `dosimeter incidents`: what failed after it was charged, and opening again what it has closed.

import { ledgerFile, openLedger, type Incident, type Ledger } from "@dosimeter/engine"
import type { Command } from "commander"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fail } from "../../../errors.ts"
import { AuditLog } from "../../../audit/audit-log.ts"
import { showTime, tableText } from "../governance/acting.ts"
import { causeWords, incidentNotice } from "../show/incident-notice.ts"
import { withState } from "../session/server-state.ts"
import type { Session } from "../session/session.ts"
import { policyIn, shownPlace } from "./shared-ledger.ts"
import { ledgerPlace, stateFolder } from "../session/state-folder.ts"

interface IncidentFlags {
  readonly policy: string
  readonly reason?: string
  readonly all?: true
  readonly json?: true
}

/** Adds the command. */
export function addIncidents(program: Command, session: Session): void {
  program
    .command("incidents")
    .description("see what failed after it was charged, and open again what that has closed")
    .argument("[acknowledge]", "say that you have looked at incidents")
    .argument("[positions...]", "at which: their entries in the ledger")
    .option("--reason <text>", "what it was; it is written into the ledger")
    .option("--all", "list what was acknowledged as well")
    .option("--policy <file>", "the policy of the dataset", "dosimeter.yaml")
    .option("--json", "one JSON object")
    .addHelpText(
      "after",
      `
A question that fails after it was charged may tell about the data, and no noise hides that. So
whoever asked it gets no new answer until you have looked. It should never happen: find out why,
then acknowledge it.

Examples:
  dosimeter incidents
  dosimeter incidents --all --json
  dosimeter incidents acknowledge 8 --reason "the disk was full"`,
    )
    .action(async (deed: string | undefined, positions: readonly string[], flags: IncidentFlags) => {
      if (deed !== undefined && deed !== "acknowledge") {
        fail("cli/bad-option", { option: "incidents", got: deed, wanted: "acknowledge, or nothing" })
      }
      await withLedger(session, flags.policy, async (ledger) =>
        deed === undefined
          ? listIncidents(flags, ledger, session)
          : acknowledge(positions, flags, { ledger, session }),
      )
    })
}

async function listIncidents({ all, json }: IncidentFlags, ledger: Ledger, session: Session): Promise<void> {
  const found = (await ledger.incidents()).filter(({ seen }) => all === true || seen === undefined)
  if (json === true) return session.out(`${JSON.stringify(found.map(incidentJson), null, 2)}\n`)
  if (found.length === 0) return session.out("no question has failed after it was charged\n")
  const rows = found.map(({ position, at, principal, study, cause, seen }) => [
    `${position}`,
    showTime(at),
    principal,
    study ?? "",
    causeWords[cause],
    seen === undefined ? "waits for you" : `${seen.by.join(", ")}: ${seen.why}`,
  ])
  const head = ["entry", "time (UTC)", "who asked", "study", "what failed", "looked at by"]
  return session.out(`${tableText([head, ...rows])}${incidentNotice(found)}`)
}

async function acknowledge(
  positions: readonly string[],
  { policy, reason = "", json }: IncidentFlags,
  { ledger, session }: { readonly ledger: Ledger; readonly session: Session },
): Promise<void> {
  const wanted = "entries as dosimeter incidents shows them"
  if (positions.length === 0) fail("cli/bad-option", { option: "POSITION", got: "", wanted })
  for (const got of positions) {
    if (!/^\d{1,15}$/.test(got)) fail("cli/bad-option", { option: "POSITION", got: got.slice(0, 40), wanted })
  }
  if (reason.trim() === "") fail("cli/bad-option", { option: "--reason", got: reason, wanted: "a sentence" })
  for (const position of positions) {
    await ledger.reopen(BigInt(position), { by: ["the owner"], why: reason })
    await writeDown(session, policy, { position, reason })
  }
  const left = (await ledger.incidents()).filter(({ seen }) => seen === undefined)
  const value = { acknowledged: positions.map(Number), waiting: left.map(({ position }) => Number(position)) }
  const text = `acknowledged: ${positions.join(", ")}\n${incidentNotice(left)}`
  session.out(json === true ? `${JSON.stringify(value, null, 2)}\n` : text)
}

/** In the audit trail of a server, where there is one. */
async function writeDown(
  session: Session,
  policy: string,
  { position, reason }: { readonly position: string; readonly reason: string },
): Promise<void> {
  const file = join(stateFolder(session, policy), "server.state")
  if (session.store === undefined && !existsSync(file)) return
  await withState(session, policy, async (store) => {
    const facts = { entry: position, reason }
    const deed = { who: "the owner", what: "incident-acknowledged", about: `entry ${position}`, facts }
    await new AuditLog(store).write(deed)
  })
}

async function withLedger(
  session: Session,
  file: string,
  use: (ledger: Ledger) => Promise<void>,
): Promise<void> {
  const policy = await policyIn(session, file)
  if (session.store === undefined && !existsSync(ledgerFile(stateFolder(session, file), policy.dataset))) {
    fail("cli/no-ledger", { file: shownPlace(session, file, policy) })
  }
  const ledger = await openLedger(policy, ledgerPlace(session, file))
  try {
    await use(ledger)
  } finally {
    await ledger.close()
  }
}

function incidentJson(incident: Incident) {
  const { position, charge, study, seen, ...rest } = incident
  return {
    position: Number(position),
    charge: Number(charge),
    ...rest,
    study: study ?? null,
    seen: seen ?? null,
  }
}
