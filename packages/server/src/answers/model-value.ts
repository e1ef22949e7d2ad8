// A model for programs: its card, and what it would cost.

import { showParameter } from "@dosimeter/core"
import { numberNear, type Rational } from "@dosimeter/core/exact"
import {
  coefficientsOf,
  kindOfModel,
  modelOnnx,
  writeModel,
  type ExpectedNoise,
  type ModelDose,
  type ModelFile,
  type ModelKind,
  type PlannedModel,
} from "@dosimeter/engine"
import { costValue } from "./cost-value.ts"

/** What it would cost. */
export function pricedModel(planned: PlannedModel) {
  const { model, target, inputs, features, rounds, count, charge, noise } = planned
  return {
    model: model satisfies ModelKind,
    target: target?.column.name ?? null,
    columns: inputs.map(({ name }) => name),
    features,
    rounds,
    ...(count === undefined ? {} : { count }),
    cost: costValue(charge),
    noise: noise satisfies ExpectedNoise,
  }
}

/** The card of a model that was released. */
export function modelCard(file: ModelFile, of: { readonly charge: bigint; readonly confidence: Rational }) {
  const { model, target, inputs, dose } = file
  const onnx = modelOnnx(file)
  return {
    charge: Number(of.charge),
    model: kindOfModel(model) satisfies ModelKind,
    target: target?.name ?? null,
    columns: inputs.map(({ name }) => name),
    rows: model.rows,
    quality: model.quality,
    coefficients: coefficientsOf(file, numberNear(of.confidence)),
    confidence: showParameter(of.confidence),
    dose: dose satisfies ModelDose,
    files: {
      json: `${writeModel(file)}\n`,
      onnx: onnx === undefined ? null : Buffer.from(onnx).toString("base64"),
    },
  }
}
