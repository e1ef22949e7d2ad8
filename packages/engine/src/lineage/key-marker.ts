// The key of a dataset remembers that a ledger was begun beside it: somebody who removes ledger and anchor,
// and keeps the key, does not get a new budget unnoticed.

import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import {
  canonicalJson,
  listField,
  parseJson,
  readText,
  textField,
  Unreadable,
} from "../ledger/entries/canonical.ts"

/** What a key remembers. */
export interface KeyMarker {
  /** The id of the ledger. */
  readonly ledger: string
  /** Of the dataset's source. */
  readonly marks: readonly string[]
}

/** What the key in a file remembers, on its second line; undefined if that is nothing. */
export function readMarker(path: string): KeyMarker | undefined {
  if (!existsSync(path)) return undefined
  const [, line] = readFileSync(path, "utf8").split("\n")
  if (line === undefined || line === "") return undefined
  try {
    const value = parseJson(line)
    return { ledger: textField(value, "ledger"), marks: listField(value, "marks", readText) }
  } catch (error) {
    // The line holds something that cannot be read: it is not taken for an empty one.
    if (error instanceof Unreadable) return { ledger: "unknown", marks: [] }
    throw error
  }
}

/** Lets a key remember; the key itself stays, whatever happens. */
export function writeMarker(path: string, marker: KeyMarker): void {
  if (!existsSync(path)) return
  const [key = "", line] = readFileSync(path, "utf8").split("\n")
  const wanted = canonicalJson(marker)
  if (line === wanted) return
  const next = `${path}.${process.pid}.next`
  const file = openSync(next, "w", 0o600)
  try {
    writeFileSync(file, `${key}\n${wanted}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(next, path)
}
