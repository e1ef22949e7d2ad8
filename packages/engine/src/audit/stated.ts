// What the product states about a question before it is asked: its price, its mechanisms, their sensitivities
// and the SQL that would be run. An audit compares what it measures with this.

import type { AnswerColumn } from "@dosimeter/answers/shown/answer-table"
import type { Explained } from "../ask/explain-question.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import type { ReceiptFacts } from "../receipts/receipt.ts"

/** The statements about one question. Fractions are exact. */
export interface Stated extends Pick<ReceiptFacts, "mechanisms" | "bounding" | "public"> {
  readonly unit: string
  readonly neighbours: ReceiptFacts["neighbours"]
  /** What the ledger is charged, in the measure of the policy's accounting. */
  readonly charge: Explained["plan"]["charge"]
  /** The same question alone, as epsilon and delta or in its own measure. */
  readonly loss: ReceiptFacts["shown"]
  readonly columns: readonly AnswerColumn[]
  /** What would be sent to the database. */
  readonly sql: readonly string[]
  /** EXPLAIN, in lines. */
  readonly text: string
}

/** Gathers them from an explanation. */
export function statedOf({ plan, columns, sql, text }: Explained): Stated {
  const { unit, neighbours, mechanisms, bounding, public: open, shown } = receiptFacts(plan)
  return {
    unit,
    neighbours,
    charge: plan.charge,
    loss: shown,
    mechanisms,
    bounding,
    public: open,
    columns,
    sql,
    text,
  }
}
