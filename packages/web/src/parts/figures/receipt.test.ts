import { expect, test } from "vitest"
import { positionOf, receiptOf } from "./receipt.ts"

const receipt = {
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
}

test("a receipt is read, with its place in the ledger", () => {
  expect(receiptOf(receipt)).toMatchObject({
    epsilon: "0.5",
    loss: { words: "rho 0.125" },
    confidence: "0.95",
  })
  expect(positionOf(receipt)).toBe("7")
})

test.each([
  {},
  null,
  undefined,
  "text",
  { ...receipt, format: "dosimeter-receipt/2" },
  { ...receipt, confidence: 0.95 },
  { ...receipt, public: ["groups", 3] },
  { format: "dosimeter-receipt/1" },
])("what is no receipt of this form is none: %j", (value) => {
  expect(receiptOf(value)).toBeUndefined()
  expect(positionOf(value)).toBeUndefined()
})
