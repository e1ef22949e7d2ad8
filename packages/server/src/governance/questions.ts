// The one way in which every door asks: in the name of an account, inside a study where the house has
// studies, charged to the accounts that this means. A door adds nothing to it and leaves nothing out.

import {
  askWithin,
  planWithin,
  type AccountName,
  type Engine,
  type Explained,
  type QuestionOptions,
  type WorkloadAnswer,
} from "@dosimeter/engine"
import type { Workload, WorkloadQuestion } from "@dosimeter/sql"
import type { AnsweredInStages } from "../answers/answer-value.ts"
import type { FirstLookPrice } from "../answers/explanation-value.ts"
import { fail } from "../errors.ts"
import type { Accounts, Person } from "./accounts.ts"
import { may } from "./roles.ts"
import type { Studies } from "./studies.ts"

/** A question of somebody, as doors hand it in. */
export interface AskedQuestion extends Pick<
  QuestionOptions,
  "ask" | "parameters" | "requestId" | "reuse" | "signal" | "onCharged"
> {
  readonly sql: string
  /** The only study that somebody is in, if none is named. */
  readonly study?: string | undefined
  /** An accuracy to reach, in place of a loss to spend. */
  readonly within?: Parameters<typeof askWithin>[0]["target"] | undefined
}

/** Several questions of somebody, for one allowance. */
export interface AskedWorkload extends Pick<AskedQuestion, "ask" | "requestId" | "study"> {
  readonly questions: readonly WorkloadQuestion[]
}

/** What a question would do, and the first look that it takes. */
export interface Priced {
  readonly explained: Explained
  readonly first?: FirstLookPrice
}

/** Asks an engine for people. */
export class Questions {
  readonly engine: Engine
  readonly #accounts: Accounts
  readonly #studies: Studies | undefined

  constructor(options: {
    readonly engine: Engine
    readonly accounts: Accounts
    /** With studies nothing can be asked outside of one; undefined for a house without them. */
    readonly studies: Studies | undefined
  }) {
    this.engine = options.engine
    this.#accounts = options.accounts
    this.#studies = options.studies
  }

  /** What a question would cost and how exact it would be; reads no data and costs nothing. */
  async explain(user: string, question: AskedQuestion): Promise<Explained> {
    return this.engine.explain(question.sql, await this.#options(user, question))
  }

  /** The same; where an error is wanted, with the least that gives it, or what a first look costs. */
  async price(user: string, question: AskedQuestion): Promise<Priced> {
    const { sql, within } = question
    if (within === undefined) return { explained: await this.explain(user, question) }
    const options = await this.#options(user, question)
    const plan = await planWithin({ engine: this.engine, sql, options, target: within })
    const ask = { ...options.ask, epsilon: plan.epsilon }
    const explained = await this.engine.explain(sql, { ...options, ask })
    return plan.kind === "known"
      ? { explained }
      : { explained, first: { epsilon: plan.epsilon, most: plan.most } }
  }

  async ask(user: string, question: AskedQuestion): Promise<AnsweredInStages> {
    const options = await this.#options(user, question)
    const { sql, within } = question
    if (within === undefined) return this.engine.ask(sql, options)
    const { answer, first } = await askWithin({ engine: this.engine, sql, options, target: within })
    return first === undefined ? answer : { ...answer, earlier: [{ name: "first look", recorded: first }] }
  }

  /** Several questions planned together; free. */
  async plan(user: string, asked: AskedWorkload): Promise<Workload> {
    return this.engine.plan(asked.questions, await this.#workloadOptions(user, asked))
  }

  /** Several questions under one charge. */
  async release(
    user: string,
    asked: AskedWorkload,
  ): Promise<{ readonly workload: Workload; readonly answer: WorkloadAnswer }> {
    const options = await this.#workloadOptions(user, asked)
    const workload = await this.engine.plan(asked.questions, options)
    return { workload, answer: await this.engine.release(workload, options) }
  }

  async #workloadOptions(user: string, { questions: _questions, ...asked }: AskedWorkload) {
    const {
      parameters: _parameters,
      reuse: _reuse,
      ...options
    } = await this.#options(user, {
      ...asked,
      sql: "",
    })
    return options
  }

  /** Everything that a question needs; refused if the account was disabled or changed meanwhile. */
  async #options(user: string, asked: AskedQuestion): Promise<QuestionOptions> {
    const { sql: _sql, within: _within, study: named, ...question } = asked
    const person = await this.#accounts.find(user)
    if (person === undefined || person.disabledAt !== undefined || !may(person.role, "ask")) {
      return fail("account/no-right", { name: user, right: "ask questions" })
    }
    const study = this.#studies === undefined ? named : await studyFor(this.#studies, person, named)
    const isLimited = this.engine.policy.limits.analysts.length > 0
    const accounts: readonly AccountName[] = [
      ...(study === undefined ? [] : [`study:${study}` as const]),
      ...(isLimited ? [`analyst:${user}` as const] : []),
    ]
    return { ...question, accounts, principal: user, ...(study === undefined ? {} : { study }) }
  }
}

/** The study that is named, or the only one that somebody can ask in. */
async function studyFor(studies: Studies, person: Person, named: string | undefined): Promise<string> {
  if (named !== undefined) return (await studies.requireActive(named, person)).id
  const own = await studies.openTo(person)
  const [only] = own
  if (only === undefined) return fail("study/none", { name: person.name })
  if (own.length > 1) return fail("study/several", { names: own.map(({ id }) => id).join(", ") })
  return only.id
}
