// What released values may be. Noise has no bounds, so these are wide; a release is cut to them.

import { add, multiply, negate, rational, type Rational } from "@dosimeter/core/exact"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { rowsMax } from "@dosimeter/proof/algebra/item-domain"
import type { QuantileAggregate } from "@dosimeter/proof/algebra/rel"

/** A noisy count. */
export const countDomain: Domain = {
  type: { kind: "integer" },
  nullable: false,
  range: around(rational(rowsMax)),
}

/** A noisy sum: of the type of what is added up, in steps of the grid. */
export function sumDomain({ type }: Domain, grid: Rational): Domain {
  return { type, nullable: false, range: around(multiply(rational(1n << 62n), grid)) }
}

/** A noisy count to divide by, which need not be whole. */
export const divisorDomain: Domain = { ...countDomain, type: { kind: "float" } }

/** A noisy sum of what is averaged, or of its squared distances from a point. */
export function momentDomain(grid: Rational, of: "sum" | "squares"): Domain {
  const most = of === "sum" ? multiply(momentSumMax, grid) : multiply(momentSquaresMax, multiply(grid, grid))
  return { type: { kind: "float" }, nullable: false, range: around(most) }
}

/** In steps: 2^30 of them, and their squares, in as many rows as there can be. */
const momentSumMax = rational(1n << 72n)
const momentSquaresMax = rational(1n << 102n)

/** A quantile: inside the cells, whatever the noise. */
export function quantileDomain(
  type: SqlType,
  { from, width, cells, cellValue }: Pick<QuantileAggregate, "from" | "width" | "cells" | "cellValue">,
): Domain {
  const max = add(from, multiply(width, rational(cellValue === "start" ? cells - 1n : cells)))
  return {
    type,
    nullable: false,
    range: { min: { value: from, declared: true }, max: { value: max, declared: true } },
  }
}

function around(value: Rational): NonNullable<Domain["range"]> {
  return { min: { value: negate(value), declared: false }, max: { value, declared: false } }
}
