// A real database that claims are held against, and how it shows its values.

import type { Domain } from "../../catalog/domain.ts"
import type { Dialect } from "../../dialects/dialect.ts"
import type { StoredType } from "../hostile-values.ts"

/** How a database shows values and types. Nothing here is shared with what prints. */
export interface Showing {
  readonly dialect: Dialect
  /** A value as text; a text as the hexadecimal digits of its bytes: nothing is dropped on the way. */
  readonly value: (column: string, domain: Domain) => string
  /** The name of a column's type. */
  readonly type: (column: string) => string
  /** The name that the type of such values must have: the smallest that holds the whole range. */
  readonly wanted: (domain: Domain) => string
  /** SQL without the guard that makes NULL of a failure: here a failure is to be seen. */
  readonly unguarded: (sql: string) => string
}

/** Runs SQL and gives its columns. */
export type ReadColumns = (sql: string) => Promise<readonly (readonly unknown[])[]>

/** A database that is running. */
export interface RealDatabase {
  readonly showing: Showing
  readonly read: ReadColumns
  /** A table `stored` with one column `x` of hostile values. False if the database has no such type. */
  readonly store: (type: StoredType) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** The smaller of two types that hold whole numbers of 32 or 64 bits, if one does. */
export function integerType(range: Domain["range"]): "INTEGER" | "BIGINT" | undefined {
  if (holds(range, -(2n ** 31n), 2n ** 31n - 1n)) return "INTEGER"
  return holds(range, -(2n ** 63n), 2n ** 63n - 1n) ? "BIGINT" : undefined
}

/** Whether a range lies between two whole numbers. */
export function holds(range: Domain["range"], least: bigint, most: bigint): boolean {
  if (range === undefined) return false
  const [low, high] = [range.min.value, range.max.value]
  return low.numerator >= least * low.denominator && high.numerator <= most * high.denominator
}
