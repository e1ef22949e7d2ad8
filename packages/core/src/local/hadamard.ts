// Hadamard response: the report is a column of a Hadamard matrix in which the answer's row more likely has a
// plus than a minus. Reports are small and the collector's work is one fast transform.

import type { Numeric } from "../exact/decimal.ts"
import { add, divide, one, rational, type Rational } from "../exact/rational.ts"
import { whole, type Draws } from "./draws.ts"
import { valuesMax, type Support } from "./kary.ts"
import { checkCategory, countOf, oddsOf, probabilityOf, thresholdDown } from "./threshold.ts"

/** A column below `columns`; the answer's row has a plus there with probability plus / 2^52. */
export interface HadamardProtocol {
  readonly kind: "hadamard"
  readonly values: number
  /** The power of two above `values`: row 0, which has no minus, belongs to no value. */
  readonly columns: number
  readonly plus: number
}

/** Hadamard response with a given epsilon. */
export function hadamardProtocol(options: {
  readonly values: Numeric
  readonly epsilon: Numeric
}): HadamardProtocol {
  const values = countOf(options.values, { name: "values", least: 2, most: valuesMax })
  const odds = oddsOf(options.epsilon)
  return {
    kind: "hadamard",
    values,
    columns: columnsFor(values),
    plus: thresholdDown(divide(odds, add(odds, one))),
  }
}

/** The number of columns that so many values need. */
export function columnsFor(values: number): number {
  return 2 ** (32 - Math.clz32(values))
}

/**
 * Randomizes one answer: a column.
 *
 * Guarantee: between any two answers, the probabilities of a report differ by a factor of hadamardRatio at
 *   most.
 * Needs: 0 <= answer < values (checked here).
 * Proof: a uniform column has a plus in the answer's row or not; where that is not what the coin wants, one
 *   bit of the column is turned that is 1 in the row's number, which exchanges the columns with plus and
 *   those with minus one to one. So a column has probability plus / (K / 2), or (1 - plus) / (K / 2).
 * Numerics: exact draws; 32-bit integers.
 * Source: Acharya, Sun, Zhang 2019.
 */
export function releaseHadamard(protocol: HadamardProtocol, answer: number, draws: Draws): number {
  checkCategory(answer, protocol.values)
  const row = answer + 1
  const minus = 1 - draws.coin(protocol.plus)
  const column = draws.below(protocol.columns)
  const turn = parity(row & column) ^ minus
  return column ^ ((row & -row) * turn)
}

/** 1 if an odd number of bits are set: the entry of the matrix is a minus. */
export function parity(bits: number): number {
  let x = bits ^ (bits >>> 16)
  x ^= x >>> 8
  x ^= x >>> 4
  x ^= x >>> 2
  return (x ^ (x >>> 1)) & 1
}

/** The largest ratio of two probabilities of one report: plus / (1 - plus). */
export function hadamardRatio({ plus }: HadamardProtocol): Rational {
  return rational(BigInt(plus), BigInt(whole - plus))
}

/** A report stands for the values with a plus in its column; two rows agree in half of the columns. */
export function hadamardSupport({ plus }: HadamardProtocol): Support {
  return { p: probabilityOf(plus), q: rational(1n, 2n) }
}
