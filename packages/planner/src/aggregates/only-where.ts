// A value where a condition holds, and something else (or NULL) elsewhere.

import { maximum, minimum, rational } from "@dosimeter/core/exact"
import type { Domain, Range } from "@dosimeter/proof/catalog/domain"
import type { Expr } from "@dosimeter/proof/algebra/expr"
import { integerLiteral, stepsExpr } from "@dosimeter/proof/algebra/make"

/** CASE WHEN where THEN value ELSE otherwise END; the value itself where there is no condition. */
export function onlyWhere(where: Expr | undefined, value: Expr, otherwise?: Expr): Expr {
  if (where === undefined) return value
  const { type, range } = value.domain
  const plain: Domain = { type, nullable: value.domain.nullable, ...(range === undefined ? {} : { range }) }
  const other: Expr = otherwise ?? {
    kind: "literal",
    value: { kind: "null" },
    domain: { ...plain, nullable: true },
  }
  const domain = {
    ...plain,
    nullable: plain.nullable || other.domain.nullable,
    ...united(range, other.domain.range),
  }
  return { kind: "case", branches: [{ when: where, result: value }], otherwise: other, domain }
}

/** What a row adds to the number of rows where a condition holds, in steps. */
export function rowsWhere(where: Expr): Expr {
  return stepsExpr(onlyWhere(where, integerLiteral(1n)), rational(1n), { lower: 0n, upper: 1n })
}

function united(a: Range | undefined, b: Range | undefined): { readonly range?: Range } {
  if (a === undefined || b === undefined) return {}
  return {
    range: {
      min: { value: minimum(a.min.value, b.min.value), declared: a.min.declared && b.min.declared },
      max: { value: maximum(a.max.value, b.max.value), declared: a.max.declared && b.max.declared },
    },
  }
}
