// What people have decided about the use of their data: a history to which decisions are added. Of two about
// the same purpose the later one holds.

import { createHmac, randomBytes } from "node:crypto"
import { fail } from "../errors.ts"
import { record } from "../audit/audit.ts"
import { participantOf } from "../people/participants.ts"
import { purposeOf } from "../studies/purposes.ts"
import { may } from "../people/roles.ts"
import {
  numberOf,
  oneRow,
  textOf,
  type StateAccess,
  type StateRow,
  type StateStore,
} from "../state/state-store.ts"
import type { Actor } from "../studies/study-state.ts"

/** Given, or withdrawn; a refusal from the beginning is a withdrawal. */
export type Decision = "given" | "withdrawn"

/** What somebody decided. */
export interface ConsentDecision {
  /** The unit's id, as text. */
  readonly participant: string
  /** The code of a permission. */
  readonly purpose: string
  readonly decision: Decision
  /** A day, or a time in UTC; not in the future. "now" where it is decided here, after all that is kept. */
  readonly decidedAt: string
}

/** A decision as it is kept. */
export interface KeptDecision extends ConsentDecision {
  readonly position: number
  /** The version that it came with. */
  readonly version: number
  readonly recordedAt: string
  /** "portal", or the name of a file. */
  readonly source: string
  readonly recordedBy: string
}

/** How decisions are kept for a dataset. */
export interface ConsentOptions {
  /** What the ids of units are: 007 and 7 are the same integer, and different texts. */
  readonly unitType: "integer" | "text"
  readonly now?: () => Date
}

/** The decisions of a dataset's people. */
export class Consents {
  readonly #store: StateStore
  readonly #options: ConsentOptions
  readonly #now: () => Date

  constructor(store: StateStore, options: ConsentOptions) {
    this.#store = store
    this.#options = options
    this.#now = options.now ?? (() => new Date())
  }

  /**
   * Adds decisions, all or none; how many changed what holds. Participants decide for themselves, owners hand
   * in what people decided elsewhere.
   */
  async add(
    decisions: readonly ConsentDecision[],
    from: { readonly source: string; readonly actor: Actor },
  ): Promise<number> {
    const now = this.#now()
    const clean = decisions.map((decision) => this.#checked(decision, now))
    await this.#checkActor(clean, from.actor)
    return this.#store.transaction(async (access) => {
      const at = now.toISOString()
      const writer = new DecisionWriter(access, { ...from, at, key: await keyOf(access) })
      for (const decision of clean) await writer.add(decision)
      return writer.finish()
    })
  }

  /** What somebody has decided, the latest first for each purpose. */
  async history(participant: string): Promise<readonly KeptDecision[]> {
    const rows = await this.#store.all(
      "SELECT * FROM consent_decisions WHERE participant = ? ORDER BY purpose, decided_at DESC, position DESC",
      [this.#id(participant)],
    )
    return rows.map(keptOf)
  }

  /** What holds for somebody: one decision for each purpose that they decided about. */
  async of(participant: string): Promise<readonly KeptDecision[]> {
    const all = await this.history(participant)
    return all.filter(({ purpose }, index) => all[index - 1]?.purpose !== purpose)
  }

  async #checkActor(decisions: readonly ConsentDecision[], actor: Actor): Promise<void> {
    if (may(actor.role, "manage-consent")) return
    const own = may(actor.role, "consent") ? await participantOf(this.#store, actor.name) : undefined
    const isOwn = decisions.every(({ participant }) => own !== undefined && participant === this.#id(own))
    if (!isOwn) fail("consent/not-allowed", { name: actor.name })
  }

  #checked(decision: ConsentDecision, now: Date): ConsentDecision {
    const { participant, purpose, decidedAt } = decision
    if (purposeOf(purpose)?.kind !== "permission")
      fail("consent/bad-purpose", { purpose: purpose.slice(0, 80) })
    if (decidedAt === "now") return { ...decision, participant: this.#id(participant) }
    const time = timeOf(decidedAt)
    if (time === undefined || time > now.toISOString())
      fail("consent/bad-time", { time: decidedAt.slice(0, 80) })
    return { ...decision, participant: this.#id(participant), decidedAt: time ?? "" }
  }

  // What a unit's id is read as, so that one person is one participant.
  #id(participant: string): string {
    const id = normalId(participant, this.#options.unitType)
    return id ?? fail("consent/bad-participant", { type: this.#options.unitType })
  }
}

/** The id of a unit in its one form; undefined if it is none. */
export function normalId(text: string, type: ConsentOptions["unitType"]): string | undefined {
  if (type === "text") return text === "" || text.length > 1000 ? undefined : text
  const digits = text.trim()
  return /^[+-]?\d{1,19}$/.test(digits) ? `${BigInt(digits)}` : undefined
}

/** A day or a time as a time in UTC; undefined if it is none. */
export function timeOf(text: string): string | undefined {
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
  const time = isTime ? Date.parse(text) : Number.NaN
  return Number.isFinite(time) ? new Date(time).toISOString() : undefined
}

/** Writes decisions in one transaction, and the version that they make. */
class DecisionWriter {
  readonly #access: StateAccess
  readonly #from: WrittenFrom
  /** Of the purposes for which something changed: all their decisions so far. */
  readonly #hashes = new Map<string, string>()
  #position = -1
  #number = 0
  #changed = 0
  #written = 0

  constructor(access: StateAccess, from: WrittenFrom) {
    this.#access = access
    this.#from = from
  }

  /** What is known already is not written again. */
  async add(said: ConsentDecision): Promise<void> {
    const { participant, purpose, decision } = said
    if (this.#position < 0) await this.#begin()
    const rows = await this.#access.all(
      `SELECT decision, decided_at FROM consent_decisions WHERE participant = ? AND purpose = ?
       ORDER BY decided_at DESC, position DESC`,
      [participant, purpose],
    )
    const [latest] = rows
    const isHere = said.decidedAt === "now"
    const decidedAt = isHere ? this.#timeAfter(latest) : said.decidedAt
    const isSame = (row: StateRow): boolean =>
      textOf(row, "decided_at") === decidedAt && textOf(row, "decision") === decision
    if (!isHere && rows.some(isSame)) return
    const holds = latest === undefined || textOf(latest, "decided_at") <= decidedAt
    const { source, actor, at, key } = this.#from
    this.#position += 1
    this.#written += 1
    await this.#access.run(
      `INSERT INTO consent_decisions (position, version, participant, purpose, decision, decided_at,
       recorded_at, source, recorded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [this.#position, this.#number, participant, purpose, decision, decidedAt, at, source, actor.name],
    )
    // A decision that says the same again, or is older, changes nothing.
    if (!holds || (latest !== undefined && textOf(latest, "decision") === decision)) return
    this.#changed += 1
    const before = this.#hashes.get(purpose) ?? (await lastHash(this.#access, purpose))
    const line = [before, participant, purpose, decision, decidedAt].join("\n")
    this.#hashes.set(purpose, createHmac("sha256", key).update(line).digest("hex"))
  }

  /** How many decisions changed what holds. */
  async finish(): Promise<number> {
    if (this.#written === 0) return 0
    const { source, actor, at } = this.#from
    for (const [purpose, hash] of this.#hashes) {
      await this.#access.run(
        "INSERT INTO consent_versions (number, purpose, hash, through, at) VALUES (?, ?, ?, ?, ?)",
        [this.#number, purpose, hash, this.#position, at],
      )
    }
    // Whose decisions they are stays out of the audit trail, which nothing can be removed from.
    const facts = { decisions: `${this.#written}`, source }
    const who = actor.role === "participant" ? "a participant" : actor.name
    await record(this.#access, { who, what: "consent-changed", about: "consent", facts }, at)
    return this.#changed
  }

  /** The time of what is decided here. A clock that was set back must not make it older than what is kept. */
  #timeAfter(latest: StateRow | undefined): string {
    const last = latest === undefined ? "" : textOf(latest, "decided_at")
    return last > this.#from.at ? last : this.#from.at
  }

  async #begin(): Promise<void> {
    const row = await oneRow(
      this.#access,
      `SELECT (SELECT MAX(position) FROM consent_decisions) AS position,
       (SELECT MAX(number) FROM consent_versions) AS number`,
      [],
    )
    this.#position = Number(row?.["position"] ?? 0)
    this.#number = Number(row?.["number"] ?? 0) + 1
  }
}

interface WrittenFrom {
  readonly source: string
  readonly actor: Actor
  readonly at: string
  readonly key: string
}

async function lastHash(access: StateAccess, purpose: string): Promise<string> {
  const row = await oneRow(
    access,
    "SELECT hash FROM consent_versions WHERE purpose = ? ORDER BY number DESC LIMIT 1",
    [purpose],
  )
  return row === undefined ? "" : textOf(row, "hash")
}

// Without the key a hash tells nobody whether somebody agreed.
async function keyOf(access: StateAccess): Promise<string> {
  const row = await oneRow(access, "SELECT value FROM state_secrets WHERE name = 'consent'", [])
  if (row !== undefined) return textOf(row, "value")
  const key = randomBytes(32).toString("hex")
  await access.run("INSERT INTO state_secrets (name, value) VALUES ('consent', ?)", [key])
  return key
}

function keptOf(row: StateRow): KeptDecision {
  return {
    position: numberOf(row, "position"),
    version: numberOf(row, "version"),
    participant: textOf(row, "participant"),
    purpose: textOf(row, "purpose"),
    decision: textOf(row, "decision") === "given" ? "given" : "withdrawn",
    decidedAt: textOf(row, "decided_at"),
    recordedAt: textOf(row, "recorded_at"),
    source: textOf(row, "source"),
    recordedBy: textOf(row, "recorded_by"),
  }
}
