// Entries about what failed after it was charged, and about charges whose process has ended: what they hold,
// and how they are read. None of them holds a value of the data.

import { countField, listField, readText, textField, Unreadable, wordField } from "./canonical.ts"
import { isName } from "./account.ts"

/**
 * What kind of thing went wrong: the database failed; the question took longer than is allowed; what came
 * back cannot be; a bug of ours; the process ended twice; it was stopped, by whoever asked or because
 * the owner has changed the data meanwhile.
 */
export const failureCauses = ["database", "time", "extract", "bug", "lost", "cancelled"] as const

/** Why a charge has no answer. */
export type FailureCause = (typeof failureCauses)[number]

/** A step of a series failed: its charge was settled long ago, so the failure has an entry of its own. */
export interface FailureEntry {
  readonly kind: "failure"
  readonly at: string
  /** The position of the charge. */
  readonly charge: bigint
  readonly cause: FailureCause
}

/** The owner has looked at an incident: what it had closed is open again. */
export interface ReopeningEntry {
  readonly kind: "reopening"
  readonly at: string
  /** The position of the entry that told of the incident. */
  readonly incident: bigint
  readonly by: readonly string[]
  readonly why: string
}

/** The process that held a charge has ended: another one answers the same question under it. */
export interface TakeOverEntry {
  readonly kind: "takeover"
  readonly at: string
  /** The position of the charge. */
  readonly charge: bigint
  /** Who answers it now. */
  readonly holder: string
}

/** Reads what is not common to all entries; throws Unreadable. */
export function readFailure(value: unknown): Pick<FailureEntry, "charge" | "cause"> {
  return { charge: countField(value, "charge"), cause: wordField(value, "cause", failureCauses) }
}

/** Reads what is not common to all entries; throws Unreadable. */
export function readReopening(value: unknown): Pick<ReopeningEntry, "incident" | "by" | "why"> {
  const by = listField(value, "by", readText)
  if (by.length === 0) throw new Unreadable("was decided by nobody")
  return { incident: countField(value, "incident"), by, why: textField(value, "why") }
}

/** Reads what is not common to all entries; throws Unreadable. */
export function readTakeOver(value: unknown): Pick<TakeOverEntry, "charge" | "holder"> {
  const holder = textField(value, "holder")
  if (!isName(holder)) throw new Unreadable("has no proper holder")
  return { charge: countField(value, "charge"), holder }
}
