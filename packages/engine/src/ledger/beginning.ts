// How a ledger is begun, or found: what is looked at before its first entry, and why it may be refused.

import type { DosimeterError } from "@dosimeter/core"
import { errorOf } from "../errors.ts"
import type { AnchorProblem } from "./anchor.ts"
import type { AnchoredHead, Entry } from "./entries/entry.ts"
import type { LedgerState } from "./ledger-state.ts"
import { anchorWords } from "./replay.ts"

/** Something that remembers a ledger, where there is none. */
export interface Remembered {
  /** In a sentence: "its key". */
  readonly what: string
  /** How far that ledger had come, if it is known. */
  readonly head?: AnchoredHead
  /** Removes the trace: a new ledger has taken over what was spent. */
  readonly release?: () => void
}

/** How a ledger is begun. */
export interface Beginning {
  /** The id of a new one. */
  readonly id: string
  readonly opening: (at: string) => Entry
  readonly check: (state: LedgerState) => void
  /** Asked where there are no entries. */
  readonly remembered: () => Promise<readonly Remembered[]>
  readonly acknowledge?: (state: LedgerState, head: AnchoredHead | undefined, at: string) => Entry
  readonly join: string | undefined
  /** Whether a ledger that is refused stays open, to be looked at and acknowledged. */
  readonly held: boolean
}

/** Why a ledger is refused, if it is. */
export function refusalOf(
  problem: AnchorProblem | undefined,
  remembered: readonly Remembered[],
  ledger: { readonly path: string; readonly isShared: boolean; readonly anchor: string },
): DosimeterError | undefined {
  const { path, isShared, anchor } = ledger
  if (problem === "missing" && isShared) return errorOf("ledger/not-joined", { path })
  if (problem === "missing") return errorOf("ledger/anchor-missing", { path, anchor })
  if (problem !== undefined) return errorOf("ledger/rolled-back", { path, what: anchorWords[problem] })
  if (remembered.length === 0) return undefined
  return errorOf("ledger/lost", { path, what: remembered.map(({ what }) => what).join("; ") })
}
