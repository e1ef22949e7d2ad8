// The receipt of an answer that was charged for.

import type { AnyReceipt, Receipt } from "@dosimeter/answers/shown/receipt"

/** The receipt, or an error that fails the test: nothing was charged. */
export function paidReceipt({ receipt }: { readonly receipt: AnyReceipt }): Receipt {
  if (receipt.format !== "dosimeter-receipt/1") throw new Error("this was charged for")
  return receipt
}
