// Fits a model to rows that stay where they are: what it asks for goes to the sums, and comes back noisy.

import { CountedExamples, fitBayes, type BayesAsk } from "@dosimeter/ml/bayes/fit-bayes"
import { AskedExamples, type BoostingAsk } from "@dosimeter/ml/boosting/asked-examples"
import { boost } from "@dosimeter/ml/boosting/boost"
import type { Examples } from "@dosimeter/ml/columns/columns"
import { AskedRows } from "@dosimeter/ml/regression/answer-ask"
import { modelOf } from "@dosimeter/ml/regression/model"
import type { Rows } from "@dosimeter/ml/regression/rows"
import { scaledFeature, scaledTarget } from "@dosimeter/ml/regression/shape"
import { train, type SumAsk } from "@dosimeter/ml/regression/train"
import type { TrainingPlan } from "@dosimeter/ml/regression/training-plan"
import type { Permit } from "../release/permit.ts"
import type { ReleaseFrom } from "../release/release.ts"
import {
  releaseTraining,
  type PrintedTraining,
  type TrainingSums,
  type UnitColumns,
} from "../release/release-training.ts"
import { featureCount, writeFeatures } from "./model-columns.ts"
import type { ModelFile } from "./model-file.ts"
import type { PlannedModel } from "./plan-training.ts"
import type { TrainingQuestion } from "./training-question.ts"
import { readerOf } from "./training-sql.ts"

/** What a fit runs with. */
export interface FitOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: TrainingQuestion["onProgress"]
}

interface Reading {
  readonly reading: PrintedTraining
  readonly permit: Permit
}

/** Reads the rows under their permit, and fits. */
export async function fitModel(
  planned: PlannedModel,
  under: Reading,
  from: ReleaseFrom,
  options: FitOptions,
): Promise<ModelFile["model"]> {
  const { fit } = planned
  const { signal, onProgress } = options
  onProgress?.("reading the rows", 0)
  if (fit.kind === "boosting") {
    const sums = await releaseTraining<BoostingAsk>(under.reading, under.permit, from, {
      open: (rows) => new AskedExamples(fit.plan, examplesOfUnits(planned, rows)),
      signal,
    })
    return converse(boost(fit.plan), { planned, sums, onProgress })
  }
  if (fit.kind === "bayes") {
    const sums = await releaseTraining<BayesAsk>(under.reading, under.permit, from, {
      open: (rows) => new CountedExamples(fit.plan, examplesOfUnits(planned, rows)),
      signal,
    })
    return converse(fitBayes(fit.plan), { planned, sums, onProgress })
  }
  const { plan } = fit
  const sums = await releaseTraining<SumAsk>(under.reading, under.permit, from, {
    open: (rows) => new AskedRows(rowsOfUnits(planned, plan, rows)),
    signal,
  })
  return modelOf(plan, await converse(train(plan), { planned, sums, onProgress }))
}

/** The dialogue: an ask goes to the sums, and their noisy answer comes back. */
async function converse<Ask extends SumAsk | BoostingAsk | BayesAsk, Model>(
  dialogue: Generator<Ask, Model, readonly bigint[]>,
  of: {
    readonly planned: PlannedModel
    readonly sums: TrainingSums<Ask>
    readonly onProgress: TrainingQuestion["onProgress"]
  },
): Promise<Model> {
  const { planned, sums, onProgress } = of
  const kinds = planned.training.sums
  const all = kinds.reduce((sum, { count }) => sum + count, 0)
  let turn = dialogue.next()
  for (let step = 0; turn.done !== true; step += 1) {
    const { value: ask } = turn
    onProgress?.(words[ask.kind], step / all)
    const kind = kinds.findIndex(({ name }) => name === ask.kind)
    turn = dialogue.next(await sums.answer(kind, ask))
  }
  return turn.value
}

const words: Readonly<Record<(SumAsk | BoostingAsk | BayesAsk)["kind"], string>> = {
  people: "counting",
  residuals: "fitting",
  look: "taking a first look",
  gradient: "fitting",
  curvature: "measuring errors",
  quality: "measuring how good it is",
}

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
    const target = held(unit, targetPlace)
    targets[unit] = target === undefined ? Number.NaN : scaledTarget(shape, target)
  }
  const starts = Uint32Array.from({ length: read.units + 1 }, (_, unit) => unit)
  return { shape, count: read.units, features, targets, starts }
}

/** The same for learners of bins and categories: a column at a time, NaN where a value is missing. */
function examplesOfUnits(planned: PlannedModel, { units, columns: read }: UnitColumns): Examples {
  const { columns, inputs, targetPlace, places } = planned
  const held = readerOf(columns, places, read)
  const columnAt = (place: number): Float64Array =>
    Float64Array.from({ length: units }, (_, unit) => held(unit, place) ?? Number.NaN)
  return {
    rows: units,
    features: inputs.map((column) => columnAt(columns.indexOf(column))),
    target: columnAt(targetPlace),
  }
}
