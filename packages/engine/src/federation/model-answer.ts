// The answer of a job that fits a regression: the coefficients with intervals that hold chance and noise, and
// the model itself. All of it is worked out from noisy sums.

import { modelOf } from "@dosimeter/ml/regression/model"
import type { Trained } from "@dosimeter/ml/regression/train"
import { fileOfModel, tableOfModel } from "../training/model-receipt.ts"
import { regressionIn } from "../training/plan-fit.ts"
import type { PlannedModel } from "../training/plan-training.ts"
import type { FederatedAnswer } from "./federated-answer.ts"

/** What the sites of a job have fitted. */
export function modelAnswer(
  planned: PlannedModel,
  trained: Trained,
): Pick<FederatedAnswer, "answer" | "model"> {
  const model = fileOfModel(planned, modelOf(regressionIn(planned), trained))
  return { answer: tableOfModel(model, planned.training.plan.confidence), model }
}
