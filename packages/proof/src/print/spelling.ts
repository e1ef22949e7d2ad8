// What differs between databases outside of functions and types (spell/ has those): the secret,
// the hash, reading of columns, roundings. One complete table for each database.

import type { Dialect } from "../functions/definition.ts"

/** Everything that printing asks a database for. Arguments and results are written SQL. */
export interface DialectSpelling {
  readonly dialect: Dialect
  /** The secret of the data version as a text; `use` counts its uses from 1. */
  readonly secret: (use: number) => string
  /** Whether one value serves all uses of the secret, or each use needs its own. */
  readonly secretValues: "one" | "each"
  /** The SHA-256 of a text, in lower-case hexadecimal. */
  readonly hash: (text: string) => string
  /**
   * A cheaper keyed hash for orders, of the secret and some values, if the database has one. It need not be
   * cryptographic, nor the same in every database: see `hashOrder`.
   */
  readonly orderHash: ((values: readonly string[]) => string) | undefined
  /** 32 bits of a hash (of `orderHash` where there is one) as a whole number from 0. */
  readonly hashNumber: (hash: string) => string
  /** A stored text as a text of ours, compared by code points. */
  readonly readText: (column: string) => string
  /** Bytes of a text, or its characters where those are cheaper; never fewer than characters. */
  readonly textSize: (text: string) => string
  /** Whether a stored number, of any type, is a number at all. It is asked of large ones only. */
  readonly isNumber: (column: string) => string
  /** A cast that gives NULL where there is no result, if the database has one. */
  readonly tryCast: ((text: string, type: string) => string) | undefined
  /** An expression over one row, with NULL in place of a failure, if the database has that. */
  readonly attempt: ((text: string) => string) | undefined
  /** A bound that stored numbers of any type are compared with. */
  readonly bound: (decimal: string) => string
  /** A double to the nearest whole double, halves away from zero. */
  readonly roundAway: (double: string) => string
  /**
   * After so many groupings and windows on top of one another a step is kept apart. DuckDB's optimizer takes
   * twice as long for each one more.
   */
  readonly depthMax: number
  /** Whether FULL JOIN takes any condition, or equalities only. */
  readonly fullJoin: "any" | "equalities"
}
