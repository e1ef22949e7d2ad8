// The same expression over other parts.

import type { Expr } from "@dosimeter/proof/algebra/expr"

/** Changes every part of an expression. Its domain stays: parts change their place, not their values. */
export function withParts(expr: Expr, change: (part: Expr) => Expr): Expr {
  switch (expr.kind) {
    case "column":
    case "literal":
      return expr
    case "call":
    case "keyed-hash": {
      const args = expr.args.map(change)
      return args.every((arg, index) => arg === expr.args[index]) ? expr : { ...expr, args }
    }
    case "case": {
      const branches = expr.branches.map(({ when, result }) => ({
        when: change(when),
        result: change(result),
      }))
      return { ...expr, branches, otherwise: change(expr.otherwise) }
    }
    case "steps":
      return { ...expr, operand: change(expr.operand) }
    case "share":
      return { ...expr, sum: change(expr.sum), count: change(expr.count) }
    default:
      return expr satisfies never
  }
}
