// A policy: what the owner says about a dataset, read and checked. Plain data.

import type { Budget } from "@dosimeter/core"
import type { Catalog } from "@dosimeter/proof/catalog/catalog"
import type { Terms } from "@dosimeter/proof/catalog/terms"

/** What the owner says about a dataset. */
export interface Policy {
  readonly dataset: string
  readonly source: Source
  /** The schema pack that it builds on. */
  readonly pack?: string
  readonly catalog: Catalog
  readonly terms: Terms
  readonly limits: Limits
  readonly resources: Resources
  /** The file of the ledger's anchor, relative to the policy; in the user's own folder if absent. */
  readonly anchor?: string
  /**
   * When a decision about consent counts: from the next question on, if absent, or from the next midnight
   * (UTC), so that a change of the version tells less about who changed their mind.
   */
  readonly consentRefresh?: "daily"
  /** Tables of the pack that nobody may ask, and why. */
  readonly withheld: readonly Withheld[]
  /** Tables of the pack that the source does not have. Empty if it was not looked at. */
  readonly absent: readonly string[]
  /** What owner or pack claim and the database does not enforce: to be checked before the first answer. */
  readonly claims: readonly Claim[]
  /** Trees whose leaves a public table has: to be read before the policy is. */
  readonly treeTables: readonly TreeTable[]
  /** Whether names and types were compared with the source. If not, a policy explains and answers nothing. */
  readonly grounded: boolean
}

/** A tree, and the columns of a public table that are its levels, from the top. */
export interface TreeTable {
  readonly tree: string
  readonly table: string
  readonly columns: readonly string[]
}

/** Where the data is. Paths are relative to the policy file. */
export type Source =
  | { readonly kind: "duckdb"; readonly file: string }
  | { readonly kind: FileFormat; readonly globs: readonly string[] }
  | PostgresSource
  | TrinoSource

/** A PostgreSQL that holds the data. */
export interface PostgresSource extends ServerSource {
  readonly kind: "postgres"
}

/** A database server that holds the data. */
export interface ServerSource {
  /** Without a password: policies are read by many. */
  readonly url: string
  /** A file that holds the password and nothing else; the environment is asked if absent. */
  readonly passwordFile?: string
  /** The schemas whose tables are read. */
  readonly schemas: readonly string[]
  readonly version: SourceVersion
  /** The schema in which prepared copies are kept: for this dataset alone. None are made if absent. */
  readonly copies?: string
}

/**
 * How it is known which data a server holds. `word`: the owner says it, and says another word for other data.
 * `table`: the rows of a small table of the owner say it. `content`: all rows are read to tell.
 */
export type SourceVersion =
  | { readonly by: "word"; readonly word: string }
  | { readonly by: "table"; readonly path: readonly string[] }
  | { readonly by: "content" }

/** A Trino that holds the data, in one schema of one of its catalogs. */
export interface TrinoSource {
  readonly kind: "trino"
  /** Without a password: policies are read by many. */
  readonly url: string
  readonly catalog: string
  readonly schema: string
  /** How it is known which data it is: Iceberg's snapshots tell, or the owner says it by a word. */
  readonly version: { readonly by: "snapshots" } | { readonly by: "word"; readonly word: string }
  /** Catalog and schema that are Dosimeter's own, for this dataset alone: copies and lists are kept there. */
  readonly copies?: readonly [catalog: string, schema: string]
  /** Files that hold a password, a token, our certificate and its key, and authorities to trust. */
  readonly passwordFile?: string
  readonly tokenFile?: string
  readonly certificateFile?: string
  readonly keyFile?: string
  readonly caFile?: string
}

/** Files of which each pattern gives tables named after the files. */
export type FileFormat = "parquet" | "csv" | "ndjson"

/** What one question may take of the machine. */
export interface Resources {
  /** A question that takes longer is stopped, and stays charged. */
  readonly seconds: number
  /** What does not fit goes to temporary files. */
  readonly memoryMb: number
  /** As many as there are cores, if absent. */
  readonly threads?: number
  /** How many rows joins may make of one unit's; a million, if absent. */
  readonly rowsPerUnit?: number
}

/** Budgets inside the dataset's. */
export interface Limits {
  readonly studies: readonly NamedBudget[]
  readonly analysts: readonly NamedBudget[]
}

/** The budget of one study or analyst. */
export interface NamedBudget {
  readonly name: string
  readonly budget: Budget
}

/** A table that the policy keeps back. */
export interface Withheld {
  readonly table: string
  readonly reason: string
}

/**
 * A fact about the data that proofs may lean on, of columns as they are read. `unique`: no two rows agree in
 * the columns, NULL agreeing with NULL. `not-null`: none of them is NULL.
 */
export interface Claim {
  readonly kind: "unique" | "not-null"
  readonly table: string
  readonly columns: readonly string[]
}
