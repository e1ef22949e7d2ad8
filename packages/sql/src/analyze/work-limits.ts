// How much one unit may make a database do: public numbers, part of every plan's proof.

import type { Catalog } from "../catalog/catalog.ts"

/** The limits of a catalog. */
export interface WorkLimits {
  /** Rows that joins may make of one unit's in any one step. */
  readonly rows: number
  /** Characters in the texts of such rows, all together. */
  readonly characters: number
}

/** A million rows of one unit are made in some hundredths of a second, and their texts fit into memory. */
const limitsDefault: WorkLimits = { rows: 1_000_000, characters: 2 ** 27 }

/** Rows that several joins have made may be put together, so many joins' worth. */
export const togetherMax = 4

/** As many rows as a unit has in a table, so many times over, are no more than reading them often. */
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

/** The most characters of a text of some size. */
export function charactersOf({ made, stored }: TextSize): number {
  return made + stored * storedTextMax
}
