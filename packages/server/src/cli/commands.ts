// The commands, in the order of the help. A new one is a file of this folder and a name here.

import type { Command } from "commander"
import { addAsk } from "./ask.ts"
import { addBudget } from "./budget.ts"
import { addCheck } from "./check.ts"
import { addDemo } from "./demo.ts"
import { addExplain } from "./explain.ts"
import { addInit } from "./init.ts"
import { addLedger } from "./ledger.ts"
import { addLocal } from "./local.ts"
import { addPlan } from "./plan.ts"
import { addPrepare } from "./prepare.ts"
import { addReceipts } from "./receipts.ts"
import { addSeries } from "./series.ts"
import { serverCommands } from "./server-commands.ts"
import type { Session } from "./session.ts"

/** Every command: each adds itself to the program. */
export const commands: readonly ((program: Command, session: Session) => void)[] = [
  addDemo,
  addInit,
  addCheck,
  addPrepare,
  addAsk,
  addExplain,
  addPlan,
  addSeries,
  addBudget,
  addReceipts,
  addLedger,
  addLocal,
  ...serverCommands,
]
