// Opens the dataset of a policy for a command, and closes it whatever happens.

import { openEngine, type DatasetOptions, type Engine, type LedgerPlace } from "@dosimeter/engine"
import { dirname, join, resolve } from "node:path"
import { withProgress } from "./progress.ts"
import type { Session } from "./session.ts"

/** Runs something with the dataset of a policy. */
export async function withDataset(
  session: Session,
  policy: string,
  use: (engine: Engine) => Promise<void>,
): Promise<void> {
  const engine = await opening(session, policy, openEngine)
  try {
    await use(engine)
  } finally {
    await engine.close()
  }
}

/** Opens the dataset of a policy in some way, and says what is being done if that takes long. */
export async function opening<T>(
  session: Session,
  policy: string,
  open: (options: DatasetOptions) => Promise<T>,
): Promise<T> {
  let what = "opening the data"
  const { signal, store } = session
  const options: DatasetOptions = {
    policy: session.read(policy),
    folder: dirname(resolve(session.folder, policy)),
    onProgress: ({ label, done, total }) => {
      what = `preparing the data once: ${label}, ${done} of ${total} done`
    },
    ...(signal === undefined ? {} : { signal }),
    ...(store === undefined ? {} : { store }),
  }
  return withProgress(session, () => what, open(options))
}

/** Where the ledger of a policy is, or its anchor and key if a store is shared. */
export function ledgerPlace(session: Session, policy: string): LedgerPlace {
  const { store } = session
  const place = { folder: dirname(resolve(session.folder, policy)), state: stateFolder(session, policy) }
  return store === undefined ? place : { ...place, store }
}

/** Where the ledger and what belongs to it is kept: beside the policy. */
export function stateFolder(session: Session, policy: string): string {
  return join(dirname(resolve(session.folder, policy)), ".dosimeter")
}
