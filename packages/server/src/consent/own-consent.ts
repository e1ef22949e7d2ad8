// What a participant is shown of consent: for each purpose whether their data is read, and why. The engine's
// list is made by the same rule.

import type { Policy } from "@dosimeter/policy/file/policy"
import { decisionFor, isIncluded, latestOf, type HoldingDecision } from "./consent-rules.ts"
import type { KeptDecision } from "./consents.ts"
import { narrowerOf, purposes, widerOf } from "../studies/purposes.ts"

/** One purpose as it stands for somebody. */
export interface OwnPurpose {
  readonly code: string
  readonly name: string
  /** The purpose that contains it; null for the widest. */
  readonly wider: string | null
  /** Whether a question that is asked now reads their data. */
  readonly included: boolean
  /** The same once every decision so far counts: later than now where decisions count from midnight on. */
  readonly includedNext: boolean
  /** The decision behind `includedNext`, about this purpose or a wider one; null where there is none. */
  readonly because: HoldingDecision | null
}

/** What holds for somebody who decided so; empty where nobody is asked. */
export function ownPurposes(
  history: readonly KeptDecision[],
  { catalog, consentRefresh: refresh }: Pick<Policy, "catalog" | "consentRefresh">,
  now: Date,
): readonly OwnPurpose[] {
  if (catalog.consent === undefined) return []
  const { mode } = catalog.consent
  const before = refresh === "daily" ? lastMidnight(now) : undefined
  const counting = history.filter(({ recordedAt }) => before === undefined || recordedAt < before)
  const [today, all] = [latestOf(counting), latestOf(history)]
  return purposes
    .filter(({ kind }) => kind === "permission")
    .map(({ code, name }) => ({
      code,
      name,
      wider: widerOf(code) ?? null,
      included: isIncluded(mode, [code], today),
      includedNext: isIncluded(mode, [code], all),
      because: decisionFor(code, all) ?? null,
    }))
}

/** A purpose and all that it contains: refusing all of these refuses the whole. */
export function withNarrower(code: string): readonly string[] {
  return [code, ...narrowerOf(code).flatMap(withNarrower)]
}

/** The beginning of the day, as decisions count that come into force daily. */
export function lastMidnight(now: Date): string {
  return `${now.toISOString().slice(0, 10)}T00:00:00.000Z`
}
