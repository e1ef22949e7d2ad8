// The clamp that is written around what a row adds. Ranges that were worked out for expressions may be wrong;
// the constants of a clamp are printed, and the database itself keeps to them.

import { unreachable } from "@dosimeter/core/errors"
import { ceil, floor } from "@dosimeter/core/exact"
import { reject } from "../../units/reject.ts"
import type { Expr } from "../../algebra/expr.ts"

/** The least and the most that an expression gives where it is not NULL. */
export interface Clamp {
  readonly lower: bigint
  readonly upper: bigint
}

/**
 * The constants between which an expression is clamped; rejected where something else than a clamp or a
 * constant stands outermost.
 *
 * Guarantee: in every row, whatever its columns hold, the printed expression is NULL or a whole number
 *   between lower and upper.
 * Needs: print/ writes steps as printSteps says, CASE and COALESCE as themselves.
 * Proof: steps are written as a CASE whose every result is `lower`, `upper`, or a value that the database
 *   has just compared with both, or put between them by GREATEST and LEAST. CASE and COALESCE give one of
 *   their results. No domain is looked at, so no range of any function is trusted; a test reads the same
 *   constants from the text that is printed (print/printed-clamps.node.test.ts).
 * Numerics: integers; the database compares integers with integer constants.
 * Source: this file.
 */
export function clampOf(expr: Expr): Clamp {
  return clampsIn(expr).reduce<Clamp | undefined>(union, undefined) ?? reject("a value that is always NULL")
}

function clampsIn(expr: Expr): readonly Clamp[] {
  switch (expr.kind) {
    case "steps":
      if (expr.lower > expr.upper) return reject("a clamp between nothing")
      return [{ lower: expr.lower, upper: expr.upper }]
    case "literal": {
      if (expr.value.kind === "null") return []
      const value = expr.value.kind === "number" ? expr.value.value : reject("a constant that is no number")
      if (floor(value) !== ceil(value)) return reject("a constant that is no whole number")
      return [{ lower: floor(value), upper: floor(value) }]
    }
    case "case":
      return [...expr.branches.map(({ result }) => result), expr.otherwise].flatMap(clampsIn)
    case "call":
      return expr.name === "coalesce" ? expr.args.flatMap(clampsIn) : reject(`${expr.name} without a clamp`)
    case "column":
    case "share":
    case "weight":
    case "keyed-hash":
      return reject(`a ${expr.kind} without a clamp`)
    default:
      return unreachable(expr)
  }
}

function union(a: Clamp | undefined, b: Clamp): Clamp {
  if (a === undefined) return b
  return { lower: a.lower < b.lower ? a.lower : b.lower, upper: a.upper > b.upper ? a.upper : b.upper }
}
