// A ledger that lasts as long as the object: for tests and demonstrations. It keeps every rule of the one in
// a file.

import { memoryAnchor } from "../anchor.ts"
import { openChainLedger, type OpenOptions } from "../chain-ledger.ts"
import type { Ledger } from "../ledger.ts"
import { MemoryStore } from "./memory-store.ts"

/** Opens a ledger in memory. */
export async function openMemoryLedger(options: OpenOptions): Promise<Ledger> {
  return openChainLedger({ store: new MemoryStore(), anchor: memoryAnchor() }, options)
}
