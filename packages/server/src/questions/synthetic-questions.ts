// Synthetic rows, asked for as every question is asked: by somebody with a standing, written down, charged to
// the accounts that this means, and held back where a study has an airlock.

import type { Engine, SyntheticPlan, SyntheticQuestion, SyntheticRelease } from "@dosimeter/engine"
import type { Askers } from "./askers.ts"
import { prepareQuestion, type AskedQuestion, type Prepared } from "./prepare-question.ts"
import type { QuestionRecord } from "./question-record.ts"

type Wanted = Pick<SyntheticQuestion, "sql" | "table" | "columns" | "rowsOf" | "rules" | "target">

/** Synthetic rows that somebody wants, as doors hand them in. */
export interface AskedSynthetic extends Pick<AskedQuestion, "ask" | "rho" | "study" | "requestId"> {
  readonly wanted: Wanted
}

/** What they would cost. */
export interface PricedSynthetic {
  readonly plan: SyntheticPlan
  /** Whether it was measured before, so that it costs nothing. */
  readonly isMeasured: boolean
}

/** Asks an engine for synthetic rows, for people. */
export class SyntheticQuestions {
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

  /** What they would cost and how good they would be; free, and reads no data. */
  async price(user: string, asked: AskedSynthetic): Promise<PricedSynthetic> {
    const { options } = await this.#prepare(user, asked)
    const question = { ...options, ...asked.wanted }
    const plan = await this.#engine.synthetic.plan(question)
    return { plan, isMeasured: await this.#engine.synthetic.isMeasured(question) }
  }

  /** Measures what they are made of, or finds it in the record. */
  async measure(user: string, asked: AskedSynthetic): Promise<SyntheticRelease> {
    const texts = [textOfSynthetic(asked.wanted)]
    const prepared = await this.#prepare(user, asked).catch((error: unknown) =>
      this.#record.refused(user, texts, error),
    )
    return this.#record.run({ ...prepared, user, texts }, async (options) =>
      this.#engine.synthetic.measure({ ...options, ...asked.wanted }),
    )
  }

  async #prepare(user: string, { wanted: _wanted, ...asked }: AskedSynthetic): Promise<Prepared> {
    return prepareQuestion(user, asked, { askers: this.#askers, terms: this.#engine.policy.terms })
  }
}

/** What was asked, for the record: in words, since it is no SQL. */
export function textOfSynthetic({ sql, table, columns, rowsOf, rules = [], target }: Wanted): string {
  const list = (names: readonly string[] | undefined): string =>
    names === undefined ? "" : ` (${names.join(", ")})`
  return [
    sql === undefined ? `synthetic rows of ${table ?? ""}${list(columns)}` : `synthetic rows of\n${sql}`,
    ...(rowsOf === undefined
      ? []
      : [`with rows of ${rowsOf.table}${list(rowsOf.columns)} by ${rowsOf.order}, ${rowsOf.most} at most`]),
    ...rules.map((rule) => `where ${rule}`),
    ...(target === undefined ? [] : [`for ${target}`]),
  ].join("\n")
}
