// The walk of a model: priced, charged once for all of its sums, its rows read under that charge, and
// everything after that worked out from noisy sums. Nothing is refused or refunded once data was read.

import { showLoss } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import type { Rational } from "@dosimeter/core/exact"
import { AskedRows } from "@dosimeter/ml/regression/answer-ask"
import { modelOf } from "@dosimeter/ml/regression/model"
import type { Rows } from "@dosimeter/ml/regression/rows"
import { scaledFeature, scaledTarget } from "@dosimeter/ml/regression/shape"
import { train, type SumAsk, type Trained } from "@dosimeter/ml/regression/train"
import { writeAnswer } from "@dosimeter/answers/shown/answer-text"
import type { AnyReceipt } from "@dosimeter/answers/shown/receipt"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import { billedOf, payerOf, type Asker, type Walk } from "../ask/run-query.ts"
import { showCharge } from "../ledger/entries/account.ts"
import { showUp } from "../ledger/entries/units.ts"
import type { Question } from "../ledger/ledger.ts"
import { receiptOf } from "../receipts/receipt.ts"
import { receiptOfRelease, unknownForm } from "../record/read-release.ts"
import { Bill } from "../release/bill.ts"
import { pay } from "../release/permit.ts"
import {
  printedTraining,
  releaseTraining,
  type TrainingSums,
  type UnitColumns,
} from "../release/release-training.ts"
import { lookForCharge, underCharge } from "../release/under-charge.ts"
import { featureCount, writeFeatures } from "./model-columns.ts"
import { readModel, writeModel, type ModelDose, type ModelFile } from "./model-file.ts"
import { factsOfTraining, tableOfModel } from "./model-receipt.ts"
import type { PlannedModel } from "./plan-training.ts"
import type { TrainingQuestion } from "./training-question.ts"
import { readerOf } from "./training-sql.ts"

/** A model that was trained, or found in the record. */
export interface TrainedModel {
  readonly file: ModelFile
  /** Of the intervals of its coefficients. */
  readonly confidence: Rational
  readonly receipt: AnyReceipt
  readonly origin: "released" | "recorded"
  /** The position of its charge. */
  readonly charge: bigint
}

/** What a training runs with. */
export interface TrainingRun {
  readonly walk: Walk
  readonly asker: Asker
  readonly onProgress?: TrainingQuestion["onProgress"]
}

/**
 * Trains a model, or finds it in the record.
 *
 * Guarantee: whoever sees the model, its quality and its receipt loses each unit no more than planned.charge.
 * Needs: TrainingSums; the training is a VerifiedTraining of this data.
 * Proof: the charge is durable before the first row is read. All that leaves the rows are the noisy sums of
 *   TrainingSums; the dialogue of `train` sees these and public numbers, so model, quality and card are
 *   post-processing. A recorded model is the text that was released.
 * Numerics: losses are exact; what follows the noise is in doubles.
 * Source: Dwork and Roth 2014, section 3 (adaptive composition, post-processing).
 */
export async function runTraining(planned: PlannedModel, run: TrainingRun): Promise<TrainedModel> {
  const { walk, asker, onProgress } = run
  const { ledger, version } = walk
  await version.check()
  const { training, charge, rule } = planned
  const { confidence } = training.plan
  const bill = Bill.ofTraining(training, rule, billedOf(walk))
  const { release, left } = await lookForCharge(ledger, bill, asker)
  const subject = modelSubject(bill.question)
  if (release !== undefined) {
    const kept = (await ledger.kept(subject)).find((one) => one.charge === release.charge)
    const file = kept === undefined ? undefined : readModel(kept.text)
    if (file === undefined) return unknownForm(release.charge, "its model cannot be read")
    const receipt = receiptOfRelease(release)
    return { file, confidence, receipt, origin: "recorded", charge: release.charge }
  }
  const reading = printedTraining(training, walk.backend)
  const permit = left ?? (await pay(ledger, bill, payerOf(asker)))
  const { reservation } = permit
  asker.onCharged?.(reservation.position)
  return underCharge(ledger, permit, async () => {
    onProgress?.("reading the rows", 0)
    const sums = await releaseTraining(reading, permit, walk, {
      open: (rows) => new AskedRows(rowsOfUnits(planned, rows)),
      signal: asker.signal,
    })
    const trained = await trainOn(planned, sums, onProgress)
    const file: ModelFile = {
      format: "dosimeter-model/1",
      dataset: training.plan.dataset,
      features: planned.sql,
      inputs: planned.inputs,
      target: planned.target.column,
      model: modelOf(planned.plan, trained),
      dose: doseOf(planned),
    }
    const receipt = receiptOf(factsOfTraining(planned), reservation)
    await ledger.settle(reservation, {
      outcome: "released",
      release: {
        answer: writeAnswer(tableOfModel(file, confidence)),
        receipt: writeReceipt(receipt),
        kept: [{ subject, text: writeModel(file) }],
      },
    })
    return { file, confidence, receipt, origin: "released", charge: reservation.position }
  })
  function doseOf({ training: { plan } }: PlannedModel): ModelDose {
    const { shown } = charge
    const [epsilon, delta] =
      shown.measure === "approx" ? [showUp(shown.epsilon), showUp(shown.delta)] : [showLoss(shown), "0"]
    return { epsilon, delta, loss: showCharge(charge), unit: plan.unitName, neighbours: plan.neighbours }
  }
}

/** What a model is found by. */
export function modelSubject({ planHash, dataVersion }: Question): string {
  return `model ${planHash} ${dataVersion}`
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
function rowsOfUnits({ columns, inputs, targetPlace, places, plan }: PlannedModel, read: UnitColumns): Rows {
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
  assert(features.length === read.units * width, "every unit has a row")
  const starts = Uint32Array.from({ length: read.units + 1 }, (_, unit) => unit)
  return { shape, count: read.units, features, targets, starts }
}
