import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { ledgerConformance } from "../testing/ledger-conformance.ts"
import { openSqliteLedger } from "./sqlite-ledger.ts"

const folder = mkdtempSync(join(tmpdir(), "ledger-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0

ledgerConformance("a ledger in a file", async () => {
  files += 1
  return openSqliteLedger(join(folder, `${files}.ledger`), { dataset: "hospital" })
})
