// The receipt of a job: what was promised, and against whom. All of it follows from the job, the plan and who
// took part; nothing comes from the data.

import { add, maximum, multiply, rational, roundUp, zero, type Rational } from "@dosimeter/core/exact"
import { lossOfShares } from "@dosimeter/core/distributed"
import { zcdpToEpsilon } from "@dosimeter/core/meaning"
import { showUp } from "../ledger/entries/units.ts"
import { boundingTexts, mechanismTexts } from "../receipts/receipt.ts"
import { receiptFacts } from "../receipts/receipt-facts.ts"
import type { ReceiptFacts } from "../receipts/receipt.ts"
import { factsOfTraining } from "../training/model-receipt.ts"
import type { FederatedReceipt, LossAgainst } from "./federated-answer.ts"
import { jobId, type JobDocument } from "./job.ts"
import { amountOf, type JobPlan } from "./plan-job.ts"

/** Who took part. */
export interface TookPart {
  readonly survivors: readonly string[]
  readonly lost: readonly string[]
}

/** What a receipt says of a job's plan. */
export function factsOfJob({ plan, model }: JobPlan): ReceiptFacts {
  return model === undefined ? receiptFacts(plan) : factsOfTraining(model)
}

/** The receipt of an answered job. */
export function receiptOfJob(
  document: JobDocument,
  planned: JobPlan,
  { survivors, lost }: TookPart,
): FederatedReceipt {
  const { study, sql, model, layout, mode, honest, colluding, loss } = document
  const facts = factsOfJob(planned)
  const charged = amountOf(loss.amount)
  const against = (amount: Rational): LossAgainst => lossAgainst(document, amount)
  return {
    format: "dosimeter-federated/1",
    job: jobId(document),
    study,
    sql,
    ...(model === undefined ? {} : { model }),
    layout,
    mode,
    unit: facts.unit,
    neighbours: facts.neighbours,
    loss,
    toPublic: against(publicLoss(document, planned, survivors.length)),
    toSite: { ...against(charged), others: Math.max(0, colluding - 1) },
    toCoordinator: { ...against(charged), colluding },
    atSites: survivors.map((_, index) => ({
      sites: index + 1,
      ...against(multiply(charged, timesAt(document, index + 1))),
    })),
    survivors,
    lost,
    honest,
    mechanisms: facts.mechanisms.map(mechanismTexts),
    bounding: facts.bounding.map(boundingTexts),
    public: facts.public,
    notes: [...facts.notes, "a person who is in the data of several sites counts once at each"],
    library: facts.library,
  }
}

/**
 * What whoever sees the answer alone can learn of one unit of one site, in the measure of the charge; never
 * more than the charge. Of a model `survivors` are those of its last sum: a site that has dropped out does
 * not come back, so no sum had fewer. The noise of all honest survivors is in the sum: sites in league may
 * have left theirs out. In the mode "separate" the coordinator has added up releases of which each has all of
 * its noise.
 */
function publicLoss(
  { loss, mode, colluding }: JobDocument,
  { shares, model }: JobPlan,
  survivors: number,
): Rational {
  const charged = amountOf(loss.amount)
  if (loss.accounting !== "zcdp" || mode === "separate") return charged
  const rho = shares
    .map((share, kind) => {
      const times = BigInt(model?.training.sums[kind]?.count ?? 1)
      return multiply(lossOfShares(share, survivors - colluding).zcdp.rho, rational(times))
    })
    .reduce(add, zero)
  // Whatever else is in the charge stays in it.
  return rho.numerator === 0n ? charged : leastOf(rho, charged)
}

function leastOf(a: Rational, b: Rational): Rational {
  return maximum(a, b) === a ? b : a
}

/**
 * How many times the charge the loss of a unit at so many sites is. Epsilons add up. In a sum the changes at
 * k sites add up in one vector, of k times the length, and rho goes with its square; of separate releases
 * with noise of their own rho adds up.
 */
function timesAt({ loss, mode }: JobDocument, sites: number): Rational {
  const count = BigInt(sites)
  return rational(loss.accounting === "zcdp" && mode === "summed" ? count * count : count)
}

function lossAgainst({ loss, ask }: JobDocument, amount: Rational): LossAgainst {
  if (loss.accounting === "pure") return { epsilon: showUp(amount), delta: loss.delta }
  return { epsilon: showUp(zcdpToEpsilon(roundUp(amount), amountOf(ask.delta))), delta: ask.delta }
}
