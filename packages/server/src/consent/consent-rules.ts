// Who is read: the one rule by which decisions become "in" or "out", for the engine, for what a person is
// shown, and for what was counted before. Of the decisions about a purpose and about those that contain it,
// the one about the narrowest holds: who said yes to research and no to ancestry is left out of ancestry.

import type { ConsentMode } from "@dosimeter/proof/catalog/catalog"
import type { Decision } from "./consents.ts"
import { withWider } from "../studies/purposes.ts"

/** What somebody decided, by purpose: the latest decision of each. */
export type Decided = ReadonlyMap<string, Decision>

/** A decision, and the purpose that it was about. */
export interface HoldingDecision {
  readonly purpose: string
  readonly decision: Decision
}

/** The decision that holds for a purpose: about itself, or about the nearest purpose that contains it. */
export function decisionFor(purpose: string, decided: Decided): HoldingDecision | undefined {
  for (const code of withWider(purpose)) {
    const decision = decided.get(code)
    if (decision !== undefined) return { purpose: code, decision }
  }
  return undefined
}

/** Whether somebody's data is read for something that has all of these purposes. */
export function isIncluded(mode: ConsentMode, purposes: readonly string[], decided: Decided): boolean {
  const holding = purposes.map((purpose) => decisionFor(purpose, decided)?.decision)
  return mode === "required"
    ? holding.length > 0 && holding.every((decision) => decision === "given")
    : !holding.includes("withdrawn")
}

/** What holds of some decisions that are in order, the latest first for each purpose. */
export function latestOf(decisions: readonly HoldingDecision[]): Decided {
  const decided = new Map<string, Decision>()
  for (const { purpose, decision } of decisions) {
    if (!decided.has(purpose)) decided.set(purpose, decision)
  }
  return decided
}
