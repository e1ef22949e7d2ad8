// Expressions of the IR: typed, resolved, total. Columns are numbers that are unique in a statement.

import type { Rational } from "@dosimeter/core"
import type { Norm } from "@dosimeter/core/mechanisms"
import type { Constant } from "../catalog/constant.ts"
import type { Domain } from "../catalog/domain.ts"
import type { FunctionName } from "../functions/function-name.ts"

/** A column of a statement: no two have the same number. */
export type ColumnId = number

/** An expression over the columns of one row. */
export type Expr =
  | ColumnExpr
  | LiteralExpr
  | CallExpr
  | CaseExpr
  | StepsExpr
  | ShareExpr
  | WeightExpr
  | KeyedHashExpr

/** A column of the row. */
export interface ColumnExpr {
  readonly kind: "column"
  readonly id: ColumnId
  readonly domain: Domain
}

/** A constant. */
export interface LiteralExpr {
  readonly kind: "literal"
  readonly value: Constant
  readonly domain: Domain
}

/**
 * A function of other expressions. The domain follows from the arguments' (`domainOfCall`), but for `cast`.
 */
export interface CallExpr {
  readonly kind: "call"
  readonly name: FunctionName
  readonly args: readonly Expr[]
  readonly domain: Domain
}

/** The first result whose condition is true. All results have the type of the whole. */
export interface CaseExpr {
  readonly kind: "case"
  readonly branches: readonly { readonly when: Expr; readonly result: Expr }[]
  readonly otherwise: Expr
  readonly domain: Domain
}

/**
 * A number as whole steps of a grid, clamped: NULL stays NULL, everything else is round(operand / grid), then
 * at least `lower` and at most `upper`. Halves are rounded away from zero.
 */
export interface StepsExpr {
  readonly kind: "steps"
  readonly operand: Expr
  readonly grid: Rational
  readonly lower: bigint
  readonly upper: bigint
  readonly domain: Domain
}

/**
 * A sum over `count` rows as if `most` of them counted: round(sum * most / count) if count > most, else the
 * sum. All three are integers. If every summand lies in [l, u], the result lies in [most * min(l, 0), most *
 * max(u, 0)].
 */
export interface ShareExpr {
  readonly kind: "share"
  readonly sum: Expr
  readonly count: Expr
  readonly most: bigint
  readonly domain: Domain
}

/**
 * How much of what a unit adds counts: a whole number w from 0 to `full`, as large as can be, with w x total
 * <= full x bound (norm "l1": the total is one of absolute values) or w^2 x total <= (full x bound)^2 ("l2":
 * one of squares). So it is `full` where the norm is within the bound. The total is a whole number from 0;
 * where it is NULL, w is 0.
 */
export interface WeightExpr {
  readonly kind: "weight"
  readonly norm: Norm
  readonly total: Expr
  readonly bound: bigint
  readonly full: bigint
  readonly domain: Domain
}

/**
 * A pseudo-random order of values: a hash of the arguments with the secret of the data version. Equal
 * arguments (NULL equals NULL here) have equal hashes. A text.
 */
export interface KeyedHashExpr {
  readonly kind: "keyed-hash"
  readonly args: readonly Expr[]
  readonly domain: Domain
}
