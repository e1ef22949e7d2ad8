// A job at its coordinator: who has agreed, how far the sum is, and the answer. Without input or output and
// without a clock: envelopes and times go in, envelopes come out, and what went in is enough to make it anew.

import { randomBytes } from "node:crypto"
import { numberNear } from "@dosimeter/core/exact"
import type { Table } from "@dosimeter/answers/cells/table"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { listOf, objectOf, readText, Unreadable, type Read } from "@dosimeter/answers/shown/read-fields"
import type { AnswerTable } from "@dosimeter/answers/shown/answer-table"
import { answerOf } from "../answer/answer.ts"
import { DrawNumbers } from "../answer/noisy-table.ts"
import { noisyTables, postProcessTables } from "../answer/post-process.ts"
import { fail } from "../errors.ts"
import { rowsOfSum, type SumOfShares } from "../release/release-shares.ts"
import type { JobEnd } from "./doors.ts"
import { coordinatorName, isSealedBy, sealed, textLike, type Envelope } from "./envelope.ts"
import type { FederatedAnswer, JobState, SiteProgress } from "./federated-answer.ts"
import { decodeJob, jobId, signJob, type JobDocument, type SignedJob } from "./job.ts"
import { JobRounds } from "./job-rounds.ts"
import { modelAnswer } from "./model-answer.ts"
import { amountOf, refuse, type JobPlan, type PlanningAt } from "./plan-job.ts"
import { planOfJob } from "./plan-model-job.ts"
import { poolSites, type PooledSites, type PoolWanted } from "./pool-sites.ts"
import { receiptOfJob } from "./receipt-of-job.ts"
import { resultBody } from "./read-result.ts"
import { roundBody } from "./round-message.ts"
import type { Signer } from "./signing.ts"
import { CoordinatorSum, type SumResult } from "./sums/coordinator-sum.ts"
import { decodeSiteMessage, type SiteMessage } from "./sums/sum-messages.ts"
import { usualThreshold } from "./sums/sum-terms.ts"

/** A study at its coordinator: its catalog, and the coordinator's key. */
export interface StudyOptions extends PlanningAt {
  readonly signer: Signer
}

/** What a lead says; the rest has defaults. */
export interface JobRequest
  extends
    Pick<JobDocument, "study" | "purpose" | "sql" | "sites" | "ask">,
    Partial<Pick<JobDocument, "mode" | "threshold" | "honest" | "colluding" | "model">> {
  readonly deadlines: JobDocument["deadlines"]
}

/** What has happened to a job, in order. */
export type JobEvent =
  | { readonly kind: "received"; readonly envelope: Envelope }
  | { readonly kind: "advanced"; readonly at: string }

type Phase = JobState["phase"]

/** One job. */
export class FederatedJob implements JobEnd {
  readonly id: string
  readonly document: SignedJob
  readonly #study: StudyOptions
  readonly #planned: JobPlan
  readonly #rounds: JobRounds
  /** Of the round at hand. */
  #sum: CoordinatorSum | undefined
  readonly #progress: Map<string, { progress: SiteProgress; why?: string }>
  readonly #taken = new Map<string, string[]>()
  readonly #sent = new Map<string, number>()
  readonly #vectors = new Map<string, readonly bigint[]>()
  readonly #events: JobEvent[] = []
  #phase: Phase = "offered"
  #until: Date | undefined
  #why: string | undefined
  #result: FederatedAnswer | undefined

  private constructor(study: StudyOptions, job: SignedJob) {
    const { document } = job
    this.#study = study
    this.document = job
    this.id = jobId(document)
    this.#planned = planOfJob(document, study)
    if (this.#planned.layout !== document.layout) fail("federation/other-layout", {})
    this.#rounds = new JobRounds(document, this.#planned)
    this.#sum = document.mode === "summed" ? new CoordinatorSum(this.#rounds.terms()) : undefined
    this.#progress = new Map(document.sites.map(({ name }) => [name, { progress: "waiting" }]))
  }

  /** Plans a question and signs it as a job. */
  static create(study: StudyOptions, request: JobRequest, now: Date): FederatedJob {
    const { sites, mode = "summed", ask, model } = request
    const isSummed = mode === "summed"
    if (isSummed && sites.length < 3) {
      refuse("a sum over fewer than 3 sites", "invite more sites, or let each answer by itself (separate)")
    }
    // Each site can take its own share off the answer that it is sent.
    const { colluding = isSummed ? 1 : 0 } = request
    const { threshold = isSummed ? Math.min(usualThreshold(sites.length, colluding), sites.length) : 1 } =
      request
    const { honest = isSummed ? threshold - colluding : 1 } = request
    const { purpose, sql, deadlines } = request
    const { layout, loss } = planOfJob({ sql, ask, honest, ...(model && { model }) }, study)
    const document: JobDocument = {
      format: "dosimeter-job/1",
      study: request.study,
      purpose,
      sql,
      ...(model && { model }),
      ask,
      loss,
      layout,
      mode,
      sites,
      threshold,
      honest,
      colluding,
      coordinator: study.signer.publicKey,
      created: now.toISOString(),
      deadlines,
      nonce: randomBytes(32).toString("hex"),
    }
    return new FederatedJob(study, decodeJob(signJob(document, study.signer)))
  }

  /** The same job again, from what has happened; `sent` is what it sent then, after the invitations. */
  static rebuilt(
    study: StudyOptions,
    document: unknown,
    events: readonly JobEvent[],
  ): { readonly job: FederatedJob; readonly sent: readonly Envelope[] } {
    const job = new FederatedJob(study, decodeJob(document))
    job.invitations()
    const sent = events.flatMap((event) =>
      event.kind === "received" ? job.receive(event.envelope) : job.advance(new Date(event.at)),
    )
    return { job, sent }
  }

  /** What has happened, to be kept by whoever carries messages. */
  get events(): readonly JobEvent[] {
    return this.#events
  }

  invitations(): readonly Envelope[] {
    return this.document.document.sites.map(({ name }) => {
      if (!this.#sent.has(name)) this.#sent.set(name, 1)
      return this.#sealAt(name, 0, "job", this.document)
    })
  }

  /** Takes a message of a site; one that was taken before gives nothing. */
  receive(envelope: Envelope): readonly Envelope[] {
    const { job, from, to, sequence, step, signature } = envelope
    const site = this.document.document.sites.find(({ name }) => name === from)
    const isOurs = job === this.id && to === coordinatorName && site !== undefined
    if (!isOurs || !isSealedBy(envelope, site.key)) return fail("federation/out-of-order", { step })
    const taken = this.#taken.get(from) ?? []
    if (taken[sequence] === signature) return []
    if (sequence !== taken.length || this.#phase === "answered" || this.#phase === "failed") {
      return fail("federation/out-of-order", { step })
    }
    this.#take(from, envelope)
    this.#taken.set(from, [...taken, signature])
    this.#events.push({ kind: "received", envelope })
    return this.#goOn()
  }

  /** Where a deadline has passed, whoever has not answered has dropped out. */
  advance(now: Date): readonly Envelope[] {
    if (this.#phase === "answered" || this.#phase === "failed") return []
    const { deadlines } = this.document.document
    const at = now.toISOString()
    if (now >= new Date(deadlines.end)) {
      this.#events.push({ kind: "advanced", at })
      return this.#failed("its time was over before enough sites had answered")
    }
    if (this.#phase === "offered") {
      if (now < new Date(deadlines.approval)) return []
    } else {
      // The clock of a step begins when somebody looks at it for the first time.
      const isFirst = this.#until === undefined
      this.#until ??= new Date(now.getTime() + deadlines.stepSeconds * 1000)
      if (!isFirst && now < this.#until) return []
      this.#events.push({ kind: "advanced", at })
      if (isFirst) return []
      return this.#closed()
    }
    this.#events.push({ kind: "advanced", at })
    return this.#closed()
  }

  state(): JobState {
    const open = this.#phase === "offered" || this.#phase === "summing"
    const sites = [...this.#progress].map(([name, { progress, why }]) => ({
      name,
      // Once a job is over, whoever has not answered has dropped out.
      progress: !open && (progress === "waiting" || progress === "approved") ? "lost" : progress,
      ...(why === undefined ? {} : { why }),
    }))
    const step = this.#sum?.stage ?? "numbers"
    const until =
      this.#phase === "offered" ? this.document.document.deadlines.approval : this.#until?.toISOString()
    return {
      job: this.id,
      phase: this.#phase,
      sites,
      rounds: { done: this.#rounds.done, all: this.#rounds.all },
      ...(open ? { step } : {}),
      ...(open && until !== undefined ? { until } : {}),
      ...(this.#why === undefined ? {} : { why: this.#why }),
    }
  }

  result(): FederatedAnswer | undefined {
    return this.#result
  }

  #take(from: string, { step, body }: Envelope): void {
    switch (step) {
      case "approve": {
        const { keys } = readOr(readApproval, body)
        if (this.#sum !== undefined) this.#sum.receive(ownOf(from, keys))
        this.#progress.set(from, { progress: "approved" })
        return
      }
      case "refuse":
        this.#progress.set(from, { progress: "refused", why: readOr(readRefusal, body).why })
        return
      case "leave":
        this.#progress.set(from, { progress: "lost", why: readOr(readLeaving, body).why })
        return
      case "sum":
        if (this.#sum === undefined) return fail("federation/out-of-order", { step })
        this.#sum.receive(ownOf(from, body))
        this.#progress.set(from, { progress: "summing" })
        return
      case "numbers": {
        const { numbers } = readOr(readNumbers, body)
        const wanted = this.#planned.shares.reduce((sum, share) => sum + share.numbers, 0)
        const isWanted = this.#sum === undefined && numbers.length === wanted
        if (!isWanted || this.#progress.get(from)?.progress !== "approved") {
          return fail("federation/out-of-order", { step })
        }
        this.#vectors.set(from, numbers.map(BigInt))
        this.#progress.set(from, { progress: "done" })
        return
      }
      default:
        return fail("federation/out-of-order", { step })
    }
  }

  /** Goes on as soon as everybody has answered who still can. */
  #goOn(): readonly Envelope[] {
    const waiting =
      this.#sum?.waitingFor ?? [...this.#progress.keys()].filter((name) => !this.#vectors.has(name))
    const gone = new Set<SiteProgress>(["refused", "lost"])
    const left = waiting.filter((name) => !gone.has(this.#progress.get(name)?.progress ?? "waiting"))
    return left.length > 0 ? [] : this.#closed()
  }

  /** Ends a step: of those who have not answered nothing is waited for any more. */
  #closed(): readonly Envelope[] {
    this.#until = undefined
    const sum = this.#sum
    if (sum === undefined) {
      if (this.#vectors.size < this.document.document.threshold) return this.#failed(tooFew)
      return this.#answered(this.#separately().map(([name]) => name))
    }
    for (const name of sum.waitingFor) {
      const { progress } = this.#progress.get(name) ?? { progress: "waiting" }
      if (progress !== "refused" && progress !== "lost") this.#progress.set(name, { progress: "lost" })
    }
    const messages = sum.close()
    if (sum.stage === "failed") return this.#failed(tooFew)
    this.#phase = "summing"
    if (sum.result !== undefined) return this.#summed(sum.result)
    return messages.map(({ to, message }) => this.#seal(to, "sum", message))
  }

  /** A sum is made: it is the answer, or all who have stayed hear it and begin the next one. */
  #summed(result: SumResult): readonly Envelope[] {
    if (!this.#rounds.take(result)) return this.#answered(result.survivors)
    this.#sum = new CoordinatorSum(this.#rounds.terms())
    const staying = [...this.#progress].filter(([, { progress }]) => progress === "summing")
    return staying.map(([name]) => this.#seal(name, "round", roundBody(result)))
  }

  #answered(survivors: readonly string[]): readonly Envelope[] {
    const { document } = this.document
    const lost = document.sites.map(({ name }) => name).filter((name) => !survivors.includes(name))
    this.#result = {
      ...this.#answerOf(survivors),
      receipt: receiptOfJob(document, this.#planned, { survivors, lost }),
    }
    this.#phase = "answered"
    for (const name of survivors) this.#progress.set(name, { progress: "done" })
    return this.#toAll("result", resultBody(this.#result))
  }

  #answerOf(survivors: readonly string[]): Omit<FederatedAnswer, "receipt"> {
    const { trained } = this.#rounds
    const { model } = this.#planned
    if (trained !== undefined && model !== undefined) return modelAnswer(model, trained)
    const numbers = this.#sum?.result?.numbers ?? added([...this.#vectors.values()])
    const { honest } = this.document.document
    const answer = this.#tableOf({ numbers, honest, survivors: survivors.length })
    const bySite = this.#separately().map(([site, own]) => ({
      site,
      answer: this.#tableOf({ numbers: own, honest, survivors: 1 }),
    }))
    return { answer, ...(bySite.length === 0 ? {} : { bySite }) }
  }

  /** The answers of sites by themselves as estimates, pooled. */
  pool(wanted: PoolWanted): PooledSites {
    if (this.#result === undefined || this.#vectors.size === 0) return fail("federation/not-separate", {})
    const { honest, ask } = this.document.document
    const tables = this.#separately().map(([site, numbers]) => {
      const { plan, table } = this.#cellsOf({ numbers, honest, survivors: 1 })
      return { site, names: plan.outputNames, table }
    })
    return poolSites(tables, wanted, numberNear(amountOf(ask.confidence)))
  }

  /** What sites have answered by themselves, in the order of the job. */
  #separately(): readonly (readonly [site: string, numbers: readonly bigint[]])[] {
    return this.document.document.sites.flatMap(({ name }) => {
      const numbers = this.#vectors.get(name)
      return numbers === undefined ? [] : [[name, numbers] as const]
    })
  }

  #tableOf(sum: SumOfShares): AnswerTable {
    const { plan, table } = this.#cellsOf(sum)
    return answerOf(table, plan)
  }

  #cellsOf(sum: SumOfShares): { readonly plan: ReleasePlan; readonly table: Table } {
    const { plan, rows } = rowsOfSum(this.#planned.plan, sum)
    const tables = noisyTables(plan, rows, new DrawNumbers())
    return { plan, table: postProcessTables(plan, tables, new Map()) }
  }

  #failed(why: string): readonly Envelope[] {
    this.#phase = "failed"
    this.#why = why
    return this.#toAll("end", { why })
  }

  /** To everybody who took part: nobody else waits for it. */
  #toAll(step: string, body: unknown): readonly Envelope[] {
    return [...this.#progress].flatMap(([name, { progress }]) =>
      progress === "waiting" || progress === "refused" ? [] : [this.#seal(name, step, body)],
    )
  }

  #seal(to: string, step: string, body: unknown): Envelope {
    const sequence = this.#sent.get(to) ?? 1
    this.#sent.set(to, sequence + 1)
    return this.#sealAt(to, sequence, step, body)
  }

  #sealAt(to: string, sequence: number, step: string, body: unknown): Envelope {
    return sealed({ job: this.id, step, from: coordinatorName, to, sequence, body }, this.#study.signer)
  }
}

/** A message of the sum, if it is the sender's own. */
function ownOf(from: string, body: unknown): SiteMessage {
  const message = decodeSiteMessage(body)
  return message.site === from ? message : fail("federation/bad-message", { what: "is another site's" })
}

const tooFew = "too few sites took part for their noise to be enough"

function added(vectors: readonly (readonly bigint[])[]): readonly bigint[] {
  const [first = [], ...others] = vectors
  return first.map((number, place) => others.reduce((sum, vector) => sum + (vector[place] ?? 0n), number))
}

const readApproval = objectOf(({ need }) => ({
  by: need("by", readText),
  keys: need("keys", (keys) => keys),
}))
const readRefusal = objectOf(({ need }) => ({ by: need("by", readText), why: need("why", readText) }))
const readLeaving = objectOf(({ need }) => ({ why: need("why", readText) }))
const readNumbers = objectOf(({ need }) => ({
  numbers: need("numbers", listOf(textLike(/^(0|-?[1-9]\d{0,99})$/))),
}))

function readOr<Value>(read: Read<Value>, body: unknown): Value {
  try {
    return read(body, "the message")
  } catch (error) {
    if (error instanceof Unreadable) return fail("federation/bad-message", { what: "is of another form" })
    throw error
  }
}
