// An entry that somebody wants, and what it is decided on.

import type { Entry } from "./entries/entry.ts"
import type { EntryRow } from "./entry-store.ts"
import type { ReleaseText } from "./ledger.ts"
import type { LedgerState } from "./ledger-state.ts"

/** An entry to be made, with the release that it records. */
export interface Proposal {
  readonly entry: Entry
  readonly release?: ReleaseText
}

/** What a wish is decided on: the ledger as it is then, with nobody else writing. */
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
  /** Whether its entry makes a charge ours: others must be able to see then that we live. */
  readonly holds?: true
  /** Decides; undefined: nothing to do; throws: refused. */
  readonly propose: (moment: Moment) => Proposal | undefined
}
