// Who did what, and when: one entry after the other, each tied to all before it by its hash. An entry is
// written in the transaction that it tells of, so that nothing happens without one.

import { createHash } from "node:crypto"
import { oneRow, textOf, type StateAccess, type StateRow, type StateStore } from "../state/state-store.ts"

/** Something that somebody did. */
export interface Deed {
  readonly who: string
  /** Such as "study-submitted". */
  readonly what: string
  /** What it is about: "study heart", "account ada". */
  readonly about: string
  /** Public facts besides: reasons, amounts, numbers of entries in the ledger. Never a value of the data. */
  readonly facts?: Readonly<Record<string, string>>
}

/** A deed as it is recorded. */
export interface AuditEntry extends Required<Deed> {
  readonly position: number
  readonly at: string
  readonly hash: string
}

/** Records a deed; part of the caller's transaction. */
export async function record(access: StateAccess, deed: Deed, at: string): Promise<void> {
  const { who, what, about, facts = {} } = deed
  const last = await oneRow(access, "SELECT position, hash FROM audit ORDER BY position DESC LIMIT 1", [])
  const position = Number(last?.["position"] ?? 0) + 1
  const body = bodyOf({ position, at, who, what, about, facts })
  const hash = hashAfter(last === undefined ? emptyHash : textOf(last, "hash"), body)
  await access.run(
    "INSERT INTO audit (position, at, who, what, about, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
    [position, at, who, what, about, body, hash],
  )
}

/** What is looked for; all of it if nothing is said. */
export interface AuditSearch {
  readonly who?: string
  readonly what?: string
  readonly about?: string
  /** From this time on, and before that. */
  readonly from?: string
  readonly to?: string
  /** As they were written, or the newest first. */
  readonly order?: AuditOrder
  /** Entries that come after this position in that order, at most so many. */
  readonly after?: number
  readonly limit?: number
}

/** In which order entries are listed. */
export type AuditOrder = "oldest" | "newest"

const orders = {
  oldest: { after: "position > ?", by: "ASC" },
  newest: { after: "position < ?", by: "DESC" },
} as const

/** Entries in order. */
export async function searchAudit(
  access: StateAccess,
  search: AuditSearch = {},
): Promise<readonly AuditEntry[]> {
  const { who, what, about, from, to, limit = 100 } = search
  const order = orders[search.order ?? "oldest"]
  const tests: readonly (readonly [string, string | number | undefined])[] = [
    [order.after, search.after],
    ["who = ?", who],
    ["what = ?", what],
    ["about = ?", about],
    ["at >= ?", from],
    ["at < ?", to],
  ]
  const used = tests.flatMap(([sql, value]) => (value === undefined ? [] : [{ sql, value }]))
  const where = ["TRUE", ...used.map(({ sql }) => sql)].join(" AND ")
  const rows = await access.all(
    `SELECT body, hash FROM audit WHERE ${where} ORDER BY position ${order.by} LIMIT ?`,
    [...used.map(({ value }) => value), limit],
  )
  return rows.map(entryOf)
}

/** The position of the first entry that was changed, removed or put in; undefined if all is sound. */
export async function verifyAudit(store: StateStore): Promise<number | undefined> {
  let [before, expected] = [emptyHash, 1]
  for (;;) {
    const rows = await store.all(
      "SELECT position, at, who, what, about, body, hash FROM audit WHERE position >= ? ORDER BY position LIMIT 1000",
      [expected],
    )
    for (const row of rows) {
      const entry = entryOf(row)
      const columns = ["at", "who", "what", "about"] as const
      const isSame = columns.every((name) => entry[name] === textOf(row, name)) && entry.position === expected
      const hash = hashAfter(before, textOf(row, "body"))
      if (!isSame || Number(row["position"]) !== expected || hash !== entry.hash) return expected
      before = hash
      expected += 1
    }
    if (rows.length < 1000) return undefined
  }
}

const emptyHash = sha256("dosimeter/audit/1/empty")

function hashAfter(before: string, body: string): string {
  return sha256(`dosimeter/audit/1/entry\n${before}\n${body}`)
}

function bodyOf(entry: Omit<AuditEntry, "hash">): string {
  const { position, at, who, what, about, facts } = entry
  const sorted = Object.fromEntries(Object.entries(facts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify({ position, at, who, what, about, facts: sorted })
}

function entryOf(row: StateRow): AuditEntry {
  // Our own text; its hash says whether it still is.
  const body = JSON.parse(textOf(row, "body")) as Omit<AuditEntry, "hash">
  return { ...body, hash: textOf(row, "hash") }
}

function sha256(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex")
}
