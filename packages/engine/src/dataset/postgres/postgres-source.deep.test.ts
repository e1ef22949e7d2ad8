// What only PostgreSQL can do wrong: roles, servers, addresses, its own types, and versions of live data.

import { printNullCheck } from "@dosimeter/proof/print/null-check"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { PostgresSource } from "@dosimeter/policy/file/policy"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { roleOf } from "../../databases.ts"
import { checkWithSource, discoverSource } from "../../prepare/look-at-source.ts"
import { failure, refused } from "../../testing/database/workbench.ts"
import { execute } from "../../testing/database/postgres-members.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"
import type { OpenSource } from "../database.ts"
import { checkEngine, engineFacts } from "./check-engine.ts"
import { postgres } from "./postgres-database.ts"

const found = findPostgres()
const folder = mkdtempSync(join(tmpdir(), "dosimeter-pgsource-"))
let cluster: PostgresCluster | undefined
beforeAll(() => {
  if ("open" in found) cluster = found.open()
})
afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true })
})

interface Made {
  readonly owner: string
  readonly role: string
  readonly source: PostgresSource
}

/** A database with some tables, and a role that the printed statements make. */
async function made(statements: readonly string[], changes: Partial<PostgresSource> = {}): Promise<Made> {
  if (cluster === undefined) throw new Error("the server is not started")
  const owner = await cluster.database()
  const url = new URL(owner)
  const role = `reader_${url.pathname.slice(1)}`
  url.username = role
  const source: PostgresSource = {
    kind: "postgres",
    url: url.href,
    schemas: ["public"],
    version: { by: "content" },
    ...changes,
  }
  await execute(owner, [...statements, ...(roleOf(source) ?? [])])
  return { owner, role, source }
}

async function opened(source: PostgresSource): Promise<OpenSource> {
  return postgres(source).open({ folder })
}

async function opens(source: PostgresSource): Promise<string> {
  const work = opened(source)
  return work.then(
    async (one) => {
      await one.close()
      return "opened"
    },
    () => refused(work),
  )
}

/** The number of the server's version. */
async function versionOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ readonly version: number }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS version",
  )
  await client.end()
  return rows[0]?.version ?? 0
}

describe.skipIf("missing" in found)("PostgreSQL as a source", () => {
  test("a role that may do more than to read is refused, by what it may do", async () => {
    const { owner, role, source } = await made([
      "CREATE TABLE people (id bigint)",
      "CREATE TABLE b (id bigint)",
    ])
    expect(await opens(source)).toBe("opened")
    expect(await opens({ ...source, url: owner })).toBe("dataset/unsafe-role")
    for (const right of ["INSERT", "UPDATE", "DELETE", "TRUNCATE", "TRIGGER"]) {
      await execute(owner, [`GRANT ${right} ON b TO ${role}`])
      const error = await failure(opened(source))
      expect([error.code, error.message.includes("public.b")]).toEqual(["dataset/unsafe-role", true])
      await execute(owner, [`REVOKE ${right} ON b FROM ${role}`])
    }
    const writer = `writer_${role}`
    const database = new URL(owner).pathname.slice(1)
    for (const [give, take, what] of [
      [`GRANT UPDATE (id) ON b TO ${role}`, `REVOKE UPDATE (id) ON b FROM ${role}`, "public.b"],
      // It can become another role, though it has none of its rights until then.
      [
        `CREATE ROLE ${writer}; GRANT INSERT ON b TO ${writer}; ALTER ROLE ${role} NOINHERIT; GRANT ${writer} TO ${role}`,
        `REVOKE ALL ON b FROM ${writer}; DROP ROLE ${writer}; ALTER ROLE ${role} INHERIT`,
        "public.b",
      ],
      // Owners can give themselves what was taken from them.
      [
        `ALTER TABLE b OWNER TO ${role}; REVOKE ALL ON b FROM ${role}`,
        `ALTER TABLE b OWNER TO postgres; GRANT SELECT ON b TO ${role}`,
        "public.b",
      ],
      [`ALTER ROLE ${role} CREATEROLE`, `ALTER ROLE ${role} NOCREATEROLE`, "may make roles"],
      [`ALTER ROLE ${role} REPLICATION`, `ALTER ROLE ${role} NOREPLICATION`, "whole server"],
      // Whoever owns a schema, or the database, may drop what is in it.
      [
        `ALTER SCHEMA public OWNER TO ${role}`,
        `ALTER SCHEMA public OWNER TO postgres; GRANT USAGE ON SCHEMA public TO ${role}`,
        "a schema",
      ],
      [
        `ALTER DATABASE ${database} OWNER TO ${role}`,
        `ALTER DATABASE ${database} OWNER TO postgres`,
        "owns the database",
      ],
      [`GRANT pg_read_server_files TO ${role}`, `REVOKE pg_read_server_files FROM ${role}`, "files"],
    ] as const) {
      await execute(owner, [give])
      const error = await failure(opened(source))
      expect([error.code, error.message], give).toEqual([
        "dataset/unsafe-role",
        expect.stringContaining(what),
      ])
      await execute(owner, [take])
      expect(await opens(source), take).toBe("opened")
    }
    expect(await opens({ ...source, copies: "public" })).toBe("dataset/unsafe-role")
    expect(await opens({ ...source, copies: "nowhere" })).toBe("dataset/unsafe-role")
    expect(await opens(source)).toBe("opened")
  })

  test("copies are kept in a schema that nobody else may use, and that holds nothing of anybody else", async () => {
    const { owner, role, source } = await made(["CREATE TABLE people (id bigint)"], { copies: "copies" })
    expect(await opens(source)).toBe("opened")
    await execute(owner, ["CREATE SCHEMA lent", `GRANT USAGE ON SCHEMA lent TO ${role}`])
    expect(await opens({ ...source, copies: "lent" })).toBe("dataset/unsafe-role")
    for (const [give, take] of [
      ["GRANT USAGE ON SCHEMA copies TO PUBLIC", "REVOKE USAGE ON SCHEMA copies FROM PUBLIC"],
      ["CREATE TABLE copies.dosimeter_copies (dataset text)", "DROP TABLE copies.dosimeter_copies"],
    ] as const) {
      await execute(owner, [give])
      expect(await opens(source), give).toBe("dataset/unsafe-role")
      await execute(owner, [take])
      expect(await opens(source), take).toBe("opened")
    }
  })

  test("lists of people need a place before anything is asked", async () => {
    const { owner, role, source } = await made(["CREATE TABLE people (id bigint)"])
    const database = new URL(owner).pathname.slice(1)
    await execute(owner, [`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${role}`])
    const one = await opened(source)
    expect(await refused(one.serve({ timeoutMs: 60_000, unitLists: true }))).toBe("dataset/unsafe-role")
    await one.close()
    const other = await opened(source)
    await (await other.serve({ timeoutMs: 60_000, unitLists: false })).close()
  })

  test("what cannot be reached says so in words of ours, and no password is shown", async () => {
    const { source } = await made(["CREATE TABLE people (id bigint)"])
    const at = (change: (url: URL) => void): PostgresSource => {
      const url = new URL(source.url)
      change(url)
      return { ...source, url: url.href }
    }
    const nobody = await failure(opened(at((url) => (url.username = "nobody"))))
    expect(nobody.code).toBe("dataset/unreachable")
    const nowhere = await failure(opened(at((url) => url.searchParams.set("host", "/nowhere"))))
    expect([nowhere.code, nowhere.message]).toEqual([
      "dataset/unreachable",
      expect.stringContaining("nothing listens there"),
    ])
    const missing = await failure(opened(at((url) => (url.pathname = "/missing"))))
    expect(missing.message).toContain("there is no such database")
    const told = await failure(opened(at((url) => (url.password = "hunter2"))))
    expect(told.code).toBe("dataset/bad-address")
    expect(JSON.stringify(told)).not.toContain("hunter2")
    expect(await opens({ ...source, url: "postgres://x:99999999/" })).toBe("dataset/bad-address")
    expect(await opens({ ...source, passwordFile: "none" })).toBe("dataset/no-password-file")
    writeFileSync(join(folder, "password"), "anything\n")
    expect(await opens({ ...source, passwordFile: "password" })).toBe("opened")
  })

  test("a server that computes otherwise, or holds other texts, is not served", async () => {
    const { owner, source } = await made(["CREATE TABLE people (id bigint)"])
    const wrong = { what: "one and one", sql: "1 + 1", gives: "3" }
    const asked = async (): Promise<(readonly string[])[]> => [["2"]]
    expect(await refused(checkEngine(asked, [wrong]))).toBe("backend/unexpected-engine")
    expect(engineFacts.length).toBeGreaterThan(40)
    const [name, url] = ["latin", new URL(source.url)]
    await execute(owner, [
      `CREATE DATABASE ${name} ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    ])
    url.pathname = `/${name}`
    const error = await failure(opened({ ...source, url: url.href }))
    expect([error.code, error.message]).toEqual(["dataset/unsafe-server", expect.stringContaining("LATIN1")])
    await execute(owner, [`DROP DATABASE ${name}`])
  })

  test("types are known or not served, and keys count where they hold for all rows that are read", async () => {
    const { source } = await made([
      "CREATE DOMAIN small AS integer CHECK (VALUE < 10)",
      "CREATE TYPE mood AS ENUM ('CANARY', 'b')",
      "CREATE TYPE pair AS (a int, b int)",
      `CREATE TABLE a (id bigint PRIMARY KEY, s smallint, d small, m mood, p pair, l int[], n numeric,
         n2 numeric(10,2),
         wide numeric(40,0), c char(5), u uuid, j jsonb, y bytea, t timestamptz,
         i interval, b boolean NOT NULL, n3 numeric(10,2) NOT NULL)`,
      "CREATE TABLE parent (id bigint PRIMARY KEY)",
      "CREATE TABLE child () INHERITS (parent)",
      "CREATE TABLE parts (id bigint, k int, PRIMARY KEY (id, k)) PARTITION BY LIST (k)",
      "CREATE TABLE part1 PARTITION OF parts FOR VALUES IN (1)",
      "CREATE TABLE refers (id bigint NOT NULL UNIQUE, a bigint REFERENCES a (id), n bigint UNIQUE)",
      "CREATE VIEW seen AS SELECT id FROM a",
    ])
    const { tables } = await discoverSource(source, folder)
    const of = (name: string): (typeof tables)[number] => {
      const table = tables.find((one) => one.name === name)
      if (table === undefined) throw new Error(`${name} is not there`)
      return table
    }
    expect(of("a").columns.map(({ name, type }) => `${name} ${type?.kind ?? "-"}`)).toEqual([
      "id integer",
      "s integer",
      "d integer",
      "m text",
      "p -",
      "l -",
      "n float",
      "n2 decimal",
      "wide float",
      "c text",
      "u text",
      "j -",
      "y -",
      "t timestamp",
      "i -",
      "b boolean",
      "n3 decimal",
    ])
    expect(of("a").path).toEqual(["public", "a"])
    expect(
      of("a")
        .columns.filter(({ nullable }) => !nullable)
        .map(({ name }) => name),
    ).toEqual(["id", "b"]) // n3 may be NaN, which is read as NULL.
    expect([of("a").keys, of("parent").keys, of("parts").keys, of("seen").keys]).toEqual([
      [["id"]],
      [],
      [["id", "k"]],
      [],
    ])
    expect(of("parent").columns[0]?.nullable).toBe(true)
    expect(of("refers").keys).toEqual([["id"]])
    expect(of("refers").columns[1]?.references).toEqual({ table: "a", column: "id" })
    expect(JSON.stringify(tables, (_, one: unknown) => (typeof one === "bigint" ? "" : one))).not.toContain(
      "CANARY",
    )
  })

  test("no value that a NOT NULL column holds is read as NULL where the catalog says that none is", async () => {
    const { source } = await made([
      `CREATE TABLE a (id bigint NOT NULL, fixed numeric(10, 2) NOT NULL, f float8 NOT NULL, r real NOT NULL,
         d date NOT NULL, t timestamp NOT NULL, z timestamptz NOT NULL, i int NOT NULL, w text NOT NULL)`,
      `INSERT INTO a VALUES (1, 'NaN', 'NaN', 'NaN', 'infinity', '-infinity', 'infinity', -2147483648, '')`,
    ])
    const columns = "{ id: integer, fixed: {}, f: {}, r: {}, d: {}, t: {}, z: {}, i: {}, w: {} }"
    const written = (nulls: string): string => `dataset: a
source: { postgres: ${JSON.stringify(source.url)}, version: auto }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  a: { unit: id, columns: ${columns.replace("fixed: {}", `fixed: ${nulls}`)} }
`
    const { catalog } = await checkWithSource(written("{ min: 0, max: 9 }"), folder)
    const never = catalog.tables[0]?.columns.filter(({ domain }) => !domain.nullable) ?? []
    const table = catalog.tables[0]
    if (table === undefined) throw new Error("the table is not there")
    const one = await opened(source)
    const tests = never.map(({ name }) => printNullCheck(table, name, "postgres"))
    expect(await one.haveRows(tests)).toEqual(never.map(() => false))
    await one.close()
    expect(never.map(({ name }) => name)).toEqual(["id", "i", "w"])
    // What the owner says is looked at as it is read.
    const claimed = checkWithSource(written("{ min: 0, max: 9, nullable: false }"), folder)
    expect(await refused(claimed)).toBe("dataset/claim-broken")
  })

  test("a column that is worked out while it is read is not there: its expression may fail on a row", async () => {
    const { owner, source } = await made(["CREATE TABLE people (id bigint NOT NULL, n int)"])
    const version = await versionOf(owner)
    // Before version 18 they are stored, as whoever wrote the row has worked them out.
    const kind = version >= 18 ? "VIRTUAL" : "STORED"
    await execute(owner, [
      `ALTER TABLE people ADD COLUMN share int GENERATED ALWAYS AS (100 / n) ${kind}`,
      `INSERT INTO people VALUES (1, 5), (2, ${version >= 18 ? 0 : 4})`,
      "GRANT SELECT ON people TO PUBLIC",
    ])
    const { tables } = await discoverSource(source, folder)
    const names = tables[0]?.columns.map(({ name }) => name)
    expect(names).toEqual(version >= 18 ? ["id", "n"] : ["id", "n", "share"])
    expect(await opens(source)).toBe("opened")
  })

  test("a table with parts on another server is not there", async () => {
    const { source } = await made([
      "CREATE TABLE own (id bigint NOT NULL)",
      "CREATE TABLE parts (id bigint NOT NULL) PARTITION BY LIST (id)",
      "CREATE TABLE halves PARTITION OF parts FOR VALUES IN (1, 2) PARTITION BY LIST (id)",
      "CREATE FOREIGN DATA WRAPPER far",
      "CREATE SERVER far FOREIGN DATA WRAPPER far",
      "CREATE FOREIGN TABLE away PARTITION OF halves FOR VALUES IN (1) SERVER far",
    ])
    const { tables } = await discoverSource(source, folder)
    expect(tables.map(({ name }) => name)).toEqual(["own"])
  })

  test("only what the role was granted is there", async () => {
    const { owner, role, source } = await made([
      "CREATE TABLE a (id bigint, secret text)",
      "CREATE TABLE b (id int)",
    ])
    await execute(owner, [
      `REVOKE SELECT ON a, b FROM ${writeName(role)}`,
      `GRANT SELECT (id) ON a TO ${writeName(role)}`,
    ])
    const { tables } = await discoverSource(source, folder)
    expect(tables.map(({ name, columns }) => [name, columns.map((one) => one.name)])).toEqual([["a", ["id"]]])
    expect(await opens(source)).toBe("opened")
  })

  test("versions by all rows: any change is another version, and the old data is the old one again", async () => {
    const { owner, source } = await made([
      "CREATE TABLE a (id bigint, x text)",
      "INSERT INTO a VALUES (1, ''), (2, NULL)",
    ])
    const print = async (): Promise<string> => {
      const one = await opened(source)
      await one.close()
      return one.seen.print
    }
    const first = await print()
    const watched = await opened(source)
    expect(await watched.seen.isSame()).toBe(true)
    // Work elsewhere in the server is no change of this data.
    await execute(owner, [
      "CREATE SCHEMA other",
      "CREATE TABLE other.x (a int)",
      "INSERT INTO other.x VALUES (1)",
    ])
    expect(await watched.seen.isSame()).toBe(true)
    const seen = new Set([first])
    for (const [change, back] of [
      ["UPDATE a SET x = NULL WHERE id = 1", "UPDATE a SET x = '' WHERE id = 1"],
      ["UPDATE a SET id = 3 - id", "UPDATE a SET id = 3 - id"],
      ["INSERT INTO a VALUES (1, '')", "DELETE FROM a WHERE ctid = (SELECT max(ctid) FROM a WHERE id = 1)"],
    ] as const) {
      await execute(owner, [change])
      expect(await watched.seen.isSame(), change).toBe(false)
      const other = await print()
      expect(seen.has(other)).toBe(false)
      seen.add(other)
      await execute(owner, [back])
      expect(await print()).toBe(first)
    }
    await execute(owner, ["ALTER TABLE a ADD COLUMN y int"])
    expect(await watched.seen.isSame()).toBe(false)
    await watched.close()
  })

  test("versions by a word: the word counts, and a changed shape or truncated table is noticed", async () => {
    const { owner, source } = await made(["CREATE TABLE a (id bigint)", "INSERT INTO a VALUES (1)"], {
      version: { by: "word", word: "2026-11" },
    })
    const first = await opened(source)
    expect(await first.seen.isSame()).toBe(true)
    await execute(owner, ["TRUNCATE a"])
    expect(await first.seen.isSame()).toBe(false)
    await first.close()
    const second = await opened(source)
    expect(second.seen.print).toBe(first.seen.print)
    await execute(owner, ["ALTER TABLE a ALTER COLUMN id TYPE int"])
    expect(await second.seen.isSame()).toBe(false)
    await second.close()
    const third = await opened({ ...source, version: { by: "word", word: "2026-12" } })
    expect(third.seen.print).not.toBe(first.seen.print)
    await third.close()
    const none: PostgresSource = { ...source, version: { by: "table", path: ["public", "none"] } }
    expect(await opens(none)).toBe("dataset/unreadable")
  })
})
