// Fits a model to rows that stay where they are: what it asks for goes to the sums, and comes back noisy.

import { AskedRows } from "@dosimeter/ml/regression/answer-ask"
import { modelOf, type RegressionModel } from "@dosimeter/ml/regression/model"
import type { Rows } from "@dosimeter/ml/regression/rows"
import { scaledFeature, scaledTarget } from "@dosimeter/ml/regression/shape"
import { train, type SumAsk, type Trained } from "@dosimeter/ml/regression/train"
import type { Permit } from "../release/permit.ts"
import type { ReleaseFrom } from "../release/release.ts"
import {
  releaseTraining,
  type PrintedTraining,
  type TrainingSums,
  type UnitColumns,
} from "../release/release-training.ts"
import { featureCount, writeFeatures } from "./model-columns.ts"
import type { PlannedModel } from "./plan-training.ts"
import type { TrainingQuestion } from "./training-question.ts"
import { readerOf } from "./training-sql.ts"

/** What a fit runs with. */
export interface FitOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: TrainingQuestion["onProgress"]
}

/** Reads the rows under their permit, and fits. */
export async function fitModel(
  planned: PlannedModel,
  { reading, permit }: { readonly reading: PrintedTraining; readonly permit: Permit },
  from: ReleaseFrom,
  { signal, onProgress }: FitOptions,
): Promise<RegressionModel> {
  onProgress?.("reading the rows", 0)
  const sums = await releaseTraining(reading, permit, from, {
    open: (rows) => new AskedRows(rowsOfUnits(planned, rows)),
    signal,
  })
  return modelOf(planned.plan, await trainOn(planned, sums, onProgress))
}

/** The dialogue: an ask goes to the sums, and their noisy answer comes back. */
async function trainOn(
  { plan, training }: PlannedModel,
  sums: TrainingSums<SumAsk>,
  onProgress: TrainingQuestion["onProgress"],
): Promise<Trained> {
  const all = plan.steps.reduce((sum, { count }) => sum + count, 0)
  const dialogue = train(plan)
  let turn = dialogue.next()
  for (let step = 0; turn.done !== true; step += 1) {
    const { value: ask } = turn
    onProgress?.(words[ask.kind], step / all)
    const kind = training.sums.findIndex(({ name }) => name === ask.kind)
    turn = dialogue.next(await sums.answer(kind, ask))
  }
  return turn.value
}

const words: Readonly<Record<SumAsk["kind"], string>> = {
  look: "taking a first look",
  gradient: "fitting",
  curvature: "measuring errors",
  quality: "measuring how good it is",
}

/** The rows as the model sees them: one for each unit. */
export function rowsOfUnits(
  { columns, inputs, targetPlace, places, plan }: PlannedModel,
  read: UnitColumns,
): Rows {
  const { shape } = plan
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
    const target = held(unit, targetPlace)
    targets[unit] = target === undefined ? Number.NaN : scaledTarget(shape, target)
  }
  const starts = Uint32Array.from({ length: read.units + 1 }, (_, unit) => unit)
  return { shape, count: read.units, features, targets, starts }
}
