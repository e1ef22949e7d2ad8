// What a model would cost and how good it would be, and everything that is refused: before anything is
// charged.

import { multiply, rational } from "@dosimeter/core/exact"
import { compile, type CompileOptions } from "@dosimeter/planner/compile"
import { wholeCharge } from "@dosimeter/planner/workload/plan-share"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import { verifyTraining, type VerifiedTraining } from "@dosimeter/proof/verify/verify-training"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { fail } from "../errors.ts"
import { canonicalJson } from "../ledger/entries/canonical.ts"
import {
  targetOf,
  type ModelColumn,
  type ModelKind,
  type ModelTarget,
  type TellingKind,
} from "./model-columns.ts"
import { learningOf, type Learning } from "./plan-fit.ts"
import { placingOf } from "./plan-placing.ts"
import { kindOf, roundsOf, subjectOf, type TrainingQuestion } from "./training-question.ts"
import { columnsOfFeatures, placesOf, rowsSql, type ReadPlace } from "./training-sql.ts"

/** A model that can be trained. */
export interface PlannedModel extends Omit<Learning, "sums"> {
  readonly sql: string
  /** What it is. */
  readonly model: ModelKind
  /** All columns that are read; the features are those of `inputs`. */
  readonly columns: readonly ModelColumn[]
  readonly inputs: readonly ModelColumn[]
  /** What it tells; undefined of a model that has no target. */
  readonly target: ModelTarget | undefined
  /** Where the target is among the columns. */
  readonly targetPlace: number | undefined
  readonly training: VerifiedTraining
  /** Where the numbers of the columns are in the rows. */
  readonly places: readonly ReadPlace[]
  /** All of it; charged before anything is read. */
  readonly charge: Charge
  /** How it is trained, as text: the same text over the same rows is the same question. */
  readonly rule: string
}

/** What decides how a model is trained. */
export type ModelQuestion = Pick<TrainingQuestion, "model" | "sql" | "target" | "count" | "rounds">

/** How sites of a federation plan a model, so that their plans are alike. */
export interface PlannedOver {
  /** Puts the SQL that is planned over other tables, such as a site's views. */
  readonly over: (sql: string) => string
  /** Listed values in the order of their texts: views may list them in another one than the study. */
  readonly sorted: boolean
}

const asWritten: PlannedOver = { over: (sql) => sql, sorted: false }

/** The plan of a model. */
export function planModel(
  question: ModelQuestion,
  options: Omit<CompileOptions, "parameters">,
  { over, sorted }: PlannedOver = asWritten,
): PlannedModel {
  const model = kindOf(question.model)
  const rounds = roundsOf(question, model)
  const subject = subjectOf(question, model)
  const own = ofOneRow(options)
  if (options.terms.budget.accounting === "pure") return fail("training/needs-gaussian", {})
  const read = columnsOfFeatures(over(question.sql), subject, own)
  const columns = sorted ? read.map(inOrder) : read
  const told = "target" in subject ? toldIn(columns, subject) : undefined
  const column = told?.target.column
  const inputs = columns.filter((one) => one !== column)
  const charge = wholeCharge(own)
  const muSquared = charge.accounting === "zcdp" ? multiply(rational(2n), charge.amount) : charge.amount
  const { neighbours } = options.catalog
  const loss = { muSquared, neighbours, rounds }
  const learning =
    "count" in subject
      ? placingOf(subject.kind, { inputs, count: subject.count }, loss)
      : learningOf(subject.kind, { inputs, target: toldIn(columns, subject).target }, loss)
  const rows = compile(over(rowsSql(question.sql, columns)), own).plan
  checkRows(rows)
  const training = verifyTraining(rows, { charge, sums: learning.sums })
  const rule = canonicalJson({
    format: "dosimeter-training/1",
    family: model,
    columns: columns.map((one) => ({ ...one })),
    rounds: learning.rounds,
    ...(told === undefined ? {} : { target: told.target.range.name }),
    ...(learning.count === undefined ? {} : { count: learning.count }),
  })
  const places = placesOf(rows)
  const { sql } = question
  const { target, targetPlace } = { target: undefined, targetPlace: undefined, ...told }
  return { sql, model, columns, inputs, target, targetPlace, training, places, charge, rule, ...learning }
}

function toldIn(
  columns: readonly ModelColumn[],
  { kind, target }: { readonly kind: TellingKind; readonly target: string },
): { readonly target: ModelTarget; readonly targetPlace: number } {
  const targetPlace = columns.findIndex(({ name }) => name === target)
  const column = columns[targetPlace]
  if (column === undefined) return fail("training/no-target", { target })
  return { target: targetOf(kind, column), targetPlace }
}

function inOrder(column: ModelColumn): ModelColumn {
  if (column.kind === "number" || column.values.some((value) => typeof value !== "string")) return column
  return { ...column, values: column.values.map(String).toSorted() }
}

// Rows of units, all together; a key proves that a unit has one, so nothing is dropped or scaled.
function checkRows({ releases: [release, ...others], unitName }: VerifiedPlan): void {
  if (release?.keys.kind !== "none" || release.extracts.length !== 1 || others.length > 0)
    return fail("training/not-rows", { unit: unitName })
  if (release.bounds.rowsProof === undefined || release.bounds.scaled !== undefined) {
    fail("training/several-rows", { unit: unitName })
  }
}

// Every unit has one row, and all rows are together.
function ofOneRow(options: Omit<CompileOptions, "parameters">): Omit<CompileOptions, "parameters"> {
  const { epsilon } = { ...options.ask }
  const { prepared: _, ...others } = options
  return {
    ...others,
    ask: { ...(epsilon === undefined ? {} : { epsilon }), groupsPerUnit: 1n, rowsPerGroup: 1n },
  }
}
