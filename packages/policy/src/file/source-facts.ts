// What a source says about itself: names and types, never a value, but for the trees that public tables have.
// The engine discovers it; a policy is read against it.

import type { Rational } from "@dosimeter/core"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"

/** The tables of a source. */
export interface SourceFacts {
  readonly tables: readonly TableFacts[]
  /** The leaves of trees that public tables have, once they were read. */
  readonly trees?: readonly TreeRows[]
}

/** The leaves of a tree as a public table has them: each once, in order, a text for each level or NULL. */
export interface TreeRows {
  readonly tree: string
  readonly rows: readonly (readonly (string | null)[])[]
}

/** A table as the database knows it. */
export interface TableFacts {
  /** The name without its schema. */
  readonly name: string
  /** Schema and table, or the table alone. */
  readonly path: readonly string[]
  readonly columns: readonly ColumnFacts[]
  /** Columns that no two rows share and that are never NULL, because the database enforces it. */
  readonly keys: readonly (readonly string[])[]
}

/** A column as the database knows it. */
export interface ColumnFacts {
  readonly name: string
  /** Undefined for what has no counterpart here, such as a list or a blob. */
  readonly type: SqlType | undefined
  /** As the database writes it. */
  readonly typeName: string
  readonly nullable: boolean
  /** What the type can hold, for integers and decimals. */
  readonly range?: { readonly min: Rational; readonly max: Rational }
  /** A foreign key that the database enforces. */
  readonly references?: { readonly table: string; readonly column: string }
}
