// The public names of @dosimeter/engine.

export { discover, discoverSource } from "./dataset/discover.ts"
export { readWithSource } from "./dataset/read-against.ts"
export { checkWithSource } from "./prepare/check-source.ts"
export { openSource, type OpenSource } from "./dataset/open-source.ts"
export { openEngine, type Engine, type EngineOptions, type WorkloadOptions } from "./engine.ts"
export { askerOf, type Answered, type QuestionOptions } from "./execute/ask-question.ts"
export { engineErrors, type EngineErrorCode } from "./errors.ts"
export type { Explained } from "./execute/explain-question.ts"
export type { LearntBounds } from "./execute/learn-bounds.ts"
export {
  answerValue,
  type AnswerCell,
  type AnswerColumn,
  type AnswerTable,
  type AnswerValue,
} from "./execute/answer.ts"
export { findMeasurements, type Measurement, type MeasurementTable } from "./execute/measurements.ts"
export type { BiasNote } from "./execute/bias-notes.ts"
export type { PrepareProgress } from "./prepare/make-copies.ts"
export { prepareDataset, type Prepared } from "./prepare/prepare-dataset.ts"
export type { DatasetOptions } from "./prepare/open-dataset.ts"
export type { ConsentSource, CurrentConsent } from "./execute/consent-walk.ts"
export type { Recorded } from "./execute/run-query.ts"
export type { SeriesDefinition, SeriesView } from "./execute/series-record.ts"
export type { SeriesCommands, ShownSeries } from "./series-commands.ts"
export type { WorkloadAnswer } from "./execute/run-workload.ts"
export type { Account, AccountName } from "./ledger/account.ts"
export { moveLedger, type LedgerMove } from "./ledger/move-ledger.ts"
export {
  decisionFor,
  openPolicyLedger,
  shareOfBudget,
  type LedgerDecision,
  type PolicyLedger,
} from "./open-accounts.ts"
export {
  anchorSight,
  anchorsOf,
  keyFile,
  ledgerFile,
  openLedger,
  type AnchorSight,
  type LedgerPlace,
} from "./open-ledger.ts"
export { openMemoryLedger } from "./ledger/memory-ledger.ts"
export type { Incident } from "./ledger/incidents.ts"
export type { Ledger, LedgerEntry, StatedDecision, Verification } from "./ledger/ledger.ts"
export { Turns } from "./ledger/turns.ts"
export { openPostgresLedger, type PostgresLedgerOptions } from "./ledger/postgres-ledger.ts"
export { openSqliteLedger, type SqliteLedgerOptions } from "./ledger/sqlite-ledger.ts"
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
export { nistChecklist, registryYaml, type DeploymentFacts } from "./ledger/deployment.ts"
export type { Receipt } from "./ledger/receipt.ts"
