// What is done around every question, whatever it asks for: an entry in the audit trail before and after, the
// text of what was charged, incidents told to the operator, and an airlock that holds answers back.

import type { Answered, Engine, Incident, QuestionOptions } from "@dosimeter/engine"
import { DosimeterError } from "@dosimeter/core"
import { createHash } from "node:crypto"
import type { Deed } from "../audit/audit.ts"
import type { AuditLog } from "../audit/audit-log.ts"
import type { Airlock } from "../studies/airlock.ts"
import type { Prepared } from "./prepare-question.ts"
import type { ReleaseTexts } from "./release-texts.ts"

/** Where questions are recorded; a house without one of them leaves it out. */
export interface RecordPlaces {
  /** Where releases of some studies wait; there are such studies only with it. */
  readonly airlock?: Airlock | undefined
  /** Every question is written down before it is asked. */
  readonly audit?: AuditLog | undefined
  /** Told of what has failed after it was charged, for the operator. */
  readonly onIncident?: ((incident: Incident) => void) | undefined
  /** Where the text of what was charged is kept. */
  readonly texts?: ReleaseTexts | undefined
}

/** Whose question it is, and its texts: several where questions are asked together. */
export interface RecordedQuestion extends Prepared {
  readonly user: string
  readonly texts: readonly string[]
  /** The earlier charge that it is answered under: of a series. */
  readonly paidBy?: bigint
}

/** An answer as far as charges are concerned. */
export type ChargedAnswer = Pick<Answered, "charge" | "from" | "receipt"> & { readonly origin: string }

/** Records the questions that are put to an engine. */
export class QuestionRecord {
  readonly #engine: Pick<Engine, "ledger" | "policy">
  readonly #places: RecordPlaces

  constructor(engine: Pick<Engine, "ledger" | "policy">, places: RecordPlaces) {
    this.#engine = engine
    this.#places = places
  }

  /** Asks, with an entry in the audit trail before and after, and holds back what waits for an approval. */
  async run<Answer extends ChargedAnswer>(
    question: RecordedQuestion,
    work: (options: QuestionOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const { user, texts, options, rules, paidBy } = question
    const { airlock, audit } = this.#places
    const sql = textOf(texts)
    const { study } = options
    const charged = new Set<bigint>(paidBy === undefined ? [] : [paidBy])
    const about = study === undefined ? this.#dataset() : `study ${study}`
    const deed = { who: user, about, facts: { question: textHash(sql) } }
    // The charge of a series may have had incidents before.
    const earlier = paidBy === undefined ? 0n : await this.#lastIncident()
    await audit?.write({ ...deed, what: "question-asked" })
    const result = await outcomeOf(() => work(noting(options, charged)))
    if (!("error" in result) && result.answer.origin === "released" && result.answer.charge !== undefined) {
      charged.add(result.answer.charge)
    }
    // Paid is paid: an answer does not wait for its text to be kept, nor fail with it.
    await this.#places.texts?.keep([...charged], sql).catch(() => undefined)
    const facts = "error" in result ? { code: codeOf(result.error) } : factsOf(result.answer)
    const what = "error" in result ? "question-refused" : "question-answered"
    this.#note({ ...deed, what, facts: { ...deed.facts, ...facts } })
    // Looked up for answers as well, so that failures and answers take the same steps.
    const incident = await this.#incidentOf(charged, earlier)
    if (incident !== undefined) this.#tell(incident, deed)
    const held = "error" in result ? { from: waitingFor(result.error, incident) } : result.answer
    await airlock?.check(held, { user, study, sql }, rules)
    if ("error" in result) throw result.error
    return result.answer
  }

  /** Records a question that was refused before it was asked. */
  refused(user: string, texts: readonly string[], error: unknown): never {
    const facts = { question: textHash(textOf(texts)), code: codeOf(error) }
    this.#note({ who: user, what: "question-refused", about: this.#dataset(), facts })
    throw error
  }

  /** When everything that was asked is in the audit trail, with what became of it. */
  async settled(): Promise<void> {
    await this.#places.audit?.settled()
  }

  #dataset(): string {
    return `dataset ${this.#engine.policy.dataset}`
  }

  async #lastIncident(): Promise<bigint> {
    return (await this.#engine.ledger.incidents()).at(-1)?.position ?? 0n
  }

  async #incidentOf(charged: ReadonlySet<bigint>, after: bigint): Promise<Incident | undefined> {
    const incidents = await this.#engine.ledger.incidents()
    return incidents.find(({ charge, position }) => charged.has(charge) && position > after)
  }

  #tell(incident: Incident, deed: Omit<Deed, "what">): void {
    const { position, cause } = incident
    const facts = { ...deed.facts, entry: `${position}`, cause }
    this.#note({ ...deed, what: "incident", facts })
    this.#places.onIncident?.(incident)
  }

  // What became of a question may be written down with the next one: the ledger has the charge already.
  #note(deed: Deed): void {
    this.#places.audit?.write(deed).catch(() => undefined)
  }
}

/** The same question, noting what it is charged for. */
function noting(options: QuestionOptions, charged: Set<bigint>): QuestionOptions {
  const onCharged = (position: bigint): void => {
    charged.add(position)
    options.onCharged?.(position)
  }
  return { ...options, onCharged }
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

function factsOf({ origin, charge, from, receipt }: ChargedAnswer): Readonly<Record<string, string>> {
  const plan = receipt.format === undefined ? undefined : receipt.planHash
  return {
    origin,
    ...(charge === undefined ? {} : { charge: `${charge}` }),
    ...(from === undefined || from.length === 0 ? {} : { from: from.join(" ") }),
    ...(plan === undefined ? {} : { plan }),
  }
}
