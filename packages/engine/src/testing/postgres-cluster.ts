// A real PostgreSQL for tests: the one that DOSIMETER_TEST_POSTGRES names, or one made in a temporary folder
// from the programs of the distribution, on a socket that only this machine sees.

import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import pg from "pg"
import { afterUs, quoted } from "./after-us.ts"

/** Against hanging only: no program of the distribution takes as long. */
const hangs = 300_000

/** A server for tests. */
export interface PostgresCluster {
  /** The URL of a new, empty database. */
  database(): Promise<string>
  /** Undefined for a server that is not ours. */
  readonly control: PostgresControl | undefined
  stop(): Promise<void>
}

/** What can be done to a server of our own. */
export interface PostgresControl {
  /** As if the power had failed: nothing is written any more. */
  crash(): void
  start(): void
}

/** Why there is no server, in one line; or how to make one. */
export type FoundPostgres =
  | { readonly missing: string }
  | { readonly open: (place?: "in memory" | "on disk") => PostgresCluster }

/** Looks for a server. */
export function findPostgres(): FoundPostgres {
  const given = process.env["DOSIMETER_TEST_POSTGRES"] ?? ""
  if (given !== "") return { open: () => clusterAt(given, undefined, async () => {}) }
  const programs = findPrograms()
  if (programs === undefined) return { missing: "no PostgreSQL: apt-get install postgresql" }
  return { open: (place = "in memory") => newCluster(programs, place) }
}

function newCluster(programs: string, place: "in memory" | "on disk"): PostgresCluster {
  const base = place === "in memory" ? quickFolder() : tmpdir()
  const folder = mkdtempSync(join(base, "dosimeter-postgres-"))
  const data = join(folder, "data")
  const user = userToBe()
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const run = (name: string, ...args: readonly string[]): void => {
    const program = join(programs, name)
    // A server keeps the streams of the pg_ctl that started it, so they must not be waited for.
    const { status } = spawnSync(program, args, { cwd: folder, stdio: "ignore", timeout: hangs, ...user })
    if (status !== 0) throw new Error(`${name} failed`)
  }
  const settings = `-c listen_addresses='' -c unix_socket_directories='${folder}' -c max_connections=40 -c max_wal_size=32MB`
  const start = (): void =>
    run("pg_ctl", "-D", data, "-w", "-l", join(folder, "log"), "-o", settings, "start")
  const stop = (mode: string): void => run("pg_ctl", "-D", data, "-w", "-m", mode, "stop")
  run(
    "initdb",
    "-D",
    data,
    "-U",
    "postgres",
    "-A",
    "trust",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
    "--wal-segsize=1",
  )
  // The first line of that file is the server; it ends at once, and takes what it started along.
  const pidFile = quoted(join(data, "postmaster.pid"))
  const watcher = afterUs(`kill -QUIT "$(head -n 1 ${pidFile})"; sleep 1; rm -rf ${quoted(folder)}`)
  start()
  return clusterAt(
    `postgres://postgres@/postgres?host=${folder}`,
    { crash: () => stop("immediate"), start },
    async () => {
      stop("immediate")
      watcher.dismiss()
      rmSync(folder, { recursive: true })
    },
  )
}

function clusterAt(
  url: string,
  control: PostgresControl | undefined,
  stop: () => Promise<void>,
): PostgresCluster {
  const made: string[] = []
  const execute = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  return {
    database: async () => {
      const name = `test_${randomBytes(6).toString("hex")}`
      await execute(`CREATE DATABASE ${name}`)
      made.push(name)
      const other = new URL(url.replace("@/", "@localhost/"))
      other.pathname = `/${name}`
      return other.href
    },
    control,
    stop: async () => {
      // A cluster of our own goes as a whole.
      if (control === undefined) for (const name of made) await execute(`DROP DATABASE ${name} WITH (FORCE)`)
      await stop()
    },
  }
}

/** A server that crashes keeps what the system has in memory, so a folder in memory is as good for tests. */
function quickFolder(): string {
  const memory = "/dev/shm"
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 300e6 ? memory : tmpdir()
}

/** PostgreSQL does not run as root: then as the account that the distribution makes for it. */
function userToBe(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string): number =>
    Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout)
  return { uid: idOf("-u"), gid: idOf("-g") }
}

/** Where the programs are: Debian keeps each version in a folder of its own. */
function findPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql"
  const versions = foldersIn(debian).toSorted((a, b) => Number(b) - Number(a))
  const path = (process.env["PATH"] ?? "").split(delimiter)
  return [...path, ...versions.map((version) => join(debian, version, "bin"))].find((folder) => {
    try {
      accessSync(join(folder, "initdb"), constants.X_OK)
      return true
    } catch {
      return false // Not here: the next folder may have it.
    }
  })
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // Not a Debian, or nothing installed.
  }
}
