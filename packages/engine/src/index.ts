// The public names of @dosimeter/engine.

export { roleOf } from "./databases.ts"
export { checkWithSource, discoverSource, readWithSource } from "./prepare/look-at-source.ts"
export { openEngine, type Engine, type EngineOptions, type WorkloadOptions } from "./engine.ts"
export { askerOf, type Answered, type QuestionOptions } from "./ask/ask-question.ts"
export { engineErrors, type EngineErrorCode } from "./errors.ts"
export type { Explained } from "./ask/explain-question.ts"
export type { LearntBounds } from "./ask/learn-bounds.ts"
export { answerValue } from "./answer/answer.ts"
export type {
  AnswerCell,
  AnswerColumn,
  AnswerTable,
  AnswerValue,
  BiasNote,
} from "@dosimeter/answers/shown/answer-table"
export type { AnyReceipt, FreeReceipt, NoReceipt, Receipt } from "@dosimeter/answers/shown/receipt"
export { answerOfRelease, receiptOfRelease } from "./record/read-release.ts"
export { findMeasurements, type MeasurementTable } from "./answer/measurements.ts"
export type { NoisyNumber } from "./answer/strategies/strategy-answer.ts"
export type { PrepareProgress } from "./dataset/copies.ts"
export { prepareDataset, type Prepared } from "./prepare/prepare-dataset.ts"
export type { DatasetOptions } from "./prepare/open-dataset.ts"
export type { ConsentSource, CurrentConsent } from "./ask/consent-walk.ts"
export type { Recorded } from "./record/recorded.ts"
export type { SeriesDefinition, SeriesView } from "./series/series-record.ts"
export type { SeriesCommands, ShownSeries } from "./series/series-commands.ts"
export type { WorkloadAnswer } from "./record/recorded.ts"
export type { SyntheticCommands } from "./synthetic/synthetic-commands.ts"
export type { RowsOf, SyntheticQuestion } from "./synthetic/synthetic-question.ts"
export type { ExpectedQuality, SyntheticPlan } from "./synthetic/plan-synthesis.ts"
export type { SyntheticRelease } from "./synthetic/run-synthesis.ts"
export { makeRows, type MadeRows, type MadeTable, type ReportLine } from "./synthetic/make-rows.ts"
export { csvOf, writeTable } from "./synthetic/write-table.ts"
export type { TrainingCommands } from "./training/training-commands.ts"
export { servedModels, type TrainingQuestion } from "./training/training-question.ts"
export type { ExpectedNoise } from "./training/expected-noise.ts"
export type { PlannedModel } from "./training/plan-training.ts"
export type { ModelKind } from "./training/model-columns.ts"
export type { ListedModel, TrainedModel } from "./training/released-models.ts"
export { coefficientsOf } from "./training/model-receipt.ts"
export type { ShownCoefficient } from "./training/shown-parts.ts"
export {
  kindOfModel,
  modelOfText,
  modelOnnx,
  predictRow,
  writeModel,
  type ModelDose,
  type ModelFile,
  type Prediction,
} from "./training/model-file.ts"
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
export type { Ledger, LedgerEntry, RecordedRelease, StatedDecision, Verification } from "./ledger/ledger.ts"
export { Turns } from "./ledger/turns.ts"
export { openPostgresLedger, type PostgresLedgerOptions } from "./ledger/stores/postgres-ledger.ts"
export { openSqliteLedger, type SqliteLedgerOptions } from "./ledger/stores/sqlite-ledger.ts"
export { postgresAddress, type PostgresAddress } from "./postgres/postgres-address.ts"
export {
  LostConnection,
  patienceDefaultMs,
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
export {
  coordinatorName,
  decodeEnvelope,
  envelopeLengthMax,
  parseEnvelope,
  sealed,
  type Envelope,
} from "./federation/envelope.ts"
export { isPublicKey, isSigned, Signer } from "./federation/signing.ts"
export {
  decodeJob,
  jobId,
  jobModels,
  jobNamed,
  signJob,
  type JobDocument,
  type JobMode,
  type JobModel,
  type SignedJob,
} from "./federation/job.ts"
export type { Views } from "./federation/views.ts"
export type { JobEnd, SiteEnd } from "./federation/doors.ts"
export { checkViews, usualAsk } from "./federation/check-views.ts"
export { amountOf } from "./federation/plan-job.ts"
export { usualFloor, type JobFloor } from "./federation/floor.ts"
export { FederatedSite, type SiteOptions } from "./federation/site.ts"
export { FederatedJob, type JobEvent, type JobRequest, type StudyOptions } from "./federation/coordinator.ts"
export {
  pooledMeasures,
  poolSites,
  type PooledMeasure,
  type PooledSite,
  type PooledSites,
  type PooledValue,
  type PoolWanted,
  type SiteTable,
} from "./federation/pool-sites.ts"
export type {
  FederatedAnswer,
  FederatedReceipt,
  JobOffer,
  JobState,
  SiteProgress,
} from "./federation/federated-answer.ts"
