import fc from "fast-check"
import { expect, test } from "vitest"
import {
  add,
  bitLength,
  ceil,
  compare,
  divide,
  floor,
  floorDivide,
  isLess,
  isPositive,
  maximum,
  minimum,
  multiply,
  negate,
  one,
  rational,
  showRational,
  square,
  subtract,
  zero,
  type Rational,
} from "./rational.ts"

const integers = fc.oneof(
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: -(1n << 200n), max: 1n << 200n }),
)
const denominators = integers.filter((n) => n !== 0n)
const rationals = fc.tuple(integers, denominators).map(([n, d]) => rational(n, d))
const nonZero = rationals.filter((a) => a.numerator !== 0n)

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b)
}

function isLowest(a: Rational): boolean {
  return a.denominator > 0n && gcd(a.numerator, a.denominator) === 1n
}

test("a fraction is in lowest terms with a positive denominator, and stands for the same number", () => {
  fc.assert(
    fc.property(integers, denominators, (n, d) => {
      const a = rational(n, d)
      return isLowest(a) && a.numerator * d === n * a.denominator
    }),
  )
  expect(rational(0n, -7n)).toEqual({ numerator: 0n, denominator: 1n })
  expect(rational(-6n, -4n)).toEqual({ numerator: 3n, denominator: 2n })
  expect(rational(6n, -4n)).toEqual({ numerator: -3n, denominator: 2n })
  expect(rational(5n)).toEqual({ numerator: 5n, denominator: 1n })
})

test("operations on fractions with long common factors are exact, and in lowest terms", () => {
  const factors = fc.bigInt({ min: 1n, max: 1n << 120n })
  fc.assert(
    fc.property(rationals, nonZero, factors, (a, b, factor) => {
      const c = rational(a.numerator * factor, a.denominator)
      const d = rational(b.numerator, b.denominator * factor)
      const e = rational(a.numerator, a.denominator * factor)
      const pairs = [
        [add(d, e), d.numerator * e.denominator + e.numerator * d.denominator, d.denominator * e.denominator],
        [multiply(c, d), c.numerator * d.numerator, c.denominator * d.denominator],
        [divide(e, d), e.numerator * d.denominator, e.denominator * d.numerator],
      ] as const
      return pairs.every(([got, n, by]) => isLowest(got) && got.numerator * by === n * got.denominator)
    }),
  )
})

test("every operation keeps lowest terms", () => {
  fc.assert(
    fc.property(rationals, nonZero, (a, b) =>
      [add(a, b), subtract(a, b), multiply(a, b), divide(a, b), negate(a), square(a)].every(isLowest),
    ),
  )
})

test("addition and multiplication follow the laws of a field", () => {
  fc.assert(
    fc.property(rationals, rationals, nonZero, (a, b, c) => {
      expect(add(a, b)).toEqual(add(b, a))
      expect(add(add(a, b), c)).toEqual(add(a, add(b, c)))
      expect(multiply(a, b)).toEqual(multiply(b, a))
      expect(multiply(a, add(b, c))).toEqual(add(multiply(a, b), multiply(a, c)))
      expect(add(a, negate(a))).toEqual(zero)
      expect(subtract(a, b)).toEqual(negate(subtract(b, a)))
      expect(multiply(divide(a, c), c)).toEqual(a)
      expect(divide(c, c)).toEqual(one)
      expect(square(a)).toEqual(multiply(a, a))
    }),
  )
})

test("comparison is the sign of the difference", () => {
  fc.assert(
    fc.property(rationals, rationals, (a, b) => {
      const sign = subtract(a, b).numerator
      expect(Math.sign(compare(a, b))).toBe(sign > 0n ? 1 : sign < 0n ? -1 : 0)
      expect(isLess(a, b)).toBe(sign < 0n)
      expect(isPositive(a)).toBe(a.numerator > 0n)
      expect([minimum(a, b), maximum(a, b)]).toEqual(sign <= 0n ? [a, b] : [b, a])
    }),
  )
})

test.each([
  [7n, 2n, 3n, 4n],
  [-7n, 2n, -4n, -3n],
  [-8n, 2n, -4n, -4n],
  [8n, 2n, 4n, 4n],
  [-1n, 1000n, -1n, 0n],
  [1n, 1000n, 0n, 1n],
  [0n, 5n, 0n, 0n],
])("%d/%d lies between %d and %d", (n, d, down, up) => {
  expect(floor(rational(n, d))).toBe(down)
  expect(ceil(rational(n, d))).toBe(up)
  expect(floorDivide(n, d)).toBe(down)
})

test("floor and ceiling enclose within less than one", () => {
  fc.assert(
    fc.property(rationals, (a) => {
      const [down, up] = [rational(floor(a)), rational(ceil(a))]
      expect(compare(down, a)).toBeLessThanOrEqual(0)
      expect(compare(a, up)).toBeLessThanOrEqual(0)
      expect(isLess(subtract(a, down), one) && isLess(subtract(up, a), one)).toBe(true)
    }),
  )
})

test("bug/invariant: a zero denominator, a zero divisor and a floor by a negative number are refused", () => {
  const bug = expect.objectContaining({ code: "bug/invariant" })
  expect(() => rational(1n, 0n)).toThrow(bug)
  expect(() => divide(one, zero)).toThrow(bug)
  expect(() => floorDivide(1n, -1n)).toThrow(bug)
  expect(() => floorDivide(1n, 0n)).toThrow(bug)
})

test("equal values have equal texts, and different values different ones", () => {
  fc.assert(
    fc.property(rationals, rationals, nonZero, (a, b, c) => {
      expect(showRational(divide(multiply(a, c), c))).toBe(showRational(a))
      expect(showRational(a) === showRational(b)).toBe(compare(a, b) === 0)
    }),
  )
  expect(showRational(rational(10n, 8n))).toBe("5/4")
  expect(showRational(rational(-9n, 3n))).toBe("-3")
})

test("the bit length is that of the binary text", () => {
  expect([0n, 1n, -1n, 2n, 3n, 4n, 255n, 256n, -256n].map(bitLength)).toEqual([0, 1, 1, 2, 2, 3, 8, 9, 9])
  for (const power of [15n, 16n, 17n, 31n, 32n, 33n, 63n, 64n, 1000n, 4096n]) {
    expect(bitLength((1n << power) - 1n)).toBe(Number(power))
    expect(bitLength(1n << power)).toBe(Number(power) + 1)
  }
  fc.assert(fc.property(integers, (n) => n === 0n || bitLength(n) === (n < 0n ? -n : n).toString(2).length))
})
