// The jobs of a coordinator: asked by the lead, carried forward by the letters of sites and by the
// clock. What has happened to a job is kept in the order in which it was worked on, so that a
// coordinator that is killed makes the same job again and goes on.

import { DosimeterError } from "@dosimeter/core"
import {
  decodeJob,
  FederatedJob,
  type Envelope,
  type FederatedAnswer,
  type JobEvent,
  type JobRequest,
  type JobState,
  type PooledSites,
  type PoolWanted,
  type SignedJob,
  type StudyOptions,
} from "@dosimeter/engine"
import { z } from "zod"
import { record } from "../../audit/audit.ts"
import { fail } from "../../errors.ts"
import { textOf, type StateAccess, type StateRow, type StateStore } from "../../state/state-store.ts"
import type { Bells } from "../mail/bells.ts"
import { envelopeOf, letterTo } from "../mail/envelope-letter.ts"
import {
  keepLetters,
  letterDone,
  letterRefused,
  nextLetter,
  takeTurn,
  turnsOfJob,
  type KeptLetter,
} from "../mail/letters.ts"
import { siteBell } from "./desk.ts"
import { isOver, keepShown, readShown, type ShownJob } from "./shown-jobs.ts"
import { jsonOf } from "../wire/json.ts"
import { clockPeer } from "../wire/sealed.ts"

/** A job as its lead sees it. */
export interface LedJob {
  readonly id: string
  readonly document: SignedJob
  readonly askedBy: string
  readonly askedAt: string
  readonly state: JobState
  readonly result: FederatedAnswer | undefined
}

/** What jobs work with. */
export interface JobsOptions {
  readonly store: StateStore
  readonly study: StudyOptions
  readonly bells: Bells
  readonly note?: (line: string) => void
  readonly now?: () => Date
}

const clockSaid = z.strictObject({ at: z.iso.datetime() })

/** Asks, carries forward and shows. */
export class Jobs {
  readonly #options: JobsOptions
  readonly #now: () => Date
  readonly #open = new Map<string, FederatedJob>()
  /** Jobs to which nothing happens any more: the clock passes them over. */
  readonly #over = new Set<string>()
  /** Jobs that this version plans as they were asked. */
  readonly #planned = new Set<string>()

  constructor(options: JobsOptions) {
    this.#options = options
    this.#now = options.now ?? (() => new Date())
  }

  /** Signs a job and lays it ready for its sites. */
  async ask(request: JobRequest, by: string): Promise<LedJob> {
    const { store, study } = this.#options
    const now = this.#now()
    const job = FederatedJob.create(study, request, now)
    const at = now.toISOString()
    await store.transaction(async (access) => {
      await access.run(
        "INSERT INTO federation_jobs (id, document, offer, state, at, decided_by) VALUES (?, ?, ?, ?, ?, ?)",
        [job.id, JSON.stringify(job.document), "", "led", at, by],
      )
      await this.#lay(access, job.invitations(), at)
      await keepShown(access, job, study.signer)
      await record(access, { who: by, what: "job-asked", about: `job ${job.id}` }, at)
    })
    return this.find(job.id)
  }

  /** Newest first. */
  async list(): Promise<readonly LedJob[]> {
    const jobs: LedJob[] = []
    for (const row of await this.#rows()) jobs.push(await this.#led(row))
    return jobs
  }

  /** By its id, or by the beginning of it that no other has. */
  async find(id: string): Promise<LedJob> {
    return this.#led(await this.#row(id))
  }

  /** A meta-analysis of what the sites of a job have answered by themselves. */
  async pool(id: string, wanted: PoolWanted): Promise<PooledSites> {
    const row = await this.#row(id)
    const { job } = await this.#made(textOf(row, "id"), documentIn(row))
    return job.pool(wanted)
  }

  /** Takes one step: a letter, or what the clock says. False where there was nothing to do. */
  async step(): Promise<boolean> {
    const letter = await nextLetter(this.#options.store, "in")
    if (letter !== undefined) {
      await this.#take(letter)
      return true
    }
    const rows = await this.#options.store.all("SELECT id, document FROM federation_jobs WHERE state = 'led'")
    for (const row of rows) {
      const id = textOf(row, "id")
      if (this.#over.has(id)) continue
      const job = this.#open.get(id) ?? (await this.#resumed(id, documentIn(row)))
      if (job === undefined || isOver(job.state())) this.#over.add(id)
      else await this.#advance(job)
    }
    return false
  }

  /** A job that an earlier process has left, unless it is over. */
  async #resumed(id: string, document: SignedJob): Promise<FederatedJob | undefined> {
    const { store, study } = this.#options
    const shown = await readShown(store, id, study.signer.publicKey)
    if (shown !== undefined && isOver(shown.state)) return undefined
    return this.#reopen(id, document).catch(unlessOfOtherVersion)
  }

  async #take(letter: KeptLetter): Promise<void> {
    const { store, note, study } = this.#options
    const at = this.#now().toISOString()
    let answers: readonly Envelope[] = []
    let trouble: string | undefined
    let job: FederatedJob | undefined
    try {
      job = this.#open.get(letter.job) ?? (await this.#reopen(letter.job))
      answers = job.receive(envelopeOf(letter))
    } catch (error) {
      // Half of a message may have been worked on: the job is made again without it.
      this.#open.delete(letter.job)
      trouble = error instanceof DosimeterError ? error.code : "bug/invariant"
    }
    await store.transaction(async (access) => {
      if (trouble === undefined) {
        await letterDone(access, letter.position, at)
        await takeTurn(access, letter.position)
        if (job !== undefined) await keepShown(access, job, study.signer)
      } else {
        await letterRefused(access, letter.position, at)
        const about = `job ${letter.job}`
        const facts = { step: letter.step, why: trouble }
        await record(access, { who: `site ${letter.peer}`, what: "job-message-refused", about, facts }, at)
      }
      await this.#lay(access, answers, at)
    })
    note?.(
      `job ${letter.job.slice(0, 12)}, ${letter.step} of ${letter.peer}${trouble === undefined ? "" : `: ${trouble}`}`,
    )
    for (const { to } of answers) this.#options.bells.ring(siteBell(to))
  }

  async #advance(job: FederatedJob): Promise<void> {
    const now = this.#now()
    const before = job.events.length
    const answers = job.advance(now)
    if (job.events.length === before) return
    const at = now.toISOString()
    await this.#options.store.transaction(async (access) => {
      const said = { peer: clockPeer, job: job.id, step: "advanced", body: JSON.stringify({ at }) }
      await keepLetters(access, "in", [said], at)
      const kept = await access.all(
        "SELECT position FROM federation_letters WHERE box = 'in' AND peer = ? AND job = ? AND turn IS NULL",
        [clockPeer, job.id],
      )
      for (const { position } of kept) {
        await letterDone(access, Number(position), at)
        await takeTurn(access, Number(position))
      }
      await keepShown(access, job, this.#options.study.signer)
      await this.#lay(access, answers, at)
    })
    for (const { to } of answers) this.#options.bells.ring(siteBell(to))
  }

  async #reopen(id: string, document?: SignedJob): Promise<FederatedJob> {
    const given = document ?? (await this.#documentOf(id))
    const { job, sent } = await this.#made(id, given)
    this.#open.set(id, job)
    // What was not laid ready before the end of the last process is laid now; the rest is there.
    const at = this.#now().toISOString()
    await this.#options.store.transaction(async (access) => {
      await this.#lay(access, sent, at)
      await keepShown(access, job, this.#options.study.signer)
    })
    return job
  }

  async #made(
    id: string,
    document: SignedJob,
  ): Promise<{ readonly job: FederatedJob; readonly sent: readonly Envelope[] }> {
    const turns = await turnsOfJob(this.#options.store, id)
    return FederatedJob.rebuilt(this.#options.study, document, turns.map(eventOf))
  }

  /** Jobs as rows, newest first. */
  async #rows(): Promise<readonly StateRow[]> {
    return this.#options.store.all(
      "SELECT id, document, at, decided_by FROM federation_jobs WHERE state = 'led' ORDER BY at DESC, id",
    )
  }

  async #row(id: string): Promise<StateRow> {
    const named = (await this.#rows()).filter((row) => id.length >= 6 && textOf(row, "id").startsWith(id))
    const [row] = named
    return row !== undefined && named.length === 1 ? row : fail("federation/no-job", { job: id.slice(0, 64) })
  }

  async #led(row: StateRow): Promise<LedJob> {
    const id = textOf(row, "id")
    const document = documentIn(row)
    const { state, result } = await this.#shown(id, document)
    return { id, document, askedBy: textOf(row, "decided_by"), askedAt: textOf(row, "at"), state, result }
  }

  /** What is seen of a job: as it was kept, or from its letters. */
  async #shown(id: string, document: SignedJob): Promise<ShownJob> {
    const { store, study } = this.#options
    const kept = await readShown(store, id, study.signer.publicKey)
    if (kept !== undefined && isOver(kept.state)) return kept
    try {
      if (kept !== undefined) {
        // Planned anew, since another version may have asked it: then it does not go on.
        if (!this.#planned.has(id)) FederatedJob.rebuilt(study, document, [])
        this.#planned.add(id)
        return kept
      }
      const { job } = await this.#made(id, document)
      return { state: job.state(), result: job.result() }
    } catch (error) {
      unlessOfOtherVersion(error)
      return { state: stateOfOtherVersion(id, document), result: undefined }
    }
  }

  async #documentOf(id: string): Promise<SignedJob> {
    const rows = await this.#options.store.all(
      "SELECT document FROM federation_jobs WHERE id = ? AND state = 'led'",
      [id],
    )
    const [row] = rows
    return row === undefined ? fail("federation/no-job", { job: id.slice(0, 64) }) : documentIn(row)
  }

  async #lay(access: StateAccess, envelopes: readonly Envelope[], at: string): Promise<void> {
    await keepLetters(access, "out", envelopes.map(letterTo), at)
  }
}

function documentIn(row: StateRow): SignedJob {
  return decodeJob(jsonOf(textOf(row, "document")))
}

function eventOf(letter: KeptLetter): JobEvent {
  if (letter.peer !== clockPeer) return { kind: "received", envelope: envelopeOf(letter) }
  const { at } = clockSaid.parse(jsonOf(letter.body))
  return { kind: "advanced", at }
}

/** A job that this version plans in another way than the one that asked is over; no other waits for it. */
function unlessOfOtherVersion(error: unknown): undefined {
  if (error instanceof DosimeterError && error.code === "federation/other-layout") return undefined
  throw error
}

function stateOfOtherVersion(job: string, { document }: SignedJob): JobState {
  return {
    job,
    phase: "failed",
    sites: document.sites.map(({ name }) => ({ name, progress: "lost" })),
    rounds: { done: 0, all: 1 },
    why: "another version of Dosimeter has asked it, or the study's catalog has changed since",
  }
}
