// Opens the server's state that is kept beside a policy, and closes it whatever happens.

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { openSqliteState } from "../governance/sqlite-state.ts"
import type { StateStore } from "../governance/state-store.ts"
import { stateFolder } from "./state-folder.ts"
import type { Session } from "./session.ts"

/** Opens the state of a server, for whoever closes it. */
export function openState(session: Session, policy: string): StateStore {
  // A typing error would make a state that no server looks at.
  session.read(policy)
  const folder = stateFolder(session, policy)
  mkdirSync(folder, { recursive: true })
  return openSqliteState(join(folder, "server.state"))
}

/** Runs something with the state of a server. */
export async function withState<Result>(
  session: Session,
  policy: string,
  use: (store: StateStore) => Promise<Result>,
): Promise<Result> {
  const store = openState(session, policy)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
