// The server of Trino for tests, from Maven Central: fetched once, into a folder of the user's cache.

import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fetchMaven, mavenName, type MavenFile } from "../setup/fetch-maven.ts"
import { findProgram } from "../setup/install-debian.ts"
import { findJava, oldestJava } from "./find-java.ts"

/** The version that is tested. */
export const trinoVersion = "476"

const server = artifactOf(
  "trino-server-core",
  "tar.gz",
  "0f388f9967c177ae70a47c099082fc95387f0c3cb96d8000d1d41fc3a5223158",
)

const plugins: readonly MavenFile[] = [
  artifactOf("trino-iceberg", "zip", "99edba5b491ed94d599aeb61e0794272d3569d8b563f3bb8569e8a49daa87b6c"),
  artifactOf("trino-memory", "zip", "bade81c52e2f7177a7b867aee1b10fae48fefda9c38f3ec6aeb006fdde5f0378"),
  artifactOf("trino-tpch", "zip", "d83467efe864b1e77013208c293835e197bc3135318c2895521c1efbb7f232bd"),
]

function artifactOf(name: string, kind: MavenFile["kind"], sha256: string): MavenFile {
  return { group: "io.trino", name, version: trinoVersion, kind, sha256 }
}

/** A Trino that can be started. */
export interface TrinoFiles {
  /** The folder of a Java that runs it. */
  readonly java: string
  /** The folders of the server's classes and of its plugins. */
  readonly lib: string
  readonly plugin: string
}

/** Fetches what is not there yet; or why it cannot be had, in one line. */
export async function fetchTrino(): Promise<TrinoFiles | { readonly missing: string }> {
  const java = findJava()
  if (java === undefined) return { missing: `no Java ${oldestJava} or newer with its tools (JDK)` }
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "dosimeter")
  const folder = join(cache, `trino-${trinoVersion}`)
  const found = { java, lib: join(folder, "lib"), plugin: join(folder, "plugin") }
  if (existsSync(folder)) return found
  const maven = findProgram("mvn")
  if (maven === undefined) return { missing: "no Maven (mvn) to fetch the server with" }
  const next = join(cache, `trino-${trinoVersion}.${process.pid}`)
  mkdirSync(next, { recursive: true })
  try {
    for (const artifact of [server, ...plugins]) {
      const problem = await fetchOne(artifact, { maven, java, folder: next })
      if (problem !== undefined) return { missing: problem }
    }
    // Whole under its name, or not there.
    if (!existsSync(folder)) renameSync(join(next, nameOf(server)), folder)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
  return found
}

interface Work {
  readonly maven: string
  readonly java: string
  readonly folder: string
}

async function fetchOne(artifact: MavenFile, { maven, java, folder }: Work): Promise<string | undefined> {
  const problem = await fetchMaven(artifact, { maven, folder })
  if (problem !== undefined) return problem
  const whole = mavenName(artifact)
  const file = join(folder, whole)
  const isUnpacked =
    artifact.kind === "zip" ? unpackPlugin(java, folder, artifact) : unpackServer(folder, file)
  rmSync(file)
  return isUnpacked ? undefined : `${whole} could not be unpacked`
}

function unpackServer(folder: string, file: string): boolean {
  return spawnSync("tar", ["xzf", file], { cwd: folder }).status === 0
}

// Plugins lie in folders named after them. Java's own archiver is there wherever Java is.
function unpackPlugin(java: string, folder: string, artifact: MavenFile): boolean {
  const { status } = spawnSync(join(java, "bin", "jar"), ["xf", `${nameOf(artifact)}.zip`], { cwd: folder })
  if (status !== 0 || !readdirSync(folder).includes(nameOf(artifact))) return false
  renameSync(join(folder, nameOf(artifact)), join(folder, nameOf(server), "plugin", artifact.name))
  return true
}

function nameOf({ name }: MavenFile): string {
  return `${name}-${trinoVersion}`
}
