// `npm run openapi`: writes docs/openapi.json from the contract of the HTTP door. A test of the server compares
// the two.

import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { contract } from "../../packages/server/src/doors/http/contract/contract.ts"
import { openApiDocument } from "../../packages/server/src/doors/http/contract/openapi.ts"
import { root } from "../rules/repo.ts"

const path = join(root, "docs/openapi.json")
writeFileSync(path, `${JSON.stringify(openApiDocument(contract))}\n`)
spawnSync(join(root, "node_modules/.bin/oxfmt"), [path], { stdio: "inherit" })
