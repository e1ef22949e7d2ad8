// The short form of conformance.deep.test.ts: a few checks of the suite, where there is a server.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ConnectionOptions } from "node:tls"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { databaseChecks } from "../../testing/database/conformance.ts"
import { postgresMembers } from "../../testing/database/postgres-members.ts"
import { failure, Workbench } from "../../testing/database/workbench.ts"
import { findPostgres, type PostgresCluster } from "../../testing/postgres-cluster.ts"
import { checkServer } from "./check-server.ts"
import { connectionOf } from "./connect.ts"
import type { Ask } from "./discover.ts"
import { postgresType } from "./postgres-type.ts"
import { readConstant, readInteger } from "./read-value.ts"
import { seeData, type AskTogether } from "./seen-data.ts"

const found = findPostgres()
const short = [
  "texts that look alike are groups of their own, and NULL is one too",
  "what the driver says of a failure stays inside",
  "data that changes after it was opened is refused",
  "copies give what the tables give, where nothing is cut",
]

describe.skipIf("missing" in found)(`PostgreSQL ${"missing" in found ? `(${found.missing})` : ""}`, () => {
  let cluster: PostgresCluster | undefined
  const [, member] = postgresMembers(() => {
    if (cluster === undefined) throw new Error("the server is not started")
    return cluster
  })
  beforeAll(() => {
    if ("open" in found) cluster = found.open()
  })
  afterAll(() => cluster?.stop())

  test.each(short)("%s", async (name) => {
    const check = databaseChecks.find((one) => one.name === name)
    if (member === undefined || check === undefined) throw new Error(`there is no check "${name}"`)
    const bench = new Workbench(member)
    await check.run(bench)
    await bench.clear()
  })
})

test("the password of a file is the one that is shown to the server", () => {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-password-"))
  const version = { by: "content" } as const
  for (const password of ["hunter2", "a b+c%20&d=/?#@:'\"\\ä€", "%"]) {
    writeFileSync(join(folder, "password"), `${password}\n`)
    for (const url of ["postgres://reader@db.example.org/ward", "postgres:///ward?host=/run"]) {
      const source = { kind: "postgres", url, schemas: [], version, passwordFile: "password" } as const
      // The password of somebody else, whom the environment is about.
      vi.stubEnv("PGPASSWORD", "another")
      expect(new pg.Client(connectionOf(source, folder)).password).toBe(password)
    }
  }
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test("certificates are found from the policy's folder, as all of its paths", () => {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-certificates-"))
  for (const name of ["ca", "own", "key"]) writeFileSync(join(folder, `${name}.pem`), `the ${name}`)
  const files = `sslrootcert=ca.pem&sslcert=${join(folder, "own.pem")}&sslkey=./key.pem`
  const url = `postgres://reader@db.example.org/ward?sslmode=verify-full&${files}`
  const { ssl } = new pg.Client(
    connectionOf({ kind: "postgres", url, schemas: [], version: { by: "content" } }, folder),
  )
  // The driver hides the key from whoever lists what there is.
  const { ca, cert, key }: ConnectionOptions = typeof ssl === "object" ? ssl : {}
  expect([ca, cert, key]).toEqual(["the ca", "the own", "the key"])
  rmSync(folder, { recursive: true })
})

test("that no transaction was begun says nothing of a server that was started anew", async () => {
  let [snapshot, started, rows, looks] = ["7:7:", "1", "1", 0]
  const ask: Ask = async (text) => {
    if (text.includes("pg_current_snapshot")) return [[snapshot, started]]
    if (text.startsWith("SELECT count(*) > 0")) return [["f"]]
    if (text.includes("sha256")) looks += 1
    return text.includes("sha256") ? [[rows, "0", "0"]] : [["public", "people", "id"]]
  }
  const together: AskTogether = (work) => work(ask)
  const seen = await seeData({ schemas: ["public"], version: { by: "content" } }, together)
  expect([await seen.isSame(), looks]).toEqual([true, 1])
  started = "2"
  expect([await seen.isSame(), await seen.isSame(), looks]).toEqual([true, true, 2])
  // Transactions that are under way may end without another one.
  snapshot = "7:8:7"
  expect([await seen.isSame(), await seen.isSame(), looks]).toEqual([true, true, 4])
  rows = "2"
  expect(await seen.isSame()).toBe(false)
})

test("numerics are decimals where we hold their digits, and floats elsewhere", () => {
  const numeric = (digits: number, scale: number): string => {
    const modifier = ((digits << 16) | (scale & 0x7ff)) + 4
    const { type, range } = postgresType({ name: "numeric", kind: "b", modifier, isBuiltIn: true })
    const shown = type?.kind === "decimal" ? `decimal(${type.scale})` : type?.kind
    return `${shown ?? "-"} ${range === undefined ? "" : `${range.max.numerator}/${range.max.denominator}`}`
  }
  expect(numeric(10, 2)).toBe("decimal(2) 9999999999/100")
  expect(numeric(38, 0)).toBe(`decimal(0) ${10n ** 38n - 1n}/1`)
  expect([numeric(39, 0), numeric(20, 13), numeric(3, -2), numeric(2, 5)]).toEqual(Array(4).fill("float "))
  const bare = postgresType({ name: "numeric", kind: "b", modifier: -1, isBuiltIn: true })
  expect(bare.type).toEqual({ kind: "float" })
})

test("values are read exactly, and what cannot be is an impossible extract", () => {
  expect(readInteger("170141183460469231731687303715884105727")).toBe(2n ** 127n - 1n)
  expect([readInteger(null), readInteger("-3"), readInteger("4.000")]).toEqual([0n, -3n, 4n])
  const decimal = readConstant("-1.005", { kind: "decimal", scale: 3 })
  expect(decimal).toMatchObject({ value: { numerator: -201n, denominator: 200n } })
  for (const [value, kind] of [
    ["NaN", "float"],
    ["Infinity", "float"],
    ["", "float"],
    ["1e3", "integer"],
    ["1.5", "integer"],
    ["true", "boolean"],
    ["infinity", "date"],
    ["2024-02-30", "date"],
    ["0044-03-15 BC", "date"],
    ["infinity", "timestamp"],
  ] as const) {
    expect(() => readConstant(value, { kind }), `${value} as ${kind}`).toThrow("an answer that cannot be")
  }
})

test.each([
  { number: "120022", says: "older than PostgreSQL 13" },
  { number: "", says: "older than PostgreSQL 13" },
])(
  "a server of version '$number' is refused when it is opened, before anything is asked",
  async ({ number, says }) => {
    const ask: Ask = async () => [[number, "UTF8", "reader"]]
    const error = await failure(checkServer(ask, { schemas: ["public"] }))
    expect([error.code, error.message]).toEqual(["dataset/unsafe-server", expect.stringContaining(says)])
  },
)
