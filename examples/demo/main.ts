// `npm run demo`: makes up a hospital, asks it five questions in SQL, and says what to try next. With --core, the
// mechanisms behind it; other arguments go to `dosimeter demo`.

import { processContext, runCommand } from "@dosimeter/server"
import { showCore } from "./core.ts"

const args = process.argv.slice(2)
if (args.includes("--core")) showCore()
else process.exitCode = await runCommand(["demo", ...args], processContext())
