// Makes the prepared copies of a dataset in a schema of ours: each in one transaction, listed when it is
// whole. Those that an earlier try has finished for the same data are not made again.

import { DosimeterError } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { printCopy } from "@dosimeter/proof/print/print-copy"
import { printPairsCheck } from "@dosimeter/proof/print/pairs-check"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { createHash } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type pg from "pg"
import { fail } from "../../errors.ts"
import type { MakeOptions, WantedCopies } from "../copies.ts"
import { listSql, listTable, quotedIn } from "./copy-list.ts"
import type { Ask } from "./discover.ts"
import { readRows } from "./running-queries.ts"
import { seesThrough } from "./seen-through.ts"
import type { SeenRows } from "./seen-data.ts"
import { beginOn, type Session, type Sessions } from "./sessions.ts"
import { beginning, ownersTimeMs } from "./transaction.ts"

/** What copies are made of. */
export interface MakeRoom extends WantedCopies, MakeOptions {
  readonly sessions: Sessions
  readonly schema: string
  readonly dataset: string
  readonly head: string
  readonly seen: SeenRows
  /** Whether all are there: another process may have made them. */
  readonly isReady: () => Promise<boolean>
  readonly digestOf: (copy: PreparedTable) => string
}

/** How often a process looks that waits for another. */
const lookMs = 100

/** Makes what is missing. */
export async function makeCopies(room: MakeRoom): Promise<void> {
  const { sessions, signal } = room
  const session = await sessions.take(beginning({ writes: true, timeoutMs: ownersTimeMs }))
  const { client } = session
  const stop = stopper(session, sessions)
  signal?.addEventListener("abort", stop, { once: true })
  try {
    await client.query("ROLLBACK")
    await lock(client, room)
    if (!(await room.isReady())) await fill(session, room)
    await client.query(`SELECT pg_catalog.pg_advisory_unlock(${lockOf(room)})`)
    sessions.give(session)
  } catch (error) {
    // With it go its lock and what it had begun. What is finished stays, for the next try.
    sessions.drop(session)
    // A change of the data is said as such; the driver's message may quote cells.
    if (error instanceof DosimeterError) throw error
    await room.version.check()
    return fail("dataset/not-prepared", { file: room.schema })
  } finally {
    signal?.removeEventListener("abort", stop)
  }
}

function stopper({ pid }: Session, sessions: Sessions): () => void {
  return () => void sessions.interrupt(pid).catch(() => undefined)
}

/** One process at a time, on whichever machine. */
async function lock(client: pg.Client, room: MakeRoom): Promise<void> {
  for (;;) {
    const [row] = await readRows(client, `SELECT pg_catalog.pg_try_advisory_lock(${lockOf(room)})`, [])
    if (row?.[0] === "t") return
    await setTimeout(lookMs)
    room.signal?.throwIfAborted()
  }
}

function lockOf({ schema }: Pick<MakeRoom, "schema">): bigint {
  return createHash("sha256").update(`dosimeter/copies/${schema}`, "utf8").digest().readBigInt64BE()
}

async function fill(session: Session, room: MakeRoom): Promise<void> {
  const { copies, onProgress, signal } = room
  const finished = await clean(session, room)
  for (const [done, copy] of copies.entries()) {
    onProgress?.({ label: copy.label, done, total: copies.length })
    if (finished.has(nameOf(copy))) continue
    signal?.throwIfAborted()
    await makeOne(session, room, copy)
  }
  const last = copies.at(-1)
  if (last !== undefined) onProgress?.({ label: last.label, done: copies.length, total: copies.length })
}

/** Drops what is listed and not wanted, and gives the names of what is. Nothing else is ever dropped. */
async function clean(session: Session, room: MakeRoom): Promise<ReadonlySet<string>> {
  const { schema, dataset, head, copies, digestOf } = room
  const { client } = session
  const wanted = new Map(copies.map((copy) => [nameOf(copy), digestOf(copy)]))
  const list = quotedIn(schema, listTable)
  const finished = new Set<string>()
  await begin(session)
  await client.query(listSql(schema))
  const rows = await readRows(client, `SELECT dataset, head, name, digest FROM ${list}`, [])
  for (const [owner, of, name, digest] of rows) {
    // The schema is one dataset's: another one's copies may be in use.
    if (owner !== dataset) fail("dataset/not-prepared", { file: schema })
    if (of === head && wanted.get(name ?? "") === digest) finished.add(name ?? "")
    else {
      await client.query(`DROP TABLE IF EXISTS ${quotedIn(schema, name ?? "")}`)
      await client.query(`DELETE FROM ${list} WHERE name = $1`, [name])
    }
  }
  await client.query("COMMIT")
  return finished
}

async function makeOne(session: Session, room: MakeRoom, copy: PreparedTable): Promise<void> {
  const { schema, dataset, head, version, seen, digestOf } = room
  const { client } = session
  const name = quotedIn(schema, nameOf(copy))
  const places = copy.table.prepared?.places ?? []
  const secret = places.length > 0 ? "CAST($1 AS TEXT)" : ""
  await begin(session)
  // A copy of other data than that whose claims were looked at is none: this transaction sees one state.
  const ask: Ask = (text, values) => readRows(client, text, values)
  if (!(await seen.isSameIn(ask))) fail("dataset/changed", {})
  await client.query(
    `CREATE TABLE ${name} AS ${printCopy(copy, { dialect: "postgres", secret })}`,
    places.length > 0 ? [version.secret] : [],
  )
  if (!(await seesThrough(ask))) fail("dataset/changed", {})
  await checkPairs(client, copy)
  // Rows lie in the order of their places: what is beyond a bound is not looked at.
  const order = places
    .filter(({ counts }) => counts === "rows" || counts === "groups")
    .map(({ column }) => writeName(column))
  if (order.length > 0) await client.query(`CREATE INDEX ON ${name} USING brin (${order.join(", ")})`)
  await client.query(`ANALYZE ${name}`)
  await client.query(
    `INSERT INTO ${quotedIn(schema, listTable)} SELECT $1, $2, $3, $4::text, $5, c.oid
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $6 AND c.relname = $4::text`,
    [dataset, head, copy.label, nameOf(copy), digestOf(copy), schema],
  )
  await client.query("COMMIT")
}

async function begin(session: Session): Promise<void> {
  await beginOn(session, beginning({ writes: true, timeoutMs: ownersTimeMs }))
}

// Pairs are looked at a second way: norms are worked out from them, so a pair in two rows would be an error
// of privacy, and a total that is not the rows' one of answers.
async function checkPairs(client: pg.Client, copy: PreparedTable): Promise<void> {
  if (copy.totals === undefined) return
  const text = `SELECT count(*) FROM (${printPairsCheck(copy, "postgres")}) AS w`
  const [row] = await readRows(client, text, [])
  assert(row?.[0] === "0", "pairs are one row each, and add up to the rows")
}

function nameOf({ table }: PreparedTable): string {
  return table.path.at(-1) ?? ""
}
