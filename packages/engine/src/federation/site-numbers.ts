// What a site measures for a job: its SQL is printed before the charge, its rows are read once under it, and
// each round's numbers leave with a share of the noise. All rounds of a model are paid for before the first.

import { assert } from "@dosimeter/core/errors"
import type { RandomBits } from "@dosimeter/core/noise"
import { AskedRows } from "@dosimeter/ml/regression/answer-ask"
import type { SumAsk } from "@dosimeter/ml/regression/train"
import type { Backend } from "../dataset/backend.ts"
import type { DataVersion } from "../dataset/data-version.ts"
import { Bill, type Billed } from "../release/bill.ts"
import type { Permit } from "../release/permit.ts"
import { printed, type PrintedPlan } from "../release/printed-plan.ts"
import { releaseShares } from "../release/release-shares.ts"
import {
  printedTraining,
  releaseTraining,
  type PrintedTraining,
  type TrainingSums,
} from "../release/release-training.ts"
import { rowsOfUnits } from "../training/unit-rows.ts"
import { regressionIn } from "../training/plan-fit.ts"
import type { RoundAsk } from "./job-rounds.ts"
import type { JobPlan } from "./plan-job.ts"

/** Where a site reads, what it draws from, and how many honest sites share the noise. */
export interface NumbersFrom {
  readonly backend: Backend
  readonly version: DataVersion
  readonly rng: RandomBits
  readonly honest: number
}

/** The numbers of one job at one site. */
export class SiteNumbers {
  readonly #planned: JobPlan
  readonly #plan: PrintedPlan | undefined
  readonly #training: PrintedTraining | undefined
  #sums: TrainingSums<SumAsk> | undefined

  /** Prints all SQL: what cannot be printed is refused before anything is charged. */
  constructor(planned: JobPlan, backend: Backend) {
    const { plan, model } = planned
    this.#planned = planned
    this.#plan = model === undefined ? printed(plan, backend) : undefined
    this.#training = model === undefined ? undefined : printedTraining(model.training, backend)
  }

  /** Of this job alone: no other question is answered by it, and no second job. */
  bill(job: string, at: Billed): Bill {
    const { plan, model } = this.#planned
    return model === undefined
      ? Bill.ofJob(plan, job, at)
      : Bill.ofTraining(model.training, `federated ${job}\n${model.rule}`, at)
  }

  /** The numbers of a round, with their share of the noise. Rows are read for the first one. */
  async ofRound(asked: RoundAsk | undefined, permit: Permit, from: NumbersFrom): Promise<readonly bigint[]> {
    const { model } = this.#planned
    const { honest } = from
    if (this.#plan !== undefined) return releaseShares(this.#plan, permit, from, undefined)
    assert(
      this.#training !== undefined && model !== undefined && asked !== undefined,
      "a model asks for sums",
    )
    this.#sums ??= await releaseTraining(this.#training, permit, from, {
      open: (rows) => new AskedRows(rowsOfUnits(model, regressionIn(model), rows)),
      honest,
    })
    return this.#sums.answer(asked.kind, asked.ask)
  }

  /** Nothing more is measured: rows that were read are forgotten. */
  forget(): void {
    this.#sums = undefined
  }
}
