// What npm cannot give comes from the distribution's packages, where the system allows it.

import { spawnSync } from "node:child_process"
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

/** What the lists and one package may take: against servers that do not answer. */
const limitsMs = { update: 180_000, install: 600_000 } as const
/** Why nothing can be installed: servers that did not answer once are not asked again. */
let unreachable: string | undefined

/** Installs a package. Returns nothing when it is there, or in one line why it is not. */
export function installDebian(name: string): string | undefined {
  if (findProgram("apt-get") === undefined) return `no ${name}, and no apt-get to install it with`
  if (process.getuid?.() !== 0) return `no ${name}; as root, run: apt-get install ${name}`
  if (unreachable !== undefined) return unreachable
  console.log(`installing ${name} with apt-get, once`)
  unreachable = aptGet("update", ["-qq"])
  return unreachable ?? aptGet("install", ["-y", "-qq", "--no-install-recommends", name])
}

/** Runs apt-get; nothing when it has done what it should, or in one line why not. */
function aptGet(what: keyof typeof limitsMs, args: readonly string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "apt-get-"))
  const errors = join(folder, "errors")
  const file = openSync(errors, "w")
  // At run level 1 no package starts a server. If one does, no pipe is left for it to keep open.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" }
  const { status } = spawnSync("apt-get", [what, ...args], {
    env,
    stdio: ["ignore", "ignore", file],
    timeout: limitsMs[what],
  })
  closeSync(file)
  const last = readFileSync(errors, "utf8").trim().split("\n").at(-1) ?? ""
  rmSync(folder, { recursive: true })
  return status === 0 ? undefined : `apt-get ${what} failed: ${last}`
}

/** Installs psql if need be, for the tests of the server. */
export function installPsql(): string | undefined {
  return findProgram("psql") === undefined ? installDebian("postgresql-client") : undefined
}

/** Installs a server of PostgreSQL if need be, for the tests of shared ledgers. */
export function installPostgres(): string | undefined {
  // Debian keeps its programs in a folder for each version, off the PATH.
  const folder = "/usr/lib/postgresql"
  const versions = existsSync(folder) ? readdirSync(folder) : []
  const isThere = versions.some((version) => existsSync(join(folder, version, "bin", "initdb")))
  if (isThere || findProgram("initdb") !== undefined || (process.env["DOSIMETER_TEST_POSTGRES"] ?? "") !== "")
    return undefined
  return installDebian("postgresql")
}

/** Where a program is, if it is on the PATH. */
export function findProgram(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false // Not here: the next folder may have it.
      }
    })
}
