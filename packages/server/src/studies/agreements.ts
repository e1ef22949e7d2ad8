// The agreements and refusals about a request (agreed-requests.ts). One refusal refuses it; two people who
// agree, one of them of the committee, grant it.

import { fail } from "../errors.ts"
import { roleNamed, type Role } from "../people/roles.ts"
import { asStored, nextPosition } from "../state/state-schema.ts"
import { textOf, type StateAccess, type StateRow } from "../state/state-store.ts"
import type { Actor } from "./study-state.ts"

/** What one person said about a request. */
export interface Agreement {
  readonly name: string
  readonly role: Role
  readonly decision: "agree" | "refuse"
  readonly reasons: string
  readonly at: string
}

/** Where a request stands. */
export type RequestState = "open" | "granted" | "refused"

/** How many people must agree. */
const agreementsNeeded = 2

/** The tables of agreements, one for each kind of request. */
export type AgreementTable = "budget_agreements" | "ledger_agreements"

/** What becomes of a request: one refusal refuses; two who agree, one of the committee, grant it. */
export function outcomeOf(agreements: readonly Agreement[]): RequestState {
  if (agreements.some(({ decision }) => decision === "refuse")) return "refused"
  const isEnough =
    agreements.length >= agreementsNeeded && agreements.some(({ role }) => role === "committee")
  return isEnough ? "granted" : "open"
}

/** Who may decide: owner and committee; nobody about their own study. */
export function mayDecide({ name, role }: Actor, members: readonly string[]): boolean {
  return (role === "owner" || role === "committee") && !members.includes(name)
}

/** Where a request stands, as it is stored. What cannot be read is refused. */
export function stateOf(row: StateRow): RequestState {
  const state = textOf(row, "state")
  return state === "open" || state === "granted" ? state : "refused"
}

/** Stores what one person said about a request. */
export async function writeAgreement(
  access: StateAccess,
  to: AgreementTable,
  request: number,
  agreement: Agreement,
): Promise<void> {
  const { name, role, decision, reasons, at } = agreement
  await access.run(
    `INSERT INTO ${to} (request, name, role, decision, reasons, at, position)
     VALUES (?, ?, ?, ?, ?, ?, ${nextPosition(to)})`,
    [request, name, role, decision, reasons, at],
  )
}

/** What people have said about a request, the first first. */
export async function agreementsOn(
  access: StateAccess,
  from: AgreementTable,
  request: number,
): Promise<readonly Agreement[]> {
  const rows = await access.all(`SELECT * FROM ${from} WHERE request = ? ${asStored("at, name")}`, [request])
  return rows.map(agreementOf)
}

/** Refuses a request, an agreement or a refusal without reasons. */
export function checkReasons(reasons: string): void {
  if (reasons.trim() === "") fail("raise/no-reasons", {})
}

function agreementOf(row: StateRow): Agreement {
  return {
    name: textOf(row, "name"),
    role: roleNamed(textOf(row, "role")) ?? "participant",
    decision: textOf(row, "decision") === "agree" ? "agree" : "refuse",
    reasons: textOf(row, "reasons"),
    at: textOf(row, "at"),
  }
}
