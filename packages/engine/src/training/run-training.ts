// The walk of a model: priced, charged once for all of its sums, its rows read under that charge, and
// everything after that worked out from noisy sums. Nothing is refused or refunded once data was read.

import { writeAnswer } from "@dosimeter/answers/shown/answer-text"
import { writeReceipt } from "@dosimeter/answers/shown/receipt-text"
import { oneAtATime } from "../ask/one-at-a-time.ts"
import { billedOf, payerOf, type Asker, type Walk } from "../ask/run-query.ts"
import { receiptOf } from "../receipts/receipt.ts"
import { Bill } from "../release/bill.ts"
import { pay, type Permit } from "../release/permit.ts"
import { printedTraining, type PrintedTraining } from "../release/release-training.ts"
import { lookForCharge, underCharge } from "../release/under-charge.ts"
import { fitModel } from "./fit-model.ts"
import { factsOfTraining, fileOfModel, tableOfModel } from "./model-receipt.ts"
import type { PlannedModel } from "./plan-training.ts"
import { keptOfModel, recordedModel, type TrainedModel } from "./released-models.ts"
import type { TrainingQuestion } from "./training-question.ts"

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
 *   TrainingSums; the dialogues of a fit (train, boost, fitBayes, fitComponents, fitClusters) see these and
 *   public numbers, so model, quality and card are post-processing. A recorded model is the text that was
 *   released. Of several who want the same at once one pays, and the others look again.
 * Numerics: losses are exact; what follows the noise is in doubles.
 * Source: Dwork and Roth 2014, section 3 (adaptive composition, post-processing).
 */
export async function runTraining(planned: PlannedModel, run: TrainingRun): Promise<TrainedModel> {
  const { walk, asker } = run
  const { ledger, version } = walk
  await version.check()
  const bill = Bill.ofTraining(planned.training, planned.rule, billedOf(walk))
  const { release, left } = await lookForCharge(ledger, bill, asker)
  if (release !== undefined) return recordedModel(planned, { release, question: bill.question }, ledger)
  const reading = printedTraining(planned.training, walk.backend)
  if (left !== undefined) return trainedUnder(left, { planned, reading }, run)
  const payAndTrain = async (): Promise<TrainedModel> =>
    trainedUnder(await pay(ledger, bill, payerOf(asker)), { planned, reading }, run)
  // When held work ends, and how, is told to nobody.
  if (asker.held === true) return payAndTrain()
  return oneAtATime(ledger, bill.question, {
    answer: payAndTrain,
    again: async () => runTraining(planned, run),
  })
}

// Progress follows from public numbers: a charge that is taken over, and drawn from once more, has told
// nothing.
async function trainedUnder(
  permit: Permit,
  { planned, reading }: { readonly planned: PlannedModel; readonly reading: PrintedTraining },
  { walk, asker, onProgress }: TrainingRun,
): Promise<TrainedModel> {
  const { reservation } = permit
  const { ledger } = walk
  const { confidence } = planned.training.plan
  asker.onCharged?.(reservation.position)
  return underCharge(ledger, permit, async () => {
    const { signal } = asker
    const model = await fitModel(planned, { reading, permit }, walk, { signal, onProgress })
    const file = fileOfModel(planned, model)
    const receipt = receiptOf(factsOfTraining(planned), reservation)
    await ledger.settle(reservation, {
      outcome: "released",
      release: {
        answer: writeAnswer(tableOfModel(file, confidence)),
        receipt: writeReceipt(receipt),
        kept: keptOfModel(file, reservation),
      },
    })
    const charge = reservation.position
    return { file, confidence, receipt, cost: planned.charge, origin: "released", charge }
  })
}
