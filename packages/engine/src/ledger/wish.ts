// An entry that somebody wants, and the state that it is decided on.

import type { Entry } from "./entries/entry.ts"
import type { EntryRow } from "./entry-store.ts"
import type { ReleaseText } from "./ledger.ts"
import type { LedgerState } from "./ledger-state.ts"

/** An entry to be made, with the release that it records. */
export interface Proposal {
  readonly entry: Entry
  readonly release?: ReleaseText
}

/** The state that a wish is decided on: the ledger at that time, with no other writer. */
export interface Moment {
  readonly state: LedgerState
  readonly at: string
  /** The charge of the wish's request, if there is one already. */
  readonly charged: EntryRow | undefined
}

/** An entry that somebody wants. */
export interface Wish {
  /** The key of the request that would be charged. */
  readonly request?: string
  /**
   * Whether its entry makes this process the holder of a charge: others must then be able to see that it
   * lives.
   */
  readonly holds?: true
  /** Decides; undefined: nothing to do; throws: refused. */
  readonly propose: (moment: Moment) => Proposal | undefined
}
