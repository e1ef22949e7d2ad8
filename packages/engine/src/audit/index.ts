// The door for auditors: @dosimeter/engine/testing. A policy and its data are asked end to end, as often as
// wanted, on ledgers in memory. Tests, tools and examples may import it; nothing that serves a dataset may.

export { openAudit, type Audit, type AuditOptions } from "./audit.ts"
export type { Answer, Outcome, Refusal } from "./outcome.ts"
export type { AuditSession } from "./session.ts"
export type { Stated } from "./stated.ts"
export type {
  AnswerCell,
  AnswerColumn,
  AnswerTable,
  AnswerValue,
} from "@dosimeter/answers/shown/answer-table"
export type { QuestionOptions } from "../ask/ask-question.ts"
export type { Receipt } from "@dosimeter/answers/shown/receipt"
export type { ReceiptBounding, ReceiptMechanism } from "../receipts/receipt.ts"
