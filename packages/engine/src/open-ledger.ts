// The ledger of a policy: in a file beside it, or in a store that several machines share.

import type { Policy } from "@dosimeter/sql"
import { join, resolve } from "node:path"
import type { Ledger } from "./ledger/ledger.ts"
import { openPostgresLedger } from "./ledger/postgres-ledger.ts"
import { openSqliteLedger } from "./ledger/sqlite-ledger.ts"

/** Where the ledger of a policy is, and what is known of it. */
export interface LedgerPlace {
  /** The policy's folder: a path in it begins here. */
  readonly folder: string
  /** The folder of its state. */
  readonly state: string
  /** The URL of a PostgreSQL that several processes share; a file in the folder of the state if left out. */
  readonly store?: string
  /** Only where this machine sees a shared ledger for the first time: a head that it is known to contain. */
  readonly join?: string
}

/** Opens the ledger of a policy, with its anchor where the owner keeps it. */
export async function openLedger(policy: Policy, place: LedgerPlace): Promise<Ledger> {
  const { state, store, join: head } = place
  const { dataset } = policy
  const options = {
    dataset,
    anchor: anchorFile(policy, place),
    ...(head === undefined ? {} : { join: head }),
  }
  if (store !== undefined) return openPostgresLedger(store, options)
  return openSqliteLedger(ledgerFile(state, dataset), options)
}

/**
 * Where the anchor of a ledger is on this machine. It is one for both kinds of ledgers: one that is begun
 * anew in the other kind is noticed.
 */
export function anchorFile({ dataset, anchor }: Policy, { folder, state }: LedgerPlace): string {
  return anchor === undefined ? `${ledgerFile(state, dataset)}.anchor` : resolve(folder, anchor)
}

/** Where the ledger of a dataset is, in the folder of its state. */
export function ledgerFile(state: string, dataset: string): string {
  return join(state, `${dataset}.ledger`)
}
