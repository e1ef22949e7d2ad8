// Entries in an SQLite file: write-ahead log, every commit synced, one writer at a time through the file's
// own lock, any number of processes. Settings are read back, because SQLite ignores those that it does not
// know.

import { closeSync, existsSync, openSync, readFileSync, statSync } from "node:fs"
import { DatabaseSync } from "@photostructure/sqlite"
import { fail } from "../../errors.ts"
import { textField } from "../entries/canonical.ts"
import { readEntry, type LossTerms } from "../entries/entry.ts"
import type { EntryRow, EntryStore, NewRow } from "../entry-store.ts"
import type { ReleaseText } from "../ledger.ts"
import { changedTerms } from "../entries/loss-terms.ts"
import { LiveFiles } from "./live-file.ts"
import { bigintField, readRow } from "./read-row.ts"
import { isBusyError, lookMs, patiently } from "./sqlite-patience.ts"

/** "DOSI": says in the file's head that it is ours. */
const applicationId = 0x444f5349n
const formatVersion = 1n
/** Up to this size, a second of reading, a ledger is checked wholly when it is opened. */
const wholeCheckMax = 64 * 1024 * 1024

type Database = InstanceType<typeof DatabaseSync>

/** A store in a file, which is made if it is not there. */
export class SqliteStore implements EntryStore {
  readonly path: string
  readonly isShared = false
  /** Processes that wait for the file try it every few milliseconds. */
  readonly yieldMs = 3
  readonly #database: Database
  readonly #statements: Statements
  readonly #patienceMs: number
  readonly #live: LiveFiles

  /**
   * `patienceMs`: how long a transaction waits for others. Opening waits for one try; its caller tries again.
   */
  constructor(path: string, patienceMs: number) {
    this.path = path
    this.#patienceMs = patienceMs
    const busyTimeoutMs = Math.min(patienceMs, lookMs)
    this.#live = new LiveFiles(path)
    // Only the operator's account may read it: it holds who asked what.
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600))
    this.#database = new DatabaseSync(path, { readBigInts: true, timeout: busyTimeoutMs, defensive: true })
    try {
      prepareDatabase(this.#database, path, busyTimeoutMs)
      this.#statements = prepareStatements(this.#database)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  async begin(): Promise<void> {
    await patiently(this.#patienceMs, async () => this.#database.exec("BEGIN IMMEDIATE"))
  }
  async commit(): Promise<void> {
    this.#database.exec("COMMIT")
  }
  async rollback(): Promise<void> {
    if (this.#database.isTransaction) this.#database.exec("ROLLBACK")
  }
  async append(rows: readonly NewRow[]): Promise<void> {
    for (const { row, release } of rows) {
      const { request = null, settles = null, question = null } = row.keys
      this.#statements.append.run(row.position, row.hash, row.body, request, settles, question)
      if (release !== undefined) this.#keep(row.position, release)
    }
  }
  async rows(from: bigint, count: number): Promise<readonly EntryRow[]> {
    const found: readonly unknown[] = this.#statements.rows.all(from, count)
    return found.map((row) => readRow(row))
  }
  async rowsAt(positions: readonly bigint[]): Promise<readonly EntryRow[]> {
    return positions.flatMap((position) => readOptional(this.#statements.byPosition.get(position)) ?? [])
  }
  async positionOf(hash: string): Promise<bigint | undefined> {
    return readOptional(this.#statements.byHash.get(hash))?.position
  }
  async chargesOf(requests: readonly string[]): Promise<readonly EntryRow[]> {
    return requests.flatMap((request) => readOptional(this.#statements.byRequest.get(request)) ?? [])
  }
  async settlementOf(charge: bigint): Promise<EntryRow | undefined> {
    return readOptional(this.#statements.bySettles.get(charge))
  }
  async answerOf(question: string): Promise<EntryRow | undefined> {
    return readOptional(this.#statements.byQuestion.get(question))
  }
  async releases(positions: readonly bigint[]): Promise<ReadonlyMap<bigint, ReleaseText>> {
    const found = positions.flatMap((position) => {
      const release = this.#release(position)
      return release === undefined ? [] : [[position, release] as const]
    })
    return new Map(found)
  }
  async keptUnder(subject: string, newest?: number): Promise<readonly bigint[]> {
    // A negative limit is none.
    const found: readonly unknown[] = this.#statements.keptUnder.all(subject, newest ?? -1)
    return found.map((row) => bigintField(row, "position")).toReversed()
  }
  async keptCount(upTo: bigint): Promise<bigint> {
    return bigintField(this.#statements.keptCount.get(upTo), "count")
  }
  async releaseCount(upTo: bigint): Promise<bigint> {
    return bigintField(this.#statements.releaseCount.get(upTo), "count")
  }
  async live(id: string): Promise<void> {
    this.#live.hold(id)
  }
  async isLive(id: string): Promise<boolean> {
    return this.#live.isHeld(id)
  }
  async selfCheck(depth: "quick" | "whole"): Promise<string | undefined> {
    // The quick check leaves indexes out, and a request that an index has lost would be charged again.
    const isQuick = depth === "quick" && statSync(this.path).size > wholeCheckMax
    const row: unknown = this.#statements[isQuick ? "quickCheck" : "check"].get()
    return firstValue(row) === "ok" ? undefined : "the database file is corrupt"
  }
  isDamage(error: unknown): boolean {
    return isDamageError(error)
  }
  isBusy(error: unknown): boolean {
    return isBusyError(error)
  }
  isPassing(): boolean {
    return false
  }
  async close(): Promise<void> {
    this.#live.release()
    if (!this.#database.isOpen) return
    // The driver keeps the file open until its statements are collected, so SQLite does not tidy up by
    // itself. Moves the log into the file where nobody else reads: a copy of the file is then a copy of the
    // ledger.
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    this.#database.close()
  }

  #keep(position: bigint, { answer, receipt, kept = [] }: ReleaseText): void {
    this.#statements.keep.run(position, answer, receipt)
    for (const [place, { subject, text }] of kept.entries()) {
      this.#statements.keepTable.run(position, place, subject, text)
    }
  }

  #release(position: bigint): ReleaseText | undefined {
    const row: unknown = this.#statements.release.get(position)
    if (row === undefined) return undefined
    const tables: readonly unknown[] = this.#statements.kept.all(position)
    const kept = tables.map((one) => ({ subject: textField(one, "subject"), text: textField(one, "text") }))
    const release = { answer: textField(row, "answer"), receipt: textField(row, "receipt") }
    return kept.length === 0 ? release : { ...release, kept }
  }
}

/** Whether the driver's error says that the file is damaged. */
export function isDamageError(error: unknown): boolean {
  return error instanceof Error && /not a database|malformed|corrupt/i.test(error.message)
}

/** Whether a file holds what only a ledger has, whatever became of the rest of it. */
export function looksLikeLedger(path: string): boolean {
  if (!existsSync(path)) return false
  const text = readFileSync(path).toString("latin1")
  return ["entries are never removed", '"kind":"opening"', '"kind":"charge"'].some((mark) =>
    text.includes(mark),
  )
}

/**
 * Refuses an SQLite whose write-ahead log can be corrupted by a checkpoint beside a writer (fixed in 3.51.3).
 */
export function checkSqliteVersion(version: string, path: string): void {
  const [, major = "0", minor = "0", patch = "0"] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? []
  const number = Number(major) * 1_000_000 + Number(minor) * 1000 + Number(patch)
  if (number < 3_051_003) {
    fail("ledger/unsafe-store", { path, what: `SQLite ${version} may lose entries, and 3.51.3 is needed` })
  }
}

function prepareDatabase(database: Database, path: string, busyTimeoutMs: number): void {
  checkSqliteVersion(textField(database.prepare("SELECT sqlite_version() AS version").get(), "version"), path)
  checkOwner(database, path)
  const settings: readonly (readonly [string, string, string])[] = [
    ["journal_mode", "WAL", "wal"],
    ["synchronous", "FULL", "2"],
    ["fullfsync", "ON", "1"],
    ["checkpoint_fullfsync", "ON", "1"],
    ["foreign_keys", "ON", "1"],
    ["cell_size_check", "ON", "1"],
    ["trusted_schema", "OFF", "0"],
    ["busy_timeout", `${busyTimeoutMs}`, `${busyTimeoutMs}`],
  ]
  for (const [name, value, expected] of settings) {
    database.exec(`PRAGMA ${name} = ${value}`)
    const got = firstValue(database.prepare(`PRAGMA ${name}`).get())
    if (got !== expected) fail("ledger/unsafe-store", { path, what: `${name} is ${got}, not ${expected}` })
  }
  database.exec(schema)
}

/** Marks an empty file as a ledger; refuses any other file without the mark. */
function checkOwner(database: Database, path: string): void {
  database.exec("BEGIN IMMEDIATE")
  try {
    const pages = firstValue(database.prepare("SELECT count(*) FROM sqlite_schema").get())
    const owner = firstValue(database.prepare("PRAGMA application_id").get())
    const version = firstValue(database.prepare("PRAGMA user_version").get())
    const isNew = pages === "0" && owner === "0"
    if (!isNew && (owner !== `${applicationId}` || version !== `${formatVersion}`)) {
      fail("ledger/not-a-ledger", { path })
    }
    if (isNew) {
      database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${formatVersion}`)
    }
    database.exec("COMMIT")
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK")
    throw error
  }
}

const schema = `
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS entries (
  position INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  request TEXT UNIQUE,
  settles INTEGER UNIQUE REFERENCES entries (position),
  question TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS entries_question ON entries (question, position) WHERE question IS NOT NULL;
CREATE TABLE IF NOT EXISTS releases (
  position INTEGER PRIMARY KEY REFERENCES entries (position),
  answer TEXT NOT NULL,
  receipt TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS kept (
  position INTEGER NOT NULL REFERENCES releases (position),
  place INTEGER NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (position, place)
) STRICT;
CREATE INDEX IF NOT EXISTS kept_subject ON kept (subject, position);
CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE DELETE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;
CREATE TRIGGER IF NOT EXISTS entries_hold BEFORE UPDATE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER IF NOT EXISTS releases_stay BEFORE DELETE ON releases
  BEGIN SELECT RAISE(ABORT, 'releases are never removed'); END;
CREATE TRIGGER IF NOT EXISTS releases_hold BEFORE UPDATE ON releases
  BEGIN SELECT RAISE(ABORT, 'releases are never changed'); END;
CREATE TRIGGER IF NOT EXISTS kept_stay BEFORE DELETE ON kept
  BEGIN SELECT RAISE(ABORT, 'releases are never removed'); END;
CREATE TRIGGER IF NOT EXISTS kept_hold BEFORE UPDATE ON kept
  BEGIN SELECT RAISE(ABORT, 'releases are never changed'); END;
COMMIT;
`

const columns = "position, hash, body, request, settles, question"

type Statements = ReturnType<typeof prepareStatements>

function prepareStatements(database: Database) {
  return {
    append: database.prepare(`INSERT INTO entries (${columns}) VALUES (?, ?, ?, ?, ?, ?)`),
    keep: database.prepare("INSERT INTO releases (position, answer, receipt) VALUES (?, ?, ?)"),
    rows: database.prepare(`SELECT ${columns} FROM entries WHERE position >= ? ORDER BY position LIMIT ?`),
    byPosition: database.prepare(`SELECT ${columns} FROM entries WHERE position = ?`),
    byHash: database.prepare(`SELECT ${columns} FROM entries WHERE hash = ?`),
    byRequest: database.prepare(`SELECT ${columns} FROM entries WHERE request = ?`),
    bySettles: database.prepare(`SELECT ${columns} FROM entries WHERE settles = ?`),
    byQuestion: database.prepare(
      `SELECT ${columns} FROM entries WHERE question = ? ORDER BY position LIMIT 1`,
    ),
    keepTable: database.prepare("INSERT INTO kept (position, place, subject, text) VALUES (?, ?, ?, ?)"),
    kept: database.prepare("SELECT subject, text FROM kept WHERE position = ? ORDER BY place"),
    keptUnder: database.prepare(
      "SELECT DISTINCT position FROM kept WHERE subject = ? ORDER BY position DESC LIMIT ?",
    ),
    keptCount: database.prepare("SELECT count(*) AS count FROM kept WHERE position <= ?"),
    release: database.prepare("SELECT answer, receipt FROM releases WHERE position = ?"),
    releaseCount: database.prepare("SELECT count(*) AS count FROM releases WHERE position <= ?"),
    check: database.prepare("PRAGMA integrity_check(1)"),
    quickCheck: database.prepare("PRAGMA quick_check(1)"),
  }
}

function readOptional(row: unknown): EntryRow | undefined {
  return row === undefined ? undefined : readRow(row)
}

/** The only value of a row, as text. */
function firstValue(row: unknown): string {
  if (typeof row !== "object" || row === null) return ""
  const values: readonly unknown[] = Object.values(row)
  const [value] = values
  return typeof value === "string" || typeof value === "bigint" ? `${value}` : ""
}

/** The terms of losses in another ledger's file, which is only looked at; undefined if it says nothing. */
export function termsInFile(path: string): LossTerms | undefined {
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const rows: readonly unknown[] = database
        .prepare(`SELECT body FROM entries WHERE body LIKE '%"terms":{%' ORDER BY position`)
        .all()
      return rows.reduce<LossTerms | undefined>((known, row) => {
        const entry = readEntry(textField(row, "body"))
        const terms = entry.kind === "budget" || entry.kind === "terms" ? entry.terms : undefined
        return terms === undefined ? known : changedTerms(known, terms)
      }, undefined)
    } finally {
      database.close()
    }
  } catch {
    // Another file, or one that is damaged: its owner is told when it is opened.
    return undefined
  }
}
