// What every door's questions go through besides accounts and studies: the audit trail and the airlock.

import type { Engine } from "@dosimeter/engine"
import { Airlock } from "./airlock.ts"
import { AuditLog } from "./audit-log.ts"
import type { StateStore } from "./state-store.ts"

/** Both, over the state of a server. */
export function governanceOf(
  { ledger }: Pick<Engine, "ledger">,
  store: StateStore,
): { readonly airlock: Airlock; readonly audit: AuditLog } {
  return { airlock: new Airlock(store, ledger), audit: new AuditLog(store) }
}
