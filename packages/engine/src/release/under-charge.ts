// From a question to the charge that it is answered under, and to what becomes of that charge. The same for
// one question and for several that are asked together.

import { DosimeterError } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { FailureCause } from "../ledger/entries/failure-entries.ts"
import { showAccount, type AccountName } from "../ledger/entries/account.ts"
import type { Ledger, RecordedRelease, RequestKey } from "../ledger/ledger.ts"
import type { Bill } from "./bill.ts"
import { releaseKey } from "./key/release-key.ts"
import { Permit } from "./permit.ts"

/** What the ledger has for a question: its answer, a charge that nobody answers any more, or nothing. */
export interface Known {
  readonly release?: RecordedRelease
  /** The permit of a charge that was taken over. */
  readonly left?: Permit
}

/**
 * Looks a question up before it is charged for. A charge whose process has ended is taken over: nothing of it
 * was shown, since an answer is recorded before it is shown (proposeTakeOver).
 */
export async function lookForCharge(
  ledger: Ledger,
  bill: Bill,
  asker: RequestKey & { readonly study?: string },
): Promise<Known> {
  const { principal, requestId, study } = asker
  const key = bill.question
  const who = { principal, requestId, ...(study === undefined ? {} : { study }) }
  const request = await ledger.findRequest({ ...key, ...who })
  if (request.state === "released") return { release: request.release }
  if (request.state !== "in-progress" && request.untold !== undefined) {
    return fail("ledger/untold", { position: `${request.untold}` })
  }
  if (request.state === "failed") return fail("ledger/request-failed", { request: requestId })
  const release = await ledger.find(key)
  if (release !== undefined) return { release }
  const ended = request.state === "in-progress" ? request.reservation : request.left
  const left = ended === undefined ? undefined : await ledger.takeOver(ended)
  if (left === undefined && request.state === "in-progress")
    fail("ledger/request-known", { request: requestId })
  return left === undefined ? {} : { left: new Permit(releaseKey, bill, left) }
}

/**
 * Does what a charge was made for. Whatever fails, the charge stands, and the ledger says so with the kind of
 * cause; what fails because of the ledger itself waits there, to be taken over.
 */
export async function underCharge<Result>(
  ledger: Ledger,
  { reservation }: Permit,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const cause = causeOf(error)
    if (cause !== undefined) await ledger.settle(reservation, { outcome: "failed", cause })
    throw error
  }
}

/** The kind of an error, without anything that it says; undefined for one of the ledger. */
export function causeOf(error: unknown): FailureCause | undefined {
  if (!(error instanceof DosimeterError)) return "bug"
  const { code } = error
  if (/^(ledger|store|series)\//.test(code)) return undefined
  // What other sites or the coordinator have sent: nothing of a row.
  if (code.startsWith("federation/")) return "cancelled"
  return causes.get(code) ?? (code.startsWith("backend/") ? "extract" : "bug")
}

const causes: ReadonlyMap<string, FailureCause> = new Map([
  ["backend/cancelled", "cancelled"],
  // Caused by the owner, not by a row: no door closes.
  ["dataset/changed", "cancelled"],
  ["backend/too-slow", "time"],
  ["backend/failed", "database"],
  ["backend/too-large", "database"],
  // The last look at the data found nobody there.
  ["dataset/unreachable", "database"],
])

/** Where nothing is charged: nobody may ask in a name that has no account. */
export async function checkAccounts(
  ledger: Ledger,
  { accounts }: { readonly accounts: readonly AccountName[] },
): Promise<void> {
  const known = new Set((await ledger.accounts()).map(({ name }) => name))
  for (const name of accounts) {
    if (!known.has(name)) fail("ledger/unknown-account", { account: showAccount(name) })
  }
}
