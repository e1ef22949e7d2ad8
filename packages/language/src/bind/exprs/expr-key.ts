// A text for an expression that is equal for equal expressions: how group keys and measures are found again.

import { showRational } from "@dosimeter/core/exact"
import { constantKey } from "@dosimeter/proof/catalog/constant"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import type { Expr } from "@dosimeter/proof/algebra/expr"

const known = new WeakMap<Expr, string>()

/** The text of an expression. Two with the same text have the same value in every row. */
export function exprKey(expr: Expr): string {
  const before = known.get(expr)
  if (before !== undefined) return before
  const key = keyOf(expr)
  known.set(expr, key)
  return key
}

function keyOf(expr: Expr): string {
  switch (expr.kind) {
    case "column":
      return `#${expr.id}`
    case "literal":
      // With their lengths two texts never read like one.
      return `${showType(expr.domain.type)}:${sized(constantKey(expr.value))}`
    case "call": {
      const type = expr.name === "cast" ? `:${showType(expr.domain.type)}` : ""
      return `${expr.name}${type}(${expr.args.map(exprKey).join(",")})`
    }
    case "case": {
      const arms = expr.branches.map(({ when, result }) => `${exprKey(when)}?${exprKey(result)}`)
      return `case(${[...arms, exprKey(expr.otherwise)].join(",")})`
    }
    case "steps":
      return `steps(${exprKey(expr.operand)},${showRational(expr.grid)},${expr.lower},${expr.upper})`
    case "share":
      return `share(${exprKey(expr.sum)},${exprKey(expr.count)},${expr.most})`
    case "weight":
      return `weight(${expr.norm},${exprKey(expr.total)},${expr.bound},${expr.full})`
    case "keyed-hash":
      return `hash(${expr.args.map(exprKey).join(",")})`
    default:
      return expr satisfies never
  }
}

function sized(text: string): string {
  return `${text.length}"${text}"`
}
