// e^-y in doubles with a proven error, for the fast paths of samplers. ECMAScript leaves Math.exp to the
// engine; here only + - * / and Math.floor are used, which IEEE 754 fixes to the last bit.

import { encloseExpNegative } from "./exp.ts"
import { encloseLn } from "./log.ts"
import { rational } from "./rational.ts"

/** The relative error of `certifiedExp` is below this. */
export const certifiedExpError = 2 ** -48

/** 2^(-j/32) for j = 0..31, each rounded from an enclosure: relative error below 2^-52 + 2^-60. */
const roots = new Float64Array(32)
/** 2^-k for k = 0..1023, exact. */
const halves = new Float64Array(1024)
/** The top 32 bits of ln 2 / 32, and the rest. */
let stepHigh = 0
let stepLow = 0
let stepInverse = 0

/**
 * e^-y for 0 <= y <= 700, with relative error below 2^-48.
 *
 * y = n ln2/32 + r with |r| <= 0.0109: n stepHigh and y - n stepHigh are exact (32 + 15 bits; Sterbenz), so r
 * carries one rounding and the error n * 2^-85 of stepLow. The polynomial's remainder is below 2^-66 and its
 * roundings below 2^-52 in all; the root adds 2^-52 and two products 2^-52. The sum is below 2^-50.
 */
export function certifiedExp(y: number): number {
  if (stepHigh === 0) prepare()
  const n = Math.floor(y * stepInverse + 0.5)
  const r = y - n * stepHigh - n * stepLow
  const tail = 1 / 24 - r * (1 / 120 - r * (1 / 720 - r / 5040))
  const p = 1 - r * (1 - r * (0.5 - r * (1 / 6 - r * tail)))
  return p * (roots[n & 31] ?? 0) * (halves[n >> 5] ?? 0)
}

function prepare(): void {
  const ln2 = encloseLn(rational(2n), 128).lo
  for (let j = 0; j < 32; j += 1) {
    // 2^(-j/32) = e^(-j ln2 / 32); the argument's own error is below 2^-120.
    const root = encloseExpNegative(rational(ln2 * BigInt(j), 32n << 128n), 100).lo
    roots[j] = Number(root >> 46n) / 2 ** 54
  }
  let half = 1
  for (let k = 0; k < 1024; k += 1) {
    halves[k] = half
    half /= 2
  }
  const step = ln2 >> 5n
  // ln2 / 32 = 0.0216...: its top 32 bits are those down to 2^-37.
  const high = step >> 91n
  stepHigh = Number(high) / 2 ** 37
  stepLow = Number((step - (high << 91n)) >> 38n) / 2 ** 90
  stepInverse = 1 / stepHigh
}
