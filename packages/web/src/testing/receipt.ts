// A receipt as the server sends it, for the tests of screens.

import type { Receipt } from "@dosimeter/answers/shown/receipt"

/** The receipt of one count. */
export const receipt = {
  format: "dosimeter-receipt/1",
  id: "l/7",
  dataset: "clinic",
  unit: "person",
  neighbours: "add-or-remove",
  planHash: "ab",
  dataVersion: "v1",
  epsilon: "0.5",
  delta: "1e-8",
  loss: { accounting: "zcdp", amount: "1/8", delta: "0", words: "rho 0.125" },
  mechanisms: [{ column: "n", mechanism: "laplace" }],
  bounding: [{ groupsPerUnit: "3", rowsPerGroup: "5" }],
  confidence: "0.95",
  public: ["groups"],
  notes: [],
  library: "dosimeter 0.1.0",
  ledger: { id: "l", position: "7", hash: "cd", at: "2026-01-01T00:00:00.000Z" },
} as const satisfies Receipt
