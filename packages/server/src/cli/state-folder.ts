// Where a dataset keeps what belongs to it: beside its policy.

import { dirname, join, resolve } from "node:path"
import type { Session } from "./session.ts"

/** Where the ledger and what belongs to it is kept: beside the policy. */
export function stateFolder(session: Session, policy: string): string {
  return join(dirname(resolve(session.folder, policy)), ".dosimeter")
}
