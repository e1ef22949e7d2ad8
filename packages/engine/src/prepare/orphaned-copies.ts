// Copies whose key is gone: nothing but an earlier life of the dataset leaves them behind.

import { existsSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"

/** The datasets of a state folder that have copies and no key. Looked at before opening makes a new key. */
export function orphanedCopies(options: {
  readonly folder: string
  readonly state?: string
}): readonly string[] {
  const { folder, state = join(folder, ".dosimeter") } = options
  if (!existsSync(state)) return []
  const names = readdirSync(state).filter((name) => name.endsWith(".prepared"))
  return names
    .map((name) => basename(name, ".prepared"))
    .filter((dataset) => !existsSync(join(state, `${dataset}.key`)))
}
