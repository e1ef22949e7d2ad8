// What a question costs, and which plans may be read for it: worked out from proven plans, so that nobody can
// charge less than they lose.

import { createHash } from "node:crypto"
import { assert } from "@dosimeter/core/errors"
import { add, compare, showRational, zero } from "@dosimeter/core/exact"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import { isProvenFor, type VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { isVerifiedTraining, type VerifiedTraining } from "@dosimeter/proof/verify/verify-training"
import { fail } from "../errors.ts"
import type { LedgerCharge } from "../ledger/entries/account.ts"
import type { Question } from "../ledger/ledger.ts"
import { planHash } from "./plan-hash.ts"

/** Several plans that are paid for together, and the questions that are worked out from them. */
export interface PlannedTogether {
  readonly parts: readonly { readonly plan: VerifiedPlan }[]
  readonly questions: readonly { readonly compiled: { readonly plan: VerifiedPlan } }[]
  readonly charge: LedgerCharge
}

/** What is asked: a version of the data, and what is known of it. */
export interface Billed {
  readonly version: { readonly name: string }
  readonly catalog: Catalog
}

/**
 * The bill of a question.
 *
 * Guarantee: the charge is no less than the sum of the losses of all plans that the bill pays for; two bills
 *   of equal `question` pay for plans of equal hashes. All of them, and those of the questions that are
 *   worked out from them, were proven for the catalog of the data that they are read from. No plan is a
 *   series: those are drawn step by step, and paid for by paySeries. A bill of rounds pays for no plan
 *   beforehand: its permit lets plans be read as long as their losses together are within the charge. A
 *   bill of a training pays for no plan, and for the training's sums: its charge is the training's own.
 * Needs: a plan's charge is its loss (verify); losses of one measure add up.
 * Proof: bills are made by the functions of this class only (its constructor is private, and its private
 *   field is in no copy). That of one plan has the plan's own charge, for a job too; that of several is
 *   refused unless its charge is the sum of theirs, in one accounting. All hashes cover the hashes of all
 *   plans. All functions look at every plan (checkProvenFor). Totals, which make a plan a series, are looked
 *   for in each. That of rounds has no plans; RoundsLeft looks at each when it is there. That of a training
 *   has no plans either, so its permit reads none; the loss was compared with the charge (verifyTraining).
 * Numerics: exact.
 * Source: Dwork and Roth 2014, section 3 (composition).
 */
export class Bill {
  readonly question: Question
  readonly charge: LedgerCharge
  /** Of rounds: the catalog that each of their plans must be proven for. */
  readonly rounds: Catalog | undefined
  /** The training that it pays for. */
  readonly training: VerifiedTraining | undefined
  readonly #plans: readonly VerifiedPlan[]

  private constructor(
    question: Question,
    charge: LedgerCharge,
    plans: readonly VerifiedPlan[],
    more: { readonly rounds?: Catalog; readonly training?: VerifiedTraining } = {},
  ) {
    assert(!plans.some(isSeries), "a series is paid for as one, and drawn step by step")
    this.question = question
    this.charge = charge
    this.#plans = plans
    this.rounds = more.rounds
    this.training = more.training
    Object.freeze(this)
  }

  /** The bill of one plan, on a version of the data. */
  static ofPlan(plan: VerifiedPlan, { version, catalog }: Billed): Bill {
    checkProvenFor([plan], catalog)
    return new Bill({ planHash: planHash(plan), dataVersion: version.name }, plan.charge, [plan])
  }

  /**
   * The bill of one plan whose numbers leave as part of a sum: of this job alone, so that no other question
   * is answered by it, and no second job.
   */
  static ofJob(plan: VerifiedPlan, job: string, { version, catalog }: Billed): Bill {
    checkProvenFor([plan], catalog)
    const hash = createHash("sha256")
      .update(`dosimeter federated 1\n${job}\n${planHash(plan)}`)
      .digest("hex")
    return new Bill({ planHash: hash, dataVersion: version.name }, plan.charge, [plan])
  }

  /** The bill of several plans. */
  static ofSeveral(together: PlannedTogether, { version, catalog }: Billed): Bill {
    const { parts, questions, charge } = together
    const plans = parts.map(({ plan }) => plan)
    checkProvenFor([...plans, ...questions.map(({ compiled }) => compiled.plan)], catalog)
    const amount = plans.map((plan) => plan.charge.amount).reduce(add, zero)
    const delta = plans.map((plan) => plan.charge.delta).reduce(add, zero)
    const isSame = plans.every((plan) => plan.charge.accounting === charge.accounting)
    assert(
      isSame && compare(amount, charge.amount) === 0 && compare(delta, charge.delta) === 0,
      "a workload's charge is the sum of those of its parts",
    )
    return new Bill({ planHash: hashOf(together), dataVersion: version.name }, charge, plans)
  }

  /**
   * The bill of rounds: plans that are found one after the other, each from what was released before it. The
   * rule says how, as text: the same rule for the same charge on the same data is the same question.
   */
  static ofRounds(rule: string, charge: LedgerCharge, { version, catalog }: Billed): Bill {
    const { accounting, amount, delta } = charge
    const price = [accounting, showRational(amount), showRational(delta)].join(" ")
    const hash = createHash("sha256").update(`dosimeter rounds 1\n${price}\n${rule}`).digest("hex")
    const own = { accounting, amount, delta }
    return new Bill({ planHash: hash, dataVersion: version.name }, own, [], { rounds: catalog })
  }

  /**
   * The bill of a training. The rule says how its sums follow from each other, as text: the same rule over
   * the same rows for the same charge is the same question.
   */
  static ofTraining(training: VerifiedTraining, rule: string, { version, catalog }: Billed): Bill {
    assert(isVerifiedTraining(training), "a training is proven")
    checkProvenFor([training.plan], catalog)
    const { accounting, amount, delta } = training.charge
    const price = [accounting, showRational(amount), showRational(delta)].join(" ")
    const hash = createHash("sha256")
      .update(`dosimeter training 1\n${price}\n${planHash(training.plan)}\n${rule}`)
      .digest("hex")
    const own = { accounting, amount, delta }
    return new Bill({ planHash: hash, dataVersion: version.name }, own, [], { training })
  }

  /** The plans that it pays for. */
  get plans(): readonly VerifiedPlan[] {
    return this.#plans
  }
}

/** Refuses plans that were proven with other facts than those of the data at hand. */
export function checkProvenFor(plans: readonly VerifiedPlan[], catalog: Catalog): void {
  for (const plan of plans) {
    if (!isProvenFor(plan, catalog)) fail("plan/of-other-data", { dataset: plan.dataset })
  }
}

/** Whether a plan is a series. */
export function isSeries({ releases }: VerifiedPlan): boolean {
  return releases.some(({ measurements }) => measurements.some((one) => hasStrategy(one, "totals")))
}

// Of what is measured and of what is worked out from it.
function hashOf({ parts, questions }: PlannedTogether): string {
  const hashes = [
    ...parts.map(({ plan }) => planHash(plan)),
    "",
    ...questions.map(({ compiled }) => planHash(compiled.plan)),
  ]
  return createHash("sha256")
    .update(`dosimeter workload 1\n${hashes.join("\n")}`)
    .digest("hex")
}
