// `dosimeter prepare`: makes the copies of a dataset's present version.

import { openDataset, type DatasetOptions } from "./open-dataset.ts"

/** What was made. */
export interface Prepared {
  /** "visits", "visits by ward", in the order in which they were made; none where the database keeps none. */
  readonly copies: readonly string[]
  /** The file, or the schema, that they are in. */
  readonly file: string
  readonly bytes: number
}

/**
 * Makes what is missing, whatever its size; nothing, if all is there. A try that was stopped is continued.
 */
export async function prepareDataset(options: DatasetOptions): Promise<Prepared> {
  const { backend, prepared, copies } = await openDataset({ ...options, prepare: "always" })
  try {
    const { place: file, bytes } = (await copies?.stored()) ?? { place: "", bytes: 0 }
    return { copies: prepared.map(({ label }) => label), file, bytes }
  } finally {
    await backend.close()
  }
}
