// Five hospitals with data of their own and a coordinator, each a process that is killed without warning: a
// site at each step of a sum, the coordinator in between. What is answered is the sum over the sites that the
// receipt names, and every site has been charged at most once.

import { DuckDBInstance } from "@duckdb/node-api"
import { spawn, type ChildProcess } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runCommand } from "../../../main.ts"
import { openSqliteState } from "../../../state/sqlite-state.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { until } from "../../../testing/consortium.ts"
import { Namespaces } from "../../../testing/namespaces.ts"

const sizes = { north: 3100, south: 900, east: 1700, west: 400, centre: 2300 } as const
const names = Object.keys(sizes) as readonly (keyof typeof sizes)[]
const policy = (dataset: string): string => `dataset: ${dataset}
source: { duckdb: data.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 40, delta: 1e-6, accounting: zcdp }
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
const folder = mkdtempSync(join(tmpdir(), "dosimeter-five-"))
const main = fileURLToPath(new URL("../../../main.ts", import.meta.url))
const port = 20_000 + randomInt(10_000)
const started = new Set<ChildProcess>()
const nodes = new Map<string, ChildProcess>()
let spaces: Namespaces
let coordinator: ChildProcess
let lead: StateStore

beforeAll(async () => {
  spaces = new Namespaces(names.length)
  mkdirSync(join(folder, "lead"))
  writeFileSync(join(folder, "lead", "study.yaml"), policy("trial"))
  for (const [name, size] of Object.entries(sizes)) await makeSite(name, size)
  coordinator = serve()
  for (const [index] of names.entries()) keep(spaces.carry(index, port))
})

afterAll(async () => {
  await lead?.close()
  for (const child of started) child.kill("SIGKILL")
  spaces.remove()
  rmSync(folder, { recursive: true })
})

async function makeSite(name: string, size: number): Promise<void> {
  mkdirSync(join(folder, name))
  writeFileSync(join(folder, name, "dosimeter.yaml"), policy(name))
  const instance = await DuckDBInstance.create(join(folder, name, "data.duckdb"))
  const connection = await instance.connect()
  await connection.run(
    `CREATE TABLE patients AS SELECT i::INTEGER AS id, CASE WHEN i % 4 = 0 THEN 'f' ELSE 'm' END AS sex
     FROM range(${size}) r(i)`,
  )
  connection.closeSync()
  instance.closeSync()
  await run(name, "user", "add", "carl", "--role", "committee")
}

/** A command to its end, in this process. */
async function run(at: string, ...args: readonly string[]): Promise<string> {
  let [out, error] = ["", ""]
  const code = await runCommand(args, {
    folder: join(folder, at),
    out: (text) => void (out += text),
    error: (text) => void (error += text),
  })
  expect([code, error], args.join(" ")).toEqual([0, ""])
  return out
}

function keep(child: ChildProcess | undefined): void {
  if (child === undefined) return
  started.add(child)
  child.once("exit", () => started.delete(child))
}

/** A command in a process of its own. */
function start(at: string, before: readonly string[], ...args: readonly string[]): ChildProcess {
  const tsx = import.meta.resolve("tsx")
  const node = [process.execPath, "--conditions=source", "--import", tsx, main, ...args]
  const [command = "", ...rest] = [...before, ...node]
  const child = spawn(command, rest, { cwd: join(folder, at), stdio: "ignore" })
  keep(child)
  return child
}

function serve(): ChildProcess {
  const open = spaces.made ? ["--host", "0.0.0.0", "--behind-proxy"] : []
  return start("lead", [], "coordinator", "serve", "--http-port", `${port}`, ...open)
}

function dial(name: string): void {
  const index = names.findIndex((one) => one === name)
  nodes.set(name, start(name, spaces.enter(index), "node", "run"))
}

async function killed(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

async function gather(): Promise<void> {
  for (const name of names) {
    const invited = await run("lead", "coordinator", "invite", name, "--url", `http://127.0.0.1:${port}`)
    const [line = ""] = /dosimeter-invitation-\S+/.exec(invited) ?? []
    const [fingerprint = ""] = /(?:[0-9a-f]{4}-){7}[0-9a-f]{4}/.exec(invited) ?? []
    const join = ["node", "join", line, "--fingerprint", fingerprint] as const
    // The coordinator is still starting.
    await until(async () => run(name, ...join).then(...settled))
    dial(name)
  }
  for (const name of names) {
    const [, key = ""] = /key +(\S{43})\n/.exec(await run(name, "node", "status")) ?? []
    for (const other of names.filter((one) => one !== name)) {
      await run(other, "node", "peer", name, key, "--as", "carl")
    }
  }
}

const settled = [() => true, () => false] as const

/** A site is killed when its letter of this step has come. */
const steps = ["approve", "shares", "masked", "unmask"] as const

/** Whether a site's letter of a step is there. */
async function came(job: string, name: string, step: (typeof steps)[number]): Promise<boolean> {
  const rows = await lead.all(
    "SELECT body, step FROM federation_letters WHERE box = 'in' AND peer = ? AND job LIKE ?",
    [name, `${job}%`],
  )
  return rows.some(({ body, step: own }) => own === step || String(body).includes(`"kind":"${step}"`))
}

interface Shown {
  readonly state: { readonly phase: string }
  readonly result?: {
    readonly answer: { readonly rows: readonly (readonly { readonly value: unknown }[])[] }
    readonly receipt: { readonly survivors: readonly (keyof typeof sizes)[] }
  }
}

async function shown(job: string): Promise<Shown> {
  return JSON.parse(await run("lead", "coordinator", "job", job, "--json")) as Shown
}

async function asked(): Promise<string> {
  const sql = "SELECT sex, COUNT(*) AS n FROM patients GROUP BY sex ORDER BY sex"
  const patience = ["--hours", "0.2", "--step-minutes", "0.35"]
  const said = await run("lead", "coordinator", "ask", sql, "--purpose", "how many?", ...patience)
  const [, job = ""] = /job ([0-9a-f]{12}) is offered/.exec(said) ?? []
  for (const name of names) {
    await until(async () => (await run(name, "node", "inbox", "--as", "carl")).includes(job))
  }
  return job
}

test("a site killed at any step takes nothing from the others, whatever happens to the coordinator", async () => {
  await gather()
  lead = openSqliteState(join(folder, "lead", ".dosimeter", "server.state"))
  for (const [turn, step] of steps.entries()) {
    const victim = names[turn % names.length] ?? "north"
    const job = await asked()
    for (const name of names) await run(name, "node", "approve", job, "--as", "carl", "--yes")
    // The step may be over before anybody has looked: then the site is killed later than it says.
    await until(async () => (await came(job, victim, step)) || (await shown(job)).state.phase === "answered")
    await killed(nodes.get(victim))
    if (turn % 2 === 1) {
      await killed(coordinator)
      await sleep(randomInt(300))
      coordinator = serve()
    }
    await until(async () => ["answered", "failed"].includes((await shown(job)).state.phase))
    const { state, result } = await shown(job)
    expect(state.phase, step).toBe("answered")
    const survivors = result?.receipt.survivors ?? []
    for (const name of names) if (name !== victim) expect(survivors, step).toContain(name)
    const total = survivors.reduce((sum, name) => sum + sizes[name], 0)
    const counts = (result?.answer.rows ?? []).map((row) => Number(row[1]?.value))
    // The noise of each count has a standard deviation below 3: sixty is more than twenty of them.
    expect(Math.abs((counts[0] ?? 0) - total / 4), step).toBeLessThan(60)
    expect(Math.abs((counts[1] ?? 0) - (3 * total) / 4), step).toBeLessThan(60)
    // What a death has left in the ledger is for the owner to look at: the door is open again afterwards.
    const since = Date.now()
    dial(victim)
    await until(async () => (await calledAt(victim)) > since)
    await lookAtIncidents(victim)
  }
  for (const name of names) {
    await killed(nodes.get(name))
    expect(await run(name, "ledger", "verify")).toContain("sound")
  }
})

/** When a node has last heard of its coordinator, to the second below. */
async function calledAt(name: string): Promise<number> {
  const [, day = "", time = ""] = /answered, (\S+) (\S+) UTC/.exec(await run(name, "node", "status")) ?? []
  return Date.parse(`${day}T${time}Z`)
}

async function lookAtIncidents(name: string): Promise<void> {
  const listed = await run(name, "incidents", "--json")
  const positions = [...listed.matchAll(/"position": ?"?(\d+)/g)].map(([, position = ""]) => position)
  if (positions.length === 0) return
  await run(name, "incidents", "acknowledge", ...positions, "--reason", "its process was killed")
}
