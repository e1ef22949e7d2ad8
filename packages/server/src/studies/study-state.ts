// The life of a study: draft, submitted, approved or refused, active, closed; and who may move it on. Nothing
// here writes: it says what is allowed.

import { fail } from "../errors.ts"
import type { Role } from "../people/roles.ts"

/** Where a study stands. */
export type StudyState = "draft" | "submitted" | "approved" | "refused" | "active" | "closed"

/** What can be done to a study. */
export type StudyMove =
  | "edit"
  | "submit"
  | "review"
  | "voice"
  | "airlock"
  | "activate"
  | "suspend"
  | "resume"
  | "close"

/** A study as far as its life is concerned. */
export interface StudyLife {
  readonly id: string
  readonly state: StudyState
  readonly suspended: boolean
  readonly people: readonly string[]
  /** Days, as 2026-01-31; the last one counts. */
  readonly starts: string
  readonly ends: string
}

/** Somebody who wants to do something. */
export interface Actor {
  readonly name: string
  readonly role: Role
}

const from: Readonly<Record<StudyMove, readonly StudyState[]>> = {
  edit: ["draft"],
  submit: ["draft"],
  review: ["submitted"],
  voice: ["submitted", "approved", "active"],
  airlock: ["draft", "submitted", "approved"],
  activate: ["approved"],
  suspend: ["approved", "active"],
  resume: ["approved", "active"],
  close: ["draft", "submitted", "approved", "active"],
}

/** Refuses what may not be done. */
export function checkMove(study: StudyLife, move: StudyMove, actor: Actor): void {
  if (!isAllowed(study, move, actor)) {
    fail("study/not-allowed", { name: actor.name, move, study: study.id })
  }
  if (!from[move].includes(study.state)) {
    fail("study/wrong-state", { study: study.id, state: study.state, move, from: from[move].join(" or ") })
  }
}

function isAllowed({ people }: StudyLife, move: StudyMove, { name, role }: Actor): boolean {
  const isMember = people.includes(name)
  switch (move) {
    case "edit":
    case "submit":
      return isMember
    case "review":
      // Nobody judges their own study.
      return role === "committee" && !isMember
    case "voice":
      return role === "community" && !isMember
    case "activate":
      return role === "owner"
    case "airlock":
    case "suspend":
    case "resume":
      return role === "owner" || role === "committee"
    case "close":
      return role === "owner" || isMember
    default:
      return move satisfies never
  }
}

/** Refuses questions outside an active study, on its days, by its people. */
export function checkMayAsk(study: StudyLife, { name }: Actor, day: string): void {
  const { id, people, state, suspended, starts, ends } = study
  if (!people.includes(name)) fail("study/not-a-member", { name, study: id })
  if (state !== "active") fail("study/not-active", { study: id, why: `it is ${state}` })
  if (suspended) fail("study/not-active", { study: id, why: "it is suspended" })
  if (day < starts) fail("study/not-active", { study: id, why: `it begins on ${starts}` })
  if (day > ends) fail("study/not-active", { study: id, why: `it ended on ${ends}` })
}

/** Whether somebody may ask in a study on a day. */
export function mayAsk(
  { people, state, suspended, starts, ends }: StudyLife,
  { name }: Actor,
  day: string,
): boolean {
  return people.includes(name) && state === "active" && !suspended && starts <= day && day <= ends
}

/** Whether the days of a study are over, or have not begun. */
export function daysAreOff({ starts, ends }: StudyLife, day: string): "over" | "ahead" | undefined {
  if (day > ends) return "over"
  return day < starts ? "ahead" : undefined
}

/** What reviews amount to: one refusal refuses, two different people approve. */
export function outcomeOf(
  reviews: readonly { readonly reviewer: string; readonly decision: "approve" | "refuse" }[],
): "approved" | "refused" | "submitted" {
  if (reviews.some(({ decision }) => decision === "refuse")) return "refused"
  return new Set(reviews.map(({ reviewer }) => reviewer)).size >= reviewersNeeded ? "approved" : "submitted"
}

/** How many members of the committee must agree. */
export const reviewersNeeded = 2
