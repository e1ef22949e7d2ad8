// A study for tests that kill: a coordinator and its sites in folders of their own, each a process of its own
// that runs the command as people type it. Short commands run in the process of the test.

import { DuckDBInstance } from "@duckdb/node-api"
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { Jobs } from "../federation/coordinator/jobs.ts"
import { Bells } from "../federation/mail/bells.ts"
import { openKeyFile } from "../federation/wire/identity.ts"
import { runCommand } from "../main.ts"
import { openSqliteState } from "../state/sqlite-state.ts"
import type { StateStore } from "../state/state-store.ts"
import { until } from "./consortium.ts"
import { withoutProgress } from "./small-hospital.ts"

/** A site: the rows of its table, as SQL. */
export interface StudySite {
  readonly name: string
  readonly script: string
}

/** What a command has said. */
export interface CommandSaid {
  readonly code: number
  readonly out: string
  readonly error: string
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url))

/** The folders and processes of a study. */
export class StudyProcesses {
  readonly #folder = mkdtempSync(join(tmpdir(), "dosimeter-study-"))
  readonly #running = new Map<string, ChildProcess>()
  readonly #port: number
  readonly #names: readonly string[]

  private constructor(port: number, names: readonly string[]) {
    this.#port = port
    this.#names = names
  }

  /** Makes the folders: `policy` says the policy of a dataset of this name, the study's too. */
  static async make(
    sites: readonly StudySite[],
    options: { readonly port: number; readonly policy: (dataset: string) => string },
  ): Promise<StudyProcesses> {
    const study = new StudyProcesses(
      options.port,
      sites.map(({ name }) => name),
    )
    mkdirSync(study.folderOf("lead"))
    writeFileSync(join(study.folderOf("lead"), "study.yaml"), options.policy("trial"))
    for (const { name, script } of sites) {
      mkdirSync(study.folderOf(name))
      writeFileSync(join(study.folderOf(name), "dosimeter.yaml"), options.policy(name))
      const instance = await DuckDBInstance.create(join(study.folderOf(name), "data.duckdb"))
      const connection = await instance.connect()
      await connection.run(script)
      connection.closeSync()
      instance.closeSync()
      await study.done(name, "user", "add", "carl", "--role", "committee")
    }
    return study
  }

  folderOf(name: string): string {
    return join(this.#folder, name)
  }

  /** A command to its end, in this process. */
  async run(at: string, ...args: readonly string[]): Promise<CommandSaid> {
    let [out, error] = ["", ""]
    const code = await runCommand(args, {
      folder: this.folderOf(at),
      out: (text) => void (out += text),
      error: (text) => void (error += text),
    })
    return { code, out, error: withoutProgress(error) }
  }

  /** The same of one that must not fail: what it says. */
  async done(at: string, ...args: readonly string[]): Promise<string> {
    const { code, out, error } = await this.run(at, ...args)
    if (code !== 0 || error !== "")
      throw new Error(`dosimeter ${args.join(" ")} ended with ${code}: ${error}`)
    return out
  }

  /** The coordinator's port opens. */
  serve(): void {
    this.#start("lead", "coordinator", "serve", "--http-port", `${this.#port}`)
  }

  /** A node dials. */
  dial(name: string): void {
    this.#start(name, "node", "run")
  }

  /** Ends a process without a warning, as a power cut does: a site's, or the coordinator's ("lead"). */
  async kill(name: string): Promise<void> {
    const child = this.#running.get(name)
    this.#running.delete(name)
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "exit")
  }

  /** Whether a process goes on. */
  isRunning(name: string): boolean {
    const child = this.#running.get(name)
    return child !== undefined && child.exitCode === null && child.signalCode === null
  }

  /** All sites join, tell each other their keys, and dial. */
  async gather(): Promise<void> {
    for (const name of this.#names) {
      const url = `http://127.0.0.1:${this.#port}`
      const invited = await this.done("lead", "coordinator", "invite", name, "--url", url)
      const [line = ""] = /dosimeter-invitation-\S+/.exec(invited) ?? []
      const [fingerprint = ""] = /(?:[0-9a-f]{4}-){7}[0-9a-f]{4}/.exec(invited) ?? []
      await until(async () => {
        const { code, error } = await this.run(name, "node", "join", line, "--fingerprint", fingerprint)
        // The coordinator is still starting.
        if (code !== 0 && !error.includes("federation/unreachable")) throw new Error(error)
        return code === 0
      })
    }
    for (const name of this.#names) {
      const [, key = ""] = /key +(\S{43})\n/.exec(await this.done(name, "node", "status")) ?? []
      for (const other of this.#names.filter((one) => one !== name)) {
        await this.done(other, "node", "peer", name, key, "--as", "carl")
      }
      this.dial(name)
    }
  }

  /** Asks, and every site that is asked approves; the job's id. */
  async agreed(sites: readonly string[], ...ask: readonly string[]): Promise<string> {
    const said = await this.done("lead", "coordinator", "ask", ...ask, "--sites", sites.join(","))
    const [, job = ""] = /job ([0-9a-f]{12}) is offered/.exec(said) ?? []
    for (const name of sites) {
      await until(async () => (await this.done(name, "node", "inbox", "--as", "carl")).includes(job))
      await this.done(name, "node", "approve", job, "--as", "carl", "--yes")
    }
    return job
  }

  /** How many letters of each site about a job the coordinator has. */
  async letters(job: string): Promise<ReadonlyMap<string, number>> {
    const store = this.#state()
    try {
      const rows = await store.all(
        "SELECT peer, count(*) AS n FROM federation_letters WHERE box = 'in' AND job LIKE ? GROUP BY peer",
        [`${job}%`],
      )
      return new Map(rows.map(({ peer, n }) => [String(peer), Number(n)]))
    } finally {
      await store.close()
    }
  }

  /** While the coordinator is dead: its jobs, looked at as one would that comes back so much later. */
  async passTime(minutes: number): Promise<void> {
    const store = this.#state()
    try {
      const signer = openKeyFile(join(this.folderOf("lead"), ".dosimeter", "coordinator.key"))
      const policy = readPolicy(readFileSync(join(this.folderOf("lead"), "study.yaml"), "utf8"))
      const study = { policy, grammar: await loadGrammar(), signer }
      let ahead = 0
      const now = (): Date => new Date(Date.now() + ahead)
      const jobs = new Jobs({ store, study, bells: new Bells(), now })
      // The clock of a step begins when somebody looks at it for the first time.
      while (await jobs.step());
      ahead = minutes * 60_000
      while (await jobs.step());
    } finally {
      await store.close()
    }
  }

  #state(): StateStore {
    return openSqliteState(join(this.folderOf("lead"), ".dosimeter", "server.state"))
  }

  /** Ends all and removes the folders. */
  async remove(): Promise<void> {
    for (const name of this.#running.keys()) await this.kill(name)
    rmSync(this.#folder, { recursive: true })
  }

  #start(at: string, ...args: readonly string[]): void {
    const tsx = import.meta.resolve("tsx")
    const child = spawn(process.execPath, ["--conditions=source", "--import", tsx, main, ...args], {
      cwd: this.folderOf(at),
      env: { ...process.env, INIT_CWD: this.folderOf(at) },
      stdio: "ignore",
    })
    this.#running.set(at, child)
  }
}
