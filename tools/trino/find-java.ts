// Finds a Java that runs the Trino of the tests: JAVA_HOME, the PATH, and where Debian keeps its versions.

import { spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { findProgram } from "../setup/install-debian.ts"

/** The oldest Java that the server of fetch-trino.ts starts on. */
export const oldestJava = 24

const debian = "/usr/lib/jvm"

/** The folder of a Java that is new enough, with the program `jar` in it. */
export function findJava(): string | undefined {
  const onPath = findProgram("java")
  const homes = [
    process.env["JAVA_HOME"] ?? "",
    ...(onPath === undefined ? [] : [dirname(dirname(onPath))]),
    ...(existsSync(debian) ? readdirSync(debian).map((name) => join(debian, name)) : []),
  ]
  return homes.find((home) => existsSync(join(home, "bin", "jar")) && versionOf(home) >= oldestJava)
}

function versionOf(home: string): number {
  const { stderr } = spawnSync(join(home, "bin", "java"), ["-version"], { encoding: "utf8" })
  return Number(/version "(\d+)/.exec(stderr ?? "")?.[1] ?? 0)
}
