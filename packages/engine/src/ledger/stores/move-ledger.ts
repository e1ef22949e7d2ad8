// From a file to a store that several machines share: every entry and release is copied as it is, so that the
// chain, and with it what was spent, goes on. Both have the same anchor, so at most one of the two ledgers
// can go on.

import { existsSync, renameSync } from "node:fs"
import { fail } from "../../errors.ts"
import { postgresAddress } from "../../postgres/postgres-address.ts"
import { patienceDefaultMs, PostgresConnection, sayingLost } from "../../postgres/postgres-connection.ts"
import { schemaOf } from "../../postgres/postgres-tables.ts"
import { anchorOf, type AnchorOf } from "../anchor.ts"
import type { EntryStore, NewRow } from "../entry-store.ts"
import type { Verification } from "../ledger.ts"
import { PostgresStore } from "./postgres-store.ts"
import { verifyStore } from "../replay.ts"
import { openSqliteLedger } from "./sqlite-ledger.ts"
import { SqliteStore } from "./sqlite-store.ts"

/** Rows copied at once. */
const page = 100

/** What is moved, and where to. */
export interface LedgerMove {
  readonly dataset: string
  /** The file of the ledger. */
  readonly file: string
  readonly anchor: string | AnchorOf
  /** The URL of the store. */
  readonly store: string
}

/** Copies a ledger into a shared store, checks it there, and takes the file out of use. */
export async function moveLedger({ dataset, file, anchor, store }: LedgerMove): Promise<Verification> {
  // Opening checks all of it, against its anchor too.
  const opened = await openSqliteLedger(file, { dataset, anchor })
  const { id } = opened
  await opened.close()
  const schema = schemaOf(dataset)
  const options = { lock: `ledger ${schema}`, patienceMs: patienceDefaultMs, integers: "bigint" } as const
  const connection = new PostgresConnection(postgresAddress(store), options)
  const target = new PostgresStore(connection, schema)
  const source = new SqliteStore(file, 10_000)
  try {
    await source.begin()
    const found = await sayingLost(async () => {
      await target.prepare()
      await copy(source, target)
      return verifyStore(target, anchorOf(anchor)(id))
    })
    if (found.sound) retire(file)
    return found
  } finally {
    await source.rollback()
    await target.rollback()
    await source.close()
    await target.close()
  }
}

/** Copies all or nothing. Where the ledger is there already, an earlier move succeeded without knowing it. */
async function copy(source: EntryStore, target: EntryStore): Promise<void> {
  await target.begin()
  const isEmpty = (await target.rows(1n, 1)).length === 0
  let last = 0n
  for (;;) {
    const rows = await source.rows(last + 1n, page)
    const [end] = rows.slice(-1)
    if (end === undefined) break
    last = end.position
    if (!isEmpty) {
      const there = await target.rowsAt([last])
      if (there[0]?.hash !== end.hash) fail("ledger/not-empty", { path: target.path })
      continue
    }
    const releases = await source.releases(rows.map(({ position }) => position))
    const copies = rows.map((row): NewRow => {
      const release = releases.get(row.position)
      return release === undefined ? { row } : { row, release }
    })
    await target.append(copies)
  }
  await target.commit()
}

function retire(file: string): void {
  for (const end of ["", "-wal", "-shm"]) {
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${file}.moved${end}`)
  }
}
