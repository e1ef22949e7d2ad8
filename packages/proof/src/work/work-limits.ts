// How much one unit may make a database do: public numbers, part of every plan's proof.

import type { Catalog } from "../catalog/catalog.ts"

/** At most `times` the rows that a unit has in a table, and `most` besides. If public: all its rows. */
export interface RowBound {
  readonly times: number
  readonly most: number
}

/** What one unit costs in all steps of an extract together: for each row that it has stored, and besides. */
export interface Spent {
  /** Calls of functions, and 64 characters of the texts that they look at. */
  readonly steps: RowBound
  /** Characters of texts that are kept until all rows were seen: by windows, groups and joins. */
  readonly held: RowBound
}

/** The limits of a catalog. */
export interface WorkLimits {
  /** Rows that joins may make of one unit's in any one step. */
  readonly rows: number
  /** Characters in the texts of such rows, all together. */
  readonly characters: number
  /** Of all steps of an extract. */
  readonly spent: Spent
}

/**
 * A million rows of one unit are made in some hundredths of a second; 2^27 steps take a few seconds. A
 * character has up to four bytes, so that 2^24 of them fit into 64 MB.
 */
const limitsDefault: WorkLimits = {
  rows: 1_000_000,
  characters: 2 ** 22,
  spent: { steps: { times: 2 ** 16, most: 2 ** 27 }, held: { times: 2 ** 13, most: 2 ** 24 } },
}

/** A question takes this part of what its extract may cost: the rest is for what the plan adds to it. */
const questionPart = 4

/** How many joins' worth of rows may be combined in one step. */
export const togetherMax = 4

/** Up to this multiple of a unit's stored rows, the work is no more than that of reading them repeatedly. */
export const timesMax = 32

/** A text that a question makes has at most so many characters, and so many times those of stored texts. */
export const madeMax: TextSize = { made: 4096, stored: 16 }

/** The texts of a row together. */
export const rowTextMax: TextSize = { made: 16_384, stored: 256 }

/** A text is searched for in another: the product of their lengths. */
export const searchMax: number = 2 ** 26

/** Texts are read up to this many characters. */
export const storedTextMax: number = 2 ** 16

/** Rows with a longer text do not enter a join that multiplies rows. */
export const joinedTextMax = 256

/** A public table that was not looked at is taken to have so many rows; nothing is answered from it. */
export const publicRowsGuess = 1000

/** A length in characters: at most `made`, and `stored` times the longest text that is read. */
export interface TextSize {
  readonly made: number
  readonly stored: number
}

/** The owner's limits, or those that hold where nothing is said. */
export function workLimitsOf({ rowsPerUnit }: Pick<Catalog, "rowsPerUnit">): WorkLimits {
  return rowsPerUnit === undefined ? limitsDefault : { ...limitsDefault, rows: rowsPerUnit }
}

/** What the question itself may cost, of a statement with so many extracts. */
export function questionLimits({ spent, ...limits }: WorkLimits, extracts: number): WorkLimits {
  const { steps, held } = spent
  const ofRow = ({ times, most }: RowBound): RowBound => ({
    times: times / questionPart,
    most: most / questionPart,
  })
  const { most, times } = ofRow(steps)
  return { ...limits, spent: { steps: { times, most: most / Math.max(1, extracts) }, held: ofRow(held) } }
}

/** Whether a unit costs no more than it may. */
export function isWithin(spent: Spent, limits: Spent): boolean {
  const isLess = (a: RowBound, b: RowBound): boolean => a.times <= b.times && a.most <= b.most
  return isLess(spent.steps, limits.steps) && isLess(spent.held, limits.held)
}

/** The most characters of a text of some size. */
export function charactersOf({ made, stored }: TextSize): number {
  return made + stored * storedTextMax
}
