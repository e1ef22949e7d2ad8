// Campaigns as they are kept: the owner's moves with their entries in the audit trail, and reports, of which
// nothing stays but counters and the hash of an id that belongs to no device.

import { DosimeterError } from "@dosimeter/core"
import { countersFor, type Counters, type Tally } from "@dosimeter/core/collect"
import { openReport, parametersOf, readProtocol, type Protocol } from "@dosimeter/core/local"
import { createHash } from "node:crypto"
import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { asStored, nextPosition } from "../state/state-schema.ts"
import { numberOf, oneRow, textOf } from "../state/state-store.ts"
import type { StateAccess, StateRow, StateStore } from "../state/state-store.ts"
import {
  protocolOf,
  stateAfter,
  type Campaign,
  type CampaignMove,
  type CampaignPlan,
  type CampaignState,
} from "./campaign.ts"

/** What became of a batch of reports; not which of them. */
export interface BatchOutcome {
  readonly accepted: number
  /** Counted before: the same report again. */
  readonly repeated: number
  /** Of other parameters, or bytes that no device sends. */
  readonly refused: number
}

/** The campaigns of a server. */
export class Campaigns {
  readonly #store: StateStore
  readonly #now: () => Date

  constructor(store: StateStore, now: () => Date = () => new Date()) {
    this.#store = store
    this.#now = now
  }

  /** Plans one: the protocol is chosen, and an unanswerable plan is refused. */
  async create(plan: CampaignPlan, by: string): Promise<Campaign> {
    const protocol = protocolOf(plan)
    const { id, ...body } = plan
    const at = this.#now().toISOString()
    await this.#store.transaction(async (access) => {
      if ((await findCampaign(access, id)) !== undefined) fail("campaign/exists", { campaign: id })
      await access.run(
        `INSERT INTO campaigns (id, body, protocol, parameters, state, created_by, created_at, position)
         VALUES (?, ?, ?, ?, 'draft', ?, ?, ${nextPosition("campaigns")})`,
        [id, JSON.stringify(body), JSON.stringify(protocol), parametersOf(protocol), by, at],
      )
      for (const [part, { reports, counts }] of countersFor(protocol).tallies().entries()) {
        await access.run(
          "INSERT INTO campaign_tallies (campaign, part, reports, counts) VALUES (?, ?, ?, ?)",
          [id, part, reports, JSON.stringify(counts)],
        )
      }
      await record(access, deed(id, "campaign-created", by, { epsilon: plan.epsilon }), at)
    })
    return this.get(id)
  }

  /** Publishes, pauses or closes one. Once it is closed, the ids of its reports are forgotten. */
  async move(id: string, move: CampaignMove, by: string): Promise<Campaign> {
    const at = this.#now().toISOString()
    await this.#store.transaction(async (access) => {
      const state = stateAfter(await requireCampaign(access, id), move)
      await access.run("UPDATE campaigns SET state = ? WHERE id = ?", [state, id])
      if (state === "closed") await access.run("DELETE FROM campaign_seen WHERE campaign = ?", [id])
      await record(access, deed(id, `campaign-${state}`, by, {}), at)
    })
    return this.get(id)
  }

  /** One that is there. */
  async get(id: string): Promise<Campaign> {
    return requireCampaign(this.#store, id)
  }

  /** All of them, the oldest first. */
  async list(): Promise<readonly Campaign[]> {
    const rows = await this.#store.all(`SELECT * FROM campaigns ${asStored("created_at, id")}`)
    return rows.map(campaignOf)
  }

  /** The counters of each question. */
  async tallies(id: string): Promise<readonly Tally[]> {
    return talliesOf(this.#store, id)
  }

  /** Counts a batch of reports, all in one step; their order is lost. */
  async collect(id: string, reports: readonly unknown[]): Promise<BatchOutcome> {
    return this.#store.transaction(async (access) => {
      const campaign = await requireCampaign(access, id)
      const { protocol, parameters, state } = campaign
      if (state !== "open") fail("campaign/not-open", { campaign: id, state })
      const before = await talliesOf(access, id)
      const room = campaign.reportsMax - before.reduce((sum, tally) => sum + tally.reports, 0)
      if (room <= 0) fail("campaign/full", { campaign: id, most: `${campaign.reportsMax}` })
      const counters = countersFor(protocol, { tallies: before })
      const left = reports.flatMap((report) => {
        const payload = readable(protocol, report, parameters)
        return payload === undefined ? [] : [{ hash: hashOf(id, report), payload }]
      })
      let [accepted, repeated, refused] = [0, 0, reports.length - left.length]
      while (left.length > 0 && accepted < room) {
        // No more than there is room for: what is not counted is not remembered.
        const some = left.splice(0, Math.min(room - accepted, atOnce))
        const added = await addNew(access, id, some)
        for (const { hash, payload } of some) {
          if (!added.delete(hash)) repeated += 1
          else if (counted(counters, payload)) accepted += 1
          else refused += 1
        }
      }
      if (accepted > 0) await saveTallies(access, id, counters.tallies())
      return { accepted, repeated, refused: refused + left.length }
    })
  }
}

/** The bytes of a report; nothing where the text cannot be one. */
function readable(protocol: Protocol, report: unknown, parameters: string): Uint8Array | undefined {
  return orUndefined(() => openReport(protocol, report, parameters))
}

function counted(counters: Counters, payload: Uint8Array): boolean {
  return orUndefined(() => counters.add(payload) ?? true) === true
}

/** A bad report does not spoil its batch: it is counted as refused, and the others are counted. */
function orUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return undefined
    throw error
  }
}

/** What is remembered of a report: a hash of its id. */
function hashOf(campaign: string, report: unknown): string {
  const id = typeof report === "object" && report !== null && "id" in report ? String(report.id) : ""
  return createHash("sha256").update(`${campaign} ${id}`).digest("base64url").slice(0, 22)
}

/** How many are remembered by one statement: a shared store is a network away. */
const atOnce = 1000

/** Remembers the hashes of reports, and gives those that were not there. */
async function addNew(
  access: StateAccess,
  campaign: string,
  reports: readonly { readonly hash: string }[],
): Promise<Set<string>> {
  const places = reports.map(() => "(?, ?)").join(", ")
  const rows = await access.all(
    `INSERT INTO campaign_seen (campaign, hash) VALUES ${places} ON CONFLICT DO NOTHING RETURNING hash`,
    reports.flatMap(({ hash }) => [campaign, hash]),
  )
  return new Set(rows.map((row) => textOf(row, "hash")))
}

async function saveTallies(access: StateAccess, id: string, tallies: readonly Tally[]): Promise<void> {
  for (const [part, { reports, counts }] of tallies.entries()) {
    await access.run("UPDATE campaign_tallies SET reports = ?, counts = ? WHERE campaign = ? AND part = ?", [
      reports,
      JSON.stringify(counts),
      id,
      part,
    ])
  }
}

async function talliesOf(access: StateAccess, id: string): Promise<readonly Tally[]> {
  const rows = await access.all(
    "SELECT reports, counts FROM campaign_tallies WHERE campaign = ? ORDER BY part",
    [id],
  )
  return rows.map((row) => {
    const counts: readonly number[] = JSON.parse(textOf(row, "counts"))
    return { reports: numberOf(row, "reports"), counts }
  })
}

async function requireCampaign(access: StateAccess, id: string): Promise<Campaign> {
  return (await findCampaign(access, id)) ?? fail("campaign/unknown", { campaign: id })
}

async function findCampaign(access: StateAccess, id: string): Promise<Campaign | undefined> {
  const row = await oneRow(access, "SELECT * FROM campaigns WHERE id = ?", [id])
  return row === undefined ? undefined : campaignOf(row)
}

function campaignOf(row: StateRow): Campaign {
  const body: Omit<CampaignPlan, "id"> = JSON.parse(textOf(row, "body"))
  return {
    ...body,
    id: textOf(row, "id"),
    state: stateOf(textOf(row, "state")),
    protocol: readProtocol(JSON.parse(textOf(row, "protocol"))),
    parameters: textOf(row, "parameters"),
    createdBy: textOf(row, "created_by"),
    createdAt: textOf(row, "created_at"),
  }
}

function stateOf(text: string): CampaignState {
  return text === "open" || text === "paused" || text === "closed" ? text : "draft"
}

function deed(
  id: string,
  what: string,
  who: string,
  facts: Readonly<Record<string, string>>,
): { who: string; what: string; about: string; facts: Readonly<Record<string, string>> } {
  return { who, what, about: `campaign ${id}`, facts }
}
