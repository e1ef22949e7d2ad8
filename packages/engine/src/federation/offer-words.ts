// A job in plain words, for the people who decide whether their site takes part.

import { showLoss } from "@dosimeter/core"
import { numberUp } from "@dosimeter/core/exact"
import { answerColumns } from "../answer/answer.ts"
import { modelColumns } from "../training/model-receipt.ts"
import type { JobOffer } from "./federated-answer.ts"
import { jobId, type JobDocument } from "./job.ts"
import { roundsOf } from "./job-rounds.ts"
import type { JobPlan } from "./plan-job.ts"

/** A job as its site offers it to people: words, the charge, and the epsilon of one patient. */
export function offerOf(document: JobDocument, planned: JobPlan): JobOffer {
  const { plan, model, loss } = planned
  const { shown } = (model ?? plan).charge
  return {
    job: jobId(document),
    document,
    words: wordsOf(document, planned),
    facts: { numbers: numbersOf(planned), unit: plan.unitName, rounds: roundsOf(planned) },
    charge: loss,
    epsilon: "epsilon" in shown ? `${numberUp(shown.epsilon)}` : showLoss(shown),
    delta: document.ask.delta,
    columns: model === undefined ? answerColumns(plan) : modelColumns,
  }
}

/** How many numbers leave in all rounds together. */
function numbersOf({ shares, model }: JobPlan): number {
  return shares.reduce(
    (sum, { numbers }, kind) => sum + numbers * (model?.training.sums[kind]?.count ?? 1),
    0,
  )
}

function wordsOf(document: JobDocument, planned: JobPlan): readonly string[] {
  const { purpose, study, sql } = document
  const { plan, model } = planned
  const { unitName } = plan
  const rounds = roundsOf(planned)
  const question = sql.replaceAll(/\s+/g, " ").trim()
  const paid = rounds === 1 ? "before a row is read" : `for all ${rounds} sums together, before a row is read`
  return [
    `Study ${study}: ${purpose}`,
    ...(document.model === undefined
      ? [`Question: ${question}`]
      : [
          `Model: a ${document.model.kind} regression of ${document.model.target} on ${(model?.inputs ?? []).map(({ name }) => name).join(", ")}`,
          `Its rows: ${question}`,
        ]),
    `Dose: ${showLoss((model ?? plan).charge.shown)} for each ${unitName}, charged to this dataset ${paid}.`,
    ...leavesOf(document, planned),
    `A person who is in the data of several sites counts, and is charged, once at each.`,
    `Who sees the answer: the coordinator, and every site that took part.`,
  ]
}

function leavesOf(document: JobDocument, planned: JobPlan): readonly string[] {
  const { sites, threshold, honest, colluding, mode } = document
  const rounds = roundsOf(planned)
  const count = numbersOf(planned)
  const numbers = `${count} ${count === 1 ? "number" : "numbers"}`
  if (mode === "separate") {
    return [
      `What leaves: ${numbers}, each with all of the noise. The coordinator sees the noisy numbers of this site by themselves.`,
    ]
  }
  const [what, sums] =
    rounds === 1 ? [`${numbers} under masks`, "sum"] : [`${numbers} under masks, in ${rounds} rounds`, "sums"]
  return [
    `What leaves: ${what}. The coordinator learns the ${sums} over at least ${threshold} of ${sites.length} sites, never the numbers of this one.`,
    ...(rounds === 1
      ? []
      : [
          `What each round asks for follows from the sums before it; this site works it out by itself, and makes no more than ${rounds}.`,
        ]),
    `The noise is shared between sites, and each can take its own share off the answer. The dose holds against every site that takes part, and against the coordinator with ${colluding} ${colluding === 1 ? "site" : "sites"} in league: at least ${honest} sites' shares are unknown to them.`,
  ]
}
