// Lists and numbers in the text of a kept table.

import { rational, type Rational } from "@dosimeter/core"
import { readText, Unreadable } from "../ledger/entries/canonical.ts"

/** A list. */
export function readList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable("has something else where a list should be")
  return value
}

/** A whole number. */
export function readWhole(value: unknown): bigint {
  const text = readText(value)
  if (!/^-?\d{1,40}$/.test(text)) throw new Unreadable("has no whole number")
  return BigInt(text)
}

/** A fraction. */
export function readRational(text: string): Rational {
  const [, above, below = "1"] = /^(-?\d+)(?:\/(\d+))?$/.exec(text) ?? []
  if (above === undefined || /^0+$/.test(below)) throw new Unreadable("has no fraction")
  return rational(BigInt(above), BigInt(below))
}
