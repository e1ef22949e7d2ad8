// Entries in a PostgreSQL that several machines share: one writer at a time through a lock of the server,
// every commit flushed before it is acknowledged, rows that can be added and nothing else.

import { LostConnection, type PostgresConnection } from "../../postgres/postgres-connection.ts"
import { appendOnly, makeTables } from "../../postgres/postgres-tables.ts"
import { isHeld } from "../../postgres/postgres-trouble.ts"
import { textField, Unreadable } from "../entries/canonical.ts"
import type { EntryRow, EntryStore, NewRow } from "../entry-store.ts"
import type { KeptText, ReleaseText } from "../ledger.ts"
import { bigintField, readRow } from "./read-row.ts"

/** A store in a schema of a database. */
export class PostgresStore implements EntryStore {
  readonly path: string
  readonly isShared = true
  /** The server gives the lock in turn. */
  readonly yieldMs = 0
  readonly #connection: PostgresConnection
  readonly #schema: string

  constructor(connection: PostgresConnection, schema: string) {
    this.path = `${connection.place} ${schema.replaceAll('"', "")}`
    this.#connection = connection
    this.#schema = schema
  }

  /** Makes the tables where they are missing. */
  async prepare(): Promise<void> {
    await makeTables(this.#connection, this.#schema, { name: "ledger 1", sql: tables })
  }

  async begin(): Promise<void> {
    await this.#connection.begin()
  }
  async commit(): Promise<void> {
    await this.#connection.commit()
  }
  async rollback(): Promise<void> {
    await this.#connection.rollback()
  }
  async append(added: readonly NewRow[]): Promise<void> {
    const rows = added.map(({ row }) => row)
    await this.#insert("ledger_entries", columns, [
      rows.map(({ position }) => `${position}`),
      rows.map(({ hash }) => hash),
      rows.map(({ body }) => body),
      rows.map(({ keys }) => keys.request ?? null),
      rows.map(({ keys: { settles } }) => (settles === undefined ? null : `${settles}`)),
      rows.map(({ keys }) => keys.question ?? null),
    ])
    const releases = added.flatMap(({ row, release }) =>
      release === undefined ? [] : [{ position: `${row.position}`, ...release }],
    )
    if (releases.length === 0) return
    await this.#insert("ledger_releases", releaseColumns, [
      releases.map(({ position }) => position),
      releases.map(({ answer }) => answer),
      releases.map(({ receipt }) => receipt),
    ])
    const kept = releases.flatMap(({ position, kept: list = [] }) =>
      list.map((one, place) => ({ position, place: `${place}`, ...one })),
    )
    if (kept.length === 0) return
    await this.#insert("ledger_kept", keptColumns, [
      kept.map(({ position }) => position),
      kept.map(({ place }) => place),
      kept.map(({ subject }) => subject),
      kept.map(({ text }) => text),
    ])
  }
  async rows(from: bigint, count: number): Promise<readonly EntryRow[]> {
    return this.#entries("position >= $1 ORDER BY position LIMIT $2", [`${from}`, count])
  }
  async rowsAt(positions: readonly bigint[]): Promise<readonly EntryRow[]> {
    if (positions.length === 0) return []
    return this.#entries("position = ANY ($1::bigint[]) ORDER BY position", [positions.map(String)])
  }
  async positionOf(hash: string): Promise<bigint | undefined> {
    return (await this.#entries("hash = $1", [hash]))[0]?.position
  }
  async chargesOf(requests: readonly string[]): Promise<readonly EntryRow[]> {
    return this.#entries("request = ANY ($1::text[])", [requests])
  }
  async settlementOf(charge: bigint): Promise<EntryRow | undefined> {
    return (await this.#entries("settles = $1", [`${charge}`]))[0]
  }
  async answerOf(question: string): Promise<EntryRow | undefined> {
    return (await this.#entries("question = $1 ORDER BY position LIMIT 1", [question]))[0]
  }
  async releases(positions: readonly bigint[]): Promise<ReadonlyMap<bigint, ReleaseText>> {
    if (positions.length === 0) return new Map()
    const at = [positions.map(String)]
    const where = "WHERE position = ANY ($1::bigint[]) ORDER BY position"
    const found = await this.#select(`SELECT position, answer, receipt FROM % ${where}`, releasesIn, at)
    const tables = await this.#select(`SELECT position, subject, text FROM % ${where}, place`, keptIn, at)
    const kept = new Map<bigint, KeptText[]>()
    for (const row of tables) {
      const position = bigintField(row, "position")
      const list = kept.get(position) ?? []
      list.push({ subject: textField(row, "subject"), text: textField(row, "text") })
      kept.set(position, list)
    }
    return new Map(
      found.map((row) => {
        const position = bigintField(row, "position")
        const release = { answer: textField(row, "answer"), receipt: textField(row, "receipt") }
        const list = kept.get(position)
        return [position, list === undefined ? release : { ...release, kept: list }] as const
      }),
    )
  }
  async keptUnder(subject: string, newest?: number): Promise<readonly bigint[]> {
    const sql = "SELECT DISTINCT position FROM % WHERE subject = $1 ORDER BY position DESC LIMIT $2"
    // No limit is NULL.
    const found = await this.#select(sql, keptIn, [subject, newest ?? null])
    return found.map((row) => bigintField(row, "position")).toReversed()
  }
  async keptCount(upTo: bigint): Promise<bigint> {
    return this.#count(keptIn, upTo)
  }
  async releaseCount(upTo: bigint): Promise<bigint> {
    return this.#count(releasesIn, upTo)
  }
  async live(id: string): Promise<void> {
    await this.#connection.hold(`live ${this.#schema} ${id}`)
  }
  async isLive(id: string): Promise<boolean> {
    return this.#connection.isHeld(`live ${this.#schema} ${id}`)
  }
  async selfCheck(_depth?: "quick" | "whole"): Promise<string | undefined> {
    return undefined
  }
  isDamage(error: unknown): boolean {
    // Data or an index is corrupt.
    return error instanceof Error && "code" in error && (error.code === "XX001" || error.code === "XX002")
  }
  isBusy(error: unknown): boolean {
    return isHeld(error)
  }
  isPassing(error: unknown): boolean {
    return error instanceof LostConnection
  }
  async close(): Promise<void> {
    await this.#connection.close()
  }

  async #entries(where: string, values: readonly unknown[]): Promise<readonly EntryRow[]> {
    const found = await this.#select(`SELECT ${names(columns)} FROM % WHERE ${where}`, entriesIn, values)
    return found.map((row) => readRow(row))
  }

  async #count(table: string, upTo: bigint): Promise<bigint> {
    const sql = "SELECT count(*) AS count FROM % WHERE position <= $1"
    return bigintField((await this.#select(sql, table, [`${upTo}`]))[0], "count")
  }

  /** The table is written as %. */
  async #select(sql: string, table: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#connection.query(sql.replace("%", `${this.#schema}.${table}`), values)
  }

  /** Adds rows that are given column by column. */
  async #insert(
    table: string,
    list: Columns,
    values: readonly (readonly (string | null)[])[],
  ): Promise<void> {
    const arrays = list.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")
    const sql = `INSERT INTO ${this.#schema}.${table} (${names(list)}) SELECT * FROM unnest(${arrays})`
    const added = await this.#connection.change(sql, values)
    if (added !== values[0]?.length) throw new Unreadable("was not added")
  }
}

type Columns = readonly (readonly [name: string, type: string])[]

const [entriesIn, releasesIn, keptIn] = ["ledger_entries", "ledger_releases", "ledger_kept"] as const

const columns: Columns = [
  ["position", "bigint"],
  ["hash", "text"],
  ["body", "text"],
  ["request", "text"],
  ["settles", "bigint"],
  ["question", "text"],
]
const releaseColumns: Columns = [
  ["position", "bigint"],
  ["answer", "text"],
  ["receipt", "text"],
]
const keptColumns: Columns = [
  ["position", "bigint"],
  ["place", "integer"],
  ["subject", "text"],
  ["text", "text"],
]

// No foreign keys: their checks need the right to change rows, which nobody has.
const tables = `
CREATE TABLE ledger_entries (
  position bigint PRIMARY KEY,
  hash text NOT NULL UNIQUE,
  body text NOT NULL,
  request text UNIQUE,
  settles bigint UNIQUE,
  question text
);
CREATE INDEX ledger_entries_question ON ledger_entries (question, position) WHERE question IS NOT NULL;
CREATE TABLE ledger_releases (
  position bigint PRIMARY KEY,
  answer text NOT NULL,
  receipt text NOT NULL
);
CREATE TABLE ledger_kept (
  position bigint NOT NULL,
  place integer NOT NULL,
  subject text NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (position, place)
);
CREATE INDEX ledger_kept_subject ON ledger_kept (subject, position);
${appendOnly(entriesIn, "entries of a ledger")}
${appendOnly(releasesIn, "releases of a ledger")}
${appendOnly(keptIn, "releases of a ledger")}
`

function names(list: Columns): string {
  return list.map(([name]) => name).join(", ")
}
