// Opens the dataset of a policy for a command, and closes it whatever happens.

import { openEngine, type Engine } from "@dosimeter/engine"
import { dirname, join, resolve } from "node:path"
import { withProgress } from "./progress.ts"
import type { Session } from "./session.ts"

/** Runs something with the dataset of a policy. */
export async function withDataset(
  session: Session,
  policy: string,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const text = session.read(policy)
  const folder = dirname(resolve(session.folder, policy))
  const engine = await withProgress(session, "opening the data", openEngine({ policy: text, folder }))
  try {
    await use(engine)
  } finally {
    await engine.close()
  }
}

/** Where the ledger and what belongs to it is kept: beside the policy. */
export function stateFolder(session: Session, policy: string): string {
  return join(dirname(resolve(session.folder, policy)), ".dosimeter")
}
