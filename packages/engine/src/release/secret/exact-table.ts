// What a database answers to an extract: group keys and integers.

import type { Constant } from "@dosimeter/proof/catalog/constant"

/** A row: the keys of a group, then its integers. */
export interface ExactRow {
  readonly keys: readonly Constant[]
  readonly values: readonly bigint[]
}

/** The rows of an extract, in no particular order. */
export interface ExactTable {
  readonly rows: readonly ExactRow[]
}
