// Local hashing: the answer is hashed by a random linear function into a small field, and the hash goes
// through k-ary randomized response. The values need not be known beforehand: codes, or words as bytes.

import type { Numeric } from "../exact/decimal.ts"
import { rational, type Rational } from "../exact/rational.ts"
import { choose, type Draws } from "./draws.ts"
import { fieldMax, fieldOf, isFieldSize, type Field } from "./field.ts"
import { karyOfOdds, karyRatio, karySupport, type KaryProtocol, type Support } from "./kary.ts"
import { bytesFor, writeNumber } from "./payload.ts"
import { checkAnswer, countOf, oddsOf } from "./threshold.ts"

/** An answer of `bits` bits, hashed into a field of `field` elements, kept with probability keep / 2^52. */
export interface HashingProtocol {
  readonly kind: "hashing"
  readonly bits: number
  readonly field: number
  readonly keep: number
}

/** An answer to a hashing protocol: a number, or the bytes of which the first bits count. */
export type HashedAnswer = number | Uint8Array

/** The most bits: a report holds one random element for every few of them. */
export const hashedBitsMax = 1024

/** Local hashing with a given epsilon; the field is the one of smallest error unless it is given. */
export function hashingProtocol(options: {
  readonly bits: Numeric
  readonly epsilon: Numeric
  readonly field?: number
}): HashingProtocol {
  const bits = countOf(options.bits, { name: "bits", least: 1, most: hashedBitsMax })
  const odds = oddsOf(options.epsilon)
  const field = fieldOf(options.field ?? bestField(odds)).size
  return { kind: "hashing", bits, field, keep: karyOfOdds(field, odds).keep }
}

/** The best size is next to e^epsilon + 1; of the fields around it, the one with the smallest variance. */
function bestField(odds: Rational): number {
  const ideal = Number(odds.numerator / odds.denominator) + 1
  const sizes = Array.from({ length: fieldMax - 1 }, (_, i) => i + 2).filter(isFieldSize)
  const near = sizes.filter((size) => size >= ideal / 2 - 2 && size <= ideal * 2 + 2)
  const [first = 2, ...others] = near.length > 0 ? near : sizes.slice(-1)
  const spreadAt = (size: number): number => {
    const kept = karyOfOdds(size, odds).keep / 2 ** 52
    const q = 1 / size
    // p - q = kept (1 - q)
    return q / (1 - q) / (kept * kept)
  }
  return others.reduce((best, size) => (spreadAt(size) < spreadAt(best) ? size : best), first)
}

/**
 * Randomizes one answer: a random hash function and the hash of the answer, kept or redrawn.
 *
 * Guarantee: between any two answers, the probabilities of a report differ by a factor of hashingRatio at
 *   most.
 * Needs: an answer of the declared bits (checked here).
 * Proof: the function is drawn whatever the answer is; given it, the report is randomized response on a value
 *   of the field.
 * Numerics: exact draws; every digit of the answer is used in the same way.
 * Source: Bassily, Smith 2015; Wang, Blocki, Li, Jha 2017; exact pairwise independence as in Feldman, Talwar
 *   2021.
 */
export function releaseHashed(protocol: HashingProtocol, answer: HashedAnswer, draws: Draws): Uint8Array {
  const digits = digitsOf(protocol, answer)
  const field = fieldOf(protocol.field)
  const seed = Array.from({ length: digits.length + 1 }, () => draws.below(field.size))
  const kept = draws.coin(protocol.keep)
  const reported = choose(kept, hashOf(field, seed, digits), draws.below(field.size))
  const width = bytesFor(field.size)
  const bytes = new Uint8Array(hashedBytes(protocol))
  for (const [i, element] of [...seed, reported].entries()) {
    writeNumber(bytes, element, { start: i * width, width })
  }
  return bytes
}

/**
 * b + a_1 x_1 + ... + a_t x_t in the field. For a uniform seed the hashes of two different answers are
 * independent and uniform: where digit i differs, each pair of hashes has exactly one (a_i, b) for given
 * others.
 */
export function hashOf(field: Field, seed: readonly number[], digits: readonly number[]): number {
  let hash = seed[digits.length] ?? 0
  for (const [i, digit] of digits.entries()) hash = field.add(hash, field.times(seed[i] ?? 0, digit))
  return hash
}

/** The answer's bits, as digits that are elements of the field; different answers have different digits. */
export function digitsOf(
  protocol: { readonly bits: number; readonly field: number },
  answer: HashedAnswer,
): number[] {
  const { bits, field } = protocol
  const bitAt = bitReader(answer, bits)
  const digitBits = 31 - Math.clz32(field)
  return Array.from({ length: Math.ceil(bits / digitBits) }, (_, i) => {
    let digit = 0
    for (let j = i * digitBits; j < (i + 1) * digitBits; j += 1) digit = digit * 2 + (j < bits ? bitAt(j) : 0)
    return digit
  })
}

/** How many digits an answer has. */
export function digitCount({ bits, field }: { readonly bits: number; readonly field: number }): number {
  return Math.ceil(bits / (31 - Math.clz32(field)))
}

/** How many bytes a report has: the function, and the hash. */
export function hashedBytes(protocol: HashingProtocol): number {
  return (digitCount(protocol) + 2) * bytesFor(protocol.field)
}

/** The largest ratio of two probabilities of one report. */
export function hashingRatio(protocol: HashingProtocol): Rational {
  return karyRatio(responseOf(protocol))
}

/** A report stands for all values with the reported hash. */
export function hashingSupport(protocol: HashingProtocol): Support {
  return { p: karySupport(responseOf(protocol)).p, q: rational(1n, BigInt(protocol.field)) }
}

function responseOf({ field, keep }: HashingProtocol): KaryProtocol {
  return { kind: "kary", values: field, keep }
}

function bitReader(answer: HashedAnswer, bits: number): (place: number) => number {
  if (typeof answer === "number") {
    const isOne = Number.isInteger(answer) && answer >= 0 && bits <= 52 && answer < 2 ** bits
    checkAnswer(isOne, `the integers of ${bits} bits`)
    return (place) => Math.floor(answer / 2 ** (bits - 1 - place)) % 2
  }
  checkAnswer(answer.length * 8 >= bits, `texts of at least ${bits} bits`)
  return (place) => ((answer[place >> 3] ?? 0) >> (7 - (place & 7))) & 1
}
