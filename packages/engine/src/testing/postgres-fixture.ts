// A PostgreSQL for the tests of one file, and ledgers in it.

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rational } from "@dosimeter/core"
import pg from "pg"
import { afterAll, beforeAll } from "vitest"
import type { Ledger } from "../ledger/ledger.ts"
import { openPostgresLedger, type PostgresLedgerOptions } from "../ledger/stores/postgres-ledger.ts"
import { request } from "./ledger-fixtures.ts"
import { findPostgres, type PostgresCluster } from "./postgres-cluster.ts"

/** What the tests of a file share. */
export interface PostgresFixture {
  /** Whether there is no server, so that the tests are skipped. */
  readonly isMissing: boolean
  /** Whether the server is ours, and can be changed and crashed. */
  readonly isOurs: boolean
  readonly folder: string
  readonly cluster: () => PostgresCluster
  readonly url: () => string
  readonly newAnchor: () => string
  readonly newDataset: () => string
  /** Opens a ledger: a new one, unless more is said. */
  open(changes?: Partial<PostgresLedgerOptions> & { readonly at?: string }): Promise<Ledger>
  /** Runs statements on the database itself, as its superuser. */
  execute(...statements: readonly string[]): Promise<void>
}

/** Makes the fixture of a file; the server starts before its first test. */
export function postgresFixture(): PostgresFixture {
  const found = findPostgres()
  const folder = mkdtempSync(join(tmpdir(), "ledger-postgres-"))
  let cluster: PostgresCluster | undefined
  let url = ""
  let count = 0
  const theCluster = (): PostgresCluster => {
    if (cluster === undefined) throw new Error("the server is not started")
    return cluster
  }
  beforeAll(async () => {
    if ("missing" in found) return
    cluster = found.open()
    url = await cluster.database()
  })
  afterAll(async () => {
    await cluster?.stop()
    rmSync(folder, { recursive: true })
  })
  const newAnchor = (): string => join(folder, `${(count += 1)}.anchor`)
  const newDataset = (): string => `hospital${(count += 1)}`
  return {
    isMissing: "missing" in found,
    isOurs: (process.env["DOSIMETER_TEST_POSTGRES"] ?? "") === "",
    folder,
    cluster: theCluster,
    url: () => url,
    newAnchor,
    newDataset,
    open: async ({ at = url, ...options } = {}) =>
      openPostgresLedger(at, { dataset: newDataset(), anchor: newAnchor(), ...options }),
    execute: async (...statements) => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        for (const sql of statements) await client.query(sql)
      } finally {
        await client.end()
      }
    },
  }
}

/** Charges a tenth some times, each released. */
export async function spend(ledger: Ledger, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const charge = await ledger.reserve(request(rational(1n, 10n)))
    const answer = `{"count":"${charge.position}"}`
    const release = { answer, receipt: "{}", kept: [{ subject: "a", text: "b" }] }
    await ledger.settle(charge, { outcome: "released", release })
  }
}

/** The head of a ledger that is sound. */
export async function headOf(ledger: Ledger): Promise<string> {
  const found = await ledger.verify()
  if (!found.sound) throw new Error(found.what)
  return found.hash
}
