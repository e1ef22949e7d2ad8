// What the engine needs of a database, from the first look at a source to the last question. DuckDB is the
// first of them (dataset/duckdb); databases.ts says which one serves a source. Every promise below has a test
// in testing/database-conformance.ts; docs/databases.md tells how to add a database.

import type { Catalog, CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Dialect } from "@dosimeter/proof/dialects/dialect"
import type { SourceFacts } from "@dosimeter/policy/file/source-facts"
import type { Backend, PublicReader } from "./backend.ts"
import type { Copies, CopyPlace } from "./copies.ts"
import type { SeenData } from "./data-version.ts"

/** A database over one source, not opened yet. */
export interface Database {
  /** The SQL in which it is asked. */
  readonly dialect: Dialect
  /**
   * Where rows about people lie, one name for each place; tables that are about nobody are left out. Two
   * datasets with a place in common are about the same people. A new version of the data has the same places.
   */
  places(catalog: Catalog, folder: string): readonly string[]
  /** Opens the source for reading. What the driver says about a failure stays inside. */
  open(options: OpenOptions): Promise<OpenSource>
}

/** How a source is opened. */
export interface OpenOptions {
  /** The policy's folder: relative paths begin here. */
  readonly folder: string
  readonly limits?: SourceLimits
  /** False where nothing is answered, and names and claims are looked at: then it need not be versioned. */
  readonly isAsked?: boolean
}

/** How much of this machine a database may take. */
export interface SourceLimits {
  readonly memoryMb?: number
  /** As many as there are cores, if absent. */
  readonly threads?: number
  /** The folder for temporary files. Without one, a query that does not fit into memory fails. */
  readonly temporary?: string
}

/**
 * A source that was opened and is looked at by its owner's server: nothing of an analyst is asked before
 * `serve`. Failures of the driver come out as "backend/failed" or "dataset/unreadable", never as they are.
 */
export interface OpenSource extends PublicReader {
  readonly dialect: Dialect
  /** The data, as it was before the first row was read. */
  readonly seen: SeenData
  /** Refuses a database that computes otherwise than printed SQL assumes: "backend/unexpected-engine". */
  checkAssumptions(): Promise<void>
  /** Names, types, and what the database itself enforces. No row is read, and no value comes back. */
  discover(): Promise<SourceFacts>
  /** Whether each of some printed queries gives a row. Nothing of the rows comes back. */
  haveRows(queries: readonly string[]): Promise<readonly boolean[]>
  /** Which of some columns of texts hold bytes that are no text, so that reading them would fail. */
  unreadableTexts(table: CatalogTable, columns: readonly CatalogColumn[]): Promise<readonly CatalogColumn[]>
  /** The prepared copies of a dataset; undefined where the database keeps none, and raw tables are read. */
  copies(place: CopyPlace): Copies | undefined
  /**
   * Shuts every other door: from now on nothing but the source and its opened copies can be read, and nothing
   * written. Copies are opened and made before.
   */
  lock(): Promise<void>
  /** Locks the source and gives what questions are asked of. Nothing but lists of units is written there. */
  serve(options: ServeOptions): Promise<Backend>
  /** Lets go of the source, where it is not served. */
  close(): Promise<void>
}

/** How an opened source is served. */
export interface ServeOptions {
  /** An extract that takes longer is stopped; what is public and small has no limit. */
  readonly timeoutMs: number
  /** Whether lists of units will be made: only where the policy asks for consent. */
  readonly unitLists: boolean
}
