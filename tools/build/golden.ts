// `npm run golden`: runs the golden files of language and planner; `npm run golden -- --update` rewrites
// what they expect. The diff is the review.

import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { root } from "../rules/repo.ts"

const update = process.argv.includes("--update")
const { status } = spawnSync(join(root, "node_modules/.bin/vitest"), ["run", "--project", "unit", "golden"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, ...(update ? { UPDATE: "1" } : {}) },
})
process.exitCode = status ?? 1
