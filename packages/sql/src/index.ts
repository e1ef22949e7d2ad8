// The public names of @dosimeter/sql.

export { sqlErrors, type SqlErrorCode } from "./errors.ts"
export {
  columnNamed,
  tableNamed,
  type Catalog,
  type CatalogColumn,
  type CatalogTable,
  type ConsentFacts,
  type ConsentMode,
  type CopyKey,
  type Hop,
  type TableUnit,
} from "./catalog/catalog.ts"
export { consentTable } from "./catalog/consent.ts"
export { constantKey, sameConstant, type Constant } from "./catalog/constant.ts"
export type { Calendar, Domain, Range, RangeEnd } from "./catalog/domain.ts"
export type { Dialect } from "./catalog/functions/definition.ts"
export { showType, type SqlType, type TypeKind } from "./catalog/sql-type.ts"
export type { Ask, Terms } from "./catalog/terms.ts"
export { showDay, showMicros } from "./catalog/civil-date.ts"
export type { LearntRange } from "./bind/auto-value.ts"
export { compile, printPlan, type Compiled, type CompileOptions } from "./compile.ts"
export { learnableValues, type LearnableValue } from "./learn.ts"
export { learnableGroups } from "./learn-groups.ts"
export { evaluate, type Sources } from "./evaluate/evaluate.ts"
export { intervalOfCell, type CellInterval } from "./evaluate/interval-of-cell.ts"
export { termForm, type LinearForm } from "./evaluate/linear-form.ts"
export { spreadOfForms, spreadOfNormal } from "./evaluate/mixture-spread.ts"
export type { NoiseBase } from "./evaluate/noise-base.ts"
export { regionSpread, type Region } from "./evaluate/region-spread.ts"
export { selectedSpread } from "./evaluate/selected-spread.ts"
export { mixedSpread, spreadOf, type MixedDraw, type Spread } from "./evaluate/spread.ts"
export type { Cell, CellState, Row, Table } from "./evaluate/table.ts"
export type * from "./ir/expr.ts"
export type * from "./ir/rel.ts"
export type * from "./ir/release-plan.ts"
export { factorsOf, stepOf } from "./ir/moment-reading.ts"
export { publicRows } from "./ir/public-rows.ts"
export { treeChildren, treeGroupings, type TreeGrouping, type TreeKeys } from "./ir/tree-layout.ts"
export { showExpr, showRel } from "./ir/show.ts"
export { inputsOf } from "./ir/walk.ts"
export { loadGrammar, type Grammar, type GrammarLocation } from "./parse/grammar.ts"
export { parse, sqlLengthMax } from "./parse/parse.ts"
export { PgNode, type PgFields } from "./parse/pg-node.ts"
export { isObject, type Json, type JsonObject } from "./parse/tree.ts"
export { show } from "./parse/show.ts"
export type { QueryStatement, ExplainStatement, Statement } from "./parse/ast.ts"
export { explain, type Explanation } from "./plan/explain.ts"
export { momentHalfWidth, momentVariance } from "./plan/moment-error.ts"
export { lossesOf, showCharge, showExplanation, type ShowOptions } from "./plan/show-explanation.ts"
export { packNames } from "./policy/packs/packs.ts"
export type {
  Claim,
  FileFormat,
  Limits,
  NamedBudget,
  Policy,
  Resources,
  Source,
  Withheld,
} from "./policy/policy.ts"
export type { ColumnChoice, OwnerChoices } from "./policy/owner-choices.ts"
export {
  proposePolicy,
  type Proposal,
  type ProposedTable,
  type ProposeOptions,
} from "./policy/propose-policy.ts"
export { readName, readOpening, readPolicy, type Opening } from "./policy/read-policy.ts"
export { treeLeavesMax } from "./policy/table-trees.ts"
export type { ColumnFacts, SourceFacts, TableFacts, TreeRows } from "./policy/source-facts.ts"
export type { PreparedTable } from "./analyze/prepared-table.ts"
export { designCopies, showCopyKey, type DesignOptions } from "./prepare/design-copies.ts"
export { writeName } from "./catalog/functions/literal.ts"
export { printCopy } from "./prepare/print-copy.ts"
export { printKeyCheck } from "./print/key-check.ts"
export { printNullCheck } from "./print/null-check.ts"
export { printRel, type SqlText } from "./print/print.ts"
export { printTreeRows } from "./print/tree-rows.ts"
export {
  chooseSources,
  choiceError,
  equalSources,
  paidErrors,
  sourcesFor,
  type Candidate,
  type Chosen,
} from "./reuse/choose-sources.ts"
export { mayDerive, wantedOf, type Wanted } from "./reuse/derive.ts"
export {
  deriveRows,
  errorOfTerms,
  type KeptChoices,
  type KeptColumn,
  type KeptTable,
  type NoiseTerm,
} from "./reuse/derived-table.ts"
export { paidMeans } from "./reuse/mean-errors.ts"
export type { NoiseLaw } from "./reuse/noise-law.ts"
export type { JointLaw, JointShape, KeptJoint } from "./reuse/joint-column.ts"
export { groupingErrors, jointTable, type MeasuredTogether } from "./reuse/joint-table.ts"
export type { Meaning } from "./reuse/meaning.ts"
export { keptFacts, type KeptColumnFacts, type KeptFacts, type KeptKeyFacts } from "./reuse/kept-facts.ts"
export { planSeries, type SeriesOptions, type SeriesPlan } from "./series/plan-series.ts"
export {
  planWorkload,
  type PlannedQuestion,
  type Workload,
  type WorkloadPart,
  type WorkloadQuestion,
} from "./workload/plan-workload.ts"
export type { ColumnError } from "./workload/question-errors.ts"
export { drawError, drawIssue } from "./text/caret.ts"
export { piecesOf, type Piece, type PieceKind } from "./text/scan.ts"
export {
  firstWord,
  hasWords,
  isExplain,
  locateStatements,
  onOneLine,
  parameterCount,
  parametersMax,
  questionLengthMax,
  splitStatements,
} from "./text/statements.ts"
export { sourceText, type Position, type SourceText } from "./text/source.ts"
