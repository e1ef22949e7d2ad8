// The receipt in a reply of the server, as a value that the screens read.

import { Unreadable } from "@dosimeter/answers/shown/read-fields"
import type { Receipt } from "@dosimeter/answers/shown/receipt"
import { receiptIn } from "@dosimeter/answers/shown/receipt-text"

/** A receipt, if it is one: an answer that cost nothing has none. */
export function receiptOf(value: unknown): Receipt | undefined {
  try {
    const receipt = receiptIn(value)
    return receipt.format === "dosimeter-receipt/1" ? receipt : undefined
  } catch (error) {
    // A newer server may write fields that this page does not know: the receipt is then shown as JSON only.
    if (!(error instanceof Unreadable)) throw error
    return undefined
  }
}

/** The position of a receipt's charge in the ledger. */
export function positionOf(value: unknown): string | undefined {
  return receiptOf(value)?.ledger.position
}

/** The confidence of the intervals, if a receipt says it. */
export function confidenceOf(value: unknown): number | undefined {
  const confidence = receiptOf(value)?.confidence
  return confidence === undefined ? undefined : Number(confidence)
}
