// The alarm in words: which questions failed after they were charged, and what to do.

import { ledgerFile, openLedger, type Incident } from "@dosimeter/engine"
import type { Policy } from "@dosimeter/policy/file/policy"
import { existsSync } from "node:fs"
import type { Session } from "../session/session.ts"
import { ledgerPlace, stateFolder } from "../session/state-folder.ts"

/** What went wrong, by the kind of its cause. */
export const causeWords: Readonly<Record<Incident["cause"], string>> = {
  database: "the database failed",
  time: "it took longer than is allowed",
  extract: "what came back cannot be",
  bug: "a bug of Dosimeter",
  lost: "processes ended over it",
  cancelled: "it was stopped",
  unknown: "not written down then",
}

/** Lines for the owner; nothing where nothing waits. */
export function incidentNotice(incidents: readonly Incident[]): string {
  const open = incidents.filter(({ seen }) => seen === undefined)
  const [first] = open
  if (first === undefined) return ""
  const count = open.length === 1 ? "one question" : `${open.length} questions`
  const people = [...new Set(open.filter(({ isUntold }) => !isUntold).map(({ principal }) => principal))]
  const studies = [...new Set(open.filter(({ isUntold }) => isUntold).map(({ study }) => study ?? ""))]
  return [
    `ALARM: ${count} failed after being charged, which may tell about the data`,
    ...(people.length === 0 ? [] : [`no new answers to: ${people.join(", ")}`]),
    ...(studies.length === 0 ? [] : [`no approvals in the studies: ${studies.join(", ")}`]),
    `find out why (dosimeter incidents), then: dosimeter incidents acknowledge ${first.position} --reason "..."`,
    "",
  ].join("\n")
}

/** One line for the operator's log. */
export function incidentLine({ position, principal, study, cause }: Incident): string {
  const where = study === undefined ? "" : ` in the study ${study}`
  return `ALARM: a question of ${principal}${where} failed after it was charged: ${causeWords[cause]} (entry ${position}); see dosimeter incidents\n`
}

/** The alarm of a policy whose ledger has begun. */
export async function noticeOf(session: Session, file: string, policy: Policy): Promise<string> {
  const hasBegun =
    session.store !== undefined || existsSync(ledgerFile(stateFolder(session, file), policy.dataset))
  if (!hasBegun) return ""
  const ledger = await openLedger(policy, ledgerPlace(session, file))
  try {
    return incidentNotice(await ledger.incidents())
  } finally {
    await ledger.close()
  }
}
