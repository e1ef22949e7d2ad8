// A database that we ask: it gets printed SQL and gives exact tables, inside a Secret.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Dialect } from "@dosimeter/proof/dialects/dialect"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { SqlText } from "@dosimeter/proof/print/print"
import type { ExactTable } from "../release/secret/exact-table.ts"
import type { Secret } from "../release/secret/secret.ts"

/** A printed extract, and what its columns are. */
export interface ExtractQuery {
  readonly sql: SqlText
  /** Keys first, then integers. */
  readonly columns: readonly RelColumn[]
  readonly keyCount: number
  /** How many columns tell groups apart: the keys, and the cell of a histogram. */
  readonly groupCount: number
  /** Rows that are the units themselves: any number of them, and nothing tells them apart. */
  readonly areUnits?: true
}

/** A list of ids of units, as texts. */
export interface UnitList {
  /** Lower-case letters, digits and _. */
  readonly name: string
  readonly type: "integer" | "text"
  readonly ids: readonly string[]
}

/** How a query is run. */
export interface RunOptions {
  /** The secret of the data version, for keyed hashes. */
  readonly secret: string
  readonly signal?: AbortSignal
}

/** Reads what is about nobody. */
export interface PublicReader {
  /** Rows of public tables. */
  readPublic(
    sql: SqlText,
    columns: readonly Pick<RelColumn, "domain">[],
  ): Promise<readonly (readonly Constant[])[]>
}

/** A database. Whatever it says about a failure stays inside: only that it failed comes out. */
export interface Backend extends PublicReader {
  readonly dialect: Dialect
  /**
   * Runs an extract, and gives only what checkExtract lets pass. Ends soon after its limit of time
   * ("backend/too-slow"), its signal or closing ("backend/cancelled"), whatever the database does meanwhile.
   * What the database has not enough of is "backend/too-large", as far as it says so.
   */
  run(query: ExtractQuery, options: RunOptions): Promise<Secret<ExactTable>>
  /** Where a list of units is, once it was made. */
  unitListPath(name: string): readonly string[]
  makeUnitList(list: UnitList): Promise<void>
  dropUnitList(name: string): Promise<void>
  /** Stops what runs and lets go of the database; where a query does not stop, once it comes back. */
  close(): Promise<void>
}
