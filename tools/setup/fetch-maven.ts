// Servers for tests from Maven Central: fetched by the Maven of this machine, which knows its mirrors and
// proxies, and compared with a sum that is written down here.

import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { createReadStream, existsSync } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"

/** One file of Maven Central. */
export interface MavenFile {
  readonly group: string
  readonly name: string
  readonly version: string
  readonly kind: "tar.gz" | "zip" | "jar"
  readonly sha256: string
}

/** Fetches a file into a folder, under the name that `mavenName` gives; or why not, in one line. */
export async function fetchMaven(
  file: MavenFile,
  { maven, folder }: { readonly maven: string; readonly folder: string },
): Promise<string | undefined> {
  const name = mavenName(file)
  console.log(`fetching ${name}, once`)
  const coordinates = `${file.group}:${file.name}:${file.version}:${file.kind}`
  const copy = "org.apache.maven.plugins:maven-dependency-plugin:2.8:copy"
  const args = ["-q", "-B", copy, `-Dartifact=${coordinates}`, `-DoutputDirectory=${folder}`]
  const { status } = spawnSync(maven, args, { cwd: folder, stdio: "ignore", timeout: 900_000 })
  const path = join(folder, name)
  if (status !== 0 || !existsSync(path)) return `Maven could not fetch ${coordinates}`
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex") === file.sha256 ? undefined : `${name} is not the file that it was`
}

/** What Maven calls a file. */
export function mavenName({ name, version, kind }: MavenFile): string {
  return `${name}-${version}.${kind}`
}
