// Runs before every test file: files share the modules of their worker, and a seeded draw must be the same
// whichever files came before.

import { forgetTables } from "../../packages/core/src/noise/table-cache.ts"

forgetTables()
