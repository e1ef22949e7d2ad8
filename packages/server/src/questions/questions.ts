// The one way in which every door asks: as whoever the askers say (an account of the house, or the owner at
// the command line), charged to the accounts that this means, written down, and held back where a study has
// an airlock.

import {
  askWithin,
  planWithin,
  showWithin,
  spending,
  type Answered,
  type Engine,
  type Explained,
  type Incident,
  type QuestionOptions,
  type WorkloadAnswer,
  type WithinPlan,
  type WorkloadOptions,
} from "@dosimeter/engine"
import { DosimeterError } from "@dosimeter/core"
import { add, zero, type Rational } from "@dosimeter/core/exact"
import { createHash } from "node:crypto"
import type { Charge } from "@dosimeter/proof/algebra/release-plan"
import type { Workload, WorkloadQuestion } from "@dosimeter/planner/workload/plan-workload"
import { withLooks, type AnsweredInStages } from "../answers/answer-value.ts"
import type { FirstLookPrice } from "../answers/explanation-value.ts"
import { fail } from "../errors.ts"
import type { Airlock, AirlockRules } from "../studies/airlock.ts"
import type { Askers } from "./askers.ts"
import type { Deed } from "../audit/audit.ts"
import type { AuditLog } from "../audit/audit-log.ts"
import { epsilonOfRho } from "./epsilon-of-rho.ts"
import type { ReleaseTexts } from "./release-texts.ts"

/** A question of somebody, as doors hand it in. */
export interface AskedQuestion extends Pick<
  QuestionOptions,
  "ask" | "parameters" | "requestId" | "reuse" | "signal" | "onCharged"
> {
  readonly sql: string
  /** The only study that somebody is in, if none is named. */
  readonly study?: string | undefined
  /** What to spend as rho, in place of the ask's epsilon. */
  readonly rho?: Rational | undefined
  /** An accuracy to reach, in place of a loss to spend. */
  readonly within?: Parameters<typeof askWithin>[0]["target"] | undefined
  /** Told what that takes, before anything is paid; refuses by throwing. */
  readonly onPlan?: ((plan: WithinPlan) => Promise<void>) | undefined
}

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
  readonly #askers: Askers
  readonly #airlock: Airlock | undefined
  readonly #audit: AuditLog | undefined
  readonly #onIncident: ((incident: Incident) => void) | undefined
  readonly #texts: ReleaseTexts | undefined

  constructor(options: {
    readonly engine: Engine
    readonly askers: Askers
    /** Where releases of some studies wait; there are such studies only with it. */
    readonly airlock?: Airlock | undefined
    /** Every question is written down before it is asked. */
    readonly audit?: AuditLog | undefined
    /** Told of what has failed after it was charged, for the operator. */
    readonly onIncident?: ((incident: Incident) => void) | undefined
    /** Where the text of what was charged is kept. */
    readonly texts?: ReleaseTexts | undefined
  }) {
    this.engine = options.engine
    this.#askers = options.askers
    this.#airlock = options.airlock
    this.#audit = options.audit
    this.#onIncident = options.onIncident
    this.#texts = options.texts
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
      this.#refused(user, [sql], error),
    )
    return this.#recorded(user, [sql], prepared, async (options) => {
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
      this.#refused(user, texts, error),
    )
    const options = workloadOptions(prepared)
    const workload = await this.engine.plan(asked.questions, options)
    await asked.onPlan?.(workload)
    const answer = await this.#recorded(user, texts, prepared, (noted) =>
      this.engine.release(workload, workloadOptions({ ...prepared, options: noted })),
    )
    return { workload, answer }
  }

  async #prepareWorkload(user: string, asked: AskedWorkload): Promise<Prepared> {
    const { questions: _questions, onPlan: _onPlan, ...question } = asked
    return this.#prepare(user, { ...question, sql: "" })
  }

  /** Asks, with an entry in the audit trail before and after, and holds back what waits for an approval. */
  async #recorded<Answer extends Charged>(
    user: string,
    texts: readonly string[],
    { options, rules }: Prepared,
    work: (options: QuestionOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const sql = textOf(texts)
    const { study } = options
    const charged = new Set<bigint>()
    const about = study === undefined ? `dataset ${this.engine.policy.dataset}` : `study ${study}`
    const deed = { who: user, about, facts: { question: textHash(sql) } }
    await this.#audit?.write({ ...deed, what: "question-asked" })
    const result = await outcomeOf(() => work(noting(options, charged)))
    if (!("error" in result) && result.answer.origin === "released" && result.answer.charge !== undefined) {
      charged.add(result.answer.charge)
    }
    // Paid is paid: an answer does not wait for its text to be kept, nor fail with it.
    await this.#texts?.keep([...charged], sql).catch(() => undefined)
    const facts = "error" in result ? { code: codeOf(result.error) } : factsOf(result.answer)
    const what = "error" in result ? "question-refused" : "question-answered"
    this.#note({ ...deed, what, facts: { ...deed.facts, ...facts } })
    // Looked up for answers as well: a failure takes the same way.
    const incident = await this.#incidentOf(charged)
    if (incident !== undefined) this.#tell(incident, deed)
    const held = "error" in result ? { from: waitingFor(result.error, incident) } : result.answer
    await this.#airlock?.check(held, { user, study, sql }, rules)
    if ("error" in result) throw result.error
    return result.answer
  }

  async #incidentOf(charged: ReadonlySet<bigint>): Promise<Incident | undefined> {
    return (await this.engine.ledger.incidents()).find((one) => charged.has(one.charge))
  }

  #tell(incident: Incident, deed: Omit<Deed, "what">): void {
    const { position, cause } = incident
    const facts = { ...deed.facts, entry: `${position}`, cause }
    this.#note({ ...deed, what: "incident", facts })
    this.#onIncident?.(incident)
  }

  // Who asks where they may not is written down, too.
  #refused(user: string, texts: readonly string[], error: unknown): never {
    const facts = { question: textHash(textOf(texts)), code: codeOf(error) }
    const about = `dataset ${this.engine.policy.dataset}`
    this.#note({ who: user, what: "question-refused", about, facts })
    throw error
  }

  /** When everything that was asked is in the audit trail, with what became of it. */
  async settled(): Promise<void> {
    await this.#audit?.settled()
  }

  // What became of a question may be written down with the next one: the ledger has the charge already.
  #note(deed: Deed): void {
    this.#audit?.write(deed).catch(() => undefined)
  }

  /** Everything that a question needs; refused if whoever asks may not. */
  async #prepare(user: string, asked: AskedQuestion): Promise<Prepared> {
    const { sql: _sql, within, rho, study, signal, onPlan: _onPlan, ...question } = asked
    const { options, rules } = await this.#askers.standingOf(user, study)
    // Whether an accuracy can be reached is told by a first look, which nobody has approved.
    const isHeld = options.held === true
    if (within !== undefined && isHeld) fail("airlock/no-within", {})
    return {
      rules,
      options: {
        ...question,
        ...(rho === undefined
          ? {}
          : { ask: { ...question.ask, epsilon: epsilonOfRho(rho, this.engine.policy.terms) } }),
        ...options,
        // A stop can be told from a wait, and so when the work ended: where answers wait, it runs to its end.
        ...(isHeld || signal === undefined ? {} : { signal }),
      },
    }
  }
}

/** A question as the engine takes it, and what is held back. */
interface Prepared {
  readonly options: QuestionOptions
  readonly rules: AirlockRules
}

/** An answer as far as charges are concerned. */
type Charged = Pick<Answered, "charge" | "from" | "receipt"> & { readonly origin: string }

/** The same question, noting what it is charged for. */
function noting(options: QuestionOptions, charged: Set<bigint>): QuestionOptions {
  const onCharged = (position: bigint): void => {
    charged.add(position)
    options.onCharged?.(position)
  }
  return { ...options, onCharged }
}

function workloadOptions({ options }: Prepared): WorkloadOptions {
  const { parameters: _parameters, reuse: _reuse, ...rest } = options
  return rest
}

type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown }

async function outcomeOf<Answer>(work: () => Promise<Answer>): Promise<Outcome<Answer>> {
  try {
    return { answer: await work() }
  } catch (error) {
    return { error }
  }
}

/**
 * The charges that somebody waits for who is not told of a failure: what has failed where every answer waits
 * for an approval, now or before, and what a stage may not be worked out from.
 */
function waitingFor(error: unknown, incident: Incident | undefined): readonly bigint[] {
  if (incident?.isUntold === true) return [incident.charge]
  if (!(error instanceof DosimeterError) || !["ledger/untold", "reuse/held"].includes(error.code)) return []
  return [BigInt(error.issues[0].facts["position"] ?? 0)]
}

function codeOf(error: unknown): string {
  return error instanceof DosimeterError ? error.code : "bug"
}

function textOf(texts: readonly string[]): string {
  return texts.join(";\n")
}

// The text itself stays out of a record that nothing can be removed from.
function textHash(sql: string): string {
  return createHash("sha256").update(sql).digest("hex").slice(0, 16)
}

function factsOf({ origin, charge, from, receipt }: Charged): Readonly<Record<string, string>> {
  const plan = receipt.format === undefined ? undefined : receipt.planHash
  return {
    origin,
    ...(charge === undefined ? {} : { charge: `${charge}` }),
    ...(from === undefined || from.length === 0 ? {} : { from: from.join(" ") }),
    ...(plan === undefined ? {} : { plan }),
  }
}
