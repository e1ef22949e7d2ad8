import { expect, test } from "vitest"
import { receipt } from "../../testing/receipt.ts"
import { positionOf, receiptOf } from "./receipt.ts"

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
