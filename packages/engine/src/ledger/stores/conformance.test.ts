import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe } from "vitest"
import { memoryAnchor } from "../anchor.ts"
import { openChainLedger } from "../chain-ledger.ts"
import type { Ledger } from "../ledger.ts"
import { incidentConformance } from "../../testing/ledger/incident-conformance.ts"
import { ledgerConformance } from "../../testing/ledger/ledger-conformance.ts"
import { openMemoryLedger } from "./memory-ledger.ts"
import { MemoryStore } from "./memory-store.ts"
import { openSqliteLedger } from "./sqlite-ledger.ts"

const folder = mkdtempSync(join(tmpdir(), "ledger-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

// Another kind is another row; the one in PostgreSQL is in postgres-ledger.deep.test.ts.
const kinds: readonly (readonly [string, () => Promise<Ledger>])[] = [
  ["a ledger in memory", async () => openMemoryLedger({ dataset: "hospital" })],
  [
    "a ledger in a file",
    async () => {
      files += 1
      return openSqliteLedger(join(folder, `${files}.ledger`), { dataset: "hospital" })
    },
  ],
]

describe.each(kinds)("%s", (_name, open) => {
  ledgerConformance(open)
})

describe("a ledger in memory", () => {
  incidentConformance(async () => {
    const parts = { store: new MemoryStore(), anchor: memoryAnchor() }
    return async () => openChainLedger(parts, { dataset: "hospital" })
  })
})

describe("a ledger in a file", () => {
  incidentConformance(async () => {
    files += 1
    const path = join(folder, `${files}.ledger`)
    return async () => openSqliteLedger(path, { dataset: "hospital" })
  })
})
