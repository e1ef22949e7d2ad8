// Three sites with different data answer one question together, over real ports, with the commands that
// people type: each pays from its own ledger, the coordinator sees the sum, and it may be stopped in
// between.

import { DuckDBInstance } from "@duckdb/node-api"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { once } from "node:events"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"
import { until } from "../../../testing/consortium.ts"
import { withoutProgress } from "../../../testing/small-hospital.ts"

const policy = (dataset: string): string => `dataset: ${dataset}
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 20, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 4, max: 8 }, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients:
    unit: id
    keys: [[id]]
    columns:
      id: { type: integer }
      sex: { values: [f, m], nullable: false, type: text }
`
const sizes = { north: 3000, south: 900, west: 150 } as const
const names = Object.keys(sizes)
const folder = mkdtempSync(join(tmpdir(), "dosimeter-consortium-"))
const running: { readonly stop: AbortController; readonly done: Promise<number> }[] = []
let port = 0

interface Said {
  readonly code: number
  readonly out: string
  readonly error: string
}

async function run(at: string, args: readonly string[], signal?: AbortSignal): Promise<Said> {
  let [out, error] = ["", ""]
  const code = await runCommand(args, {
    folder: join(folder, at),
    out: (text) => void (out += text),
    error: (text) => void (error += text),
    ...(signal === undefined ? {} : { signal }),
  })
  return { code, out, error: withoutProgress(error) }
}

interface Answered {
  readonly result: { readonly answer: { readonly rows: readonly (readonly { readonly value: unknown }[])[] } }
}

/** A command that runs until it is stopped. */
function start(at: string, ...args: readonly string[]): () => Promise<void> {
  const stop = new AbortController()
  const done = run(at, args, stop.signal).then(({ code }) => code)
  running.push({ stop, done })
  return async () => {
    stop.abort()
    await done
  }
}

beforeAll(async () => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  port = typeof address === "object" && address !== null ? address.port : 0
  probe.close()
  mkdirSync(join(folder, "lead"))
  writeFileSync(join(folder, "lead", "study.yaml"), policy("trial"))
  for (const [name, size] of Object.entries(sizes)) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, "dosimeter.yaml"), policy(name))
    const instance = await DuckDBInstance.create(join(folder, name, "data.duckdb"))
    const connection = await instance.connect()
    await connection.run(
      `CREATE TABLE patients AS SELECT i::INTEGER AS id, CASE WHEN i % 3 = 0 THEN 'f' ELSE 'm' END AS sex
       FROM range(${size}) r(i)`,
    )
    connection.closeSync()
    instance.closeSync()
    await run(name, ["user", "add", "carl", "--role", "committee"])
  }
})

afterAll(async () => {
  for (const { stop } of running) stop.abort()
  for (const { done } of running) await done
  rmSync(folder, { recursive: true })
})

test("three sites answer together, and each is charged what it approved", async () => {
  const url = `http://127.0.0.1:${port}`
  const serve = (): (() => Promise<void>) => start("lead", "coordinator", "serve", "--http-port", `${port}`)
  const stopServing = serve()
  for (const name of names) {
    const { out } = await run("lead", ["coordinator", "invite", name, "--url", url])
    const [line = ""] = /dosimeter-invitation-\S+/.exec(out) ?? []
    const [fingerprint = ""] = /(?:[0-9a-f]{4}-){7}[0-9a-f]{4}/.exec(out) ?? []
    // The coordinator may still be opening its port.
    await until(async () => {
      const { error } = await run(name, ["node", "join", line, "--fingerprint", fingerprint])
      expect(error.replace(/^error\[federation\/unreachable\][^]*/, "")).toBe("")
      return error === ""
    })
    start(name, "node", "run")
  }
  // Each site hears the others' keys.
  for (const name of names) {
    const [, key = ""] = /key +(\S{43})\n/.exec((await run(name, ["node", "status"])).out) ?? []
    for (const other of names.filter((one) => one !== name)) {
      expect((await run(other, ["node", "peer", name, key, "--as", "carl"])).error).toBe("")
    }
  }
  const sql = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex ORDER BY sex"
  const asked = await run("lead", ["coordinator", "ask", sql, "--purpose", "how many are there?"])
  expect(asked.error).toBe("")
  const [, job = ""] = /job ([0-9a-f]{12}) is offered/.exec(asked.out) ?? []
  const offers = async (): Promise<boolean> => {
    const lists = await Promise.all(names.map((name) => run(name, ["node", "inbox", "--as", "carl"])))
    return lists.every(({ out }) => out.includes(job))
  }
  await until(offers)
  for (const name of names) {
    const { code, error } = await run(name, ["node", "approve", job, "--as", "carl", "--yes"])
    expect([code, error]).toEqual([0, ""])
  }
  // Whatever it was in the middle of, another process goes on with it.
  await stopServing()
  serve()
  let shown = ""
  await until(async () => {
    shown = (await run("lead", ["coordinator", "job", job])).out
    return /answered|failed/.test(shown)
  })
  expect(shown).toContain("answered")
  expect(shown).toContain("sites in the answer  north, south, west")
  const { out } = await run("lead", ["coordinator", "job", job, "--json"])
  const { result }: Answered = JSON.parse(out)
  const counts = result.answer.rows.map((row) => Number(row[1]?.value))
  const total = 3000 + 900 + 150
  // The noise of each count has a standard deviation below 3: a hundred is more than thirty of them.
  expect(Math.abs((counts[0] ?? 0) - total / 3)).toBeLessThan(100)
  expect(Math.abs((counts[1] ?? 0) - (2 * total) / 3)).toBeLessThan(100)
  for (const name of names) {
    await until(async () => (await run(name, ["receipts"])).out.includes("released"))
  }
})

test("sites that answer by themselves are pooled, and drawn as a forest", async () => {
  const sql =
    "SELECT sex, COUNT(*) AS n, SUM(CASE WHEN id % 5 = 0 THEN 1 ELSE 0 END) AS k FROM patients GROUP BY sex"
  const asked = await run("lead", ["coordinator", "ask", sql, "--purpose", "to compare", "--separate"])
  const [, job = ""] = /job ([0-9a-f]{12}) is offered/.exec(asked.out) ?? []
  const groups = ["--by", "sex", "--first", "f", "--second", "m", "--events", "k", "--count", "n"]
  const none = await run("lead", ["coordinator", "job", job, "--out", "none.json"])
  expect(none.error).toContain("federation/no-model")
  const pool = (measure: string, ...more: readonly string[]): Promise<Said> =>
    run("lead", ["coordinator", "pool", job, "--measure", measure, ...groups, ...more])
  expect((await pool("odds-ratio")).error).toContain("federation/not-separate")
  for (const name of names) {
    await until(async () => (await run(name, ["node", "inbox", "--as", "carl"])).out.includes(job))
    await run(name, ["node", "approve", job, "--as", "carl", "--yes"])
  }
  await until(async () => (await run("lead", ["coordinator", "job", job])).out.includes("answered"))
  expect((await pool("odds")).error).toContain("cli/bad-option")
  expect((await pool("odds-ratio", "--count", "all")).error).toContain("federation/no-column")
  const { out } = await pool("odds-ratio")
  for (const word of ["north", "south", "fixed effect", "random effects", "Hartung-Knapp", "I squared"]) {
    expect(out).toContain(word)
  }
  const pooled: {
    readonly fixed: { readonly low: number; readonly high: number }
    readonly sites: unknown[]
  } = JSON.parse((await pool("odds-ratio", "--json")).out)
  expect(pooled.sites.length).toBeGreaterThanOrEqual(2)
  // One in five of either group: the true odds ratio is 1, and the interval at twice its width holds it.
  const width = Math.log(pooled.fixed.high / pooled.fixed.low)
  expect(Math.abs(Math.log(pooled.fixed.high * pooled.fixed.low) / 2)).toBeLessThan(2 * width)
})
