// Opens the server's state that is kept beside a policy, and closes it whatever happens.

import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { openSqliteState } from "../governance/sqlite-state.ts"
import type { StateStore } from "../governance/state-store.ts"
import { stateFolder } from "./dataset.ts"
import type { Session } from "./session.ts"

/** Runs something with the state of a server. */
export async function withState<Result>(
  session: Session,
  policy: string,
  use: (store: StateStore) => Promise<Result>,
): Promise<Result> {
  // A typing error would make a state that no server looks at.
  session.read(policy)
  const folder = stateFolder(session, policy)
  mkdirSync(folder, { recursive: true })
  const store = openSqliteState(join(folder, "server.state"))
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}
