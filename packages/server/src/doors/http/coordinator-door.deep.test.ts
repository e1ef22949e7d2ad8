// Five nodes as processes with states of their own, each killed without warning again and again while
// jobs and letters go both ways, and the coordinator's process with them: everything arrives, once.
// Where network namespaces can be made, each node is alone in one of its own, from which only the
// coordinator is reached.

import { spawn, type ChildProcess } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, test } from "vitest"
import { sealed } from "@dosimeter/engine"
import { Coordinator } from "../../federation/coordinator/coordinator.ts"
import { letterTo } from "../../federation/mail/envelope-letter.ts"
import { keepLetters } from "../../federation/mail/letters.ts"
import { openKeyFile } from "../../federation/wire/identity.ts"
import { openSqliteState } from "../../state/sqlite-state.ts"
import { until } from "../../testing/consortium.ts"
import { freePort } from "../../testing/free-port.ts"
import { Namespaces } from "../../testing/namespaces.ts"

const names = ["north", "south", "east", "west", "centre"]
const rounds = 6
/** In seconds: a process that nobody ends does so by itself. */
const life = 1200
const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const catalog = `dataset: heart
source: { duckdb: none.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 1, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-9 }
bounding: { groups_per_unit: 1, rows_per_group: 1 }
tables:
  patients: { unit: id, columns: { id: { type: integer } } }
`
const started = new Set<ChildProcess>()
let spaces: Namespaces

beforeAll(() => {
  spaces = new Namespaces(names.length)
})

afterAll(() => {
  for (const child of started) child.kill("SIGKILL")
  spaces.remove()
})

function run(args: readonly string[], before: readonly string[] = []): ChildProcess {
  const node = [process.execPath, "--conditions=source", "--import", "tsx", ...args]
  const [command = "", ...rest] = [...before, ...node]
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] })
  started.add(child)
  child.once("exit", () => started.delete(child))
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL")
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, "exit")
  }
}

/** Each node has answered each letter, and none twice: letters about no job keep their hash alone. */
async function everythingCameOnce(store: ReturnType<typeof openSqliteState>): Promise<void> {
  const rows = await store.all(
    `SELECT peer, count(*) AS n, count(DISTINCT hash) AS other FROM federation_letters
     WHERE box = 'in' GROUP BY peer ORDER BY peer`,
  )
  const told = rows.map(({ peer, n, other }) => [String(peer), Number(n), Number(other)])
  expect(told).toEqual(names.toSorted().map((name) => [name, rounds, rounds]))
}

/** A study with its coordinator's state and key. */
function leadFolder() {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-processes-"))
  const study = join(folder, "study.yaml")
  writeFileSync(study, catalog)
  mkdirSync(join(folder, ".dosimeter"))
  const store = openSqliteState(join(folder, ".dosimeter", "server.state"))
  const signer = openKeyFile(join(folder, ".dosimeter", "coordinator.key"))
  return { folder, study, store, signer }
}

test("any of five nodes and the coordinator may be killed at any moment: every letter arrives, once", async () => {
  const { folder, study, store, signer } = leadFolder()
  const port = await freePort()
  const own = new Coordinator({ store, signer, study: "heart" })
  const host = spaces.made ? "0.0.0.0" : "127.0.0.1"
  const command = ["coordinator", "serve"]
  const before = spaces.made ? ["--behind-proxy"] : []
  const options = ["--study", study, "--http-port", `${port}`, "--host", host, ...before]
  const serve = (): ChildProcess => run([file("../../main.ts"), ...command, ...options])
  const invitations = new Map<string, string>()
  for (const name of names) {
    invitations.set(name, await own.invite(name, { url: `http://127.0.0.1:${port}`, by: "lead" }))
  }
  const dial = (name: string): ChildProcess => {
    const home = join(folder, name)
    mkdirSync(home, { recursive: true })
    const index = names.indexOf(name)
    const own = [home, invitations.get(name) ?? "", `${life}`]
    const args = [
      file("../../testing/consortium-node.ts"),
      ...own,
      ...(spaces.made ? [spaces.gateway(index)] : []),
    ]
    return run(args, spaces.enter(index))
  }
  const job = "0".repeat(64)
  const say = async (name: string, sequence: number): Promise<void> => {
    const body = `letter ${sequence} `.repeat(sequence % 2 === 0 ? 4 : 40_000)
    const letter = letterTo(
      sealed({ job, step: "share", from: "coordinator", to: name, sequence, body }, signer),
    )
    await store.transaction((access) => keepLetters(access, "out", [letter], new Date().toISOString()))
  }
  const nodes = new Map(names.map((name) => [name, dial(name)]))
  let coordinator = serve()
  const came = async (): Promise<number> => {
    const rows = await store.all("SELECT count(*) AS n FROM federation_letters WHERE box = 'in'")
    return Number(rows[0]?.["n"] ?? 0)
  }
  try {
    await until(async () => (await own.sites.list()).every(({ state }) => state === "enrolled"))
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) await say(name, round)
      const name = names[round % names.length] ?? ""
      // At any moment: before it has asked, in the middle of a letter, after its answer.
      await sleep(randomInt(1500))
      const one = nodes.get(name)
      if (one !== undefined) await ended(one)
      if (round % 2 === 1) {
        await ended(coordinator)
        coordinator = serve()
      }
      nodes.set(name, dial(name))
    }
    await until(async () => (await came()) >= names.length * rounds)
  } finally {
    for (const child of [...nodes.values(), coordinator]) await ended(child)
  }
  await everythingCameOnce(store)
  expect(started.size).toBe(0)
  await store.close()
  rmSync(folder, { recursive: true })
})
