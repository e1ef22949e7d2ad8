import { expect, test } from "vitest"
import { freshSeed, seededBits } from "../testing/seeded-bits.ts"
import { numberNear, rationalOfNumber } from "./dyadic.ts"
import { expm1Near, expNear, ln1pNear, lnNear, tanhNear } from "./elementary.ts"
import { lowerEnd } from "./enclosure.ts"
import { expDown, tanhUp } from "./exp.ts"
import { encloseLn } from "./log.ts"
import { add, divide, negate, one, subtract, type Rational } from "./rational.ts"

/** How far a double is from the truth, as a part of it. */
function error(got: number, truth: Rational): number {
  return Math.abs(numberNear(divide(subtract(rationalOfNumber(got), truth), truth)))
}

const ln = (x: Rational): Rational => lowerEnd(encloseLn(x, 256))

test("functions are near the truth over their whole range", () => {
  const rng = seededBits(freshSeed())
  const unit = (): number => rng.word() * 2 ** -32 + rng.word() * 2 ** -64
  const worst = { exp: 0, expm1: 0, ln: 0, ln1p: 0, tanh: 0 }
  for (let round = 0; round < 300; round += 1) {
    const sign = round % 2 === 0 ? 1 : -1
    const size = sign * unit() * 2 ** -(rng.word() % 40)
    const large = sign * 700 * unit()
    for (const x of [size, large, 8 * size]) {
      const power = expDown(rationalOfNumber(x), 160)
      worst.exp = Math.max(worst.exp, error(expNear(x), power))
      worst.expm1 = Math.max(worst.expm1, error(expm1Near(x), subtract(power, one)))
      const tanh = tanhUp(rationalOfNumber(Math.abs(x)), 96)
      worst.tanh = Math.max(worst.tanh, error(tanhNear(x), x > 0 ? tanh : negate(tanh)))
    }
    for (const x of [1 + size / 2, unit() * 2 ** (large * 1.4)].filter((y) => y > 0 && y !== 1)) {
      worst.ln = Math.max(worst.ln, error(lnNear(x), ln(rationalOfNumber(x))))
    }
    for (const x of [0.99 * size, Math.abs(large)]) {
      worst.ln1p = Math.max(worst.ln1p, error(ln1pNear(x), ln(add(one, rationalOfNumber(x)))))
    }
  }
  expect(worst.exp, `seed ${rng.seed}`).toBeLessThan(2 ** -46)
  expect(worst.expm1, `seed ${rng.seed}`).toBeLessThan(2 ** -45)
  expect(worst.ln, `seed ${rng.seed}`).toBeLessThan(2 ** -48)
  expect(worst.ln1p, `seed ${rng.seed}`).toBeLessThan(2 ** -48)
  expect(worst.tanh, `seed ${rng.seed}`).toBeLessThan(2 ** -44)
})

test("ends of the range, and what has no value", () => {
  expect([expNear(710), expNear(-750), expNear(0), expNear(-Infinity), expNear(Infinity)]).toEqual([
    Infinity,
    0,
    1,
    0,
    Infinity,
  ])
  expect(expNear(-740)).toBeGreaterThan(0)
  expect(expNear(709)).toBeLessThan(Infinity)
  expect([lnNear(0), lnNear(1), lnNear(-1), lnNear(Infinity)]).toEqual([-Infinity, 0, Number.NaN, Infinity])
  expect(error(lnNear(5e-324), ln(rationalOfNumber(5e-324)))).toBeLessThan(2 ** -48)
  expect(error(lnNear(Number.MAX_VALUE), ln(rationalOfNumber(Number.MAX_VALUE)))).toBeLessThan(2 ** -48)
  expect([ln1pNear(-1), ln1pNear(0), expm1Near(0), expm1Near(-1000), tanhNear(0)]).toEqual([
    -Infinity,
    0,
    0,
    -1,
    0,
  ])
  expect([expNear, expm1Near, lnNear, ln1pNear, tanhNear].map((f) => f(Number.NaN))).toEqual(
    Array.from({ length: 5 }, () => Number.NaN),
  )
})

test("values are the same in every engine: those of the arithmetic of IEEE 754", () => {
  expect([expNear(1), expNear(-0.3), expm1Near(1e-5), lnNear(10), ln1pNear(1e-5), tanhNear(0.7)]).toEqual([
    2.7182818284590455, 0.7408182206817178, 0.000010000050000166668, 2.3025850929940455,
    0.000009999950000333332, 0.6043677771171635,
  ])
})
