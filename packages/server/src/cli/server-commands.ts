// The commands of governance: who may ask, in which studies, what waits, what failed; and the server itself.

import type { Command } from "commander"
import { addAirlock } from "./airlock.ts"
import { addAudit } from "./audit.ts"
import { addConsent } from "./consent.ts"
import { addIncidents } from "./incidents.ts"
import { addRaise } from "./raise.ts"
import { addServe } from "./serve.ts"
import type { Session } from "./session.ts"
import { addStudy } from "./study.ts"
import { addToken } from "./token.ts"
import { addUser } from "./user.ts"

/** Each adds itself to the program. */
export const serverCommands: readonly ((program: Command, session: Session) => void)[] = [
  addUser,
  addToken,
  addStudy,
  addConsent,
  addAirlock,
  addRaise,
  addIncidents,
  addAudit,
  addServe,
]
