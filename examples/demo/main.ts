// `npm run demo`: makes up a hospital, asks it five questions in SQL, and says what to try next. With --core, the
// mechanisms behind it; with federated, a study over three hospitals; other arguments go to `dosimeter demo`.

import { processContext, runCommand } from "@dosimeter/server"
import { showCore } from "./core.ts"
import { showFederated } from "./federated/walk.ts"

const args = process.argv.slice(2)
if (args.includes("--core")) showCore()
else if (args[0] === "federated") await showFederated({ serve: !args.includes("--no-serve") })
else process.exitCode = await runCommand(["demo", ...args], processContext())
