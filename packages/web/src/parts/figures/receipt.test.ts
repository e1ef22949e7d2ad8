import { expect, test } from "vitest"
import { positionOf, receiptOf } from "./receipt.ts"

const receipt = {
  format: "dosimeter-receipt/1",
  id: "l/7",
  unit: "person",
  neighbours: "add-or-remove",
  planHash: "ab",
  dataVersion: "v1",
  loss: { words: "rho 0.125" },
  epsilon: "0.5",
  delta: "1e-8",
  confidence: "0.95",
  public: ["groups", 3],
  notes: "none",
  mechanisms: [{ mechanism: "laplace" }, null],
  bounding: [],
  library: "dosimeter 0.1.0",
  ledger: { position: "7", hash: "cd", at: "2026-01-01" },
}

test("the parts of a receipt are read, and what is not of their kind is left out", () => {
  expect(receiptOf(receipt)).toMatchObject({
    words: "rho 0.125",
    epsilon: "0.5",
    confidence: 0.95,
    public: ["groups"],
    notes: [],
    mechanisms: [{ mechanism: "laplace" }],
    position: "7",
    hash: "cd",
  })
  expect(positionOf(receipt)).toBe("7")
})

test.each([{}, null, undefined, "text", { ...receipt, format: "dosimeter-receipt/2" }])(
  "what is no receipt of this form is none: %j",
  (value) => {
    expect(receiptOf(value)).toBeUndefined()
    expect(positionOf(value)).toBeUndefined()
  },
)

test("a receipt with missing parts is read with empty ones", () => {
  expect(receiptOf({ format: "dosimeter-receipt/1" })).toMatchObject({ position: "", words: "", public: [] })
})
