// A ledger in a file, for real use: durable, shared by any number of processes on one machine, anchored.

import { DosimeterError } from "@dosimeter/core"
import { fileAnchor } from "./anchor.ts"
import { openChainLedger, type OpenOptions } from "./chain-ledger.ts"
import { fail } from "../errors.ts"
import type { Ledger } from "./ledger.ts"
import { isBusyError, SqliteStore } from "./sqlite-store.ts"

/** Where a ledger in a file keeps its anchor. */
export interface SqliteLedgerOptions extends OpenOptions {
  /**
   * The anchor's file; beside the ledger if left out. It notices an old copy only if it is not restored
   * together with the ledger, so the owner should name another disk or a folder that backups leave alone.
   */
  readonly anchor?: string
  /** How long to wait for another process that writes: 10 seconds if left out. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens a ledger, or makes a new one. All entries are read and checked; what is wrong is refused with a
 * remedy.
 */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions): Promise<Ledger> {
  const store = openStore(path, options.busyTimeoutMs ?? 10_000)
  try {
    return await openChainLedger({ store, anchor: fileAnchor(options.anchor ?? `${path}.anchor`) }, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

function openStore(path: string, busyTimeoutMs: number): SqliteStore {
  try {
    return new SqliteStore(path, busyTimeoutMs)
  } catch (error) {
    if (error instanceof DosimeterError) throw error
    const isOther = error instanceof Error && /not a database|malformed/i.test(error.message)
    if (isOther) fail("ledger/not-a-ledger", { path })
    return fail(isBusyError(error) ? "ledger/busy" : "ledger/failed", { path })
  }
}
