import { copyFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { rational } from "@dosimeter/core"
import pg from "pg"
import { describe, expect, test } from "vitest"
import { postgresAddress } from "../../postgres/postgres-address.ts"
import { LostConnection, PostgresConnection } from "../../postgres/postgres-connection.ts"
import { openCutProxy } from "../../testing/cut-proxy.ts"
import { incidentConformance } from "../../testing/ledger/incident-conformance.ts"
import { ledgerConformance } from "../../testing/ledger/ledger-conformance.ts"
import { pureBudget, refusal, request } from "../../testing/ledger-fixtures.ts"
import { headOf, postgresFixture, spend } from "../../testing/postgres-fixture.ts"
import { moveLedger } from "./move-ledger.ts"
import { openSqliteLedger } from "./sqlite-ledger.ts"

const postgres = postgresFixture()
const { open, execute, newAnchor, newDataset } = postgres
const tenth = rational(1n, 10n)

describe.skipIf(postgres.isMissing)("a ledger in PostgreSQL", () => {
  ledgerConformance(open)
  incidentConformance(async () => {
    const [dataset, anchor] = [newDataset(), newAnchor()]
    return async () => open({ dataset, anchor })
  })

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

  test("begins once, whoever opens it first", async () => {
    const [dataset, anchor] = [newDataset(), newAnchor()]
    const all = await Promise.all(Array.from({ length: 6 }, async () => open({ dataset, anchor })))
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    await Promise.all(all.map(async (ledger) => ledger.close()))
  })

  lossTests()
  waitTests()
  damageTests()
  restoreTests()
  moveTests()
  serverTests()
})

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5)
}

function lossTests(): void {
  test.runIf(postgres.isOurs)(
    "[B1] a commit whose connection is lost is found by reading, and never charged twice",
    async () => {
      const proxy = await openCutProxy(new URL(postgres.url()).searchParams.get("host") ?? "")
      const at = new URL(postgres.url())
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
}

function waitTests(): void {
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
    const ledger = await open({ dataset, patienceMs: 2000 })
    await ledger.openAccount("dataset", pureBudget("1"))
    const other = new pg.Client({ connectionString: postgres.url() })
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
    const options = { lock: "still", patienceMs: 2000, integers: "bigint" } as const
    const [still, next] = [0, 1].map(() => new PostgresConnection(postgresAddress(postgres.url()), options))
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
}

function restoreTests(): void {
  test("[B3] a database that was put back is noticed by every machine that has seen more", async () => {
    const [dataset, anchor, other] = [newDataset(), newAnchor(), newAnchor()]
    const ledger = await open({ dataset, anchor })
    await ledger.openAccount("dataset", pureBudget("1"))
    await spend(ledger, 1)
    const hash = await headOf(ledger)
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

function moveTests(): void {
  test("a ledger in a file moves as it is, and not onto another", async () => {
    const [dataset, anchor, file] = [newDataset(), newAnchor(), join(postgres.folder, "moving")]
    const before = await openSqliteLedger(file, { dataset, anchor })
    await before.openAccount("dataset", pureBudget("1"))
    await spend(before, 3)
    const hash = await headOf(before)
    await before.close()
    copyFileSync(file, `${file}.copy`)
    expect(await moveLedger({ dataset, file, anchor, store: postgres.url() })).toMatchObject({
      sound: true,
      hash,
    })
    // Whoever was not told that it succeeded does it again.
    copyFileSync(`${file}.copy`, file)
    expect(await moveLedger({ dataset, file, anchor, store: postgres.url() })).toMatchObject({
      sound: true,
      hash,
    })
    const after = await open({ dataset, anchor })
    expect((await after.accounts())[0]?.spent).toEqual(rational(3n, 10n))
    expect(await after.kept("a")).toHaveLength(3)
    await spend(after, 1)
    await after.close()
    copyFileSync(`${file}.copy`, file)
    const stale = openSqliteLedger(file, { dataset, anchor })
    expect((await refusal(stale)).code).toBe("ledger/rolled-back")
    const another = { dataset, anchor: newAnchor(), file: join(postgres.folder, "another") }
    await (await openSqliteLedger(another.file, another)).close()
    expect((await refusal(moveLedger({ ...another, store: postgres.url() }))).code).toBe("ledger/not-empty")
  })
}

function serverTests(): void {
  test("what cannot be used is said in one line, without its password", async () => {
    const cases: readonly (readonly [string, string])[] = [
      ["mysql://db/x", "store/bad-address"],
      ["postgres://", "store/bad-address"],
      ["postgres://ada:secret@127.0.0.1:1/x", "store/unreachable"],
      ["postgres://ada:secret@nowhere.invalid/x", "store/unreachable"],
      [postgres.url().replace(/test_\w+/, "no_such_database"), "store/unreachable"],
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
    const at = postgres.url().replace("postgres@", "clerk@")
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

  test.runIf(postgres.isOurs)("a server that may lose what it has acknowledged is refused", async () => {
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
  })
}
