// Opens the dataset of a policy for a command, and closes it whatever happens.

import { openEngine, type DatasetOptions, type Engine } from "@dosimeter/engine"
import { dirname, resolve } from "node:path"
import type { StateStore } from "../../../state/state-store.ts"
import { StoredConsent } from "../../../consent/stored-consent.ts"
import { fail } from "../../../errors.ts"
import { auditMemory } from "./audit-memory.ts"
import { withProgress } from "./progress.ts"
import { openState } from "./server-state.ts"
import type { Session } from "./session.ts"

/** Runs something with the dataset of a policy. */
export async function withDataset(
  session: Session,
  policy: string,
  use: (engine: Engine) => Promise<void>,
  { held = false }: { readonly held?: boolean } = {},
): Promise<void> {
  // The state is opened by the first question that asks for consent, if there is one.
  let store: Promise<StateStore> | undefined
  const consent = new StoredConsent(() => (store ??= openState(session, policy)))
  const engine = await opening(session, policy, (options) =>
    openEngine({ ...options, consent, held, remembers: auditMemory(session, policy) }),
  )
  try {
    await use(engine)
  } finally {
    await engine.close()
    await (await store)?.close()
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
  try {
    return await withProgress(session, () => what, open(options))
  } catch (error) {
    // Whatever it broke off, nothing is wrong with the data or the disk.
    if (signal?.aborted === true) return fail("cli/stopped", {})
    throw error
  }
}
