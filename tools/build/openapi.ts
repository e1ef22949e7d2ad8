// `npm run openapi`: writes docs/openapi.json from the contract of the HTTP door, and that of a coordinator beside
// it. Tests of the server compare them.

import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { contract } from "../../packages/server/src/doors/http/contract/contract.ts"
import { coordinatorContract } from "../../packages/server/src/doors/http/contract/lead-contract.ts"
import { openApiDocument } from "../../packages/server/src/doors/http/contract/openapi.ts"
import { root } from "../rules/repo.ts"

for (const [file, routes] of [
  ["docs/openapi.json", contract],
  ["docs/openapi-coordinator.json", coordinatorContract],
] as const) {
  const path = join(root, file)
  writeFileSync(path, `${JSON.stringify(openApiDocument(routes))}\n`)
  spawnSync(join(root, "node_modules/.bin/oxfmt"), [path], { stdio: "inherit" })
}
