// The one way in which every door asks: as whoever the askers say (an account of the house, or the owner at
// the command line), charged to the accounts that this means, written down, and held back where a study has
// an airlock.

import {
  askWithin,
  planWithin,
  showWithin,
  spending,
  type Engine,
  type Explained,
  type QuestionOptions,
  type WorkloadAnswer,
  type WorkloadOptions,
} from "@dosimeter/engine"
import { add, zero, type Rational } from "@dosimeter/core/exact"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import type { Workload, WorkloadQuestion } from "@dosimeter/planner/workload/plan-workload"
import { withLooks, type AnsweredInStages } from "../answers/answer-value.ts"
import type { FirstLookPrice } from "../answers/explanation-value.ts"
import type { Askers } from "./askers.ts"
import { prepareQuestion, type AskedQuestion, type Prepared } from "./prepare-question.ts"
import { QuestionRecord, type RecordPlaces } from "./question-record.ts"
import { SeriesQuestions } from "./series-questions.ts"
import { SyntheticQuestions } from "./synthetic-questions.ts"
import { TrainingQuestions } from "./training-questions.ts"

/** Several questions of somebody, for one allowance. */
export interface AskedWorkload extends Pick<AskedQuestion, "ask" | "requestId" | "rho" | "study"> {
  readonly questions: readonly WorkloadQuestion[]
  /** Told what it costs, before anything is paid; refuses by throwing. */
  readonly onPlan?: ((workload: Workload) => Promise<void>) | undefined
}

/** What a question would do, and the first look that it takes. */
export interface Priced {
  readonly explained: Explained
  readonly first?: FirstLookPrice
  /** The same in words. */
  readonly within?: string
  /** What all looks and the question itself cost together, at most. */
  readonly atMost?: Omit<Charge, "shown">
}

/** Asks an engine for people. */
export class Questions {
  readonly engine: Engine
  /** Running totals that grow with the data. */
  readonly series: SeriesQuestions
  /** Rows of nobody. */
  readonly synthetic: SyntheticQuestions
  /** Models. */
  readonly training: TrainingQuestions
  readonly #askers: Askers
  readonly #record: QuestionRecord

  constructor(options: RecordPlaces & { readonly engine: Engine; readonly askers: Askers }) {
    const { engine, askers } = options
    this.engine = engine
    this.#askers = askers
    this.#record = new QuestionRecord(engine, options)
    const asked = { engine, askers, record: this.#record }
    this.series = new SeriesQuestions(asked)
    this.synthetic = new SyntheticQuestions(asked)
    this.training = new TrainingQuestions(asked)
  }

  /** What a question would cost and how exact it would be; reads no data and costs nothing. */
  async explain(user: string, question: AskedQuestion): Promise<Explained> {
    const { options } = await this.#prepare(user, question)
    return this.engine.explain(question.sql, options)
  }

  /** The columns of an answer, before it is asked. */
  async columns(user: string, question: AskedQuestion): Promise<Explained["columns"]> {
    const { options } = await this.#prepare(user, question)
    return this.engine.columns(question.sql, options)
  }

  /** What it costs; where an error is wanted, with the least that gives it, or what a first look costs. */
  async price(user: string, question: AskedQuestion): Promise<Priced> {
    const { sql, within } = question
    if (within === undefined) return { explained: await this.explain(user, question) }
    const { options } = await this.#prepare(user, question)
    const plan = await planWithin({ engine: this.engine, sql, options, target: within })
    const explained = await this.engine.explain(sql, spending(options, plan.epsilon))
    const line = showWithin(plan, within)
    if (plan.kind === "known" || line === undefined) return { explained }
    const atMost = await this.#costOf(sql, options, [plan.epsilon, ...plan.more, plan.most])
    return { explained, first: plan, within: line, atMost }
  }

  /** What a question costs, asked once with each of some losses. */
  async #costOf(
    sql: string,
    options: QuestionOptions,
    epsilons: readonly Rational[],
  ): Promise<Omit<Charge, "shown">> {
    const { accounting } = this.engine.policy.terms.budget
    let [amount, delta] = [zero, zero]
    for (const epsilon of epsilons) {
      const { charge } = (await this.engine.explain(sql, spending(options, epsilon))).explanation
      amount = add(amount, charge.amount)
      delta = add(delta, charge.delta)
    }
    return { accounting, amount, delta }
  }

  async ask(user: string, question: AskedQuestion): Promise<AnsweredInStages> {
    const { sql, within, onPlan } = question
    const prepared = await this.#prepare(user, question).catch((error: unknown) =>
      this.#record.refused(user, [sql], error),
    )
    return this.#record.run({ ...prepared, user, texts: [sql] }, async (options) => {
      if (within === undefined) return this.engine.ask(sql, options)
      const told = onPlan === undefined ? {} : { onPlan }
      return withLooks(await askWithin({ engine: this.engine, sql, options, target: within, ...told }))
    })
  }

  /** Several questions planned together; free. */
  async plan(user: string, asked: AskedWorkload): Promise<Workload> {
    return this.engine.plan(asked.questions, workloadOptions(await this.#prepareWorkload(user, asked)))
  }

  /** Several questions under one charge. */
  async release(
    user: string,
    asked: AskedWorkload,
  ): Promise<{ readonly workload: Workload; readonly answer: WorkloadAnswer }> {
    const texts = asked.questions.map(({ sql }) => sql)
    const prepared = await this.#prepareWorkload(user, asked).catch((error: unknown) =>
      this.#record.refused(user, texts, error),
    )
    const options = workloadOptions(prepared)
    const workload = await this.engine.plan(asked.questions, options)
    await asked.onPlan?.(workload)
    const answer = await this.#record.run({ ...prepared, user, texts }, (noted) =>
      this.engine.release(workload, workloadOptions({ ...prepared, options: noted })),
    )
    return { workload, answer }
  }

  async #prepareWorkload(user: string, asked: AskedWorkload): Promise<Prepared> {
    const { questions: _questions, onPlan: _onPlan, ...question } = asked
    return prepareQuestion(user, question, { askers: this.#askers, terms: this.engine.policy.terms })
  }

  /** When everything that was asked is in the audit trail, with what became of it. */
  async settled(): Promise<void> {
    await this.#record.settled()
  }

  async #prepare(user: string, { sql: _sql, ...asked }: AskedQuestion): Promise<Prepared> {
    return prepareQuestion(user, asked, { askers: this.#askers, terms: this.engine.policy.terms })
  }
}

function workloadOptions({ options }: Prepared): WorkloadOptions {
  const { parameters: _parameters, reuse: _reuse, ...rest } = options
  return rest
}
