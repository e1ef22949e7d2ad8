import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { rational } from "@dosimeter/core"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { chargesIn, checkAfterCrash } from "../testing/after-crash.ts"
import { bundleWorker } from "../testing/bundle-worker.ts"
import { openCutProxy } from "../testing/cut-proxy.ts"
import { ledgerConformance } from "../testing/ledger-conformance.ts"
import { pureBudget, refusal, request } from "../testing/ledger-fixtures.ts"
import { findPostgres, type PostgresCluster } from "../testing/postgres-cluster.ts"
import { startWorker } from "../testing/start-worker.ts"
import type { Ledger } from "./ledger.ts"
import { postgresAddress } from "../postgres/postgres-address.ts"
import { LostConnection, PostgresConnection } from "../postgres/postgres-connection.ts"
import { openPostgresLedger, type PostgresLedgerOptions } from "./postgres-ledger.ts"

const found = findPostgres()
const folder = mkdtempSync(join(tmpdir(), "ledger-postgres-"))
const tenth = rational(1n, 10n)
const bundle = "open" in found ? await bundleWorker(folder) : ""
let cluster: PostgresCluster
let url = ""
let count = 0
beforeAll(async () => {
  if ("missing" in found) return
  cluster = found.open()
  url = await cluster.database()
}, 60_000)
afterAll(async () => {
  if ("open" in found) await cluster.stop()
  rmSync(folder, { recursive: true })
})

const newAnchor = (): string => join(folder, `${(count += 1)}.anchor`)
const newDataset = (): string => `hospital${(count += 1)}`

async function open(
  changes: Partial<PostgresLedgerOptions> & { readonly at?: string } = {},
): Promise<Ledger> {
  const { at = url, ...options } = changes
  return openPostgresLedger(at, { dataset: newDataset(), anchor: newAnchor(), ...options })
}

/** Runs statements on the database itself, as its superuser. */
async function execute(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}

async function spend(ledger: Ledger, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const charge = await ledger.reserve(request(tenth))
    const release = {
      answer: `{"count":"${charge.position}"}`,
      receipt: "{}",
      kept: [{ subject: "a", text: "b" }],
    }
    await ledger.settle(charge, { outcome: "released", release })
  }
}

describe.skipIf("missing" in found)("a ledger in PostgreSQL", () => {
  ledgerConformance(open)

  test("holds names of any length and in any script", async () => {
    const ledger = await open()
    await ledger.openAccount("dataset", pureBudget("1"))
    const long = "😀".repeat(200)
    const names = { requestId: long, principal: `"${"\\".repeat(199)}`, planHash: long, dataVersion: long }
    const asked = request(tenth, names)
    const charge = await ledger.reserve(asked)
    const release = { answer: "\u{1f600}\\'\"", receipt: "{}", kept: [{ subject: long, text: '{NULL,"a"}' }] }
    await ledger.settle(charge, { outcome: "released", release })
    expect(await ledger.findRequest(asked)).toMatchObject({ state: "released", release })
    expect(await ledger.kept(long)).toEqual([{ charge: 3n, text: '{NULL,"a"}' }])
    expect(await ledger.verify()).toMatchObject({ sound: true })
    await ledger.close()
  })

  sharingTests()
  lossTests()
  damageTests()
  serverTests()
})

function sharingTests(): void {
  test("[B2] four processes on two machines never spend more than there is", async () => {
    const [here, there] = [newAnchor(), newAnchor()]
    const ledger = await open({ dataset: "hospital", anchor: here })
    await (await open({ dataset: "hospital", anchor: there, join: (await sound(ledger)).hash })).close()
    const workers = [1, 10, 5, 50].map((together, index) => {
      const worker = startWorker(bundle)
      const anchor = index % 2 === 0 ? here : there
      worker.give({ path: url, anchor, name: `process ${index}`, epsilon: "3.95", charges: 50, together })
      return worker
    })
    await Promise.all(workers.map(({ child }) => once(child, "close")))
    expect(workers.map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0])
    const lines = workers.flatMap((worker) => worker.lines())
    expect(lines.filter((line) => line.startsWith("reserved"))).toHaveLength(39)
    expect(lines.filter((line) => line === "refused budget/exhausted")).toHaveLength(161)
    expect((await ledger.accounts())[0]?.spent).toEqual(rational(39n, 10n))
    expect(await chargesIn(ledger)).toHaveLength(39)
    expect(await ledger.verify()).toMatchObject({ sound: true, entries: 2n + 39n + 39n })
    await ledger.close()
  }, 30_000)

  test("[B1] killed processes and a server that crashes lose no charge and invent no answer", async () => {
    const [path, anchor] = [await cluster.database(), newAnchor()]
    const acknowledged: string[] = []
    const ready = [startWorker(bundle), startWorker(bundle)]
    for (let round = 0; round < 8; round += 1) {
      const worker = ready.shift() ?? startWorker(bundle)
      ready.push(startWorker(bundle))
      const name = `round ${round}`
      worker.give({ path, anchor, name, epsilon: "100000", charges: 100_000, together: 1 + (round % 3) })
      await until(() => worker.lines().length > 1 + (round % 5))
      if (round % 4 === 3) {
        // The process goes on by itself when the server is back.
        cluster.control?.crash()
        const before = worker.lines().length
        cluster.control?.start()
        await until(() => worker.lines().length > before + 6)
      }
      worker.child.kill("SIGKILL")
      await once(worker.child, "close")
      acknowledged.push(...worker.lines().filter((line) => line !== "ready"))
    }
    for (const { child } of ready) child.kill("SIGKILL")
    expect(acknowledged.filter((line) => !/^(reserved|answered) /.test(line))).toEqual([])
    await checkAfterCrash(await open({ at: path, dataset: "hospital", anchor }), acknowledged)
  }, 60_000)
}

async function sound(ledger: Ledger): Promise<{ readonly hash: string }> {
  const verified = await ledger.verify()
  if (!verified.sound) throw new Error(verified.what)
  return verified
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5)
}

function lossTests(): void {
  test.skipIf((process.env["DOSIMETER_TEST_POSTGRES"] ?? "") !== "")(
    "[B1] a commit whose connection is lost is found by reading, and never charged twice",
    async () => {
      const proxy = await openCutProxy(new URL(url).searchParams.get("host") ?? "")
      const at = new URL(url)
      at.searchParams.set("host", proxy.folder)
      const ledger = await open({ at: at.href })
      await ledger.openAccount("dataset", pureBudget("1"))
      const cuts = ["before the server hears it", "after, and the answer is lost"] as const
      const positions: bigint[] = []
      for (const cut of cuts) {
        for (const statement of ["BEGIN", "COMMIT", "ROLLBACK"]) {
          proxy.plan(statement, cut)
          const charge = await ledger.reserve(request(tenth))
          positions.push(charge.position)
        }
      }
      expect(positions).toEqual([3n, 4n, 5n, 6n, 7n, 8n])
      proxy.plan("COMMIT", "after, and the answer is lost")
      const asked = Array.from({ length: 6 }, () => request(tenth))
      const all = await Promise.allSettled(asked.map(async (one) => ledger.reserve(one)))
      expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(4)
      expect((await ledger.accounts())[0]?.spent).toEqual(rational(1n))
      expect(await ledger.verify()).toMatchObject({ sound: true, entries: 12n })
      await ledger.close()
      await proxy.close()
    },
  )

  test("a connection that the server ends while nothing is asked is made again", async () => {
    const ledger = await open()
    await ledger.openAccount("dataset", pureBudget("1"))
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dosimeter'"
    await execute(end)
    await spend(ledger, 1)
    await execute(end)
    expect((await ledger.accounts())[0]?.spent).toEqual(tenth)
    await ledger.close()
  })

  test("a ledger that others hold for long is busy, and nothing is charged", async () => {
    const dataset = newDataset()
    const ledger = await open({ dataset, patienceMs: 50 })
    await ledger.openAccount("dataset", pureBudget("1"))
    const other = new pg.Client({ connectionString: url })
    await other.connect()
    await other.query("BEGIN")
    await other.query(`LOCK TABLE "dosimeter_${dataset}".ledger_entries IN ACCESS EXCLUSIVE MODE`)
    expect((await refusal(ledger.reserve(request(tenth)))).code).toBe("ledger/busy")
    await other.query("ROLLBACK")
    await other.end()
    await spend(ledger, 1)
    expect((await ledger.accounts())[0]?.spent).toEqual(tenth)
    await ledger.close()
  })

  test("who stands still within a transaction loses it, and cannot commit what others did not see", async () => {
    const options = { lock: "still", patienceMs: 100, integers: "bigint" } as const
    const [still, next] = [0, 1].map(() => new PostgresConnection(postgresAddress(url), options))
    await still?.begin()
    await expect(next?.begin()).rejects.toThrow("lock timeout")
    await next?.rollback()
    await until(
      () =>
        next?.begin().then(
          () => true,
          async () => next.rollback().then(() => false),
        ) ?? true,
    )
    await expect(still?.commit()).rejects.toThrow(LostConnection)
    await next?.commit()
    await Promise.all([still?.close(), next?.close()])
  })
}

const edits: readonly (readonly [what: string, sql: string, position: bigint])[] = [
  ["an amount", `UPDATE ledger_entries SET body = replace(body, '"1/10"', '"1/11"') WHERE position = 5`, 5n],
  ["an entry gone", "DELETE FROM ledger_entries WHERE position = 5", 5n],
  ["the last entry gone", "DELETE FROM ledger_entries WHERE position = 6", 6n],
  ["a key", "UPDATE ledger_entries SET request = 'x' WHERE position = 3", 3n],
  ["a release", "UPDATE ledger_releases SET answer = 'x' WHERE position = 4", 4n],
  ["a noisy table", "UPDATE ledger_kept SET text = 'x' WHERE position = 4", 4n],
  ["a release too many", "INSERT INTO ledger_releases VALUES (3, 'x', 'y')", 6n],
]

function damageTests(): void {
  test("entries and releases cannot be changed or removed by accident, not even by their owner", async () => {
    const dataset = newDataset()
    const ledger = await open({ dataset })
    await ledger.openAccount("dataset", pureBudget("1"))
    await spend(ledger, 1)
    for (const table of ["ledger_entries", "ledger_releases", "ledger_kept"]) {
      for (const sql of ["DELETE FROM", "TRUNCATE", "UPDATE"]) {
        const rest = sql === "UPDATE" ? " SET position = 1" : ""
        const change = execute(`${sql} "dosimeter_${dataset}".${table}${rest}`)
        await expect(change).rejects.toThrow("of a ledger are never changed or removed")
      }
    }
    await ledger.close()
  })

  test.each(edits)("[B3] an edit is found with its place: %s", async (_what, sql, position) => {
    const dataset = newDataset()
    const [anchor, schema] = [newAnchor(), `"dosimeter_${dataset}"`]
    const ledger = await open({ dataset, anchor })
    await ledger.openAccount("dataset", pureBudget("1"))
    await spend(ledger, 2)
    const tables = ["ledger_entries", "ledger_releases", "ledger_kept"]
    const free = tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER ALL`)
    await execute(`SET search_path = ${schema}`, ...free, sql)
    expect(await ledger.verify()).toMatchObject({ sound: false, position })
    await ledger.close()
    if (!sql.includes("ledger_entries")) return
    expect(["ledger/damaged", "ledger/rolled-back"]).toContain(
      (await refusal(open({ dataset, anchor }))).code,
    )
  })

  test("[B3] a database that was put back is noticed by every machine that has seen more", async () => {
    const [dataset, anchor, other] = [newDataset(), newAnchor(), newAnchor()]
    const ledger = await open({ dataset, anchor })
    await ledger.openAccount("dataset", pureBudget("1"))
    await spend(ledger, 1)
    const { hash } = await sound(ledger)
    await spend(ledger, 1)
    expect((await refusal(open({ dataset, anchor: other }))).code).toBe("ledger/not-joined")
    expect((await refusal(open({ dataset, anchor: other, join: "f".repeat(64) }))).code).toBe(
      "ledger/other-head",
    )
    // An older head will do: what it vouches for is there.
    await (await open({ dataset, anchor: other, join: hash })).close()
    await spend(ledger, 1)
    await ledger.close()
    const tables = ["ledger_entries", "ledger_releases", "ledger_kept"]
    const back = tables.flatMap((table) => [
      `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
      `DELETE FROM ${table} WHERE position > 4`,
    ])
    await execute(`SET search_path = "dosimeter_${dataset}"`, ...back)
    for (const one of [anchor, other]) {
      expect((await refusal(open({ dataset, anchor: one }))).code).toBe("ledger/rolled-back")
    }
    const acknowledge = { by: ["the owner"], why: "the newer backup is lost" }
    const after = await open({ dataset, anchor, acknowledge })
    expect((await refusal(after.reserve(request(tenth)))).code).toBe("budget/exhausted")
    await after.close()
  })
}

function serverTests(): void {
  test("what cannot be used is said in one line, without its password", async () => {
    const cases: readonly (readonly [string, string])[] = [
      ["mysql://db/x", "store/bad-address"],
      ["postgres://", "store/bad-address"],
      ["postgres://ada:secret@127.0.0.1:1/x", "store/unreachable"],
      ["postgres://ada:secret@nowhere.invalid/x", "store/unreachable"],
      [url.replace(/test_\w+/, "no_such_database"), "store/unreachable"],
    ]
    for (const [at, code] of cases) {
      const error = await refusal(open({ at }))
      expect(error.code, at).toBe(code)
      expect(`${error.message} ${error.help}`).not.toContain("secret")
    }
  })

  test("a role that may not make the schema can use it once it is made", async () => {
    const [dataset, anchor] = [newDataset(), newAnchor()]
    await execute("CREATE ROLE clerk LOGIN")
    const at = url.replace("postgres@", "clerk@")
    const error = await refusal(open({ dataset, anchor, at }))
    expect(error.code).toBe("store/no-rights")
    await (await open({ dataset, anchor })).close()
    const schema = `"dosimeter_${dataset}"`
    await execute(
      `GRANT USAGE ON SCHEMA ${schema} TO clerk`,
      `GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA ${schema} TO clerk`,
    )
    const ledger = await open({ dataset, anchor, at })
    await ledger.openAccount("dataset", pureBudget("1"))
    await spend(ledger, 1)
    await ledger.close()
    await execute("DROP OWNED BY clerk", "DROP ROLE clerk")
  })

  test.skipIf((process.env["DOSIMETER_TEST_POSTGRES"] ?? "") !== "")(
    "a server that may lose what it has acknowledged is refused",
    async () => {
      const reload = ["SELECT pg_reload_conf()", "SELECT pg_sleep(0.05)"]
      await execute("ALTER SYSTEM SET fsync = off", ...reload)
      const error = await refusal(open())
      expect(error.code).toBe("store/unsafe")
      expect(error.message).toContain("fsync is off")
      await execute("ALTER SYSTEM RESET fsync", ...reload)
      await execute("ALTER ROLE postgres SET synchronous_commit = off")
      const ledger = await open()
      await ledger.openAccount("dataset", pureBudget("1"))
      await ledger.close()
      await execute("ALTER ROLE postgres RESET synchronous_commit")
    },
  )
}
