// What is shown and kept of a model: its card, its receipt, and its coefficients with their intervals.

import { showLoss } from "@dosimeter/core"
import { numberNear, rational, type Rational } from "@dosimeter/core/exact"
import { normalWidth } from "@dosimeter/core/post"
import type { AnswerCell, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { RegressionModel } from "@dosimeter/ml/regression/model"
import { showCharge } from "../ledger/entries/account.ts"
import { showUp } from "../ledger/entries/units.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import type { ReceiptFacts } from "../receipts/receipt.ts"
import { targetOf } from "./model-columns.ts"
import type { ModelFile } from "./model-file.ts"
import type { PlannedModel } from "./plan-training.ts"

/** What the receipt says. */
export function factsOfTraining({ training, charge, inputs, target }: PlannedModel): ReceiptFacts {
  const facts = receiptFacts(training.plan)
  return {
    ...facts,
    shown: charge.shown,
    mechanisms: training.sums.map(({ name, count, bound, spec }) => ({
      column: count === 1 ? name : `${name}, ${count} rounds`,
      mechanism: "gaussian",
      scale: spec.variance,
      grid: rational(1n),
      sensitivity: `a vector of length ${bound}`,
    })),
    public: [
      `the names of the columns: ${[...inputs, target.column].map(({ name }) => name).join(", ")}`,
      "declared values and ranges",
      ...training.plan.reliesOn.map(
        ({ table, columns }) => `that ${columns.join(", ")} is a key of ${table}`,
      ),
    ],
    notes: ["a model is worked out from noisy sums only: whatever it predicts costs nothing more"],
  }
}

/** The model with what it is of and what it cost. */
export function fileOfModel(planned: PlannedModel, model: RegressionModel): ModelFile {
  const { sql, inputs, target, charge, training } = planned
  const { dataset, unitName: unit, neighbours } = training.plan
  const { shown } = charge
  const [epsilon, delta] =
    shown.measure === "approx" ? [showUp(shown.epsilon), showUp(shown.delta)] : [showLoss(shown), "0"]
  return {
    format: "dosimeter-model/1",
    dataset,
    features: sql,
    inputs,
    target: target.column,
    model,
    dose: { epsilon, delta, loss: showCharge(charge), unit, neighbours },
  }
}

/** One coefficient with its interval, as it is shown. */
export interface ShownCoefficient {
  /** Of a model of several classes: which one it is for. */
  readonly output: string
  readonly name: string
  readonly value: number
  readonly error?: number
  readonly low?: number
  readonly high?: number
  /** The share of the squared error that is noise. */
  readonly noiseShare?: number
  readonly isShrunk: boolean
}

/** The coefficients, with intervals that cover chance and noise. */
export function coefficientsOf(
  { model, target }: ModelFile,
  confidence: number,
): readonly ShownCoefficient[] {
  const { classes } = targetOf(model.family, target)
  const width = normalWidth(1 - confidence)
  return model.coefficients.flatMap((list, output) =>
    list.map(({ name, value, error, noiseShare, isShrunk = false }): ShownCoefficient => ({
      output: classes[output + 1] ?? target.name,
      name,
      value,
      isShrunk,
      ...(error === undefined ? {} : { error, low: value - width * error, high: value + width * error }),
      ...(noiseShare === undefined ? {} : { noiseShare }),
    })),
  )
}

/** What the table of a model has. */
export const modelColumns: AnswerTable["columns"] = [
  { name: "of", type: "text", kind: "key" },
  { name: "coefficient", type: "text", kind: "key" },
  { name: "value", type: "float", kind: "derived" },
  { name: "standard_error", type: "float", kind: "derived" },
]

/** The coefficients as a table: what the ledger shows. */
export function tableOfModel(file: ModelFile, confidence: Rational): AnswerTable {
  return {
    columns: modelColumns,
    rows: coefficientsOf(file, numberNear(confidence)).map((one): readonly AnswerCell[] => [
      { value: one.output, state: "released" },
      { value: one.name, state: "released" },
      {
        value: one.value,
        ...(one.low === undefined || one.high === undefined ? {} : { low: one.low, high: one.high }),
        state: "released",
      },
      { value: one.error ?? null, state: "released" },
    ]),
  }
}
