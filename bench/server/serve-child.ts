// A server of its own process on the demo hospital, with a budget that a benchmark cannot use up.

import { spawn, type ChildProcess } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openEngine, receiptOfRelease } from "@dosimeter/engine"
import { makeHospital } from "../../packages/server/src/demo/hospital.ts"
import { Accounts } from "../../packages/server/src/people/accounts.ts"
import { makeUpPassword } from "../../packages/server/src/people/password-hash.ts"
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

/** Makes the hospital and starts the server. */
export async function serveHospital(persons: number): Promise<ServedHospital> {
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
  await (await openEngine({ policy: readFileSync(policy, "utf8"), folder })).close()
  const state = openSqliteState(join(folder, ".dosimeter/server.state"))
  const password = makeUpPassword()
  const account = await new Accounts(state).add("ada", "analyst", password, { origin: "made-up" })
  const { secret } = await new Tokens(state).add({ name: "bench", account })
  await state.close()
  const child = startServer(policy)
  const { httpPort, pgPort } = await portsOf(child)
  return {
    httpPort,
    pgPort,
    token: secret,
    password,
    memoryMb: () => memoryOf(child.pid ?? 0),
    stop: async () => {
      const ended = new Promise<void>((resolve) => {
        child.once("exit", () => resolve())
      })
      child.kill("SIGTERM")
      await ended
      return totalsOf(folder)
    },
    remove: () => {
      child.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

function startServer(policy: string): ChildProcess {
  const main = join(import.meta.dirname, "../../packages/server/src/main.ts")
  const args = ["--conditions=source", "--import", "tsx", main, "serve", "--policy", policy]
  const options = ["--http-port", "0", "--pg-port", "0", "--without-studies", "--log", "silent"]
  return spawn(process.execPath, [...args, ...options, "--requests-per-minute", "100000000"], {
    stdio: ["ignore", "pipe", "inherit"],
  })
}

async function portsOf(child: ChildProcess): Promise<{ readonly httpPort: number; readonly pgPort: number }> {
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

async function totalsOf(folder: string): ReturnType<ServedHospital["stop"]> {
  const { add, exactly, showRational, zero } = await import("@dosimeter/core/exact")
  const engine = await openEngine({ policy: readFileSync(join(folder, "dosimeter.yaml"), "utf8"), folder })
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
