import fc from "fast-check"
import { expect, test } from "vitest"
import {
  exponentOf,
  fixedPoint,
  numberDown,
  numberNear,
  numberNearest,
  numberUp,
  rationalOfNumber,
  roundDown,
  roundUp,
  scaleByPowerOfTwo,
} from "./dyadic.ts"
import { bitLength, compare, multiply, negate, rational, subtract, type Rational } from "./rational.ts"

const view = new DataView(new ArrayBuffer(8))

function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

function bitsOf(value: number): bigint {
  view.setFloat64(0, value)
  return view.getBigUint64(0)
}

/** The value by the definition of IEEE 754: sign, exponent and significand read from the bits. */
function byDefinition(bits: bigint): Rational {
  const field = (bits >> 52n) & 0x7ffn
  const fraction = bits & 0xfffffffffffffn
  const significand = field === 0n ? fraction : fraction | (1n << 52n)
  const exponent = (field === 0n ? 1n : field) - 1075n
  const size = exponent >= 0n ? rational(significand << exponent) : rational(significand, 1n << -exponent)
  return bits >> 63n === 1n ? negate(size) : size
}

/** The next double above, by counting in the bits. */
function next(value: number): number {
  if (value === 0) return Number.MIN_VALUE
  return doubleOf(bitsOf(value) + (value > 0 ? 1n : -1n))
}

function previous(value: number): number {
  return -next(-value)
}

const patterns = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  // Subnormals, and the neighbourhoods of powers of two.
  fc.bigInt({ min: 0n, max: (1n << 52n) - 1n }),
  fc.tuple(fc.bigInt({ min: 0n, max: 0x7fen }), fc.bigInt({ min: -2n, max: 2n })).map(([field, off]) => {
    const bits = (field << 52n) + off
    return bits < 0n ? 0n : bits
  }),
)
const finiteBits = patterns.filter((bits) => Number.isFinite(doubleOf(bits)))
const wideRationals = fc
  .tuple(
    fc.bigInt({ min: -(1n << 80n), max: 1n << 80n }),
    fc.bigInt({ min: 1n, max: 1n << 80n }),
    fc.integer({ min: -1200, max: 1200 }),
  )
  .map(([n, d, power]) => multiply(rational(n, d), scaleByPowerOfTwo(1n, power)))

test("every double is taken apart exactly", () => {
  fc.assert(
    fc.property(finiteBits, (bits) => {
      expect(rationalOfNumber(doubleOf(bits))).toEqual(byDefinition(bits))
    }),
    { numRuns: 500 },
  )
  for (const value of [0, -0, 1, -1, 0.1, 2 ** 53 - 1, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** -1022]) {
    expect(rationalOfNumber(value)).toEqual(byDefinition(bitsOf(value)))
  }
  expect(rationalOfNumber(0.1)).toEqual(rational(3602879701896397n, 1n << 55n))
})

test("bug/invariant: what is not finite has no exact value", () => {
  for (const value of [Number.NaN, Infinity, -Infinity]) {
    expect(() => rationalOfNumber(value)).toThrow(expect.objectContaining({ code: "bug/invariant" }))
  }
})

test("a double comes back from both roundings", () => {
  fc.assert(
    fc.property(finiteBits, (bits) => {
      const value = doubleOf(bits)
      const exact = byDefinition(bits)
      expect(numberDown(exact) === value && numberUp(exact) === value).toBe(true)
    }),
    { numRuns: 500 },
  )
})

function checkAdjacent(exact: Rational): void {
  const down = numberDown(exact)
  const up = numberUp(exact)
  if (down === -Infinity) expect(compare(exact, rationalOfNumber(-Number.MAX_VALUE))).toBeLessThan(0)
  else expect(compare(rationalOfNumber(down), exact)).toBeLessThanOrEqual(0)
  if (up === Infinity) expect(compare(exact, rationalOfNumber(Number.MAX_VALUE))).toBeGreaterThan(0)
  else expect(compare(exact, rationalOfNumber(up))).toBeLessThanOrEqual(0)
  // No double lies strictly nearer: `up` is `down` or the one after it.
  if (down !== up) expect(down === -Infinity ? -Number.MAX_VALUE : next(down)).toBe(up)
}

test("numberDown and numberUp are the adjacent doubles", () => {
  fc.assert(fc.property(wideRationals, checkAdjacent), { numRuns: 500 })
})

test("numberDown and numberUp are right at every border of the doubles", () => {
  const hair = rational(1n, 1n << 2000n)
  const borders = [0, 1, 2, 2 ** 53, 2 ** -1022, Number.MIN_VALUE, Number.MAX_VALUE, 0.1, 2 ** 1023]
  for (const border of borders.flatMap((value) => [value, -value])) {
    const exact = rationalOfNumber(border)
    const above = subtract(exact, negate(hair))
    const below = subtract(exact, hair)
    for (const near of [exact, above, below]) checkAdjacent(near)
    expect(numberDown(above) === border && numberUp(below) === border).toBe(true)
    if (Math.abs(border) !== Number.MAX_VALUE) {
      expect(numberUp(above) === next(border) && numberDown(below) === previous(border)).toBe(true)
    }
  }
  const huge = rational(10n ** 400n)
  expect([numberDown(huge), numberUp(huge)]).toEqual([Number.MAX_VALUE, Infinity])
  expect([numberDown(negate(huge)), numberUp(negate(huge))]).toEqual([-Infinity, -Number.MAX_VALUE])
  const tiny = rational(1n, 10n ** 400n)
  expect([numberDown(tiny), numberUp(tiny)]).toEqual([0, Number.MIN_VALUE])
})

test("numberNear is near, also for fractions of integers that no double holds", () => {
  fc.assert(
    fc.property(wideRationals, fc.bigInt({ min: 1n, max: 1n << 3000n }), (value, stretch) => {
      const near = numberNear(value)
      if (Math.abs(near) < 2 ** -1000 || Math.abs(near) > 2 ** 1000) return
      expect(near >= previous(previous(numberDown(value))) && near <= next(next(numberUp(value)))).toBe(true)
      // The same value with a long numerator and denominator: a hair more than value.
      const long = { numerator: value.numerator * stretch, denominator: value.denominator * stretch }
      const same = numberNear(long)
      expect(same >= previous(previous(numberDown(value))) && same <= next(next(numberUp(value)))).toBe(true)
    }),
  )
  // A decimal of 309 places: the quotient of its parts as doubles would be 0 and NaN.
  expect(numberNear(rational(15n * 10n ** 307n + 1n, 10n ** 309n))).toBeCloseTo(0.15, 12)
  expect(numberNear(rational(10n ** 400n + 1n, 10n ** 400n))).toBeCloseTo(1, 12)
  expect(numberNear(rational(10n ** 400n))).toBe(Infinity)
})

test("numberNearest is what reading the decimals gives, and the even one of two", () => {
  const places = fc.integer({ min: 0, max: 350 })
  fc.assert(
    fc.property(fc.bigInt({ min: -(1n << 1200n), max: 1n << 1200n }), places, (digits, scale) => {
      expect(numberNearest(rational(digits, 10n ** BigInt(scale)))).toBe(Number(`${digits}e-${scale}`))
    }),
  )
  const odd = (1n << 53n) + 1n
  expect(numberNearest(rational(odd))).toBe(2 ** 53)
  expect(numberNearest(rational(odd + 2n))).toBe(2 ** 53 + 4)
  expect(numberNearest(rational(-odd, 1n << 1074n))).toBe(-(2 ** 53) * 2 ** -1074)
  expect(numberNearest(rational(3n, 1n << 1075n))).toBe(2 ** -1073)
  expect(numberNearest(rational(-(10n ** 400n)))).toBe(-Infinity)
})

test.each([1, 2, 53, 64, 200])(
  "rounding to %d bits goes the right way and no further than one unit",
  (bits) => {
    fc.assert(
      fc.property(wideRationals, (value) => {
        const [down, up] = [roundDown(value, bits), roundUp(value, bits)]
        expect(compare(down, value)).toBeLessThanOrEqual(0)
        expect(compare(value, up)).toBeLessThanOrEqual(0)
        for (const end of [down, up]) {
          expect(bitLength(end.denominator & (end.denominator - 1n))).toBe(0)
          const odd = end.numerator / (end.numerator & -end.numerator || 1n)
          expect(bitLength(odd)).toBeLessThanOrEqual(bits)
        }
        if (value.numerator === 0n) return
        // The ends are at most one unit of the last of `bits` places apart.
        const size = value.numerator < 0n ? negate(value) : value
        const unit = scaleByPowerOfTwo(1n, exponentOf(size) + 1 - bits)
        expect(compare(subtract(up, down), unit)).toBeLessThanOrEqual(0)
      }),
    )
  },
)

test("exponentOf brackets the value between powers of two", () => {
  fc.assert(
    fc.property(wideRationals, (value) => {
      if (value.numerator <= 0n) return
      const exponent = exponentOf(value)
      expect(compare(scaleByPowerOfTwo(1n, exponent), value)).toBeLessThanOrEqual(0)
      expect(compare(value, scaleByPowerOfTwo(1n, exponent + 1))).toBeLessThan(0)
    }),
  )
  expect(() => exponentOf(rational(0n))).toThrow(expect.objectContaining({ code: "bug/invariant" }))
})

test("fixedPoint is the floor at any number of places", () => {
  expect(fixedPoint(rational(7n, 2n), 0)).toBe(3n)
  expect(fixedPoint(rational(7n, 2n), 1)).toBe(7n)
  expect(fixedPoint(rational(1n, 3n), 10)).toBe(341n)
  expect(fixedPoint(rational(1000n), -3)).toBe(125n)
  expect(fixedPoint(rational(999n), -3)).toBe(124n)
  expect(() => fixedPoint(rational(-1n), 3)).toThrow(expect.objectContaining({ code: "bug/invariant" }))
})
