// Series, asked as every question is: by somebody with a standing, written down, charged to the accounts that
// this means. A study with an airlock has no series: one approval could not be about periods that are to
// come.

import { askerOf, type Engine, type SeriesDefinition, type ShownSeries } from "@dosimeter/engine"
import type { SeriesPlan } from "@dosimeter/planner/series/plan-series"
import { fail } from "../errors.ts"
import type { Askers } from "./askers.ts"
import { prepareQuestion, type AskedQuestion, type Prepared } from "./prepare-question.ts"
import type { QuestionRecord } from "./question-record.ts"

/** A series of somebody, as doors hand it in. */
export interface AskedSeries
  extends
    Pick<AskedQuestion, "sql" | "ask" | "rho" | "study" | "requestId">,
    Pick<SeriesDefinition, "name" | "from" | "periods"> {}

/** Asks an engine for series of people. */
export class SeriesQuestions {
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

  /** What a series would be and cost; free, and reads no data. */
  async plan(user: string, asked: AskedSeries): Promise<SeriesPlan> {
    return this.#engine.series.plan(this.#definitionOf(asked, await this.#prepare(user, asked)))
  }

  /** Charges for the whole horizon of a series. */
  async create(user: string, asked: AskedSeries): Promise<SeriesPlan> {
    const texts = [asked.sql]
    const prepared = await this.#prepare(user, asked).catch((error: unknown) =>
      this.#record.refused(user, texts, error),
    )
    const definition = this.#definitionOf(asked, prepared)
    const { plan } = await this.#record.run({ ...prepared, user, texts }, async (options) => {
      const charges: bigint[] = []
      const onCharged = (position: bigint): void => {
        charges.push(position)
        options.onCharged?.(position)
      }
      const made = await this.#engine.series.create(definition, askerOf({ ...options, onCharged }))
      return { plan: made, origin: "released", ...chargeIn(charges), receipt: {} }
    })
    return plan
  }

  /** Releases all periods that are over by a day; how many were new. */
  async update(
    user: string,
    {
      name,
      through,
      signal,
    }: { readonly name: string; readonly through: bigint; readonly signal?: AbortSignal },
  ): Promise<number> {
    const { series, prepared } = await this.#known(user, name)
    const { charge, definition } = series
    const question = { ...prepared, user, texts: [definition.sql], paidBy: charge }
    const { count } = await this.#record.run(question, async () => {
      const released = await this.#engine.series.update(name, through, signal)
      return { count: released, origin: released > 0 ? "released" : "recorded", charge, receipt: {} }
    })
    return count
  }

  /** What was released of a series so far. */
  async show(user: string, name: string): Promise<ShownSeries> {
    const { series, prepared } = await this.#known(user, name)
    const { charge, definition } = series
    const { shown } = await this.#record.run({ ...prepared, user, texts: [definition.sql] }, async () => ({
      shown: await this.#engine.series.show(name),
      origin: "recorded",
      charge,
      receipt: {},
    }))
    return shown
  }

  /** A series, for somebody who may ask in the study that it was charged for. */
  async #known(
    user: string,
    name: string,
  ): Promise<{ readonly series: ShownSeries; readonly prepared: Prepared }> {
    const find = async () => {
      const series = await this.#engine.series.show(name)
      const [found] = await this.#engine.ledger.entries(series.charge, 1)
      const study = found?.entry.kind === "charge" ? found.entry.study : undefined
      return { series, prepared: await this.#prepare(user, { study }) }
    }
    return find().catch((error: unknown) => this.#record.refused(user, [`series ${name}`], error))
  }

  async #prepare(
    user: string,
    { ask, rho, study, requestId }: Pick<AskedSeries, "ask" | "rho" | "study" | "requestId">,
  ): Promise<Prepared> {
    const asked = {
      rho,
      study,
      ...(ask === undefined ? {} : { ask }),
      ...(requestId === undefined ? {} : { requestId }),
    }
    const { terms } = this.#engine.policy
    const prepared = await prepareQuestion(user, asked, { askers: this.#askers, terms })
    return prepared.options.held === true ? fail("airlock/no-series", {}) : prepared
  }

  #definitionOf({ name, sql, from, periods }: AskedSeries, { options }: Prepared): SeriesDefinition {
    const { epsilon, groupsPerUnit, rowsPerGroup } = options.ask ?? {}
    return {
      name,
      sql,
      from,
      periods,
      epsilon: epsilon ?? this.#engine.policy.terms.question.epsilonDefault,
      ...(groupsPerUnit === undefined ? {} : { groupsPerUnit }),
      ...(rowsPerGroup === undefined ? {} : { rowsPerGroup }),
    }
  }
}

function chargeIn([charge]: readonly bigint[]): { readonly charge?: bigint } {
  return charge === undefined ? {} : { charge }
}
