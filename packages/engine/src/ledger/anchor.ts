// A small file that remembers how far the ledger has come. The owner keeps it where restoring a backup of the
// ledger does not restore it too; then an older copy of the ledger, or one with other entries, is noticed.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname } from "node:path"
import { fail } from "../errors.ts"
import { canonicalJson, listField, parseJson, readText, textField, Unreadable } from "./entries/canonical.ts"
import { readHead, writeFractions, type AnchoredHead } from "./entries/entry.ts"

/** Where the head is remembered. */
export interface Anchor {
  /** For messages. */
  readonly path: string
  /** The head, or undefined if there never was one. */
  read(): AnchoredHead | undefined
  /**
   * Whether it must be written even if the head is the same: it is not at its new place yet, or its note is
   * out of date.
   */
  readonly isElsewhere?: () => boolean
  /** Durable when it returns; after a crash there is the old head or the new one. */
  write(head: AnchoredHead): void
}

/** The anchor of a ledger, by the ledger's id. */
export type AnchorOf = (ledger: string) => Anchor

/** What an anchor says besides the head: for the search of what remembers a ledger. */
export interface AnchorNote {
  readonly dataset: string
  /** Where the ledger is. */
  readonly place: string
  /** Stand for the places of its data. */
  readonly marks: readonly string[]
}

/** How a ledger fails to contain its anchored head. */
export type AnchorProblem = "missing" | "behind" | "parted"

/** A ledger as an anchor looks at it. */
export interface Anchored {
  readonly entries: bigint
  hashAt(position: bigint): Promise<string | undefined>
  hasGivenUp(head: AnchoredHead): boolean
}

/**
 * How the ledger fails to contain the anchored head, if it does.
 *
 * An anchor that is behind the ledger is fine: a process ended between the two, and the ledger extends what
 * the anchor knows. So is one whose loss an entry has acknowledged already.
 */
export async function anchorProblem(
  head: AnchoredHead | undefined,
  ledger: Anchored,
): Promise<AnchorProblem | undefined> {
  if (head === undefined) return "missing"
  if (ledger.hasGivenUp(head)) return undefined
  if (head.entries > ledger.entries) return "behind"
  return (await ledger.hashAt(head.entries)) === head.hash ? undefined : "parted"
}

/** An anchor in a file. */
export function fileAnchor(path: string, note?: AnchorNote): Anchor {
  return { path, read: () => readAnchor(path), write: (head) => writeAnchor(path, { ...head, ...note }) }
}

/**
 * An anchor that takes the place of earlier ones: they are read as long as it is not there, and gone once it
 * is written.
 */
export function movedAnchor(path: string, earlier: readonly string[], note: AnchorNote): Anchor {
  const own = fileAnchor(path, note)
  return {
    path,
    read: () => {
      const known = own.read()
      const [first] = known === undefined ? earlier.filter((other) => existsSync(other)) : []
      return first === undefined ? known : readAnchor(first)
    },
    isElsewhere: () => canonicalJson(readNoted(path)?.note ?? null) !== canonicalJson(note),
    write: (head) => {
      own.write(head)
      for (const other of earlier) rmSync(other, { force: true })
    },
  }
}

/** What an anchor's file says besides its head, with it; undefined if it is not the file of an anchor. */
export function readNoted(
  path: string,
): { readonly head: AnchoredHead; readonly note: AnchorNote } | undefined {
  try {
    const value = parseJson(readFileSync(path, "utf8"))
    const [dataset, place] = [textField(value, "dataset"), textField(value, "place")]
    return { head: readHead(value), note: { dataset, place, marks: listField(value, "marks", readText) } }
  } catch (error) {
    // Other files may lie beside anchors, and anchors of before have no note.
    if (error instanceof Unreadable || isSystemError(error)) return undefined
    throw error
  }
}

/** The anchors of a place: a file for one ledger, or what gives each its own. */
export function anchorOf(place: string | AnchorOf): AnchorOf {
  return typeof place === "string" ? () => fileAnchor(place) : place
}

/** An anchor that lasts as long as the object. */
export function memoryAnchor(): Anchor {
  let kept: AnchoredHead | undefined
  return {
    path: "the anchor in memory",
    read: () => kept,
    write: (head) => {
      kept = head
    },
  }
}

function readAnchor(path: string): AnchoredHead | undefined {
  try {
    if (!existsSync(dirname(path))) return fail("ledger/anchor-unreadable", { anchor: path })
    if (!existsSync(path)) return undefined
    return readHead(parseJson(readFileSync(path, "utf8")))
  } catch (error) {
    // What cannot be read may be the only trace of lost charges: it is not taken for a missing anchor.
    if (error instanceof Unreadable || isSystemError(error)) {
      return fail("ledger/anchor-unreadable", { anchor: path })
    }
    throw error
  }
}

function writeAnchor(path: string, head: AnchoredHead & Partial<AnchorNote>): void {
  const next = `${path}.${process.pid}.next`
  try {
    const file = openSync(next, "w", 0o600)
    try {
      writeFileSync(file, `${canonicalJson(writeFractions(head))}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(next, path)
    syncFolder(dirname(path))
  } catch (error) {
    if (isSystemError(error)) fail("ledger/anchor-unreadable", { anchor: path })
    throw error
  }
}

/** Makes a rename durable. Windows cannot open a folder, and orders renames itself. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return
  const handle = openSync(folder, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error
}
