// Constant values: written in a query, or declared in a policy. Never a value from the data.

import { unreachable } from "@dosimeter/core/errors"
import type { Rational } from "@dosimeter/core"

/** A constant. Its type stands beside it (integer, decimal and float are all numbers here). */
export type Constant =
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "number"; readonly value: Rational }
  | { readonly kind: "text"; readonly value: string }
  /** Days since 1970-01-01. */
  | { readonly kind: "date"; readonly day: bigint }
  /** Microseconds since 1970-01-01 00:00:00, no time zone. */
  | { readonly kind: "timestamp"; readonly micros: bigint }
  | { readonly kind: "interval"; readonly months: bigint; readonly days: bigint; readonly micros: bigint }

/** Microseconds in a day. */
export const microsPerDay = 86_400_000_000n

/** Whether two constants are the same value. */
export function sameConstant(a: Constant, b: Constant): boolean {
  return constantKey(a) === constantKey(b)
}

/** A text that is equal for equal constants and for no others. */
export function constantKey(constant: Constant): string {
  switch (constant.kind) {
    case "null":
      return "null"
    case "boolean":
      return `boolean ${constant.value}`
    case "number":
      return `number ${constant.value.numerator}/${constant.value.denominator}`
    case "text":
      return `text ${constant.value}`
    case "date":
      return `date ${constant.day}`
    case "timestamp":
      return `timestamp ${constant.micros}`
    case "interval":
      return `interval ${constant.months} ${constant.days} ${constant.micros}`
    default:
      return unreachable(constant)
  }
}
