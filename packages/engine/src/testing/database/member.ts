// A database under test: how its sources are made, and what they cannot hold. The suite is conformance.ts.

import type { Database } from "../../dataset/database.ts"

/** A value of a made table. Dates and timestamps are texts as SQL writes them. */
export type Cell = bigint | number | string | boolean | null

/** A type that every database has. Integers have 64 bits, floats 64, and timestamps no time zone. */
export type CellType = "integer" | "float" | "text" | "date" | "timestamp" | "boolean"

/** A table that a source is made of. */
export interface MadeTable {
  readonly name: string
  readonly columns: readonly (readonly [name: string, type: CellType])[]
  readonly rows: readonly (readonly Cell[])[]
}

/** Something that sources of some databases cannot hold. Each member says so; no check is just left out. */
export type Corner =
  /** A text without characters, which is not NULL. */
  | "empty texts"
  /** A text with the character NUL. */
  | "NUL in texts"
  /** A table without rows that has types all the same. */
  | "empty tables"
  /** Names that differ in case alone, or that have capital letters. */
  | "upper case in names"
  /** Names of tables with quotes in them. */
  | "quotes in names of tables"
  /** Prepared copies. */
  | "copies"

/** A database under test. */
export interface Member {
  readonly name: string
  /** What its sources cannot hold. */
  readonly lacks: readonly Corner[]
  /** Makes a source that holds the tables and nothing else. */
  make(tables: readonly MadeTable[]): Promise<MadeSource>
}

/** A source that was made for a test. */
export interface MadeSource {
  readonly database: Database
  /** As the policy says it, in YAML: `{ duckdb: made.duckdb }`. */
  readonly written: string
  /** Where the policy would lie; the state of its datasets is kept below. */
  readonly folder: string
  /** A table as written SQL names it. */
  named(table: string): string
  /** Puts other rows in their place, whoever reads the source meanwhile. */
  replace(tables: readonly MadeTable[]): Promise<void>
  remove(): Promise<void>
}
