// What functions are given, and what they give where they have no result.

import type { Constant } from "../catalog/constant.ts"
import type { Domain } from "../catalog/domain.ts"

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
