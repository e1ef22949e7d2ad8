// A small hospital behind the Postgres door: an analyst `ada`, an auditor `eve`, one server in plain text and
// one that demands TLS, and the real psql.

import { openEngine, type Engine } from "@dosimeter/engine"
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Accounts } from "../people/accounts.ts"
import { questionsOf, tryLimitsOf } from "../questions/house.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import { EngineAccess } from "../doors/pgwire/engine-access.ts"
import { openPgServer, type PgServer } from "../doors/pgwire/pg-server.ts"
import { smallHospital, type Ran } from "./small-hospital.ts"

/** The certificate of the server that demands TLS. */
export const certificate = join(import.meta.dirname, "../../test/fixtures/localhost.crt")
/** Everybody's password. */
export const password = "correct horse"
/** Whether psql is installed. */
export const hasPsql = spawnSync("psql", ["--version"]).status === 0

/** A house with a Postgres door. */
export interface PgHouse {
  readonly engine: Engine
  readonly accounts: Accounts
  readonly server: PgServer
  readonly secure: PgServer
  /** What a driver needs to connect as ada. */
  readonly login: {
    readonly host: string
    readonly port: number
    readonly user: string
    readonly password: string
    readonly database: string
  }
  /** Runs psql with these settings of the connection and commands. */
  psql(options: string, ...commands: readonly string[]): Promise<Ran>
  close(): Promise<void>
}

/** Opens one with the small hospital; `change` is applied to its policy first. */
export async function openPgHouse(change = (policy: string): string => policy): Promise<PgHouse> {
  const { folder, remove } = await smallHospital()
  const house = await openPgHouseOf(folder, change(readFileSync(join(folder, "dosimeter.yaml"), "utf8")))
  const close = async (): Promise<void> => {
    await house.close()
    remove()
  }
  return { ...house, close }
}

/** Opens one with the data of a folder. */
export async function openPgHouseOf(data: string, policy: string): Promise<PgHouse> {
  const folder = mkdtempSync(join(tmpdir(), "dosimeter-tls-"))
  const engine = await openEngine({ policy, folder: data, prepare: "never" })
  const database = engine.policy.dataset
  const state = openSqliteState(join(folder, "server.state"))
  const accounts = new Accounts(state)
  await accounts.add("ada", "analyst", password)
  await accounts.add("eve", "auditor", password)
  const questions = questionsOf({ engine, accounts, studies: undefined, store: state })
  const limits = tryLimitsOf({ accounts, store: state })
  const access = new EngineAccess({ questions, accounts, limits, budget: async () => "a bar" })
  // On a busy machine psql takes its time to say who it is.
  const door = { access, host: "127.0.0.1", port: 0, strangerMs: 600_000 }
  const server = await openPgServer(door)
  const tls = {
    cert: readFileSync(certificate, "utf8"),
    key: readFileSync(certificate.replace(/crt$/, "key"), "utf8"),
  }
  const secure = await openPgServer({ ...door, tls, tlsRequired: true })
  return {
    engine,
    accounts,
    server,
    secure,
    login: { host: "127.0.0.1", port: server.port, user: "ada", password, database },
    psql: (options, ...commands) => {
      const { port } = options.includes("sslmode=verify") ? secure : server
      return runPsql(`host=127.0.0.1 port=${port} dbname=${database} ${options}`, commands)
    },
    close: async () => {
      await server.close()
      await secure.close()
      await access.close()
      await engine.close()
      await state.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function runPsql(link: string, commands: readonly string[]): Promise<Ran> {
  const args = ["-X", link, ...commands.flatMap((command) => ["-c", command])]
  const child = spawn("psql", args, { env: { ...process.env, PGPASSWORD: password, LC_ALL: "C" } })
  let [out, error] = ["", ""]
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (error += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => {
    child.on("close", resolve)
  })
  return { code: code ?? -1, out, error }
}
