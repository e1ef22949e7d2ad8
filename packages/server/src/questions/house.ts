// The questions of a house: with its accounts and studies, its audit trail and its airlocks. Every door gets
// the result of this function, so that no door can leave a part out.

import type { Engine, Incident } from "@dosimeter/engine"
import type { Accounts } from "../people/accounts.ts"
import { Airlock } from "../studies/airlock.ts"
import { AuditLog } from "../audit/audit-log.ts"
import { failedSignIns } from "../people/failed-sign-ins.ts"
import { HouseAskers } from "./house-askers.ts"
import { Questions } from "./questions.ts"
import { ReleaseTexts } from "./release-texts.ts"
import type { StateStore } from "../state/state-store.ts"
import type { Studies } from "../studies/studies.ts"
import { TryLimits } from "../limits/try-limits.ts"

/** The limits on guessing that all doors share; what goes wrong is in the audit trail. */
export function tryLimitsOf(house: { readonly accounts: Accounts; readonly store: StateStore }): TryLimits {
  const audit = new AuditLog(house.store)
  return new TryLimits(() => performance.now(), failedSignIns(house.accounts, audit))
}

/** Makes the questions of a house, over the state of a server. */
export function questionsOf(house: {
  readonly engine: Engine
  readonly accounts: Accounts
  /** Undefined for a house without studies. */
  readonly studies: Studies | undefined
  readonly store: StateStore
  /** Told of what has failed after it was charged, for the operator. */
  readonly onIncident?: (incident: Incident) => void
}): Questions {
  const { engine, accounts, studies, store, onIncident } = house
  const airlock = new Airlock(store, engine.ledger)
  const texts = new ReleaseTexts(store, engine.ledger)
  const askers = new HouseAskers({ engine, accounts, studies, airlock })
  return new Questions({ engine, askers, airlock, texts, audit: new AuditLog(store), onIncident })
}
