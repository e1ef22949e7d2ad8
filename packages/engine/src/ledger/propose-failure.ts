// Entries about failures, and about charges whose holder has ended: from a wish to the entry, or a refusal.

import { fail } from "../errors.ts"
import type { SettlementEntry } from "./entries/entry.ts"
import type { FailureCause, FailureEntry, ReopeningEntry, TakeOverEntry } from "./entries/failure-entries.ts"
import type { LedgerState, Waiting } from "./ledger-state.ts"

/** Refuses where an incident has closed a principal's door. */
export function checkDoor(state: LedgerState, principal: string): void {
  const [first] = state.incidents.closing(principal)
  if (first !== undefined) fail("ledger/door-closed", { principal, position: `${first.position}` })
}

/** The entry that says that a step of a series has failed. */
export function proposeFailure(
  state: LedgerState,
  { charge, cause, at }: { readonly charge: bigint; readonly cause: FailureCause; readonly at: string },
): FailureEntry {
  if (!state.series.has(charge)) return fail("ledger/series-elsewhere", { position: `${charge}`, step: "0" })
  return { kind: "failure", at, charge, cause }
}

/** The entry by which the owner opens again what an incident has closed. */
export function proposeReopening(
  state: LedgerState,
  { incident, by, why, at }: Omit<ReopeningEntry, "kind">,
): ReopeningEntry {
  if (!state.incidents.isOpen(incident)) return fail("ledger/no-incident", { position: `${incident}` })
  return { kind: "reopening", at, incident, by, why }
}

/** Who may settle a charge. */
export function holderOf({ entry, takenBy }: Waiting): string | undefined {
  return takenBy ?? entry.holder
}

/**
 * The entry that gives a charge whose holder has ended to another one, or says that it has failed where the
 * second holder has ended as well, or losses have another meaning by now; undefined if the holder is another
 * by now, or the charge has an outcome. Refused where the principal's door is closed: an answer that was paid
 * for earlier is an answer as well.
 *
 * Guarantee: of one charge at most one answer is ever shown, by however many processes it was read and drawn.
 * Needs: an answer is shown after its settlement has returned (runQuery, runWorkload).
 * Proof: a settlement is accepted from the holder alone, while the charge waits; a takeover changes the
 *   holder, in the same order of entries. So of all who ever held it one settles it, and those who held it
 *   before are refused: what they drew is shown to nobody. Which processes live does not matter for this: it
 *   is asked so that nobody's work is thrown away (EntryStore.isLive).
 *   What was drawn and never shown is no release: the shown answer is one draw of the mechanism that was
 *   charged for, and whether there was a takeover depends on the ends of processes.
 * Numerics: none.
 * Source: this file.
 */
export function proposeTakeOver(
  state: LedgerState,
  wish: {
    readonly position: bigint
    readonly from: string | undefined
    readonly to: string
    readonly at: string
  },
): TakeOverEntry | SettlementEntry | undefined {
  const { position, from, to, at } = wish
  const waiting = state.waiting.get(position)
  if (waiting === undefined || holderOf(waiting) !== from) return undefined
  const covers = position >= state.meaningSince
  if (waiting.takenBy !== undefined || !covers) return lostSettlement(position, at)
  checkDoor(state, waiting.entry.principal)
  return { kind: "takeover", at, charge: position, holder: to }
}

/** The entry that says that the processes that held a charge have ended. */
export function lostSettlement(charge: bigint, at: string): SettlementEntry {
  return { kind: "settlement", at, charge, outcome: "failed", cause: "lost" }
}

/** A waiting charge, and its holders other than this process. */
export interface Suspect {
  readonly position: bigint
  readonly holder: string | undefined
  readonly holders: readonly string[]
}

/**
 * The waiting charges of a principal that other processes hold, where those processes are two or more: if all
 * of them have ended, that is no accident of one process, and the asker may have caused it.
 */
export function suspectsOf(state: LedgerState, principal: string, own: string): readonly Suspect[] {
  const found: Suspect[] = []
  for (const [position, waiting] of state.waiting) {
    const { entry, takenBy } = waiting
    if (entry.principal !== principal) continue
    const holders = [entry.holder ?? beforeHolders, ...(takenBy === undefined ? [] : [takenBy])]
    const others = holders.filter((holder) => holder !== own)
    if (others.length > 0) found.push({ position, holder: holderOf(waiting), holders: others })
  }
  return new Set(found.flatMap(({ holders }) => holders)).size < 2 ? [] : found
}

/** Stands for whoever held charges before holders were written down. */
export const beforeHolders = "before holders were written down"
