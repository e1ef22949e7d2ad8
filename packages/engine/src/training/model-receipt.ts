// What is shown and kept of a model: its card, its receipt, and its coefficients with their intervals.

import { showLoss } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { numberNear, rational, type Rational } from "@dosimeter/core/exact"
import { normalWidth } from "@dosimeter/core/post"
import type { AnswerCell, AnswerTable } from "@dosimeter/answers/shown/answer-table"
import type { RegressionModel } from "@dosimeter/ml/regression/model"
import { showCharge } from "../ledger/entries/account.ts"
import { showUp } from "../ledger/entries/units.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import type { ReceiptFacts } from "../receipts/receipt.ts"
import { targetOf } from "./model-columns.ts"
import { effectsOf, ratiosOf, type ShownCoefficient } from "./shown-parts.ts"
import { centresOf, loadingsOf } from "./shown-points.ts"
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
      `the names of the columns: ${[...inputs, ...(target === undefined ? [] : [target.column])].map(({ name }) => name).join(", ")}`,
      "declared values and ranges",
      ...training.plan.reliesOn.map(
        ({ table, columns }) => `that ${columns.join(", ")} is a key of ${table}`,
      ),
    ],
    notes: ["a model is worked out from noisy sums only: whatever it predicts costs nothing more"],
  }
}

/** The model with what it is of and what it cost. */
export function fileOfModel(planned: PlannedModel, model: ModelFile["model"]): ModelFile {
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
    ...(target === undefined ? {} : { target: target.column }),
    model,
    dose: { epsilon, delta, loss: showCharge(charge), unit, neighbours },
  }
}

/** The coefficients, with intervals that cover chance and noise. */
export function coefficientsOf(
  { model, target, inputs }: ModelFile,
  confidence: number,
): readonly ShownCoefficient[] {
  const width = normalWidth(1 - confidence)
  if (model.kind === "boosted") return effectsOf(model, inputs, width)
  if (model.kind === "directions") return loadingsOf(model, inputs, width)
  if (model.kind === "centres") return centresOf(model, inputs, width)
  assert(target !== undefined, "a model that tells a column says which")
  if (model.kind === "tables") return ratiosOf(model, { inputs, target, width })
  const { classes } = targetOf(model.family, target)
  return model.coefficients.flatMap((list, output) =>
    list.map(({ name, value, error, noiseShare, isShrunk = false }, at): ShownCoefficient => ({
      output: classes[output + 1] ?? target.name,
      name,
      value,
      isShrunk,
      ...spanOf(model.features[at - 1]),
      ...(error === undefined ? {} : { error, low: value - width * error, high: value + width * error }),
      ...(noiseShare === undefined ? {} : { noiseShare }),
    })),
  )
}

// Coefficients stand in the order of the features, after the intercept.
function spanOf(feature: RegressionModel["features"][number] | undefined): { readonly span?: number } {
  return feature === undefined ? {} : { span: feature.high - feature.low }
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
