// A site of a federation: it looks at a job, shows its price, and takes part once it was approved. What
// leaves are shares of sums; the charge for all of them is in the site's own ledger before a row is read.

import { DosimeterError, type RandomBits } from "@dosimeter/core"
import { inSlots } from "../ask/slots.ts"
import type { Backend } from "../dataset/backend.ts"
import type { DataVersion } from "../dataset/data-version.ts"
import { fail } from "../errors.ts"
import type { AccountName } from "../ledger/entries/account.ts"
import type { Ledger, Outcome, Reservation } from "../ledger/ledger.ts"
import { receiptOf } from "../receipts/receipt.ts"
import { textsOfAnswer } from "../record/recorded.ts"
import type { Policy } from "@dosimeter/policy/file/policy"
import { pay, type Permit, type Payer } from "../release/permit.ts"
import { underCharge } from "../release/under-charge.ts"
import type { SiteEnd } from "./doors.ts"
import { coordinatorName, isSealedBy, sealed, type Envelope } from "./envelope.ts"
import type { FederatedAnswer, JobOffer } from "./federated-answer.ts"
import { checkFloor, type JobFloor } from "./floor.ts"
import { decodeJob, jobId, type JobDocument, type JobSite } from "./job.ts"
import { JobRounds } from "./job-rounds.ts"
import { offerOf } from "./offer-words.ts"
import { codeOf, type JobPlan, type PlanningAt } from "./plan-job.ts"
import { planOfJob } from "./plan-model-job.ts"
import { factsOfJob } from "./receipt-of-job.ts"
import { readResult } from "./read-result.ts"
import { readRound } from "./round-message.ts"
import type { Signer } from "./signing.ts"
import { SiteNumbers } from "./site-numbers.ts"
import { SiteSum } from "./sums/site-sum.ts"
import type { KeysMessage } from "./sums/sum-messages.ts"
import type { Views } from "./views.ts"

/** What a site is. */
export interface SiteOptions extends Omit<PlanningAt, "policy"> {
  /** The name under which it is enrolled. */
  readonly name: string
  readonly signer: Signer
  /** The public key of the coordinator that it is enrolled with, */
  readonly coordinator: string
  /** and the study that it is enrolled for: what its jobs are charged to, where that is an account. */
  readonly study: string
  /**
   * The other sites whose keys people here have compared. A coordinator that could name sites of its own
   * would count them as honest.
   */
  readonly peers: () => readonly JobSite[]
  readonly policy: Pick<Policy, "catalog" | "terms">
  readonly backend: Backend
  readonly ledger: Ledger
  readonly version: DataVersion
  readonly rng: RandomBits
  readonly now: () => Date
  /** What every sum must state, at least. */
  readonly floor?: JobFloor
  /** The study's tables as SELECTs over this site's own, by name: as they are when a job is looked at. */
  readonly views?: () => Views
}

type Progress = "offered" | "approved" | "over"

/** What a site knows of a job. In memory alone: a site that restarts has dropped out. */
interface Job {
  readonly document: JobDocument
  readonly planned: JobPlan
  readonly rounds: JobRounds
  readonly numbers: SiteNumbers
  progress: Progress
  /** Of the round at hand. */
  sum: SiteSum | undefined
  /** Its charge, once the numbers of the first round have left. */
  permit: Permit | undefined
  /** While it reads: nothing settles its charge meanwhile. */
  contributing: boolean
  /** How many messages have come, and how many have gone. */
  readonly taken: string[]
  sent: number
  result: FederatedAnswer | undefined
}

/** One site. */
export class FederatedSite implements SiteEnd {
  readonly #at: SiteOptions
  readonly #jobs = new Map<string, Job>()

  constructor(options: SiteOptions) {
    this.#at = options
  }

  get name(): string {
    return this.#at.name
  }

  /** Looks at a job; nothing is charged and nothing is read. */
  async offer(value: unknown): Promise<JobOffer> {
    const { document } = decodeJob(value)
    const id = jobId(document)
    this.#checkAddressed(document)
    checkFloor(document, this.#at.floor)
    this.#checkUndecided(id)
    const { views, backend, policy, version, ledger } = this.#at
    const planned = planOfJob(document, this.#at, views?.())
    const { accounting, amount, delta } = planned.loss
    const wanted = document.loss
    const isSame = accounting === wanted.accounting && amount === wanted.amount && delta === wanted.delta
    if (planned.layout !== document.layout || !isSame) fail("federation/other-layout", {})
    const numbers = new SiteNumbers(planned, backend)
    const request = await ledger.findRequest({
      ...numbers.bill(id, { version, catalog: policy.catalog }).question,
      principal: principalOf(document),
      requestId: id,
    })
    if (request.state !== "unknown") fail("federation/job-known", { job: id })
    // It may have been decided while the ledger was asked.
    this.#checkUndecided(id)
    this.#jobs.set(id, {
      document,
      planned,
      rounds: new JobRounds(document, planned),
      numbers,
      progress: "offered",
      sum: undefined,
      permit: undefined,
      contributing: false,
      taken: [],
      sent: 0,
      result: undefined,
    })
    return offerOf(document, planned)
  }

  /** The committee agrees. In the mode "separate" the site answers at once. */
  async approve(job: string, by: string): Promise<readonly Envelope[]> {
    const open = this.#open(job, "offered")
    const { document } = open
    // Once more: keys may have been taken back, and time has passed.
    this.#checkAddressed(document)
    open.progress = "approved"
    if (document.mode === "separate") {
      const agreed = this.#seal(open, "approve", { by, keys: null })
      return [agreed, ...(await this.#contribute(open))]
    }
    return [this.#seal(open, "approve", { by, keys: this.#begin(open) })]
  }

  async refuse(job: string, by: string, why: string): Promise<readonly Envelope[]> {
    const open = this.#open(job, "offered")
    open.progress = "over"
    return [this.#seal(open, "refuse", { by, why })]
  }

  /** Takes a message of the coordinator. */
  async receive(envelope: Envelope): Promise<readonly Envelope[]> {
    const { job, step, from, to, sequence, signature } = envelope
    const open = this.#jobs.get(job)
    if (open === undefined) return fail("federation/unknown-job", { job })
    const isOurs = from === coordinatorName && to === this.#at.name
    if (!isOurs || !isSealedBy(envelope, open.document.coordinator)) fail("federation/out-of-order", { step })
    // The invitation is the first message; `offer` has taken its body.
    if (step === "job" || open.taken[sequence - 1] === signature) return []
    // Who has left still hears how it ended; nothing else is taken.
    const isHeard = open.progress === "approved" || (open.progress === "over" && isLast(step))
    if (sequence !== open.taken.length + 1 || !isHeard) {
      fail("federation/out-of-order", { step })
    }
    if (this.#at.now() >= new Date(open.document.deadlines.end)) {
      fail("federation/not-for-us", { what: "its time is over" })
    }
    // Before anything is waited for: the same message a second time finds itself taken.
    open.taken.push(signature)
    return this.#take(open, envelope)
  }

  result(job: string): FederatedAnswer | undefined {
    return this.#jobs.get(job)?.result
  }

  /** Jobs whose time is over end: their charges are settled, since nothing will come of them any more. */
  async advance(now: Date): Promise<void> {
    for (const open of this.#jobs.values()) {
      if (open.progress !== "over" && now >= new Date(open.document.deadlines.end)) await this.#end(open)
    }
  }

  /**
   * Charges for this coordinator's jobs whose process has ended are settled, since a job is not taken up
   * again. What ended the process may have been the data: that is an incident, for the owner to look at.
   */
  async settleLeft(): Promise<void> {
    const { ledger } = this.#at
    const taken: Reservation[] = []
    for (const charge of await ledger.unsettled()) {
      if (charge.principal !== principalOf(this.#at)) continue
      const own = await ledger.takeOver(charge).catch(unlessOfLedger)
      if (own !== undefined) taken.push(own)
    }
    // All are taken over before the first closes the coordinator's door.
    for (const own of taken) await ledger.settle(own, { outcome: "failed", cause: "lost" })
  }

  /** Leaves all jobs in order: of those that have given their part the charge is settled. */
  async close(): Promise<void> {
    for (const open of this.#jobs.values()) await this.#end(open)
  }

  async #take(open: Job, { step, body }: Envelope): Promise<readonly Envelope[]> {
    switch (step) {
      case "sum": {
        if (open.sum === undefined) return fail("federation/out-of-order", { step })
        const before = open.sum.stage
        const answer = open.sum.receive(body)
        const told = answer === undefined ? [] : [this.#seal(open, "sum", answer)]
        // Everybody's secrets are sealed: now the site's own numbers leave, once.
        return before !== "mask" && open.sum.stage === "mask" ? this.#contribute(open) : told
      }
      case "round": {
        // The sum of a round that this site stayed in to its end, and no other, leads to the next.
        const { rounds, sum } = open
        if (sum?.stage !== "done" || rounds.done + 1 >= rounds.all) {
          return fail("federation/out-of-order", { step })
        }
        rounds.take(readRound(body, sum.terms))
        return [this.#seal(open, "sum", this.#begin(open))]
      }
      case "result": {
        await this.#keep(open, readResult(body))
        return []
      }
      case "end":
        await this.#end(open)
        return []
      default:
        return fail("federation/out-of-order", { step })
    }
  }

  /** Begins the sum of the round at hand, with keys of its own. */
  #begin(open: Job): KeysMessage {
    const { name, signer } = this.#at
    open.sum = new SiteSum(open.rounds.terms(), { name, signing: signer.privateKey })
    return open.sum.keys()
  }

  /**
   * Charges for all rounds before the first, reads, adds the share of the noise; what leaves is masked, or
   * noisy enough by itself. A message that ends the job meanwhile is heard when this is over: what fails here
   * is an incident, whatever comes.
   */
  async #contribute(open: Job): Promise<readonly Envelope[]> {
    const { ledger, policy, version, backend, rng } = this.#at
    const { document, numbers, rounds, sum } = open
    const { honest } = document
    const own = { permit: open.permit }
    open.permit = undefined
    open.contributing = true
    try {
      const messages = await inSlots(policy.terms.slotMs, async () => {
        if (own.permit === undefined) {
          await version.check()
          const bill = numbers.bill(jobId(document), { version, catalog: policy.catalog })
          own.permit = await pay(ledger, bill, await this.#payer(document))
        }
        const { permit } = own
        return underCharge(ledger, permit, async () => {
          const vector = await numbers.ofRound(rounds.ask, permit, { backend, version, rng, honest })
          if (open.progress === "over") return []
          if (sum !== undefined) return [this.#seal(open, "sum", sum.mask(vector))]
          return [this.#seal(open, "numbers", { numbers: vector.map(String) })]
        })
      })
      open.permit = own.permit
      return messages
    } catch (error) {
      open.progress = "over"
      // What failed after the charge is said to nobody but the owner (the ledger has it as an incident).
      const why = own.permit === undefined ? codeOf(error) : "the site has stopped"
      return [this.#seal(open, "leave", { why })]
    } finally {
      open.contributing = false
      if (open.progress === "over") await this.#settle(open)
    }
  }

  async #payer(document: JobDocument): Promise<Payer> {
    const study: AccountName = `study:${document.study}`
    const has = (await this.#at.ledger.accounts()).some(({ name }) => name === study)
    const accounts = has ? [study] : []
    return { principal: principalOf(document), requestId: jobId(document), accounts }
  }

  async #keep(open: Job, result: FederatedAnswer): Promise<void> {
    if (result.receipt.job !== jobId(open.document)) fail("federation/out-of-order", { step: "result" })
    open.result = result
    await this.#end(open)
  }

  async #end(open: Job): Promise<void> {
    open.progress = "over"
    if (!open.contributing) await this.#settle(open)
  }

  /**
   * The pooled answer is what this site's charge has bought: it stands in the ledger with its receipt.
   * Without one the charge stands; no door closes, since nothing of this site's data had a part in it.
   */
  async #settle(open: Job): Promise<void> {
    const { permit, planned, result } = open
    open.permit = undefined
    open.numbers.forget()
    if (permit === undefined) return
    await this.#at.ledger.settle(permit.reservation, outcomeOf(planned, permit, result))
  }

  #checkUndecided(job: string): void {
    const known = this.#jobs.get(job)
    if (known !== undefined && known.progress !== "offered") fail("federation/job-known", { job })
  }

  #checkAddressed({ coordinator, study, sites, deadlines, created }: JobDocument): void {
    const { name, signer, now } = this.#at
    const refuse = (what: string): never => fail("federation/not-for-us", { what })
    if (coordinator !== this.#at.coordinator) refuse("another coordinator has signed it")
    if (study !== this.#at.study) refuse("it is of another study")
    if (!sites.some((site) => site.name === name && site.key === signer.publicKey)) {
      refuse("this site is not among its sites")
    }
    const peers = this.#at.peers()
    for (const site of sites.filter((one) => one.name !== name)) {
      if (!peers.some((peer) => peer.name === site.name && peer.key === site.key)) {
        refuse(`the site ${site.name} is not known here with this key`)
      }
    }
    // Clocks may differ a little.
    const at = now().getTime()
    if (Date.parse(created) > at + clockMs) refuse("it was made in the future")
    if (Date.parse(deadlines.approval) <= at) refuse("the time for approvals is over")
    if (Date.parse(deadlines.end) > at + longestMs) refuse(`it ends more than ${longestDays} days from now`)
  }

  #open(job: string, progress: Progress): Job {
    const open = this.#jobs.get(job)
    return open?.progress === progress ? open : fail("federation/unknown-job", { job })
  }

  #seal(open: Job, step: string, body: unknown): Envelope {
    const sequence = open.sent
    open.sent += 1
    const job = jobId(open.document)
    return sealed({ job, step, from: this.#at.name, to: coordinatorName, sequence, body }, this.#at.signer)
  }
}

/** A charge that was settled meanwhile, or whose door is closed, is left as it is. */
function unlessOfLedger(error: unknown): undefined {
  if (error instanceof DosimeterError && error.code.startsWith("ledger/")) return undefined
  throw error
}

function outcomeOf(planned: JobPlan, { reservation }: Permit, result: FederatedAnswer | undefined): Outcome {
  if (result === undefined) return { outcome: "failed", cause: "cancelled" }
  return {
    outcome: "released",
    release: textsOfAnswer(result.answer, receiptOf(factsOfJob(planned), reservation)),
  }
}

function isLast(step: string): boolean {
  return step === "result" || step === "end"
}

const clockMs = 5 * 60 * 1000

/** A charge waits no longer than this for its answer. */
const longestDays = 366
const longestMs = longestDays * 24 * 3600 * 1000

/** In whose name a site's ledger is charged. */
function principalOf({ coordinator }: { readonly coordinator: string }): string {
  return `coordinator ${coordinator}`
}
