// A release of the ledger as values again: its texts, read by the one decoder of @dosimeter/answers.

import { readRecordedAnswer, type RecordedAnswer } from "@dosimeter/answers/shown/answer-text"
import { Unreadable } from "@dosimeter/answers/shown/read-fields"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { readReceipt } from "@dosimeter/answers/shown/receipt-text"
import { fail } from "../errors.ts"
import type { RecordedRelease } from "../ledger/ledger.ts"

/** The receipt of a release. */
export function receiptOfRelease({ receipt, charge }: Omit<RecordedRelease, "answer">): AnyReceipt {
  return reading(charge, () => readReceipt(receipt))
}

/** What a release answers. */
export function answerOfRelease({ answer, charge }: Omit<RecordedRelease, "receipt">): RecordedAnswer {
  return reading(charge, () => readRecordedAnswer(answer))
}

/** The ledger has held its text against its hash: what cannot be read was written by another version. */
export function unknownForm(charge: bigint, what: string): never {
  return fail("ledger/unknown-form", { position: `${charge}`, what })
}

function reading<Value>(charge: bigint, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return unknownForm(charge, error.message)
  }
}
