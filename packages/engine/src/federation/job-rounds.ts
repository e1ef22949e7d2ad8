// The rounds of a job, at both ends alike: which sum is made next, under which name, and what it asks for. A
// question has one round. Those of a regression follow from the sums before them: every site works out by
// itself what is asked next, so a coordinator that tells sites different things has them in different rounds.

import { createHash } from "node:crypto"
import type { ShareSpec } from "@dosimeter/core/distributed"
import { assert } from "@dosimeter/core/errors"
import { train, type SumAsk, type Trained } from "@dosimeter/ml/regression/train"
import { canonicalJson } from "../ledger/entries/canonical.ts"
import { jobId, type JobDocument } from "./job.ts"
import type { JobPlan } from "./plan-job.ts"
import { dialoguePlan, noisySum } from "./plan-model-job.ts"
import { termsOfRound } from "./sum-of-job.ts"
import type { SumTerms } from "./sums/sum-terms.ts"

/** A sum that was made, as every site that stayed is told it. */
export interface RoundSum {
  readonly numbers: readonly bigint[]
  readonly survivors: readonly string[]
}

/** What a round asks for: a kind of the planned sums, and the ask itself. */
export interface RoundAsk {
  readonly kind: number
  readonly ask: SumAsk
}

type Dialogue = ReturnType<typeof train>

/** Where a job stands among its rounds. */
export class JobRounds {
  readonly #document: JobDocument
  readonly #planned: JobPlan
  readonly #dialogue: Dialogue | undefined
  /** The job, then one hash after the other of what was summed: no two courses of a job share one. */
  #course: string
  #turn: ReturnType<Dialogue["next"]> | undefined
  #done = 0

  constructor(document: JobDocument, planned: JobPlan) {
    const { model, shares } = planned
    this.#document = document
    this.#planned = planned
    this.#course = jobId(document)
    this.#dialogue =
      model === undefined ? undefined : train(dialoguePlan(model, shares, document.sites.length))
    this.#turn = this.#dialogue?.next()
  }

  /** How many sums there are in all. */
  get all(): number {
    return roundsOf(this.#planned)
  }

  /** How many were made. */
  get done(): number {
    return this.#done
  }

  /** What the round at hand asks for; undefined of a question, whose plan says it. */
  get ask(): RoundAsk | undefined {
    const { model } = this.#planned
    const turn = this.#turn
    if (model === undefined || turn === undefined || turn.done === true) return undefined
    const { value: ask } = turn
    const kind = model.training.sums.findIndex(({ name }) => name === ask.kind)
    return { kind, ask }
  }

  /** The terms of the sum at hand. */
  terms(): SumTerms {
    const asked = this.ask
    return termsOfRound(this.#document, this.#planned, {
      id: this.#course,
      ...(asked === undefined ? {} : { kind: asked.kind }),
    })
  }

  /** Takes the sum of the round at hand; whether another one follows. */
  take({ numbers, survivors }: RoundSum): boolean {
    this.#done += 1
    const asked = this.ask
    if (this.#dialogue === undefined || asked === undefined) return false
    const sum = canonicalJson({ numbers: numbers.map(String), survivors })
    this.#course = createHash("sha256")
      .update(`dosimeter round 1\n${this.#course}\n${this.#done}\n${sum}`)
      .digest("hex")
    this.#turn = this.#dialogue.next(noisySum(this.#share(asked), numbers))
    return this.#turn.done !== true
  }

  /** What a regression has learnt, once all of its sums were made. */
  get trained(): Trained | undefined {
    return this.#turn?.done === true ? this.#turn.value : undefined
  }

  #share({ kind }: RoundAsk): ShareSpec {
    const share = this.#planned.shares[kind]
    assert(share !== undefined, "every kind of sums has a share")
    return share
  }
}

/** How many sums a job makes. */
export function roundsOf({ model }: Pick<JobPlan, "model">): number {
  return model === undefined ? 1 : model.training.sums.reduce((all, { count }) => all + count, 0)
}
