// A node's inbox: jobs that its coordinator has offered, what approving each would charge, and what the house
// decided. Deciding is a line in the state; the node's worker acts on it, now or after the next start.

import type { JobOffer, SignedJob } from "@dosimeter/engine"
import { record } from "../../audit/audit.ts"
import { fail } from "../../errors.ts"
import { may } from "../../people/roles.ts"
import { oneRow, textOf, type StateAccess, type StateRow, type StateStore } from "../../state/state-store.ts"
import type { Actor } from "../../studies/study-state.ts"
import { jsonOf } from "../wire/json.ts"

/** Where a job stands at this house. "unfit": the node itself refused it, before anybody was asked. */
export type InboxState = "offered" | "approved" | "refused" | "unfit"

/** A job in the inbox. */
export interface InboxJob {
  readonly id: string
  readonly state: InboxState
  readonly receivedAt: string
  readonly document: SignedJob
  /** Absent where the node refused the job itself; `reasons` says why. */
  readonly offer: JobOffer | undefined
  readonly decidedBy?: string
  readonly decidedAt?: string
  readonly reasons?: string
  /** Whether the node has acted on the decision. */
  readonly isActedOn: boolean
}

/** What somebody decides about a job. */
export interface Decision {
  readonly decision: "approve" | "refuse"
  readonly reasons: string
}

/** The jobs that a node was offered. */
export class Inbox {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** Newest first. */
  async list(): Promise<readonly InboxJob[]> {
    const rows = await this.#store.all("SELECT * FROM federation_jobs ORDER BY at DESC, id")
    return rows.map(jobOf)
  }

  /** By its id, or by the beginning of it that no other has. */
  async find(id: string): Promise<InboxJob> {
    const named = (await this.list()).filter((job) => id.length >= 6 && job.id.startsWith(id))
    const [job] = named
    return job !== undefined && named.length === 1 ? job : fail("federation/no-job", { job: id.slice(0, 64) })
  }

  /** Approves or refuses a job that waits. */
  async decide(id: string, { decision, reasons }: Decision, actor: Actor): Promise<InboxJob> {
    const job = await this.find(id)
    if (!may(actor.role, "review-releases")) return fail("federation/not-allowed", { name: actor.name })
    if (decision === "refuse" && reasons.trim() === "") return fail("federation/no-reasons", {})
    const at = this.#now().toISOString()
    await this.#store.transaction((access) =>
      decideIn(access, job.id, { decision, reasons, by: actor.name, at }),
    )
    return this.find(job.id)
  }
}

/** Puts a job into the inbox; part of the caller's transaction. One that is there stays as it is: false. */
export async function receiveJob(
  access: StateAccess,
  job: { readonly id: string; readonly document: unknown; readonly offer: JobOffer | string },
  at: string,
): Promise<boolean> {
  const known = await oneRow(access, "SELECT id FROM federation_jobs WHERE id = ?", [job.id])
  if (known !== undefined) return false
  const isFit = typeof job.offer !== "string"
  await access.run(
    "INSERT INTO federation_jobs (id, document, offer, state, at, reasons) VALUES (?, ?, ?, ?, ?, ?)",
    [
      job.id,
      JSON.stringify(job.document),
      isFit ? JSON.stringify(job.offer) : "",
      isFit ? "offered" : "unfit",
      at,
      isFit ? null : job.offer,
    ],
  )
  const facts = isFit ? {} : { why: String(job.offer) }
  await record(access, { who: "coordinator", what: "job-offered", about: `job ${job.id}`, facts }, at)
  return true
}

/** Writes a decision down; part of the caller's transaction. */
export async function decideIn(
  access: StateAccess,
  id: string,
  given: Decision & { readonly by: string; readonly at: string },
): Promise<void> {
  const { decision, reasons, by, at } = given
  const row = await oneRow(access, "SELECT state FROM federation_jobs WHERE id = ?", [id])
  const before = row === undefined ? "unfit" : textOf(row, "state")
  if (before !== "offered") return fail("federation/decided", { job: id.slice(0, 12), state: before })
  const state = decision === "approve" ? "approved" : "refused"
  await access.run(
    "UPDATE federation_jobs SET state = ?, decision = ?, decided_by = ?, reasons = ?, decided_at = ? WHERE id = ?",
    [state, decision, by, reasons, at, id],
  )
  await record(access, { who: by, what: `job-${state}`, about: `job ${id}`, facts: { reasons } }, at)
}

/** Jobs that were decided, and on which nobody has acted. */
export async function decidedJobs(access: StateAccess): Promise<readonly InboxJob[]> {
  const rows = await access.all(
    "SELECT * FROM federation_jobs WHERE decision IS NOT NULL AND acted_at IS NULL ORDER BY decided_at",
  )
  return rows.map(jobOf)
}

/** Says that a decision was acted on; part of the transaction that keeps what came of it. */
export async function actedOn(access: StateAccess, id: string, at: string): Promise<void> {
  await access.run("UPDATE federation_jobs SET acted_at = ? WHERE id = ?", [at, id])
}

function jobOf(row: StateRow): InboxJob {
  const states: readonly InboxState[] = ["offered", "approved", "refused", "unfit"]
  const state = states.find((one) => one === textOf(row, "state")) ?? "unfit"
  const offer = textOf(row, "offer")
  const optional = (name: string, column: string): Readonly<Record<string, string>> =>
    row[column] === null ? {} : { [name]: textOf(row, column) }
  return {
    id: textOf(row, "id"),
    state,
    receivedAt: textOf(row, "at"),
    // Our own text, written above.
    document: jsonOf(textOf(row, "document")) as SignedJob,
    offer: offer === "" ? undefined : (jsonOf(offer) as JobOffer),
    ...optional("decidedBy", "decided_by"),
    ...optional("decidedAt", "decided_at"),
    ...optional("reasons", "reasons"),
    isActedOn: row["acted_at"] !== null,
  }
}
