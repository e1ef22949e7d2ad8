// Small finite fields: the integers modulo a prime, and polynomials over two elements. Elements are numbers
// from 0; no table is looked up at an address that depends on one.

import { fail } from "../errors/errors.ts"
import { isBelow } from "./draws.ts"

/** The largest field. */
export const fieldMax = 4096

/** Irreducible polynomials of degree 2 to 12, as bits. */
const polynomials: readonly number[] = [0x7, 0xb, 0x13, 0x25, 0x43, 0x83, 0x11b, 0x211, 0x409, 0x805, 0x1053]

/** A field: how to add, take away and multiply. */
export interface Field {
  readonly size: number
  readonly add: (a: number, b: number) => number
  readonly subtract: (a: number, b: number) => number
  readonly times: (a: number, b: number) => number
}

/** Is there a field of this size here: a prime, or a power of two? */
export function isFieldSize(size: number): boolean {
  if (!Number.isInteger(size) || size < 2 || size > fieldMax) return false
  return degreeOf(size) > 1 || isPrime(size)
}

const fields = new Map<number, Field>()

/** The field of this size. */
export function fieldOf(size: number): Field {
  const known = fields.get(size) ?? makeField(size)
  fields.set(size, known)
  return known
}

function makeField(size: number): Field {
  if (!isFieldSize(size)) {
    fail("parameter/out-of-range", {
      name: "the field",
      got: `${size}`,
      range: `primes and powers of two up to ${fieldMax}`,
    })
  }
  const degree = degreeOf(size)
  return degree > 1 ? binaryField(size, degree) : primeField(size)
}

function primeField(size: number): Field {
  return {
    size,
    add: (a, b) => a + b - size * (1 - isBelow(a + b, size)),
    subtract: (a, b) => a - b + size * isBelow(a, b),
    times: (a, b) => (a * b) % size,
  }
}

function binaryField(size: number, degree: number): Field {
  const polynomial = polynomials[degree - 2] ?? 0
  return {
    size,
    add: (a, b) => a ^ b,
    subtract: (a, b) => a ^ b,
    times: (a, b) => {
      let product = 0
      for (let bit = degree - 1; bit >= 0; bit -= 1) {
        product <<= 1
        product ^= polynomial * (product >> degree)
        product ^= a * ((b >> bit) & 1)
      }
      return product
    },
  }
}

/** The n of 2^n, or 0 where the size is no power of two. */
function degreeOf(size: number): number {
  const degree = 31 - Math.clz32(size)
  return 2 ** degree === size ? degree : 0
}

function isPrime(size: number): boolean {
  for (let divisor = 2; divisor * divisor <= size; divisor += 1) if (size % divisor === 0) return false
  return true
}
