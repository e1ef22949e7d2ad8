// Fits a model to rows that stay where they are: what it asks for goes to the sums, and comes back noisy.

import { CountedExamples, fitBayes, type BayesAsk } from "@dosimeter/ml/bayes/fit-bayes"
import { AskedExamples, type BoostingAsk } from "@dosimeter/ml/boosting/asked-examples"
import { boost } from "@dosimeter/ml/boosting/boost"
import { fitClusters, GroupedExamples, type ClustersAsk } from "@dosimeter/ml/clustering/fit-clusters"
import {
  fitComponents,
  MultipliedExamples,
  type ComponentsAsk,
} from "@dosimeter/ml/components/fit-components"
import { AskedRows } from "@dosimeter/ml/regression/answer-ask"
import { modelOf } from "@dosimeter/ml/regression/model"
import { train, type SumAsk } from "@dosimeter/ml/regression/train"
import type { Permit } from "../release/permit.ts"
import type { ReleaseFrom } from "../release/release.ts"
import {
  releaseTraining,
  type PrintedTraining,
  type TrainingOptions,
  type TrainingSums,
} from "../release/release-training.ts"
import type { ModelFile } from "./model-file.ts"
import type { PlannedModel } from "./plan-training.ts"
import type { TrainingQuestion } from "./training-question.ts"
import { examplesOfUnits, rowsOfUnits } from "./unit-rows.ts"

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
  const opened = async <Ask>(open: TrainingOptions<Ask>["open"]): Promise<Conversation<Ask>> => ({
    planned,
    sums: await releaseTraining<Ask>(under.reading, under.permit, from, { open, signal }),
    onProgress,
  })
  switch (fit.kind) {
    case "boosting": {
      const { plan } = fit
      const of = await opened<BoostingAsk>((rows) => new AskedExamples(plan, examplesOfUnits(planned, rows)))
      return converse(boost(plan), of)
    }
    case "bayes": {
      const { plan } = fit
      const of = await opened<BayesAsk>((rows) => new CountedExamples(plan, examplesOfUnits(planned, rows)))
      return converse(fitBayes(plan), of)
    }
    case "components": {
      const { plan } = fit
      const of = await opened<ComponentsAsk>(
        (rows) => new MultipliedExamples(plan, examplesOfUnits(planned, rows)),
      )
      return converse(fitComponents(plan), of)
    }
    case "k-means": {
      const { plan } = fit
      const of = await opened<ClustersAsk>(
        (rows) => new GroupedExamples(plan, examplesOfUnits(planned, rows)),
      )
      return converse(fitClusters(plan), of)
    }
    case "regression": {
      const { plan } = fit
      const of = await opened<SumAsk>((rows) => new AskedRows(rowsOfUnits(planned, plan, rows)))
      return modelOf(plan, await converse(train(plan), of))
    }
    default:
      return fit satisfies never
  }
}

type AnyAsk = SumAsk | BoostingAsk | BayesAsk | ComponentsAsk | ClustersAsk

interface Conversation<Ask> {
  readonly planned: PlannedModel
  readonly sums: TrainingSums<Ask>
  readonly onProgress: TrainingQuestion["onProgress"]
}

/** The dialogue: an ask goes to the sums, and their noisy answer comes back. */
async function converse<Ask extends AnyAsk, Model>(
  dialogue: Generator<Ask, Model, readonly bigint[]>,
  { planned, sums, onProgress }: Conversation<Ask>,
): Promise<Model> {
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

const words: Readonly<Record<AnyAsk["kind"], string>> = {
  people: "counting",
  products: "measuring how columns go together",
  centres: "finding groups",
  residuals: "fitting",
  look: "taking a first look",
  gradient: "fitting",
  curvature: "measuring errors",
  quality: "measuring how good it is",
}
