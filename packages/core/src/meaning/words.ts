// Numbers as people read them, three digits, rounded in a stated direction so that a sentence stays true.

import { numberNear, rationalOfNumber } from "../exact/dyadic.ts"
import { multiply, rational, type Rational } from "../exact/rational.ts"
import { decimalDown, decimalUp } from "./short-decimal.ts"

const digits = 3
/**
 * The numbers to show are themselves rounded to doubles, by less than this part; "1.01" for 1 would be silly.
 */
const dust = 2 ** -50

/** A number of at least 0, rounded up: "2.72". */
export function wordsUp(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return `${value}`
  return plain(decimalUp(rationalOfNumber(value * (1 - dust)), digits))
}

/** A number of at least 0, rounded down: "2.71". */
export function wordsDown(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return `${value}`
  return plain(decimalDown(rationalOfNumber(value * (1 + dust)), digits))
}

/** A probability, rounded up: "73.2 %". */
export function percentUp(value: number): string {
  return `${wordsUp(value * 100)} %`
}

/** A probability, rounded down: "73.1 %". */
export function percentDown(value: number): string {
  return `${wordsDown(value * 100)} %`
}

/** A probability that somebody stated, as stated: "95 %", "99.9 %". */
export function percent(value: Rational): string {
  return `${plain(multiply(value, rational(100n)))} %`
}

/** The nearest double, which is written as the decimal that it stands for. */
function plain(value: Rational): string {
  return `${numberNear(value)}`
}
