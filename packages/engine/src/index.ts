// The public names of @dosimeter/engine.

export { discover, discoverSource } from "./dataset/duckdb/discover.ts"
export { readWithSource } from "./dataset/duckdb/read-against.ts"
export { checkWithSource } from "./dataset/duckdb/check-source.ts"
export { openSource, type OpenSource } from "./dataset/duckdb/open-source.ts"
export { openEngine, type Engine, type EngineOptions, type WorkloadOptions } from "./engine.ts"
export { askerOf, type Answered, type QuestionOptions } from "./ask/ask-question.ts"
export { engineErrors, type EngineErrorCode } from "./errors.ts"
export type { Explained } from "./ask/explain-question.ts"
export type { LearntBounds } from "./ask/learn-bounds.ts"
export {
  answerValue,
  type AnswerCell,
  type AnswerColumn,
  type AnswerTable,
  type AnswerValue,
} from "./answer/answer.ts"
export { findMeasurements, type MeasurementTable } from "./answer/measurements.ts"
export type { NoisyNumber } from "./answer/strategies/strategy-answer.ts"
export type { BiasNote } from "./answer/bias-notes.ts"
export type { PrepareProgress } from "./prepare/make-copies.ts"
export { prepareDataset, type Prepared } from "./prepare/prepare-dataset.ts"
export type { DatasetOptions } from "./prepare/open-dataset.ts"
export type { ConsentSource, CurrentConsent } from "./ask/consent-walk.ts"
export type { Recorded } from "./ask/run-query.ts"
export type { SeriesDefinition, SeriesView } from "./series/series-record.ts"
export type { SeriesCommands, ShownSeries } from "./series/series-commands.ts"
export type { WorkloadAnswer } from "./ask/run-workload.ts"
export type { Account, AccountName } from "./ledger/entries/account.ts"
export { moveLedger, type LedgerMove } from "./ledger/stores/move-ledger.ts"
export {
  decisionFor,
  openPolicyLedger,
  shareOfBudget,
  type LedgerDecision,
  type PolicyLedger,
} from "./lineage/open-accounts.ts"
export {
  anchorSight,
  anchorsOf,
  keyFile,
  ledgerFile,
  openLedger,
  type AnchorSight,
  type LedgerPlace,
} from "./lineage/open-ledger.ts"
export { openMemoryLedger } from "./ledger/stores/memory-ledger.ts"
export type { Incident } from "./ledger/incidents.ts"
export type { Ledger, LedgerEntry, StatedDecision, Verification } from "./ledger/ledger.ts"
export { Turns } from "./ledger/turns.ts"
export { openPostgresLedger, type PostgresLedgerOptions } from "./ledger/stores/postgres-ledger.ts"
export { openSqliteLedger, type SqliteLedgerOptions } from "./ledger/stores/sqlite-ledger.ts"
export { postgresAddress, type PostgresAddress } from "./postgres/postgres-address.ts"
export {
  LostConnection,
  PostgresConnection,
  sayingLost,
  type PostgresOptions,
} from "./postgres/postgres-connection.ts"
export { appendOnly, makeTables, schemaOf } from "./postgres/postgres-tables.ts"
export {
  askWithin,
  planWithin,
  showWithin,
  spending,
  type ReachedError,
  type WithinAnswer,
  type WithinPlan,
  type WithinQuestion,
} from "./stages/within.ts"
export { readTarget, type WithinTarget } from "./stages/within-target.ts"
export { nistChecklist, registryYaml, type DeploymentFacts } from "./receipts/deployment.ts"
export type { Receipt } from "./receipts/receipt.ts"
