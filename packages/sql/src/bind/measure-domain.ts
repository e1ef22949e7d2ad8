// What released values may be. Noise has no bounds, so these are wide; a release is cut to them.

import { add, multiply, negate, rational, type Rational } from "@dosimeter/core"
import type { Domain } from "../catalog/domain.ts"
import type { SqlType } from "../catalog/sql-type.ts"
import { rowsMax } from "../ir/item-domain.ts"
import type { QuantileMeasure } from "../ir/rel.ts"

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

/** A quantile: inside the cells, whatever the noise. */
export function quantileDomain(
  type: SqlType,
  { from, width, cells, cellValue }: Pick<QuantileMeasure, "from" | "width" | "cells" | "cellValue">,
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
