// The audit trail of a server shows that there was a ledger: it has questions that were answered.

import { existsSync } from "node:fs"
import { join } from "node:path"
import { withState } from "./server-state.ts"
import type { Session } from "./session.ts"
import { stateFolder } from "./state-folder.ts"

/** What the audit trail beside a policy remembers, in a sentence; undefined if that is nothing. */
export function auditMemory(session: Session, policy: string): () => Promise<string | undefined> {
  return async () => {
    const isThere =
      session.store !== undefined || existsSync(join(stateFolder(session, policy), "server.state"))
    if (!isThere) return undefined
    return withState(session, policy, async (store) => {
      const rows = await store.all("SELECT COUNT(*) AS n FROM audit WHERE what = 'question-answered'")
      const count = Number(rows[0]?.["n"] ?? 0)
      return count === 0 ? undefined : `the audit trail knows of ${count} answered questions`
    })
  }
}
