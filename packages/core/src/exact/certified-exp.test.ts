import { expect, test } from "vitest"
import { freshSeed, seededBits } from "../testing/seeded-bits.ts"
import { certifiedExp, certifiedExpError } from "./certified-exp.ts"
import { rationalOfNumber } from "./dyadic.ts"
import { lowerEnd, upperEnd } from "./enclosure.ts"
import { encloseExpNegative } from "./exp.ts"
import { add, compare, multiply, one, subtract, type Rational } from "./rational.ts"

const errorBound = rationalOfNumber(certifiedExpError)

/** Is certifiedExp(y) within the bound of e^-y? Proven by an enclosure with 80 significant bits. */
function isWithinBound(y: number, bound: Rational = errorBound): boolean {
  const bits = 80 + Math.ceil(y * 1.4427)
  const power = encloseExpNegative(rationalOfNumber(y), bits)
  const got = rationalOfNumber(certifiedExp(y))
  return (
    compare(got, multiply(upperEnd(power), subtract(one, bound))) >= 0 &&
    compare(got, multiply(lowerEnd(power), add(one, bound))) <= 0
  )
}

test("the stated error is 2^-48", () => {
  expect(certifiedExpError).toBe(2 ** -48)
})

test("is within its bound at 20,000 arguments from 0 to 700", () => {
  const rng = seededBits(freshSeed())
  const wrong: number[] = []
  for (let i = 0; i < 20_000; i += 1) {
    const unit = rng.word() * 2 ** -32 + rng.word() * 2 ** -64
    // A third over the whole range, a third up to 64, a third tiny.
    const y = i % 3 === 0 ? 700 * unit : i % 3 === 1 ? 64 * unit : unit * 2 ** -(rng.word() % 60)
    if (!isWithinBound(y)) wrong.push(y)
  }
  expect(wrong, `seed ${rng.seed}`).toEqual([])
})

test("is within 2^-50, as its comment says, at the borders of its pieces", () => {
  const bound = rationalOfNumber(2 ** -50)
  const step = 0.021660849392498291
  const wrong: number[] = []
  for (let n = 0; n < 32_316; n += n < 200 ? 1 : 47) {
    for (const off of [-0.5, -0.25, 0, 0.25, 0.5]) {
      const y = (n + off) * step
      for (const near of [y * (1 - 2 ** -52), y, y * (1 + 2 ** -52)]) {
        if (near >= 0 && near <= 700 && !isWithinBound(near, bound)) wrong.push(near)
      }
    }
  }
  expect(wrong).toEqual([])
})

test("is exact at 0, and right at both ends", () => {
  expect(certifiedExp(0)).toBe(1)
  expect(certifiedExp(2 ** -60)).toBe(1)
  expect(isWithinBound(700)).toBe(true)
  expect(isWithinBound(Number.MIN_VALUE)).toBe(true)
  expect(certifiedExp(Number.NaN)).toBeNaN()
})
