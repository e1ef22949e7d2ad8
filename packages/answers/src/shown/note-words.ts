// Notes of answers in words. A language is one object of texts; English is the one of all doors but the
// screens.

import type { AnswerNote, HiddenNote, NoiseOnlyNote, NoteBounds, NoteColumns } from "./answer-note.ts"

/** The texts of notes, in English. Other languages have the same. */
export const noteWordsEn = {
  intervals: "intervals",
  intervalsOf: (names: string) => `intervals of ${names}`,
  andMore: (names: string, more: string) => `${names} and ${more} more`,
  between: ", ",
  betweenBounds: "; ",
  proven: (which: string) =>
    `${which} cover the noise and all that scaling may have left out, by the declared cap`,
  estimate: (which: string) =>
    `${which} cover the noise and an estimate of what scaling left out, which may be more`,
  tooMuch: (which: string) =>
    `${which} have no upper end: scaling may have left out more than can be estimated well`,
  noiseOnly: (which: string, why: string) => `${which} are of the noise only: ${why}`,
  earlier: "what the bounds of earlier releases left out is not in them",
  bounding: "what bounding left out is not in them",
  notInThem: (bounds: string) => `${bounds}, which is not in them`,
  scaledRows: (rows: string, groups: string, unit: string) =>
    `more than ${rows} rows in each of ${groups} groups of a ${unit} counts for less`,
  scaledRowsInAll: (rows: string, unit: string) =>
    `more than ${counted(rows, "row")} of a ${unit} counts for less`,
  averagedRows: (rows: string, unit: string) =>
    `more than ${rows} rows of a ${unit} in a group count as ${rows}, and who has more in all counts for less`,
  scaledRow: (groups: string, unit: string) =>
    `more than one row in each of ${groups} groups of a ${unit} counts for less`,
  droppedBoth: (groups: string, rows: string, unit: string) =>
    `all beyond ${counted(groups, "group")} a ${unit} and ${counted(rows, "row")} a group is dropped`,
  droppedGroups: (groups: string, unit: string) =>
    `all beyond ${counted(groups, "group")} a ${unit} is dropped`,
  droppedRows: (rows: string, unit: string) => `all beyond ${counted(rows, "row")} a ${unit} is dropped`,
  averages: "averages are over the rows that count, and may differ from those of all rows",
  hidden: (hidden: string, rows: string, from: string) =>
    `${hidden} of ${rows} ${rows === "1" ? "row" : "rows"} ${hidden === "1" ? "is" : "are"} below the owner's threshold of ${from}, and not shown: small numbers that are shown look too high for it`,
}

function counted(count: string, one: string): string {
  return count === "1" ? `one ${one}` : `${count} ${one}s`
}

/** The texts of notes in a language. */
export type NoteWords = typeof noteWordsEn

/** A note in words. What was recorded as a text stays as it is. */
export function noteText(note: AnswerNote, words: NoteWords = noteWordsEn): string {
  switch (note.kind) {
    case "proven":
      return words.proven(whichIntervals(note, words))
    case "estimate":
      return words.estimate(whichIntervals(note, words))
    case "too-much":
      return words.tooMuch(whichIntervals(note, words))
    case "noise-only":
      return words.noiseOnly(whichIntervals(note, words), whyNoiseOnly(note, words))
    case "averages":
      return words.averages
    case "hidden":
      return hiddenText(note, words)
    case "text":
      return note.text
    default:
      return note satisfies never
  }
}

function whichIntervals({ columns, more }: NoteColumns, words: NoteWords): string {
  if (columns.length === 0) return words.intervals
  const names = columns.join(words.between)
  return words.intervalsOf(more > 0 ? words.andMore(names, `${more}`) : names)
}

function whyNoiseOnly({ bounds, unit, isEarlier }: NoiseOnlyNote, words: NoteWords): string {
  if (isEarlier) return words.earlier
  if (bounds.length === 0) return words.bounding
  return words.notInThem(bounds.map((one) => boundsText(one, unit, words)).join(words.betweenBounds))
}

function boundsText({ beyond, groups, rows }: NoteBounds, unit: string, words: NoteWords): string {
  if (beyond === "scaled") {
    const all = groups ?? "1"
    if (all === "1" && rows !== undefined) return words.scaledRowsInAll(rows, unit)
    return rows === undefined ? words.scaledRow(all, unit) : words.scaledRows(rows, all, unit)
  }
  if (beyond === "averaged") return words.averagedRows(rows ?? "1", unit)
  if (groups === undefined) return rows === undefined ? words.bounding : words.droppedRows(rows, unit)
  return rows === undefined ? words.droppedGroups(groups, unit) : words.droppedBoth(groups, rows, unit)
}

function hiddenText({ hidden, rows, from }: HiddenNote, words: NoteWords): string {
  return words.hidden(`${hidden}`, `${rows}`, from)
}
