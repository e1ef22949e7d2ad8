// `node tools/build/build-web.ts`: builds the screens for browsers, if that was not done since their sources changed.
// Before the demo and before the tests in a browser; `npm run build` builds them in any case.

import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { purePackages } from "../rules/import-policy.ts"
import { listFiles, root } from "../rules/repo.ts"

const built = join(root, "packages/web/dist/index.html")
const pure = purePackages.map((name) => `packages/${name}/src`)
const sources = [
  "packages/web",
  ...pure,
  "packages/server/src/doors/http/contract",
  "packages/server/src/people",
]

/** Builds the screens if need be; true if they are there. */
export function buildWeb(): boolean {
  if (isNew()) return true
  console.log("building the screens for browsers")
  const args = ["build", "packages/web", "--logLevel", "error"]
  const { status } = spawnSync(join(root, "node_modules/.bin/vite"), args, { cwd: root, stdio: "inherit" })
  return status === 0
}

function isNew(): boolean {
  if (!existsSync(built)) return false
  const { mtimeMs } = statSync(built)
  return sources.flatMap(listFiles).every((path) => statSync(join(root, path)).mtimeMs <= mtimeMs)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href && !buildWeb()) process.exitCode = 1
