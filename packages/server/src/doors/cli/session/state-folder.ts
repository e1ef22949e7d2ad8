// Where a dataset keeps what belongs to it: beside its policy.

import type { LedgerPlace } from "@dosimeter/engine"
import { dirname, join, resolve } from "node:path"
import type { Session } from "./session.ts"

/** Where the ledger and what belongs to it is kept: beside the policy. */
export function stateFolder(session: Session, policy: string): string {
  return join(dirname(resolve(session.folder, policy)), ".dosimeter")
}

/** Where the ledger of a policy is, or its anchor and key if a store is shared. */
export function ledgerPlace(session: Session, policy: string): LedgerPlace {
  const { store } = session
  const place = { folder: dirname(resolve(session.folder, policy)), state: stateFolder(session, policy) }
  return store === undefined ? place : { ...place, store }
}
