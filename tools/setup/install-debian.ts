// What npm cannot give comes from the distribution's packages, where the system allows it.

import { spawnSync } from "node:child_process"
import { accessSync, constants, existsSync, readdirSync } from "node:fs"
import { delimiter, join } from "node:path"

/** Installs a package. Returns nothing when it is there, or in one line why it is not. */
export function installDebian(name: string): string | undefined {
  if (findProgram("apt-get") === undefined) return `no ${name}, and no apt-get to install it with`
  if (process.getuid?.() !== 0) return `no ${name}; as root, run: apt-get install ${name}`
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  console.log(`installing ${name} with apt-get, once`)
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", name],
  ]) {
    const { status, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8", timeout: 600_000 })
    if (status !== 0) {
      return `apt-get ${args[0]} failed: ${(stderr ?? "").trim().split("\n").at(-1)}`
    }
  }
  return undefined
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
