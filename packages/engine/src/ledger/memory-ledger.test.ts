import { ledgerConformance } from "../testing/ledger-conformance.ts"
import { openMemoryLedger } from "./memory-ledger.ts"

ledgerConformance("a ledger in memory", async () => openMemoryLedger({ dataset: "hospital" }))
