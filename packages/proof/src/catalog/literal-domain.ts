// The domain of a constant: itself. What queries write is public, so every end is declared.

import { unreachable } from "@dosimeter/core/errors"
import { numberNearest, rational, rationalOfNumber, type Rational } from "@dosimeter/core/exact"
import type { Constant } from "./constant.ts"
import type { Domain, Range } from "./domain.ts"
import type { SqlType } from "./sql-type.ts"

/** What a constant of a type may be: one value, or NULL. */
export function literalDomain(value: Constant, type: SqlType): Domain {
  switch (value.kind) {
    case "null":
      return emptyDomain(type)
    case "number": {
      // A float is written as the double next to the number.
      const exact = type.kind === "float" ? rationalOfNumber(numberNearest(value.value)) : value.value
      return { type, nullable: false, range: pointRange(exact), values: [{ kind: "number", value: exact }] }
    }
    case "date":
      return { type, nullable: false, range: pointRange(rational(value.day)), values: [value] }
    case "timestamp":
      return { type, nullable: false, range: pointRange(rational(value.micros)), values: [value] }
    case "boolean":
    case "text":
      return { type, nullable: false, values: [value] }
    case "interval":
      return { type, nullable: false }
    default:
      return unreachable(value)
  }
}

/** NULL and nothing else, in a type. The range of what has no value is that of 0. */
export function emptyDomain(type: SqlType): Domain {
  return hasRange(type)
    ? { type, nullable: true, range: pointRange(rational(0n)), values: [] }
    : { type, nullable: true, values: [] }
}

/** Whether domains of the type have a range. */
export function hasRange(type: SqlType): boolean {
  return ["integer", "decimal", "float", "date", "timestamp"].includes(type.kind)
}

function pointRange(value: Rational): Range {
  return { min: { value, declared: true }, max: { value, declared: true } }
}
