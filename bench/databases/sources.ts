// The rows of the SQL benchmark in each database that can be a source.

import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DuckDBInstance } from "@duckdb/node-api"
import { roleSql } from "../../packages/engine/src/dataset/postgres/role-sql.ts"
import { trinoAddress } from "../../packages/engine/src/dataset/trino/trino-address.ts"
import { TrinoClient } from "../../packages/engine/src/dataset/trino/trino-client.ts"
import { execute } from "../../packages/engine/src/testing/database/postgres-members.ts"
import { openRelay, type Relay } from "../../packages/engine/src/testing/relay.ts"
import { findPostgres } from "../../packages/engine/src/testing/postgres-cluster.ts"
import type { PostgresSource, TrinoSource } from "../../packages/policy/src/file/policy.ts"
import { makeData, rowsPerPerson } from "../sql/bench-data.ts"
import { ownCpu, postgresCpu, trinoCpu, type CpuClock } from "./server-cpu.ts"

/** A database with the rows, and how a policy names it. */
export interface BenchSource {
  readonly name: string
  /** The value of `source` in a policy. */
  readonly written: string
  readonly folder: string
  /** The processor time of the database. */
  readonly cpu: CpuClock
  /** What moves between it and us, where it is a server. */
  readonly relay?: Relay
  /** A plain query as this database takes it. */
  readonly plainly: (sql: string) => string
  readonly remove: () => Promise<void>
}

/** Why a database is not measured, in one line. */
export interface MissingSource {
  readonly name: string
  readonly missing: string
}

/** How the rows are made. */
export type MakeSource = (rows: number) => Promise<BenchSource | MissingSource>

/** By name. */
export const sources: Readonly<Record<string, MakeSource>> = {
  duckdb: inDuckDB,
  postgres: inPostgres,
  trino: inTrino,
}

async function inDuckDB(rows: number): Promise<BenchSource> {
  const folder = mkdtempSync(join(tmpdir(), "bench-databases-"))
  await makeData(folder, rows)
  return {
    name: "DuckDB",
    written: "{ duckdb: bench.duckdb }",
    folder,
    cpu: ownCpu(),
    plainly: (sql) => sql,
    remove: async () => rmSync(folder, { recursive: true }),
  }
}

// The same rows as in DuckDB, by way of files that the server reads.
async function inPostgres(rows: number): Promise<BenchSource | MissingSource> {
  const found = findPostgres()
  if ("missing" in found) return { name: "PostgreSQL", missing: found.missing }
  const folder = mkdtempSync(join(tmpdir(), "bench-databases-"))
  const cluster = found.open("on disk")
  let relay: Relay | undefined
  const remove = async (): Promise<void> => {
    await relay?.close()
    await cluster.stop()
    rmSync(folder, { recursive: true })
  }
  try {
    await makeData(folder, rows)
    await writeFiles(folder)
    const owner = await cluster.database()
    const url = new URL(owner)
    const database = url.pathname.slice(1)
    const server = url.searchParams.get("host") ?? ""
    relay = await openRelay({ path: join(server, ".s.PGSQL.5432") }, join(folder, ".s.PGSQL.5432"))
    url.searchParams.set("host", folder)
    url.username = "bench_reader"
    const source: PostgresSource = {
      kind: "postgres",
      url: url.href,
      schemas: ["public"],
      version: { by: "word", word: "1" },
      copies: "bench_copies",
    }
    await execute(owner, [
      "CREATE TABLE person (person_id BIGINT, sex TEXT, weight DOUBLE PRECISION)",
      `COPY person FROM '${join(folder, "person.csv")}' WITH (FORMAT csv)`,
      `CREATE TABLE cond (person_id BIGINT, concept_id INTEGER, code INTEGER, day DATE, month INTEGER,
        cost DOUBLE PRECISION)`,
      `COPY cond FROM '${join(folder, "cond.csv")}' WITH (FORMAT csv)`,
      ...roleSql({ source, role: "bench_reader", database }),
      "VACUUM ANALYZE",
    ])
    return {
      name: "PostgreSQL",
      written: `{ postgres: ${JSON.stringify(url.href)}, version: "1", copies: bench_copies }`,
      folder,
      cpu: postgresCpu(join(server, "data")),
      relay,
      plainly: (sql) =>
        sql
          .replaceAll(/\b(FROM|JOIN) (cond|person)\b/g, "$1 public.$2")
          .replace("MEDIAN(cost)", "percentile_cont(0.5) WITHIN GROUP (ORDER BY cost)"),
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

async function writeFiles(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, "bench.duckdb"))
  const connection = await instance.connect()
  chmodSync(folder, 0o755)
  for (const table of ["person", "cond"]) {
    const file = join(folder, `${table}.csv`)
    await connection.run(`COPY ${table} TO '${file}' (HEADER false)`)
    chmodSync(file, 0o644)
  }
  connection.closeSync()
  instance.closeSync()
}

// Rows of the same law: Trino has another hash.
async function inTrino(rows: number): Promise<BenchSource | MissingSource> {
  const url = process.env["DOSIMETER_TEST_TRINO"] ?? ""
  const missing = "npm run trino, and DOSIMETER_TEST_TRINO as it says"
  if (url === "") return { name: "Trino", missing }
  const folder = mkdtempSync(join(tmpdir(), "bench-databases-"))
  const name = randomBytes(6).toString("hex")
  const [schema, own] = [`bench_${name}`, `own_${name}`]
  const source: TrinoSource = {
    kind: "trino",
    url,
    catalog: "lake",
    schema,
    version: { by: "snapshots" },
    copies: ["lake", own],
  }
  const client = new TrinoClient(trinoAddress(source, folder))
  const relay = await openRelay({ host: "127.0.0.1", port: Number(new URL(url).port) })
  for (const made of [schema, own]) await client.run(`CREATE SCHEMA lake.${made}`)
  for (const sql of trinoTables(rows)) await client.run(sql)
  return {
    name: "Trino",
    written: `{ trino: "http://127.0.0.1:${relay.port}", catalog: lake, schema: ${schema}, copies: lake.${own} }`,
    folder,
    cpu: trinoCpu(url),
    relay,
    plainly: (sql) => sql.replace("MEDIAN(cost)", "approx_percentile(cost, 0.5)"),
    remove: async () => {
      for (const made of [schema, own]) await client.run(`DROP SCHEMA lake.${made} CASCADE`)
      client.close()
      await relay.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function trinoTables(rows: number): readonly string[] {
  const people = Math.max(1000, Math.round(rows / rowsPerPerson))
  const hash = (purpose: number): string =>
    `from_big_endian_64(xxhash64(to_big_endian_64(16 * i + ${purpose})))`
  const u = (purpose: number): string =>
    `(bitwise_right_shift(${hash(purpose)}, 11) / DOUBLE '9007199254740992')`
  const numbers = (count: number): string => {
    const each = 10_000
    const parts = `UNNEST(sequence(0, ${Math.ceil(count / each) - 1})) AS a (block)`
    const inner = `UNNEST(sequence(0, ${each - 1})) AS b (place)`
    return `(SELECT block * ${each} + place AS i FROM ${parts} CROSS JOIN ${inner}) WHERE i < ${count}`
  }
  return [
    `CREATE TABLE person AS SELECT i AS person_id, CASE WHEN ${u(1)} < 0.5 THEN 'f' ELSE 'm' END AS sex,
      40 + 60 * ${u(2)} AS weight FROM ${numbers(people)}`,
    `CREATE TABLE cond AS
      SELECT person_id, concept_id, concept_id + 1000000 AS code, day, month, cost FROM (SELECT
        CAST(floor(${people} *
          CASE WHEN ${u(3)} < 0.8 THEN ${u(4)} ELSE power(${u(4)}, 3) END) AS BIGINT) AS person_id,
        CAST(floor(2000 * power(${u(5)}, 3)) AS INTEGER) AS concept_id,
        date_add('day', CAST(floor(1826 * ${u(6)}) AS BIGINT), DATE '2020-01-01') AS day,
        CAST(floor(1826 * ${u(6)} / 30.44) AS INTEGER) AS month, -150 * ln(1 - ${u(7)}) AS cost
        FROM ${numbers(rows)})`,
  ]
}
