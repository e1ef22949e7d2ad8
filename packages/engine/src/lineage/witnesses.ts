// What remembers a ledger where there is none: before a budget begins, every trace of an earlier one is
// looked for. A trace is no proof of what was spent; it is a reason to ask people.

import { existsSync, readdirSync, rmSync } from "node:fs"
import { basename, join } from "node:path"
import { readNoted, type AnchorNote } from "../ledger/anchor.ts"
import type { Remembered } from "../ledger/beginning.ts"
import { termsInFile } from "../ledger/stores/sqlite-store.ts"
import { sourceTerm } from "../ledger/entries/loss-terms.ts"
import { readMarker } from "./key-marker.ts"

/** Which ledger is to be begun, and where is looked. */
export interface SoughtLedger extends AnchorNote {
  /** The folder of the state. */
  readonly state: string
  /** Where the data is, as the ledger's terms say it. */
  readonly source: string
  /** The folder of the user's anchors, if there is one. */
  readonly anchors: string | undefined
  /** Whether copies were there without the key that they were made with. */
  readonly hasOrphans: boolean
  /** What others remember, in a sentence; for a server, its audit trail. */
  readonly others?: () => Promise<string | undefined>
}

/** Everything that remembers a ledger of the dataset, or of the same data under another name. */
export async function witnessesOf(wanted: SoughtLedger): Promise<readonly Remembered[]> {
  const other = await wanted.others?.()
  const found: readonly Remembered[] = [
    ...anchorsIn(wanted.anchors, wanted),
    ...anchorsIn(wanted.state, wanted),
    ...keysIn(wanted),
    ...ledgersIn(wanted),
    ...(wanted.hasOrphans
      ? [{ what: `copies in ${wanted.dataset}.prepared, without the key of their making` }]
      : []),
    ...(other === undefined ? [] : [{ what: other }]),
  ]
  // Anchor, key and ledger of one dataset may say the same sentence.
  const texts = new Set<string>()
  return found.filter(({ what }) => !texts.has(what) && texts.add(what))
}

function anchorsIn(folder: string | undefined, wanted: SoughtLedger): readonly Remembered[] {
  if (folder === undefined) return []
  return filesIn(folder, ".anchor").flatMap((path): readonly Remembered[] => {
    const found = readNoted(path)
    // An anchor without entries was left by a process that stopped before the first entry.
    if (found === undefined || found.head.entries === 0n) return []
    const { head, note } = found
    if (note.place === wanted.place && note.dataset === wanted.dataset) {
      const release = (): void => rmSync(path, { force: true })
      return [{ what: `the anchor ${path} has seen ${head.entries} entries`, head, release }]
    }
    return sharesMark(note.marks, wanted) ? [{ what: sameData(note.dataset), head }] : []
  })
}

function keysIn(wanted: SoughtLedger): readonly Remembered[] {
  return filesIn(wanted.state, ".key").flatMap((path) => {
    const marker = readMarker(path)
    if (marker === undefined) return []
    const dataset = basename(path, ".key")
    if (dataset === wanted.dataset) return [{ what: `${dataset}.key knows the ledger ${marker.ledger}` }]
    return sharesMark(marker.marks, wanted) ? [{ what: sameData(dataset) }] : []
  })
}

function ledgersIn(wanted: SoughtLedger): readonly Remembered[] {
  return filesIn(wanted.state, ".ledger").flatMap((path) => {
    const dataset = basename(path, ".ledger")
    if (dataset === wanted.dataset) return []
    return termsInFile(path)?.[sourceTerm] === wanted.source ? [{ what: sameData(dataset) }] : []
  })
}

function sameData(dataset: string): string {
  return `the same data is the dataset ${dataset}, which has a budget of its own`
}

function sharesMark(marks: readonly string[], wanted: SoughtLedger): boolean {
  return marks.some((mark) => wanted.marks.includes(mark))
}

function filesIn(folder: string, end: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name))
}
