// The commands of governance: who may ask, in which studies, what waits, what failed; and the server itself.

import type { Command } from "commander"
import { addAirlock } from "./governance/airlock.ts"
import { addAudit } from "./governance/audit.ts"
import { addConsent } from "./governance/consent.ts"
import { addIncidents } from "./owner/incidents.ts"
import { addRaise } from "./governance/raise.ts"
import { addServe } from "./serve/serve.ts"
import type { Session } from "./session/session.ts"
import { addStudy } from "./governance/study.ts"
import { addToken } from "./governance/token.ts"
import { addUser } from "./governance/user.ts"

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
