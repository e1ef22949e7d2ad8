// Cells of histograms, as expressions: whole numbers from 0.

import { add, divide, numberDown, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import { literalDomain } from "@dosimeter/proof/catalog/literal-domain"
import type { CaseExpr, Expr, LiteralExpr } from "@dosimeter/proof/algebra/expr"
import { callExpr, columnExpr, integerLiteral, stepsExpr } from "@dosimeter/proof/algebra/make"
import type { ModeAggregate, QuantileAggregate, RelColumn } from "@dosimeter/proof/algebra/rel"
import { stepsDomain } from "@dosimeter/proof/algebra/item-domain"

/**
 * The cell of a value in the histogram of a quantile: floor((value - from) / width), in the first or last
 * cell where that is outside. Steps are rounded to the nearest with halves up (the first cell takes what is
 * below it), so half a cell is taken away before.
 */
export function quantileCell({
  value,
  from,
  width,
  cells,
}: Pick<QuantileAggregate, "value" | "from" | "width" | "cells">): Expr {
  const middle = add(from, divide(width, rational(2n)))
  const moved = callExpr("subtract", [value, exactLiteral(middle)])
  return stepsExpr(moved, width, { lower: 0n, upper: cells - 1n })
}

/** A cell that is stored, clamped again. */
export function storedCell(column: RelColumn, { cells }: Pick<QuantileAggregate, "cells">): Expr {
  return stepsExpr(columnExpr(column), rational(1n), { lower: 0n, upper: cells - 1n })
}

// A decimal if it is one, else the double below: where cells begin need not be exact, only the same for
// everybody.
function exactLiteral(value: Rational): LiteralExpr {
  for (let scale = 0; scale <= 12; scale += 1) {
    if ((value.numerator * 10n ** BigInt(scale)) % value.denominator !== 0n) continue
    const type = scale === 0 ? ({ kind: "integer" } as const) : ({ kind: "decimal", scale } as const)
    const constant = { kind: "number", value } as const
    return { kind: "literal", value: constant, domain: literalDomain(constant, type) }
  }
  const constant = { kind: "number", value: rationalOfNumber(numberDown(value)) } as const
  return { kind: "literal", value: constant, domain: literalDomain(constant, { kind: "float" }) }
}

/** The place of a value in the list of a mode; NULL if it is not listed. */
export function modeCell({ value, values }: ModeAggregate): Expr {
  const branches = values.map((listed, index) => {
    const item: LiteralExpr = {
      kind: "literal",
      value: listed,
      domain: literalDomain(listed, value.domain.type),
    }
    return { when: callExpr("equal", [value, item]), result: integerLiteral(BigInt(index)) }
  })
  const domain = stepsDomain(0n, BigInt(values.length - 1), true)
  const otherwise: LiteralExpr = { kind: "literal", value: { kind: "null" }, domain: { ...domain } }
  return { kind: "case", branches, otherwise, domain } satisfies CaseExpr
}
