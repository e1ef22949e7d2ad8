// Models, asked for as every question is asked: by somebody with a standing, written down, charged to the
// accounts that this means, and held back where a study has an airlock.

import type { Engine, PlannedModel, TrainedModel, TrainingQuestion } from "@dosimeter/engine"
import type { Askers } from "./askers.ts"
import { prepareQuestion, type AskedQuestion, type Prepared } from "./prepare-question.ts"
import type { QuestionRecord } from "./question-record.ts"

type Wanted = Pick<TrainingQuestion, "model" | "sql" | "target" | "count" | "rounds">

/** A model that somebody wants, as doors hand it in. */
export interface AskedModel extends Pick<AskedQuestion, "ask" | "rho" | "study" | "requestId" | "onCharged"> {
  readonly wanted: Wanted
}

/** What it would cost. */
export interface PricedModel {
  readonly plan: PlannedModel
  /** Whether it was trained before, so that it costs nothing. */
  readonly isTrained: boolean
}

/** Asks an engine for models, for people. */
export class TrainingQuestions {
  readonly #engine: Engine
  readonly #askers: Askers
  readonly #record: QuestionRecord

  constructor(options: {
    readonly engine: Engine
    readonly askers: Askers
    readonly record: QuestionRecord
  }) {
    this.#engine = options.engine
    this.#askers = options.askers
    this.#record = options.record
  }

  /** What it would cost and how much noise there would be; free, and reads no data. */
  async price(user: string, asked: AskedModel): Promise<PricedModel> {
    const { options } = await this.#prepare(user, asked)
    const question = { ...options, ...asked.wanted }
    const plan = await this.#engine.training.plan(question)
    return { plan, isTrained: await this.#engine.training.isTrained(question) }
  }

  /** Trains it, or finds it in the record. */
  async train(user: string, asked: AskedModel): Promise<TrainedModel> {
    const texts = [textOfModel(asked.wanted)]
    const prepared = await this.#prepare(user, asked).catch((error: unknown) =>
      this.#record.refused(user, texts, error),
    )
    return this.#record.run({ ...prepared, user, texts }, async (options) =>
      this.#engine.training.train({ ...options, ...asked.wanted }),
    )
  }

  async #prepare(user: string, { wanted: _wanted, ...asked }: AskedModel): Promise<Prepared> {
    return prepareQuestion(user, asked, { askers: this.#askers, terms: this.#engine.policy.terms })
  }
}

/** What was asked, for the record: in words, since it is more than SQL. */
export function textOfModel({ model, target, count, rounds, sql }: Wanted): string {
  const of = target === undefined ? "" : ` of ${target}`
  const parts = count === undefined ? "" : ` with a count of ${count}`
  return `${model} model${of}${parts}${rounds === undefined ? "" : ` in ${rounds} rounds`}\n${sql}`
}
