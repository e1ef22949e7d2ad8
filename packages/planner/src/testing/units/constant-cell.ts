// A constant of a plan as a cell of a database's table.

import { showParameter } from "@dosimeter/core/exact"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Cell } from "./test-database.ts"

/** The cell that the constant stands in as a key. */
export function cellOfConstant(constant: Constant): Cell {
  switch (constant.kind) {
    case "null":
      return null
    case "boolean":
    case "text":
      return constant.value
    case "number":
      return constant.value.denominator === 1n ? constant.value.numerator : showParameter(constant.value)
    case "date":
      return constant.day
    case "timestamp":
      return constant.micros
    case "interval":
      throw new Error("an interval is no key")
    default:
      return constant satisfies never
  }
}
