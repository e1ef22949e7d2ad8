// The rows of units as learners read them: from numbers in steps to features and values.

import type { Examples } from "@dosimeter/ml/columns/columns"
import type { Rows } from "@dosimeter/ml/regression/rows"
import { scaledFeature, scaledTarget } from "@dosimeter/ml/regression/shape"
import type { TrainingPlan } from "@dosimeter/ml/regression/training-plan"
import type { UnitColumns } from "../release/release-training.ts"
import { featureCount, writeFeatures } from "./model-columns.ts"
import type { PlannedModel } from "./plan-training.ts"
import { readerOf } from "./training-sql.ts"

/** The rows as the model sees them: one for each unit. */
export function rowsOfUnits(planned: PlannedModel, { shape }: TrainingPlan, read: UnitColumns): Rows {
  const { columns, inputs, targetPlace, places } = planned
  const width = shape.features.length
  const features = new Float64Array(read.units * width)
  const targets = new Float64Array(read.units)
  const held = readerOf(columns, places, read.columns)
  const own = inputs.map((column) => ({ column, place: columns.indexOf(column) }))
  const row = new Float64Array(width)
  for (let unit = 0; unit < read.units; unit += 1) {
    let from = 0
    for (const { column, place } of own) {
      writeFeatures(column, held(unit, place), { to: row, from })
      from += featureCount(column)
    }
    for (const [at, range] of shape.features.entries()) {
      features[unit * width + at] = scaledFeature(range, row[at] ?? Number.NaN)
    }
    const target = targetPlace === undefined ? undefined : held(unit, targetPlace)
    targets[unit] = target === undefined ? Number.NaN : scaledTarget(shape, target)
  }
  const starts = Uint32Array.from({ length: read.units + 1 }, (_, unit) => unit)
  return { shape, count: read.units, features, targets, starts }
}

/** The same for other learners: a column at a time, NaN where a value is missing; no target is all NaN. */
export function examplesOfUnits(planned: PlannedModel, { units, columns: read }: UnitColumns): Examples {
  const { columns, inputs, targetPlace, places } = planned
  const held = readerOf(columns, places, read)
  const columnAt = (place: number): Float64Array =>
    Float64Array.from({ length: units }, (_, unit) => held(unit, place) ?? Number.NaN)
  return {
    rows: units,
    features: inputs.map((column) => columnAt(columns.indexOf(column))),
    target: targetPlace === undefined ? new Float64Array(units).fill(Number.NaN) : columnAt(targetPlace),
  }
}
