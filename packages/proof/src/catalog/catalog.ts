// What the owner says about the data: tables, columns, keys, and whose each row is.

import type { Neighbours } from "@dosimeter/core"
import type { Domain } from "./domain.ts"

/** All tables of a dataset. */
export interface Catalog {
  readonly dataset: string
  /** What one unit is called: "person", or the column that names it. */
  readonly unitName: string
  readonly neighbours: Neighbours
  readonly tables: readonly CatalogTable[]
  /** How many rows joins may make of one unit's, if the owner says so (work/work-limits.ts). */
  readonly rowsPerUnit?: number
  /** Where people decide whether their rows may be read: no plan is proven that does not ask them. */
  readonly consent?: ConsentFacts
}

/** `required`: only units that agreed. `opt-out`: all but those that withdrew. */
export type ConsentMode = "required" | "opt-out"

/** How consent is applied to every question. */
export interface ConsentFacts {
  readonly mode: ConsentMode
  /** The units that agreed, or that withdrew: one column, the unit's id. Analysts never see it. */
  readonly table: CatalogTable
  /** What the data is wanted for, as codes. */
  readonly purposes: readonly string[]
  /** Stands for the decisions that hold; tells nothing about them. */
  readonly version: string
}

/** A table. */
export interface CatalogTable {
  /** As analysts write it, in lower case unless the owner quoted it. */
  readonly name: string
  /** As the database knows it: schema and table, or the table alone. */
  readonly path: readonly string[]
  readonly unit: TableUnit
  readonly columns: readonly CatalogColumn[]
  /** Sets of columns that no two rows share. Checked against the data when a dataset is registered. */
  readonly keys: readonly (readonly string[])[]
  /** Of a public table that was looked at: how many rows it has. */
  readonly rowCount?: number
  /** What the owner wants copies for; a few likely keys where nothing is said. */
  readonly copyKeys?: readonly CopyKey[]
  /** Of a copy that `prepare` made: columns are stored as they are read, rows without a unit are left out. */
  readonly prepared?: PreparedFacts
}

/** A key that a prepared copy is made for: columns, or the months or years of dates. */
export type CopyKey = readonly CopyKeyPart[]

/** A column of the table, or the month or year that it falls into. */
export interface CopyKeyPart {
  readonly column: string
  readonly cut?: "month" | "year"
}

/** What is known of a prepared copy besides its columns. */
export interface PreparedFacts {
  /** The path of the table that it is a copy of. */
  readonly of: readonly string[]
  /** What the database calls the columns of that table, in their order. */
  readonly sources: readonly string[]
  readonly places: readonly StoredPlace[]
  /** Of a copy whose rows are pairs of a unit and a group, in place of the table's own rows. */
  readonly pairs?: StoredPairs
}

/** One row for each unit and group that the unit has rows in, with totals over these rows. */
export interface StoredPairs {
  /** The columns of the group: no two rows of a unit agree in all of them (NULL agreeing with NULL). */
  readonly by: readonly string[]
  /** The keys of the table. They decide which rows were read, and say nothing of pairs. */
  readonly tableKeys: CatalogTable["keys"]
}

/**
 * A whole number from 1 that `prepare` gave to every row of a unit: a function of the unit's own rows. Places
 * are numbers in an order by keyed hash; those above `placeMax` are stored as that.
 */
export interface StoredPlace {
  readonly column: string
  /**
   * `rows`: no two rows of a unit that agree in `by` (NULL agreeing with NULL) have the same number below
   * `placeMax`. `groups`: two rows of a unit that do not agree in `by` have different numbers below it.
   * `all-groups`: all rows of a unit have the same number, and where it is below `placeMax` they have no more
   * different values of `by` than that. `all-rows`: rows of a unit that agree in `by` (NULL agreeing with
   * NULL) have the same number, and are no more than that, however many they are.
   */
  readonly counts: "rows" | "groups" | "all-groups" | "all-rows"
  readonly by: readonly string[]
}

/** Places are counted up to here: a bound must lie below. */
export const placeMax = 65_535n

/** Whose the rows of a table are. */
export type TableUnit =
  | { readonly kind: "public" }
  /** Every row is a unit by itself. */
  | { readonly kind: "row" }
  /** The unit's id is in `column` of the table that the hops lead to, or of this one if there are none. */
  | { readonly kind: "path"; readonly hops: readonly Hop[]; readonly column: string }

/** From `column` of the table before to `key` of another table. */
export interface Hop {
  readonly column: string
  readonly table: string
  readonly key: string
}

/** A column. */
export interface CatalogColumn {
  /** As analysts write it. */
  readonly name: string
  /** As the database knows it. */
  readonly source: string
  readonly domain: Domain
  readonly access: "allowed" | "denied"
  /** A foreign key: values of `column` in `table`. */
  readonly references?: { readonly table: string; readonly column: string }
}

/** The table of a name, if there is one. */
export function tableNamed(catalog: Catalog, name: string): CatalogTable | undefined {
  return catalog.tables.find((table) => table.name === name)
}

/** The column of a name, if there is one. */
export function columnNamed(table: CatalogTable, name: string): CatalogColumn | undefined {
  return table.columns.find((column) => column.name === name)
}
