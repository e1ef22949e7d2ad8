// `dosimeter prepare`: makes the copies of a dataset's present version.

import { statSync } from "node:fs"
import { openDataset, type DatasetOptions } from "./open-dataset.ts"
import { preparedFile } from "./prepared-file.ts"

/** What was made. */
export interface Prepared {
  /** "visits", "visits by ward", in the order in which they were made. */
  readonly copies: readonly string[]
  readonly file: string
  readonly bytes: number
}

/**
 * Makes what is missing, whatever its size; nothing, if all is there. A try that was stopped is continued.
 */
export async function prepareDataset(options: DatasetOptions): Promise<Prepared> {
  const { opened, prepared, state, policy } = await openDataset({ ...options, prepare: "always" })
  opened.close()
  const file = preparedFile(state, policy.dataset)
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return { copies: prepared.map(({ label }) => label), file, bytes }
}
