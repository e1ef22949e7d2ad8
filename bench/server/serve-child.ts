// A server of its own process on the demo hospital, with a budget that a benchmark cannot use up.

import { spawn, type ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openEngine, receiptOfRelease, type Engine } from "@dosimeter/engine"
import { afterUs } from "../../packages/engine/src/testing/after-us.ts"
import { makeHospital } from "../../packages/server/src/demo/hospital.ts"
import { Accounts } from "../../packages/server/src/people/accounts.ts"
import { makeUpPassword } from "../../packages/server/src/people/password-hash.ts"
import { openPostgresState } from "../../packages/server/src/state/postgres-state.ts"
import { openSqliteState } from "../../packages/server/src/state/sqlite-state.ts"
import { Tokens } from "../../packages/server/src/people/tokens.ts"

/** The server, and how to reach it. */
export interface ServedHospital {
  readonly httpPort: number
  readonly pgPort: number
  readonly token: string
  readonly password: string
  /** Of the server's process, in megabytes. */
  memoryMb(): number
  /** Stops it; then what the ledger charged, and what its receipts add up to, as exact texts. */
  stop(): Promise<{ readonly charged: string; readonly receipts: string; readonly count: number }>
  remove(): void
}

/** A hospital that servers serve, and an analyst of it. */
export interface BenchHospital {
  readonly folder: string
  readonly token: string
  readonly password: string
  /** What servers of it find in their environment. */
  readonly env: Readonly<Record<string, string>>
}

/** Makes the hospital with its copies, and an account; in a shared store where one is named. */
export async function makeBenchHospital(persons: number, store?: string): Promise<BenchHospital> {
  const folder = mkdtempSync(join(tmpdir(), "bench-server-"))
  await makeHospital(folder, { persons })
  const policy = join(folder, "dosimeter.yaml")
  writeFileSync(
    policy,
    readFileSync(policy, "utf8").replace(
      /^budget: .*$/m,
      "budget: { epsilon: 1000, delta: 1e-6, accounting: zcdp }",
    ),
  )
  // Prepares the copies, so that the server opens at once.
  await (await openBenchEngine(folder, store)).close()
  const state =
    store === undefined
      ? openSqliteState(join(folder, ".dosimeter/server.state"))
      : await openPostgresState(store, "hospital")
  const password = makeUpPassword()
  const account = await new Accounts(state).add("ada", "analyst", password, { origin: "made-up" })
  const { secret } = await new Tokens(state).add({ name: "bench", account })
  await state.close()
  const env: Readonly<Record<string, string>> = store === undefined ? {} : { DOSIMETER_STORE: store }
  return { folder, token: secret, password, env }
}

/** The engine of the hospital, in this process. */
export async function openBenchEngine(folder: string, store?: string): Promise<Engine> {
  const policy = readFileSync(join(folder, "dosimeter.yaml"), "utf8")
  return openEngine({ policy, folder, ...(store === undefined ? {} : { store }) })
}

/** Makes the hospital and starts the server. */
export async function serveHospital(persons: number): Promise<ServedHospital> {
  const hospital = await makeBenchHospital(persons)
  const { folder, token, password } = hospital
  const child = startServer(hospital)
  const { httpPort, pgPort } = await portsOf(child)
  return {
    httpPort,
    pgPort,
    token,
    password,
    memoryMb: () => memoryOf(child.pid ?? 0),
    stop: async () => {
      await stopServer(child)
      return totalsOf(folder)
    },
    remove: () => {
      child.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Starts a server of a hospital as a process of its own, which ends with this one. */
export function startServer({ folder, env }: BenchHospital): ChildProcess {
  const main = join(import.meta.dirname, "../../packages/server/src/main.ts")
  const policy = join(folder, "dosimeter.yaml")
  const args = ["--conditions=source", "--import", "tsx", main, "serve", "--policy", policy]
  const options = ["--http-port", "0", "--pg-port", "0", "--without-studies", "--log", "silent"]
  const child = spawn(process.execPath, [...args, ...options, "--requests-per-minute", "100000000"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  })
  const watcher = afterUs(`kill -KILL ${child.pid ?? ""}`)
  child.once("exit", () => watcher.dismiss())
  return child
}

/** Asks a server to end, and waits until it has. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
  })
  child.kill("SIGTERM")
  await ended
}

/** The ports of a server, once it listens. */
export async function portsOf(
  child: ChildProcess,
): Promise<{ readonly httpPort: number; readonly pgPort: number }> {
  let text = ""
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("the server did not start")))
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString()
      const [, http, pg] = /:(\d+) and to psql at port (\d+)/.exec(text) ?? []
      if (http !== undefined && pg !== undefined) resolve({ httpPort: Number(http), pgPort: Number(pg) })
    })
  })
}

/** Resident pages, as Linux tells them. */
function memoryOf(pid: number): number {
  const pages = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]
  return (Number(pages) * 4096) / 1e6
}

/** What the ledger of a hospital charged, and what its receipts add up to. */
async function totalsOf(folder: string): ReturnType<ServedHospital["stop"]> {
  const { add, exactly, showRational, zero } = await import("@dosimeter/core/exact")
  const engine = await openBenchEngine(folder)
  let [sum, count] = [zero, 0]
  for (let from = 1n; ;) {
    const entries = await engine.ledger.entries(from, 500)
    for (const { entry, position } of entries) {
      if (entry.kind !== "charge") continue
      const found = await engine.ledger.find(entry)
      if (found?.charge !== position) throw new Error(`the charge at ${position} has no receipt`)
      const receipt = receiptOfRelease(found)
      if (receipt.format !== "dosimeter-receipt/1")
        throw new Error(`the charge at ${position} has no receipt`)
      const [numerator = "0", denominator = "1"] = receipt.loss.amount.split("/")
      sum = add(sum, { numerator: exactly(numerator, "a").numerator, denominator: BigInt(denominator) })
      count += 1
    }
    from += BigInt(entries.length)
    if (entries.length < 500) break
  }
  const { spent } = await engine.account()
  await engine.close()
  return { charged: showRational(spent), receipts: showRational(sum), count }
}
