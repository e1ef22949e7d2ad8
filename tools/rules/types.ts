// `npm run types`: checks the types of every package by itself, then of everything together. `npm run build`
// (`--build`): writes each package's dist, lower packages first.

import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { packageNames } from "./packages.ts"
import { root } from "./repo.ts"

/** The arguments of the compiler, one list for each run. */
export function typeChecks(): readonly (readonly string[])[] {
  return [...packageNames().map((name) => `packages/${name}`), "."].map((path) => ["-p", path, "--noEmit"])
}

function main(build: boolean): void {
  const runs = build ? packageNames().map((name) => ["-p", `packages/${name}`]) : typeChecks()
  for (const args of runs) run("tsc", args)
  // Pages for browsers are bundled; the compiler only checks them.
  if (build) run("vite", ["build", "packages/web"])
}

function run(program: string, args: readonly string[]): void {
  const path = join(root, "node_modules/.bin", program)
  const { status } = spawnSync(path, args, { cwd: root, stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.includes("--build"))
