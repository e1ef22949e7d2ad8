// The commands, in the order of the help. A new one is a file of this folder and a name here.

import type { Command } from "commander"
import { addAsk } from "./ask/ask.ts"
import { addBudget } from "./ask/budget.ts"
import { addCheck } from "./owner/check.ts"
import { addDemo } from "./serve/demo.ts"
import { addExplain } from "./ask/explain.ts"
import { addInit } from "./owner/init.ts"
import { addLedger } from "./owner/ledger.ts"
import { addLocal } from "./owner/local.ts"
import { addPlan } from "./ask/plan.ts"
import { addPrepare } from "./owner/prepare.ts"
import { addReceipts } from "./ask/receipts.ts"
import { addSeries } from "./ask/series.ts"
import { serverCommands } from "./server-commands.ts"
import type { Session } from "./session/session.ts"

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
