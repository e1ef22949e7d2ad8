// What the ledger shows of synthetic rows: the receipt, and which tables were measured. Nothing from the
// data.

import { rational, rationalOfNumber } from "@dosimeter/core/exact"
import type { Synthesis } from "@dosimeter/ml/synthetic/synthesis"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import type { ReceiptFacts } from "../receipts/receipt.ts"
import type { SyntheticPlan } from "./plan-synthesis.ts"

/** What the receipt says. */
export function factsOf(plan: SyntheticPlan, synthesis: Synthesis): ReceiptFacts {
  const facts = receiptFacts(plan.example)
  const rounds = new Map<string, number>()
  for (const { round } of synthesis.taken) rounds.set(round, (rounds.get(round) ?? 0) + 1)
  return {
    ...facts,
    shown: plan.charge.shown,
    mechanisms: synthesis.taken.map(({ round, attributes, variance }) => ({
      column: `${round}: ${attributes.map((one) => plan.columns[one]?.name ?? "").join(" and ")}`,
      mechanism: "gaussian",
      scale: rationalOfNumber(variance),
      grid: rational(1n),
      sensitivity: "1 row",
    })),
    public: [
      `the names of the columns: ${plan.columns.map(({ name }) => name).join(", ")}`,
      "declared values and ranges, and the rules that rows keep",
    ],
    notes: [
      ...[...rounds].map(([name, count]) => `${name}: ${count} tables`),
      "rows are drawn from a model of these tables; they protect as far as the stated loss says, no further",
    ],
  }
}

/** What was measured, without any number from the data. */
export function summaryOf(plan: SyntheticPlan, synthesis: Synthesis): AnswerTable {
  const text = (value: string): { readonly value: string; readonly state: "released" } => ({
    value,
    state: "released",
  })
  return {
    columns: [
      { name: "round", type: "text", kind: "key" },
      { name: "columns", type: "text", kind: "key" },
      { name: "cells", type: "integer", kind: "key" },
      { name: "noise", type: "float", kind: "key" },
    ],
    rows: synthesis.taken.map(({ round, attributes, counts, variance }) => [
      text(round),
      text(attributes.map((one) => plan.columns[one]?.name ?? "").join(", ")),
      { value: counts.length, state: "released" },
      { value: Number(Math.sqrt(variance).toPrecision(6)), state: "released" },
    ]),
  }
}
