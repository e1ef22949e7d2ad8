// Values in a wider type: an integer as decimal or float, a date as timestamp. What SQL does without being
// asked.

import { numberNearest, rationalOfNumber } from "@dosimeter/core/exact"
import { microsPerDay, type Constant } from "@dosimeter/proof/catalog/constant"
import { commonType } from "@dosimeter/proof/functions/union-domain"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import { isSafe } from "./doubles.ts"

/** The value in a type that holds all values of its own. */
export function widened(value: Constant, type: SqlType): Constant {
  if (value.kind === "number" && type.kind === "float") {
    if (isSafe(value.value)) return value
    return { kind: "number", value: rationalOfNumber(numberNearest(value.value)) }
  }
  if (value.kind === "date" && type.kind === "timestamp") {
    return { kind: "timestamp", micros: value.day * microsPerDay }
  }
  return value
}

/**
 * Brings values of these types to the one that they have in common. Nothing is done where they have one
 * already.
 */
export function widening(types: readonly SqlType[]): (value: Constant) => Constant {
  const common = commonType(types)
  if (common?.kind !== "float" && common?.kind !== "timestamp") return (value) => value
  return (value) => widened(value, common)
}
