// What must be known to read the numbers of an answer, as kinds with values: each door writes them in its
// own language.

import { listOf, objectOf, readText, Unreadable, withField, wordOf, type Read } from "./read-fields.ts"

/** The columns that a note is about. */
export interface NoteColumns {
  /** The first of them; none where it is about all columns with intervals. */
  readonly columns: readonly string[]
  /** How many there are besides these. */
  readonly more: number
}

/** Intervals that cover more than the noise, or would have to cover too much. */
export interface CoverNote extends NoteColumns {
  readonly kind: "proven" | "estimate" | "too-much"
}

/** Intervals that are of the noise only, and what is not in them. */
export interface NoiseOnlyNote extends NoteColumns {
  readonly kind: "noise-only"
  /** The bounds of each release; none where the bounds are those of earlier releases. */
  readonly bounds: readonly NoteBounds[]
  readonly unit: string
  readonly isEarlier: boolean
}

/** How much of a unit counts; what is absent needs no bound. */
export interface NoteBounds {
  /** What is beyond is scaled down, or dropped; or averages are of so many rows in a group, and scaled. */
  readonly beyond: "scaled" | "dropped" | "averaged"
  readonly groups?: string
  readonly rows?: string
}

/** Averages over the rows that count. */
export interface AveragesNote {
  readonly kind: "averages"
}

/** Rows that a house rule hides. */
export interface HiddenNote {
  readonly kind: "hidden"
  readonly hidden: number
  readonly rows: number
  readonly from: string
}

/** A note that was recorded as a text. */
export interface TextNote {
  readonly kind: "text"
  readonly text: string
}

/** A note of an answer. */
export type AnswerNote = CoverNote | NoiseOnlyNote | AveragesNote | HiddenNote | TextNote

/** Reads a note of the record. Earlier versions recorded texts. */
export const readAnswerNote: Read<AnswerNote> = (found, at) =>
  typeof found === "string" ? { kind: "text", text: found } : readKind(found, at)

const noteKinds = ["proven", "estimate", "too-much", "noise-only", "averages", "hidden", "text"] as const

const readBounds = objectOf((fields): NoteBounds => ({
  beyond: fields.need("beyond", wordOf("scaled", "dropped", "averaged")),
  ...withField("groups", fields.may("groups", readText)),
  ...withField("rows", fields.may("rows", readText)),
}))

const readKind = objectOf((fields): AnswerNote => {
  const kind = fields.need("kind", wordOf(...noteKinds))
  switch (kind) {
    case "proven":
    case "estimate":
    case "too-much":
      return { kind, columns: fields.need("columns", listOf(readText)), more: fields.need("more", readCount) }
    case "noise-only":
      return {
        kind,
        columns: fields.need("columns", listOf(readText)),
        more: fields.need("more", readCount),
        bounds: fields.need("bounds", listOf(readBounds)),
        unit: fields.need("unit", readText),
        isEarlier: fields.need("isEarlier", readYesOrNo),
      }
    case "averages":
      return { kind }
    case "hidden":
      return {
        kind,
        hidden: fields.need("hidden", readCount),
        rows: fields.need("rows", readCount),
        from: fields.need("from", readText),
      }
    case "text":
      return { kind, text: fields.need("text", readText) }
    default:
      return kind satisfies never
  }
})

function readCount(found: unknown, at: string): number {
  if (typeof found !== "number" || !Number.isSafeInteger(found) || found < 0) {
    throw new Unreadable(`${at} is not a number of things`)
  }
  return found
}

function readYesOrNo(found: unknown, at: string): boolean {
  if (typeof found !== "boolean") throw new Unreadable(`${at} is neither true nor false`)
  return found
}
