// A job in plain words, for the people who decide whether their site takes part.

import { showLoss } from "@dosimeter/core"
import { numberUp } from "@dosimeter/core/exact"
import type { JobOffer } from "./federated-answer.ts"
import type { JobDocument } from "./job.ts"
import type { JobPlan } from "./plan-job.ts"

/** What a committee reads, and the epsilon of one patient. */
export function offerWords(
  document: JobDocument,
  { plan, shares }: JobPlan,
): Pick<JobOffer, "words" | "facts" | "epsilon"> {
  const { purpose, study, sql, sites, threshold, honest, colluding, mode } = document
  const { shown } = plan.charge
  const count = shares.reduce((sum, share) => sum + share.numbers, 0)
  const epsilon = "epsilon" in shown ? `${numberUp(shown.epsilon)}` : showLoss(shown)
  const numbers = `${count} ${count === 1 ? "number" : "numbers"}`
  const leaves =
    mode === "summed"
      ? [
          `What leaves: ${numbers} under masks. The coordinator learns the sum over at least ${threshold} of ${sites.length} sites, never the numbers of this one.`,
          `The noise is shared between sites, and each can take its own share off the answer. The dose holds against every site that takes part, and against the coordinator with ${colluding} ${colluding === 1 ? "site" : "sites"} in league: at least ${honest} sites' shares are unknown to them.`,
        ]
      : [
          `What leaves: ${numbers}, each with all of the noise. The coordinator sees the noisy numbers of this site by themselves.`,
        ]
  return {
    epsilon,
    facts: { numbers: count, unit: plan.unitName },
    words: [
      `Study ${study}: ${purpose}`,
      `Question: ${sql.replaceAll(/\s+/g, " ").trim()}`,
      `Dose: ${showLoss(shown)} for each ${plan.unitName}, charged to this dataset before a row is read.`,
      ...leaves,
      `A person who is in the data of several sites counts, and is charged, once at each.`,
      `Who sees the answer: the coordinator, and every site that took part.`,
    ],
  }
}
