// Models of a dataset that is open: what they would cost, and their training.

import type { CompileOptions } from "@dosimeter/planner/compile"
import { askerOf } from "../ask/ask-question.ts"
import type { ConsentWalks } from "../ask/consent-walk.ts"
import { billedOf, type Walk } from "../ask/run-query.ts"
import { inSlots } from "../ask/slots.ts"
import { Bill } from "../release/bill.ts"
import type { ModelFile } from "./model-file.ts"
import { planModel, type PlannedModel } from "./plan-training.ts"
import { listModels, modelAt, type ListedModel, type TrainedModel } from "./released-models.ts"
import { runTraining } from "./run-training.ts"
import type { TrainingQuestion } from "./training-question.ts"

/** Models. */
export interface TrainingCommands {
  /** What a model would cost and how good it would be; reads no data and costs nothing. */
  plan(question: TrainingQuestion): Promise<PlannedModel>
  /**
   * Whether it was trained already, so that it costs nothing. Of what waits for an approval nobody is told
   * whether there is anything.
   */
  isTrained(question: TrainingQuestion): Promise<boolean>
  /** Trains it under one charge; the same question again costs nothing. */
  train(question: TrainingQuestion): Promise<TrainedModel>
  /** All models that were released, in order. Which of them somebody may see is for the caller to decide. */
  list(): Promise<readonly ListedModel[]>
  /** The model of a charge; the same holds. */
  released(charge: bigint): Promise<ModelFile | undefined>
}

/** The commands of a dataset. */
export function trainingCommands(
  walk: Walk,
  consent: ConsentWalks,
  besides: Pick<CompileOptions, "grammar" | "prepared">,
): TrainingCommands {
  const planOf = (question: TrainingQuestion, own: Walk): PlannedModel =>
    planModel(question, { ...besides, ...own.policy, ask: question.ask ?? {} })
  return {
    plan: async (question) => planOf(question, await consent.explaining(walk, question.purposes)),
    isTrained: async (question) => {
      const own = await consent.explaining(walk, question.purposes)
      const { training, rule } = planOf(question, own)
      const found = await own.ledger.find(Bill.ofTraining(training, rule, billedOf(own)).question)
      const { mayUse = own.mayUse } = question
      return found !== undefined && (await mayUse(found.charge))
    },
    train: (question) =>
      consent.run(walk, question.purposes, async (own) => {
        const planned = planOf(question, own)
        const { onProgress } = question
        return inSlots(own.policy.terms.slotMs, () =>
          runTraining(planned, {
            walk: own,
            asker: askerOf(question),
            ...(onProgress === undefined ? {} : { onProgress }),
          }),
        )
      }),
    list: () => listModels(walk.ledger),
    released: (charge) => modelAt(charge, walk.ledger),
  }
}
