// A wanted error as people write it: 50, in units of the answer, or 5%, as a share of it.

import { divide, exactly, rational, type Rational } from "@dosimeter/core/exact"
import { fail } from "../errors.ts"

/** How far off an answer may be, at the policy's confidence: in its own units, or as a share of itself. */
export interface WithinTarget {
  readonly kind: "size" | "share"
  readonly amount: Rational
}

/** Reads a wanted error; `name` is what people know it by. */
export function readTarget(text: string, name: string): WithinTarget {
  const [, number = "", percent = ""] = /^\s*(.*?)\s*(%?)\s*$/.exec(text) ?? []
  const amount = exactly(number, name)
  if (amount.numerator <= 0n) fail("within/not-positive", {})
  return percent === "" ? { kind: "size", amount } : { kind: "share", amount: divide(amount, rational(100n)) }
}
