// A ledger in a file, for real use: durable, shared by any number of processes on one machine, anchored.

import { DosimeterError } from "@dosimeter/core"
import { anchorOf, type AnchorOf } from "../anchor.ts"
import { openChainLedger, type OpenOptions } from "../chain-ledger.ts"
import { fail } from "../../errors.ts"
import type { Ledger } from "../ledger.ts"
import { isBusyError, patiently } from "./sqlite-patience.ts"
import { isDamageError, looksLikeLedger, SqliteStore } from "./sqlite-store.ts"

/** Longer than any queue of processes on one machine should take. */
const patienceDefaultMs = 60_000

/** Where a ledger in a file keeps its anchor. */
export interface SqliteLedgerOptions extends OpenOptions {
  /**
   * The anchor's file; beside the ledger if left out. An old copy of the ledger is noticed only if the anchor
   * is not restored together with it, so the owner should name another disk or a folder that backups leave
   * alone.
   */
  readonly anchor?: string | AnchorOf
  /** How long to wait for other processes that write: a minute if left out. */
  readonly busyTimeoutMs?: number
}

/**
 * Opens a ledger, or makes a new one. All entries are read and checked; what is wrong is refused with a
 * remedy.
 */
export async function openSqliteLedger(path: string, options: SqliteLedgerOptions): Promise<Ledger> {
  const store = await openStore(path, options)
  try {
    return await openChainLedger({ store, anchor: anchorOf(options.anchor ?? `${path}.anchor`) }, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openStore(path: string, options: SqliteLedgerOptions): Promise<SqliteStore> {
  const patienceMs = options.busyTimeoutMs ?? patienceDefaultMs
  try {
    return await patiently(patienceMs, async () => new SqliteStore(path, patienceMs))
  } catch (error) {
    // A file that has entries of ours in it, or that somebody remembers as a ledger, is one that was damaged.
    const isOther =
      (error instanceof DosimeterError && error.code === "ledger/not-a-ledger") || isDamageError(error)
    if (isOther && (looksLikeLedger(path) || ((await options.remembered?.()) ?? []).length > 0)) {
      fail("ledger/damaged", { path, position: "0", what: "the file is no longer a database" })
    }
    if (error instanceof DosimeterError) throw error
    if (isOther) fail("ledger/not-a-ledger", { path })
    return fail(isBusyError(error) ? "ledger/busy" : "ledger/failed", { path })
  }
}
