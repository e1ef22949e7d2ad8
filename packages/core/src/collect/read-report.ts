// From a report's bytes to the values that it stands for; bytes that no device could have sent are refused.

import { fieldOf } from "../local/field.ts"
import { parity } from "../local/hadamard.ts"
import { digitCount, digitsOf, hashOf, type HashedAnswer, type HashingProtocol } from "../local/hashing.ts"
import { bytesFor, readNumber, unpackBits } from "../local/payload.ts"
import { pointCount, pointOf } from "../local/projective.ts"
import type { FrequencyProtocol } from "../local/protocol.ts"
import { malformed } from "../local/report.ts"

/** The values below `values` that a report stands for. Plain and slow where the counters are fast. */
export function readCount(protocol: FrequencyProtocol, payload: Uint8Array, values: number): number[] {
  const all = Array.from({ length: values }, (_, value) => value)
  switch (protocol.kind) {
    case "kary":
      return [readIndex(payload, protocol.values)]
    case "unary":
    case "subset": {
      const bits = readBits(payload, protocol.values)
      return all.filter((value) => bits[value] === 1)
    }
    case "hadamard": {
      const column = readIndex(payload, protocol.columns)
      return all.filter((value) => parity((value + 1) & column) === 0)
    }
    case "projective": {
      const field = fieldOf(protocol.field)
      const report = pointOf(protocol, readIndex(payload, pointCount(protocol.field, protocol.dimension)))
      return all.filter((value) => {
        const products = pointOf(protocol, value).map((x, i) => field.times(x, report[i] ?? 0))
        return products.reduce(field.add, 0) === 0
      })
    }
    case "hashing": {
      const { seed, reported } = readHashed(protocol, payload)
      const field = fieldOf(protocol.field)
      return all.filter((value) => hashOf(field, seed, digitsOf(protocol, value)) === reported)
    }
    case "memo":
      return readCount(protocol.fresh, payload, values)
    default:
      return protocol satisfies never
  }
}

/** One integer below `values`. */
export function readIndex(payload: Uint8Array, values: number): number {
  const index = readNumber(payload, { start: 0, width: payload.length })
  return index < values ? index : malformed("it names no value")
}

/** One bit for each value; the bits after the last are 0. */
export function readBits(payload: Uint8Array, values: number): Uint8Array {
  const bits = unpackBits(payload, payload.length * 8)
  if (bits.subarray(values).includes(1)) malformed("it names no value")
  return bits.subarray(0, values)
}

/** The random function of a hashed report, and the hash that it reports. */
export interface HashedReport {
  readonly seed: readonly number[]
  readonly reported: number
}

/** Reads a hashed report. */
export function readHashed(protocol: HashingProtocol, payload: Uint8Array): HashedReport {
  const width = bytesFor(protocol.field)
  const elements = Array.from({ length: digitCount(protocol) + 2 }, (_, i) =>
    readNumber(payload, { start: i * width, width }),
  )
  if (elements.some((element) => element >= protocol.field)) malformed("it names no value")
  return { seed: elements.slice(0, -1), reported: elements.at(-1) ?? 0 }
}

/** Answers to look for among hashed reports: which of them does a report stand for? */
export function hashFinder(
  protocol: HashingProtocol,
  answers: readonly HashedAnswer[],
): (payload: Uint8Array) => number[] {
  const field = fieldOf(protocol.field)
  const { size } = field
  const count = digitCount(protocol)
  const digits = Uint16Array.from(answers.flatMap((answer) => digitsOf(protocol, answer)))
  // For every digit's place the products of all elements with the seed: one look-up a digit and answer.
  const products = new Uint16Array(count * size)
  const isBinary = field.add(1, 1) === 0
  return (payload) => {
    const { seed, reported } = readHashed(protocol, payload)
    for (let i = 0; i < count; i += 1) {
      for (let x = 0; x < size; x += 1) products[i * size + x] = field.times(seed[i] ?? 0, x)
    }
    const start = seed[count] ?? 0
    const found: number[] = []
    for (let answer = 0, next = 0; next < digits.length; answer += 1) {
      let hash = start
      for (let row = 0; row < products.length; row += size, next += 1) {
        const product = products[row + (digits[next] ?? 0)] ?? 0
        hash = isBinary ? hash ^ product : hash + product
      }
      if (hash % size === reported) found.push(answer)
    }
    return found
  }
}

/**
 * Refuses bits with so many or so few ones that no honest device sends them: more than eight standard
 * deviations from what any answer gives, which happens less often than once in 10^14. `zero` is how likely
 * the bit of another value is 1.
 */
export function checkOnes(bits: Uint8Array, zero: number): void {
  const ones = bits.reduce((sum, bit) => sum + bit, 0)
  const middle = (bits.length - 1) * zero
  const reach = 8 * Math.sqrt(middle * (1 - zero)) + 9
  if (Math.abs(ones - middle) > reach) malformed("no device would send so many ones, or so few")
}
