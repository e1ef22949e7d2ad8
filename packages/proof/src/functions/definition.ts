// What a function of the IR is: what it gives for arguments of some domains, and how each database spells it.

import type { Constant } from "../catalog/constant.ts"
import type { Domain } from "../catalog/domain.ts"

/** The databases that we print for. */
export type Dialect = "duckdb" | "postgres" | "trino"

/** What is known of an argument before any row is read. */
export interface Argument {
  readonly domain: Domain
  /** Its value, if it is a literal. */
  readonly literal?: Constant
}

/** Why a function has no result for such arguments. */
export interface NoResult {
  readonly kind: "no-result"
  /** The error: "sql/type-mismatch", or "sql/may-overflow" where a declared range would help. */
  readonly code: "sql/type-mismatch" | "sql/may-overflow"
  /** What is wrong, in one clause, with the function as people write it. */
  readonly reason: string
  /** What can be typed instead. */
  readonly remedy: string
}

/** How a function is written, given the written arguments (each in brackets where it needs them). */
export type Spelling = (args: readonly string[], context: SpellingContext) => string

/** What a spelling may look at. */
export interface SpellingContext {
  readonly args: readonly Argument[]
  readonly result: Domain
}

/** One function. */
export interface FunctionDefinition {
  /** The domain of the result. */
  readonly result: (args: readonly Argument[]) => Domain | NoResult
  /**
   * Total: for values inside the arguments' domains it gives a value inside the result's, or NULL, and no
   * error.
   */
  readonly spellings: Readonly<Record<Dialect, Spelling>>
}
