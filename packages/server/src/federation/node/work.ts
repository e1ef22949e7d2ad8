// A node's worker: looks at jobs that came, acts on what the house decided, takes the coordinator's
// messages to the engine and keeps its answers for the dialler. One step at a time; what was not
// finished when the process ended is done again.

import { DosimeterError } from "@dosimeter/core"
import { jobNamed, type Envelope, type SiteEnd } from "@dosimeter/engine"
import { record } from "../../audit/audit.ts"
import type { StateAccess, StateStore } from "../../state/state-store.ts"
import { envelopeOf, letterTo } from "../mail/envelope-letter.ts"
import { keepLetters, letterDone, letterRefused, nextLetter, type KeptLetter } from "../mail/letters.ts"
import { actedOn, decidedJobs, decideIn, receiveJob, type InboxJob } from "./inbox.ts"
import { takeStanding } from "./standing.ts"

/** What a worker works with. */
export interface WorkOptions {
  readonly store: StateStore
  readonly site: SiteEnd
  /** Says in a line what happened. */
  readonly note: (line: string) => void
  readonly now?: () => Date
}

/** Takes steps. */
export class NodeWork {
  readonly #options: WorkOptions
  readonly #now: () => Date
  /** Jobs that the engine of this process has looked at. */
  readonly #offered = new Set<string>()

  constructor(options: WorkOptions) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
  }

  /** Takes one step; false where there was nothing to do. */
  async step(): Promise<boolean> {
    const { store } = this.#options
    const [decided] = await decidedJobs(store)
    if (decided !== undefined) {
      await this.#act(decided)
      return true
    }
    const letter = await nextLetter(store, "in")
    if (letter === undefined) {
      // Jobs whose time is over end.
      await this.#options.site.advance(this.#now())
      return false
    }
    await (letter.step === "job" ? this.#offer(letter) : this.#receive(letter))
    return true
  }

  async #offer(letter: KeptLetter): Promise<void> {
    const { store, site, note } = this.#options
    const document = envelopeOf(letter).body
    const at = this.#now().toISOString()
    const id = letter.job.slice(0, 12)
    try {
      jobNamed(letter.job, document)
    } catch (error) {
      const [trouble, { job, step }] = [reasonOf(error), letter]
      await store.transaction(async (access) => {
        await letterRefused(access, letter.position, at)
        await told(access, { job, step, trouble, at })
      })
      return note(`job ${id}, ${step}: ${trouble}`)
    }
    const offer = await site.offer(document).catch((error: unknown) => reasonOf(error))
    if (typeof offer !== "string") this.#offered.add(offer.job)
    await store.transaction(async (access) => {
      const isNew = await receiveJob(access, { id: letter.job, document, offer }, at)
      await letterDone(access, letter.position, at)
      if (typeof offer === "string" || !isNew) return
      const standing = await takeStanding(access, offer, at)
      if (standing === undefined) return
      const reasons = `standing approval ${standing.id}, made by ${standing.madeBy}`
      const by = `standing ${standing.id}`
      await decideIn(access, letter.job, { decision: "approve", reasons, by, at })
    })
    note(typeof offer === "string" ? `job ${id} cannot be taken: ${offer}` : `job ${id} was offered`)
  }

  async #act(job: InboxJob): Promise<void> {
    const { store, site, note } = this.#options
    const by = job.decidedBy ?? ""
    const at = this.#now().toISOString()
    let answers: readonly Envelope[] = []
    let trouble: string | undefined
    try {
      jobNamed(job.id, job.document)
      // After a start the engine has not seen the job yet.
      if (!this.#offered.has(job.id)) await site.offer(job.document)
      this.#offered.add(job.id)
      answers =
        job.state === "approved"
          ? await site.approve(job.id, by)
          : await site.refuse(job.id, by, job.reasons ?? "")
    } catch (error) {
      trouble = reasonOf(error)
    }
    await store.transaction(async (access) => {
      await actedOn(access, job.id, at)
      await keepLetters(access, "out", answers.map(letterTo), at)
      if (trouble !== undefined) await told(access, { job: job.id, step: "decision", trouble, at })
    })
    note(`job ${job.id.slice(0, 12)} was ${job.state} by ${by}${trouble === undefined ? "" : `: ${trouble}`}`)
  }

  async #receive(letter: KeptLetter): Promise<void> {
    const { store, site, note } = this.#options
    let answers: readonly Envelope[] = []
    let trouble: string | undefined
    try {
      answers = await site.receive(envelopeOf(letter))
    } catch (error) {
      trouble = reasonOf(error)
    }
    const at = this.#now().toISOString()
    await store.transaction(async (access) => {
      await (trouble === undefined ? letterDone : letterRefused)(access, letter.position, at)
      await keepLetters(access, "out", answers.map(letterTo), at)
      const { job, step } = letter
      if (trouble !== undefined) await told(access, { job, step, trouble, at })
    })
    const end = trouble === undefined ? "" : `: ${trouble}`
    note(`job ${letter.job.slice(0, 12)}, ${letter.step}${end}`)
  }
}

async function told(
  access: StateAccess,
  { job, step, trouble, at }: Readonly<Record<"job" | "step" | "trouble" | "at", string>>,
): Promise<void> {
  const facts = { step, why: trouble }
  await record(access, { who: "coordinator", what: "job-message-refused", about: `job ${job}`, facts }, at)
}

/** In one line; what is not an error of ours is a bug, of which nothing is repeated. */
function reasonOf(error: unknown): string {
  if (!(error instanceof DosimeterError)) return "a bug of ours [bug/invariant]"
  const [{ message, code }] = error.issues
  return `${message} [${code}]`
}
