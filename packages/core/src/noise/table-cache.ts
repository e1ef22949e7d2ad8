// Tables for small scales that are used often: built when enough draws have been asked for to pay for them.

import type { CdfOracle } from "./cdf-oracle.ts"
import { LazyTable } from "./lazy-table.ts"

/** What decides whether a law is worth a table: public numbers only. */
export interface TabledLaw {
  readonly key: string
  readonly spread: number
  readonly draws: number
}

/** Up to this spread a table has few split cells and is quick to build. */
const spreadMax = 64
/** Tables kept, 128 KiB each: enough for binomial thinning (21) beside a few scales. */
const tablesMax = 32
/** A table costs about this many draws to build, times 1 + spread. */
const drawsPerSpread = 16384

const counts = new Map<string, number>()
const tables = new Map<string, LazyTable>()

/** The table of a law, if it exists or has become worth building. */
export function tableFor(law: TabledLaw, oracle: () => CdfOracle): LazyTable | undefined {
  if (law.spread > spreadMax) return undefined
  const known = tables.get(law.key)
  if (known !== undefined) {
    // Most recently used goes last.
    tables.delete(law.key)
    tables.set(law.key, known)
    return known
  }
  const asked = (counts.get(law.key) ?? 0) + law.draws
  if (asked < drawsPerSpread * (1 + law.spread)) {
    if (counts.size > 256) counts.clear()
    counts.set(law.key, asked)
    return undefined
  }
  counts.delete(law.key)
  return keepTable(law.key, new LazyTable(oracle()))
}

/** The table of a law that has no other sampler. */
export function requireTable(key: string, oracle: () => CdfOracle): LazyTable {
  const known = tables.get(key)
  return known ?? keepTable(key, new LazyTable(oracle()))
}

/** Forgets every table and count: what is drawn from given bits then does not depend on what came before. */
export function forgetTables(): void {
  counts.clear()
  tables.clear()
}

function keepTable(key: string, table: LazyTable): LazyTable {
  tables.set(key, table)
  for (const oldest of tables.keys()) {
    if (tables.size <= tablesMax) break
    tables.delete(oldest)
  }
  return table
}
