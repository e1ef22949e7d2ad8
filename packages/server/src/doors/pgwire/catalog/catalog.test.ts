// What clients ask about catalogs is answered, and nothing else reaches the database that holds them.

import { sampleOf } from "@dosimeter/core/testing"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { testCatalog } from "../../../testing/catalog-of-names.ts"
import { WireError } from "../wire/wire-error.ts"
import type { WireResult } from "../wire/wire-result.ts"
import { CatalogDatabase } from "./catalog-database.ts"
import { checkPrinted, isOfSession } from "./check-printed.ts"
import { endless, hostileStatements } from "../../../testing/hostile-statements.ts"
import { readCatalogQuery, type CatalogQuery } from "./read-catalog-query.ts"

interface Sent {
  readonly client: string
  readonly sql: string
}

const fixture = join(import.meta.dirname, "../../../../test/fixtures/catalog_queries.json")
const { records }: { readonly records: readonly Sent[] } = JSON.parse(readFileSync(fixture, "utf8"))

let grammar: Grammar
let catalogs: CatalogDatabase

beforeAll(async () => {
  grammar = await loadGrammar()
  catalogs = new CatalogDatabase({ database: "hospital", catalog: testCatalog })
})

afterAll(() => {
  catalogs.close()
})

const settings = new Map([
  ["server_version_num", "150000"],
  ["standard_conforming_strings", "on"],
])

function read(sql: string, parameters: readonly Constant[] = []): CatalogQuery | undefined {
  const facts = { setting: (name: string) => settings.get(name), settings: [...settings], isSet: false }
  return readCatalogQuery(sql, { grammar, parameters, own: new Set(["person"]), facts })
}

async function answer(sql: string, parameters: readonly Constant[] = []): Promise<WireResult> {
  const query = read(sql, parameters)
  if (query === undefined) throw new Error(`not about catalogs: ${sql}`)
  return catalogs.answer({ sql: query.sql, asker: "ada", isDescribed: false })
}

const text = (value: string): Constant => ({ kind: "text", value })

test.each(sampleOf(records, 40))("$client is answered", async ({ sql }) => {
  const parameter = sql.includes("relnamespace=$1") || sql.includes("oid=$1") ? "16400" : "int4"
  const query = read(sql, [text(parameter)])
  const described = await catalogs.answer({ sql: query?.sql ?? "", asker: "ada", isDescribed: true })
  const answered = await catalogs.answer({ sql: query?.sql ?? "", asker: "ada", isDescribed: false })
  expect(answered.columns).toEqual(described.columns)
  expect(answered.columns.length).toBeGreaterThan(0)
})

describe("what is answered", () => {
  const rows = async (sql: string): Promise<readonly unknown[]> => (await answer(sql)).rows

  test("names and numbers of things, whatever the columns are called", async () => {
    expect(await rows("SELECT oid::regtype::text FROM pg_type WHERE typname = 'int4'")).toEqual([["integer"]])
    expect(
      await rows("SELECT 'public.visit'::regclass::oid = oid FROM pg_class WHERE relname = 'visit'"),
    ).toEqual([[true]])
    expect(await rows("SELECT c.oid::regclass FROM pg_class c WHERE relname ~ '^vis'")).toEqual([["visit"]])
    expect(
      await rows("SELECT attname FROM pg_attribute WHERE attrelid = 'person'::regclass ORDER BY 1 DESC"),
    ).toEqual([["person_id"], ["gender"], ["born"]])
    expect(await rows("SELECT relname FROM pg_class WHERE relname LIKE '%DROP'")).toEqual([["it's; DROP"]])
    expect(await rows("SELECT relname FROM pg_class WHERE oid = ANY('{16400,16401}') ORDER BY 1")).toEqual([
      ["person"],
      ["visit"],
    ])
  })

  test("outputs are named as PostgreSQL names them", async () => {
    const { columns } = await answer(
      "SELECT relname, lower(relname), 1, 'x'::regclass, CASE WHEN true THEN 1 END, current_user, version(), " +
        "EXISTS (SELECT 1), oid::text, coalesce(1, 2) FROM pg_class",
    )
    expect(columns.map(({ name }) => name)).toEqual(
      "relname lower ?column? regclass case current_user version exists oid coalesce".split(" "),
    )
  })

  test("who asks is who asks, one after the other", async () => {
    const query = read("SELECT current_user AS u, rolname FROM pg_roles")
    for (const asker of ["ada", "o'neill; --"]) {
      const { rows: found } = await catalogs.answer({ sql: query?.sql ?? "", asker, isDescribed: false })
      expect(found).toEqual([[asker, asker]])
    }
  })

  test("settings of the session", async () => {
    expect(await rows("SELECT current_setting('server_version_num')")).toEqual([["150000"]])
    expect(await rows("SELECT current_setting('no.such', true)")).toEqual([[null]])
    expect(() => read("SELECT current_setting('no.such')")).toThrow(
      expect.objectContaining({ state: "42704" }),
    )
    expect(await rows("SELECT setting FROM pg_settings WHERE name = 'standard_conforming_strings'")).toEqual([
      ["on"],
    ])
    expect(
      read("SELECT set_config('dosimeter.epsilon', '0.2', false), set_config('a.b', NULL, true)"),
    ).toMatchObject({
      hasTables: false,
      settings: [
        { name: "dosimeter.epsilon", value: "0.2", isLocal: false },
        { name: "a.b", value: undefined, isLocal: true },
      ],
    })
  })
})

describe("limits", () => {
  const tooMuch = expect.objectContaining({ state: "54000" })
  const often = (count: number, part: string, between: string): string =>
    Array.from({ length: count }, () => part).join(between)

  test("values are counted each time that they are named", () => {
    const sql = `SELECT ${often(100, "$1", ", ")} FROM pg_class`
    expect(read(sql, [text("x".repeat(1_000))])?.sql.length).toBeGreaterThan(100_000)
    expect(() => read(sql, [text("x".repeat(3_000))])).toThrow(tooMuch)
    expect(() => read("SELECT $1 FROM pg_class", [text("x".repeat(500_000))])).toThrow(tooMuch)
  })

  test("lists have an end", () => {
    const sql = "SELECT relname FROM pg_class WHERE relname = ANY($1)"
    expect(read(sql, [text(`{${often(1_000, "a", ",")}}`)])).toBeDefined()
    expect(() => read(sql, [text(`{${often(1_001, "a", ",")}}`)])).toThrow(tooMuch)
    expect(() => read(sql.replace("$1", "$1::text[]"), [text(`{${often(9_000, "a", ",")}}`)])).toThrow(
      tooMuch,
    )
  })

  test("empty texts have a weight, and columns a number", async () => {
    const rows = "FROM generate_series(1, 1600) a, generate_series(1, 6) b, (SELECT count(*) FROM pg_class) p"
    await expect(answer(`SELECT ${often(100, "''", ", ")} ${rows}`)).rejects.toEqual(tooMuch)
    await expect(answer(`SELECT ${often(201, "''", ", ")} FROM pg_am`)).rejects.toEqual(tooMuch)
    expect((await answer(`SELECT ${often(200, "''", ", ")} FROM pg_am`)).columns).toHaveLength(200)
  })

  test("who waits no longer is told so, and the next question is answered", async () => {
    const sql = read("SELECT count(*) FROM pg_class")?.sql ?? ""
    const ended = catalogs.answer({ sql, asker: "ada", isDescribed: false }, AbortSignal.abort())
    await expect(ended).rejects.toMatchObject({ state: "57014" })
    expect((await answer("SELECT count(*) FROM pg_class")).rows).toEqual([["3"]])
  })
})

test.each([
  "SELECT 16384::regclass",
  "SELECT 'person'::regclass",
  "SELECT CAST(x AS regclass) FROM generate_series(16380, 16400) AS x",
  "SELECT to_regclass('person')",
  "SELECT to_regtype('int4')",
  "SELECT obj_description(16400)",
  "SELECT 'person'::regclass::text || current_user",
  "SELECT relname FROM pg_class",
])("%s is for who may see the tables", (sql) => {
  expect(read(sql)?.hasTables).toBe(true)
})

test("the session is for everybody in it", () => {
  const sql =
    "SELECT version(), current_user, current_database(), current_schemas(true), 'pg.pg_class' AS info"
  expect(read(sql)?.hasTables).toBe(false)
})

test.each(["SELECT pg.class_name(1)", 'SELECT 1 FROM pg."pg_class"', "SELECT info.x"])(
  "the second look finds tables in %s",
  (sql) => {
    expect(isOfSession(sql)).toBe(false)
  },
)

describe("what is not about catalogs", () => {
  test.each([
    "SELECT COUNT(*) FROM person",
    "SELECT version, COUNT(*) FROM devices GROUP BY version",
    "SELECT d.version FROM devices d",
    "SELECT COUNT(*) FROM person WHERE note = 'pg_class' -- pg_type",
    "SELECT pg_x.range FROM range(5000000) AS pg_x",
    "SELECT 42 AS explanation",
    "SELECT pg_class",
    "EXPLAIN SELECT * FROM pg_class",
    "CREATE TABLE pg_evil AS SELECT 42 AS x",
    "SELECT E'\\'' AS a FROM pg_class; CREATE TABLE pg_evil AS SELECT 42 AS x; SELECT * FROM pg_evil --'",
    "SELECT 1 FROM pg_class; SELECT 2 FROM pg_class",
    "SELECT FROM WHERE pg_class",
  ])("%s", (sql) => {
    expect(read(sql)).toBeUndefined()
  })
})

describe("[D1] what is hostile", () => {
  /** What would be sent: nothing, or SQL of ours. */
  function sent(sql: string): string | undefined {
    try {
      return read(sql)?.sql
    } catch (error) {
      if (!(error instanceof WireError)) throw error
      expect(["0A000", "42704"]).toContain(error.state)
      return undefined
    }
  }

  test("nothing of it is sent", () => {
    expect(hostileStatements.length).toBeGreaterThan(300)
    expect(hostileStatements.filter((sql) => sent(sql) !== undefined)).toEqual([])
  })

  test("names and texts of an analyst stay names and texts", async () => {
    const nasty = `x" FROM pg.pg_class; DROP TABLE pg.pg_class; -- ' $$ \\ E'`
    const name = `"${nasty.replaceAll('"', '""')}"`
    const value = `'${nasty.replaceAll("'", "''")}'`
    const sql = `SELECT ${value} AS ${name}, ${name}.${name} FROM (SELECT ${value} AS ${name} FROM pg_class LIMIT 1) AS ${name}`
    const { columns, rows } = await answer(sql)
    expect(columns.map((column) => column.name)).toEqual([nasty.slice(0, 63), nasty.slice(0, 63)].slice(0, 2))
    expect(rows).toEqual([[nasty, nasty]])
    expect((await answer("SELECT $1 FROM pg_am", [text(nasty)])).rows).toEqual([[nasty]])
    expect((await answer("SELECT count(*) FROM pg_class")).rows).toEqual([["3"]])
  })

  test.each([
    "SELECT 1; SELECT 2",
    "SELECT read_csv('x')",
    "SELECT \"read_csv\"('x')",
    'SELECT "a" /* x */',
    "SELECT $1",
    "SELECT E'x'",
    "SELECT $$x$$",
    "SELECT 'x",
    "ATTACH 'x'",
    "SELECT 1e5",
  ])("the second look refuses %s", (sql) => {
    expect(() => checkPrinted(sql)).toThrow(WireError)
  })

  const deep = (levels: number): string => {
    const inner = Array.from({ length: levels }).reduce<string>(
      (sql, _, index) => `SELECT x || x AS x FROM (${sql}) AS q${index}`,
      "SELECT repeat AS x FROM (SELECT nspname AS repeat FROM pg_namespace) AS q",
    )
    return inner
  }

  test.each(endless.slice(0, 2))("%s ends, and the next question is answered", async (_, sql) => {
    const failed: unknown = await answer(sql).catch((error: unknown) => error)
    expect(failed).toMatchObject({ state: "54000" })
    expect((await answer("SELECT count(*) FROM pg_class")).rows).toEqual([["3"]])
  })

  test("texts do not grow without end", async () => {
    const { rows } = await answer(deep(20))
    expect(rows.every(([value]) => `${value}`.length <= 10_000)).toBe(true)
  })

  test("an end of the process is nobody else's", async () => {
    await answer("SELECT 1 FROM pg_am")
    process.kill(catalogs.pid ?? 0, "SIGKILL")
    const first: unknown = await answer("SELECT count(*) FROM pg_class").catch((error: unknown) => error)
    expect(first instanceof WireError || first !== undefined).toBe(true)
    expect((await answer("SELECT count(*) FROM pg_class")).rows).toEqual([["3"]])
  })
})
