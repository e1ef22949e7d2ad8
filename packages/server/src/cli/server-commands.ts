// The commands around the server: who may connect, in which studies, and the server itself.

import type { Command } from "commander"
import { addAirlock } from "./airlock.ts"
import { addAudit } from "./audit.ts"
import { addConsent } from "./consent.ts"
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
  addAudit,
  addServe,
]
