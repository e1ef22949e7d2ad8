// A ledger in PostgreSQL: durable, shared by any number of processes on any number of machines. Each machine
// keeps an anchor of its own, so that a database restored from a backup is noticed by every machine that has
// seen later entries.

import { postgresAddress } from "../../postgres/postgres-address.ts"
import { patienceDefaultMs, PostgresConnection, sayingLost } from "../../postgres/postgres-connection.ts"
import { schemaOf } from "../../postgres/postgres-tables.ts"
import { anchorOf, type AnchorOf } from "../anchor.ts"
import { openChainLedger, type OpenOptions } from "../chain-ledger.ts"
import type { Ledger } from "../ledger.ts"
import { PostgresStore } from "./postgres-store.ts"

/** Where a shared ledger's anchor is kept on this machine, and how long others are waited for. */
export interface PostgresLedgerOptions extends OpenOptions {
  /** The anchor's file, or where anchors are: on this machine, not in the database. */
  readonly anchor: string | AnchorOf
  /** How long to wait for other writers, and for a server that is starting again: a minute if left out. */
  readonly patienceMs?: number
}

/**
 * Opens a ledger, or makes a new one in a schema of its own. All entries are read and checked; what is wrong
 * is refused with a remedy.
 */
export async function openPostgresLedger(url: string, options: PostgresLedgerOptions): Promise<Ledger> {
  const schema = schemaOf(options.dataset)
  const connection = new PostgresConnection(postgresAddress(url), {
    lock: `ledger ${schema}`,
    patienceMs: options.patienceMs ?? patienceDefaultMs,
    integers: "bigint",
  })
  const store = new PostgresStore(connection, schema)
  try {
    await sayingLost(async () => store.prepare())
    return await openChainLedger({ store, anchor: anchorOf(options.anchor) }, options)
  } catch (error) {
    await store.close()
    throw error
  }
}
