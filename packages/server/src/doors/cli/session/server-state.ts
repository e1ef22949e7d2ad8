// Opens the server's state, beside a policy or in the shared store, and closes it whatever happens.

import { readName, readPolicy } from "@dosimeter/policy/read/read-policy"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { openPostgresState } from "../../../state/postgres-state.ts"
import { openSqliteState } from "../../../state/sqlite-state.ts"
import type { StateStore } from "../../../state/state-store.ts"
import { stateFolder } from "./state-folder.ts"
import type { Session } from "./session.ts"

/** Runs something with the state of a server. */
export async function withState<Result>(
  session: Session,
  policy: string,
  use: (store: StateStore) => Promise<Result>,
): Promise<Result> {
  const store = await openState(session, policy)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Opens the state of a server, for whoever closes it. */
export async function openState(session: Session, policy: string): Promise<StateStore> {
  // A typing error would make a state that no server looks at.
  const text = session.read(policy)
  const { store } = session
  if (store !== undefined) return openPostgresState(store, readName(text) ?? readPolicy(text).dataset)
  const folder = stateFolder(session, policy)
  mkdirSync(folder, { recursive: true })
  return openSqliteState(join(folder, "server.state"))
}
