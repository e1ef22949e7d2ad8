// How long the texts of expressions may be. Stored texts have a longest length, and what a question makes of
// them grows by factors that are known: nothing here looks at a row.

import { unreachable } from "@dosimeter/core/errors"
import type { Constant } from "../catalog/constant.ts"
import { likePattern } from "../functions/like-pattern.ts"
import type { CallExpr, ColumnId, Expr } from "../algebra/expr.ts"
import { partsOf } from "../algebra/walk.ts"
import { reject } from "../units/reject.ts"
import { charactersOf, madeMax, searchMax, type TextSize } from "./work-limits.ts"

/** The sizes of the columns that hold text. */
export type TextSizes = ReadonlyMap<ColumnId, TextSize>

/** Why an expression takes too much: a text is too long, or one is searched for in another. */
export type TextExcess = "long-text" | "long-search"

/** Nothing at all. */
export const noText: TextSize = { made: 0, stored: 0 }

/** Numbers, dates and truth values as texts, and keyed hashes, have no more characters. */
const shortMax = 64

/** What is too much about an expression or a part of it, if anything is. */
export function textExcess(expr: Expr, sizes: TextSizes): TextExcess | undefined {
  for (const part of partsOf(expr)) {
    const excess = textExcess(part, sizes)
    if (excess !== undefined) return excess
  }
  if (isText(expr) && isTooLong(sizeOf(expr, sizes))) return "long-text"
  return expr.kind === "call" && searchOf(expr, sizes) > searchMax ? "long-search" : undefined
}

/** Whether a text may be longer than texts that a question makes may be. */
export function isTooLong({ made, stored }: TextSize): boolean {
  return made > madeMax.made || stored > madeMax.stored
}

/** Whether an expression gives text. */
export function isText({ domain: { type } }: Pick<Expr, "domain">): boolean {
  return type.kind === "text"
}

/**
 * The longest text that an expression gives.
 *
 * Guarantee: every value has at most made + stored * storedTextMax characters.
 * Needs: `sizes` holds of the columns; the expression is printed by print/.
 * Proof: by the kind of expression. LEFT, RIGHT and SUBSTRING keep at most the constant, if there is one, and
 *   never more than they are given; cases are changed code point by code point; REPLACE puts p characters for
 *   each f that it finds, in places that do not overlap, so n become at most n max(1, p / f).
 * Numerics: whole numbers below 2^53; growth is rounded up.
 * Source: the databases' documentation of these functions; print/functions.node.test.ts runs them.
 */
export function sizeOf(expr: Expr, sizes: TextSizes): TextSize {
  if (!isText(expr)) return noText
  switch (expr.kind) {
    case "column":
      return sizes.get(expr.id) ?? reject(`nothing is known of the length of column ${expr.id}`)
    case "literal":
      return { made: lengthOf(expr.value), stored: 0 }
    case "case":
      return [...expr.branches.map(({ result }) => result), expr.otherwise]
        .map((result) => sizeOf(result, sizes))
        .reduce(larger, noText)
    case "keyed-hash":
      return { made: shortMax, stored: 0 }
    case "call":
      return callSize(expr, sizes)
    case "steps":
    case "share":
    case "weight":
      return reject("a number is taken for a text")
    default:
      return unreachable(expr)
  }
}

function callSize({ name, args }: CallExpr, sizes: TextSizes): TextSize {
  const [text, ...others] = args
  if (text === undefined) return reject(`${name} has no argument`)
  const own = sizeOf(text, sizes)
  switch (name) {
    case "lower":
    case "upper":
    case "trim":
    case "trim-start":
    case "trim-end":
    case "nullif":
      return own
    case "left":
    case "right":
      return atMost(own, others[0])
    case "substring":
      return atMost(own, others[1])
    case "concat":
      return args.map((arg) => sizeOf(arg, sizes)).reduce(sum, noText)
    case "coalesce":
    case "greatest":
    case "least":
      return args.map((arg) => sizeOf(arg, sizes)).reduce(larger, noText)
    case "replace":
      return grown(own, others[0], others[1])
    case "cast":
      return isText(text) ? own : { made: shortMax, stored: 0 }
    default:
      return reject(`nothing is known of the length of ${name}`)
  }
}

/** The larger of two sizes, part by part. */
export function larger(a: TextSize, b: TextSize): TextSize {
  return { made: Math.max(a.made, b.made), stored: Math.max(a.stored, b.stored) }
}

/** The size of two texts together. */
export function sum(a: TextSize, b: TextSize): TextSize {
  return { made: a.made + b.made, stored: a.stored + b.stored }
}

function atMost(own: TextSize, count: Expr | undefined): TextSize {
  const value = count?.kind === "literal" && count.value.kind === "number" ? count.value.value : undefined
  if (value === undefined || value.numerator < 0n || value.denominator !== 1n) return own
  return Number(value.numerator) < charactersOf(own) ? { made: Number(value.numerator), stored: 0 } : own
}

function grown({ made, stored }: TextSize, found: Expr | undefined, put: Expr | undefined): TextSize {
  if (found?.kind !== "literal" || put?.kind !== "literal") return reject("REPLACE is of constants")
  const [from, to] = [lengthOf(found.value), lengthOf(put.value)]
  if (from === 0 || to <= from) return { made, stored }
  return { made: Math.ceil((made * to) / from), stored: Math.ceil((stored * to) / from) }
}

/** How many pairs of characters a database may compare to find one text in another. */
export function searchOf(
  { name, args }: CallExpr,
  sizes: TextSizes,
  aggregate: (size: TextSize) => number = charactersOf,
): number {
  const [text, other, escape] = args
  if (text === undefined || other === undefined) return 0
  const characters = (expr: Expr): number => aggregate(sizeOf(expr, sizes))
  if (name === "position" || name === "trim" || name === "trim-start" || name === "trim-end") {
    return characters(text) * characters(other)
  }
  if (name === "replace") return characters(text) * characters(other)
  if (name !== "like" && name !== "like-any-case") return 0
  const constants = [other, escape].map((one) => (one?.kind === "literal" ? one.value : undefined))
  const tokens = likePattern(constants[0], constants[1])
  return typeof tokens === "string" ? 0 : characters(text) * tokens.length
}

function lengthOf(value: Constant): number {
  return value.kind === "text" ? Array.from(value.value).length : 0
}
