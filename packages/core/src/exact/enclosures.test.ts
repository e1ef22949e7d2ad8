// Enclosures against values computed elsewhere (mpmath) to 320 digits.

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import fixture from "../testing/fixtures/exact.json" with { type: "json" }
import { parseDecimal } from "./decimal.ts"
import { exponentOf, scaleByPowerOfTwo } from "./dyadic.ts"
import {
  coarsen,
  divideUp,
  lowerEnd,
  shiftUp,
  timesEnclosure,
  upperEnd,
  type Enclosure,
} from "./enclosure.ts"
import { encloseExpNegative, expDown, expUp, tanhUp } from "./exp.ts"
import { encloseLn, integerSqrt, lnDown, lnUp, sqrtDown, sqrtUp } from "./log.ts"
import { encloseNormalTail, enclosePi, normalCdfDown, normalCdfUp } from "./normal.ts"
import {
  add,
  compare,
  divide,
  isLess,
  multiply,
  negate,
  one,
  rational,
  square,
  subtract,
  zero,
  type Rational,
} from "./rational.ts"

interface Known {
  readonly input: string
  readonly x: Rational
  /** The value lies between these; they are 10^-320 of it apart. */
  readonly from: Rational
  readonly to: Rational
}

const allBits = [1, 8, 64, 200, 1000]

function known(group: string): readonly Known[] {
  const records = fixture.records.filter((record) => record.group === group)
  if (records.length === 0) throw new Error(`no record of ${group}`)
  return records.map(({ input, digits, exponent }) => {
    const value = BigInt(digits)
    const unit = exponent >= 0 ? rational(10n ** BigInt(exponent)) : rational(1n, 10n ** BigInt(-exponent))
    const a = multiply(rational(value), unit)
    const b = multiply(rational(value + (value < 0n ? -1n : 1n)), unit)
    const [n = "0", d = "1"] = input.split("/")
    const [from, to] = value < 0n ? [b, a] : [a, b]
    return { input, x: rational(BigInt(n), BigInt(d)), from, to }
  })
}

/** lo <= value <= hi, as far as 320 digits can tell, and at most `width` units apart. */
function checkEnclosure(value: Enclosure, { from, to, input }: Known, width: bigint): void {
  const where = `${input} at ${value.bits} bits`
  expect(compare(lowerEnd(value), to), where).toBeLessThanOrEqual(0)
  expect(compare(upperEnd(value), from), where).toBeGreaterThanOrEqual(0)
  expect(value.hi - value.lo, where).toBeLessThanOrEqual(width)
}

/** down <= value <= up, and both within 2^-bits of it, relatively. */
function checkEnds(ends: { down: Rational; up: Rational }, { from, to, input }: Known, bits: number): void {
  expect(compare(ends.down, to), input).toBeLessThanOrEqual(0)
  expect(compare(ends.up, from), input).toBeGreaterThanOrEqual(0)
  const size = from.numerator < 0n ? negate(from) : from
  const near = multiply(size, scaleByPowerOfTwo(1n, 2 - bits))
  expect(compare(subtract(ends.up, ends.down), near), input).toBeLessThanOrEqual(0)
}

describe("e^-x", () => {
  test.each(known("exp-negative"))("is enclosed to 3 units for x = $input", (record) => {
    for (const bits of allBits) checkEnclosure(encloseExpNegative(record.x, bits), record, 3n)
  })

  test.each(known("exp-negative"))("has both directions and its inverse for x = $input", (record) => {
    for (const bits of [16, 64, 200]) {
      const minus = negate(record.x)
      checkEnds({ down: expDown(minus, bits), up: expUp(minus, bits) }, record, bits)
      const inverse = { ...record, from: divide(one, record.to), to: divide(one, record.from) }
      checkEnds({ down: expDown(record.x, bits), up: expUp(record.x, bits) }, inverse, bits)
    }
  })

  test("is 1 at 0, and not below 0 or above 1 unit where it is too small to see", () => {
    const atZero = encloseExpNegative(zero, 64)
    expect(atZero.lo <= 1n << 64n && 1n << 64n <= atZero.hi && atZero.hi - atZero.lo <= 3n).toBe(true)
    for (const x of [rational(46n), rational(10n ** 30n), rational(10n ** 400n)]) {
      expect(encloseExpNegative(x, 64)).toEqual({ lo: 0n, hi: 1n, bits: 64 })
    }
    // Around the argument from which 0 and 1 are returned unseen.
    for (let k = -20n; k <= 20n; k += 1n) {
      const { lo, hi } = encloseExpNegative(rational(450545n + k, 10000n), 64)
      expect(lo >= 0n && lo <= 1n && hi >= 1n && hi <= 2n).toBe(true)
    }
    expect(() => encloseExpNegative(rational(-1n), 64)).toThrow(
      expect.objectContaining({ code: "bug/invariant" }),
    )
  })

  test("e^-(x+y) meets e^-x e^-y, and more bits stay inside fewer", () => {
    const arguments_ = fc
      .tuple(fc.bigInt({ min: 0n, max: 1n << 70n }), fc.bigInt({ min: 1n << 62n, max: 1n << 70n }))
      .map(([n, d]) => rational(n, d))
    fc.assert(
      fc.property(arguments_, arguments_, fc.integer({ min: 8, max: 300 }), (x, y, bits) => {
        const whole = encloseExpNegative(add(x, y), bits)
        const product = timesEnclosure(encloseExpNegative(x, bits), encloseExpNegative(y, bits))
        expect(whole.lo <= product.hi && product.lo <= whole.hi).toBe(true)
        const fine = coarsen(encloseExpNegative(x, bits + 70), bits)
        const rough = encloseExpNegative(x, bits)
        expect(rough.lo <= fine.hi && fine.lo <= rough.hi && rough.hi - rough.lo <= 3n).toBe(true)
      }),
    )
  })

  test("tanh is rounded up, by little, also for tiny arguments", () => {
    for (const x of [
      rational(1n, 10n ** 40n),
      rational(1n, 1000n),
      rational(1n, 3n),
      rational(2n),
      rational(30n),
    ]) {
      // tanh(x) = (1 - e^-2x) / (1 + e^-2x), from an enclosure of 600 bits.
      const power = encloseExpNegative(add(x, x), 600)
      const below = divide(subtract(one, upperEnd(power)), add(one, upperEnd(power)))
      const above = divide(subtract(one, lowerEnd(power)), add(one, lowerEnd(power)))
      const up = tanhUp(x)
      expect(compare(up, below)).toBeGreaterThanOrEqual(0)
      expect(isLess(up, multiply(above, rational((1n << 60n) + 1n, 1n << 60n)))).toBe(true)
    }
    expect(tanhUp(zero).numerator).toBeGreaterThanOrEqual(0n)
  })
})

describe("ln x", () => {
  test.each(known("ln"))("is enclosed to 3 units for x = $input", (record) => {
    for (const bits of allBits) checkEnclosure(encloseLn(record.x, bits), record, 3n)
  })

  test.each(known("ln"))("has both directions for x = $input", (record) => {
    for (const bits of [64, 200]) {
      const [down, up] = [lnDown(record.x, bits), lnUp(record.x, bits)]
      expect(compare(down, record.to)).toBeLessThanOrEqual(0)
      expect(compare(up, record.from)).toBeGreaterThanOrEqual(0)
      const size = record.from.numerator < 0n ? negate(record.from) : record.from
      const relative = multiply(add(size, one), scaleByPowerOfTwo(1n, 2 - bits))
      expect(compare(subtract(up, down), relative)).toBeLessThanOrEqual(0)
    }
  })

  test("is 0 at 1, and refuses 0 and below", () => {
    const { lo, hi } = encloseLn(one, 64)
    expect(lo <= 0n && hi >= 0n && hi - lo <= 3n).toBe(true)
    for (const x of [zero, rational(-1n)]) {
      expect(() => encloseLn(x, 64)).toThrow(expect.objectContaining({ code: "bug/invariant" }))
    }
  })
})

describe("square roots", () => {
  test.each(known("sqrt"))("have both directions for x = $input", (record) => {
    for (const bits of allBits) {
      checkEnds({ down: sqrtDown(record.x, bits), up: sqrtUp(record.x, bits) }, record, bits)
    }
  })

  test("squared, they enclose any x; perfect squares are exact", () => {
    const positives = fc
      .tuple(fc.bigInt({ min: 1n, max: 1n << 300n }), fc.bigInt({ min: 1n, max: 1n << 300n }))
      .map(([n, d]) => rational(n, d))
    fc.assert(
      fc.property(positives, fc.integer({ min: 1, max: 300 }), (x, bits) => {
        const [down, up] = [sqrtDown(x, bits), sqrtUp(x, bits)]
        expect(compare(square(down), x)).toBeLessThanOrEqual(0)
        expect(compare(square(up), x)).toBeGreaterThanOrEqual(0)
        const unit = scaleByPowerOfTwo(1n, Math.floor(exponentOf(x) / 2) + 3 - bits)
        expect(compare(subtract(up, down), unit)).toBeLessThanOrEqual(0)
      }),
    )
    const perfect = rational(49n, 1n << 40n)
    expect(sqrtUp(perfect)).toEqual(rational(7n, 1n << 20n))
    expect(sqrtDown(perfect)).toEqual(rational(7n, 1n << 20n))
    expect([sqrtDown(zero), sqrtUp(zero)]).toEqual([zero, zero])
  })

  test("integerSqrt is the floor of the root", () => {
    expect([0n, 1n, 2n, 3n, 4n, 8n, 9n, 15n, 16n].map(integerSqrt)).toEqual([
      0n,
      1n,
      1n,
      1n,
      2n,
      2n,
      3n,
      3n,
      4n,
    ])
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 400n }), (root) => {
        expect(integerSqrt(root * root)).toBe(root)
        expect(integerSqrt(root * root + 2n * root)).toBe(root)
        if (root > 0n) expect(integerSqrt(root * root - 1n)).toBe(root - 1n)
      }),
    )
    expect(() => integerSqrt(-1n)).toThrow(expect.objectContaining({ code: "bug/invariant" }))
  })
})

describe("the normal law", () => {
  test.each(known("normal-tail"))("has an upper tail enclosed to 3 units for t^2 = $input", (record) => {
    for (const bits of allBits) checkEnclosure(encloseNormalTail(record.x, bits), record, 3n)
  })

  test.each(known("normal-tail"))(
    "has a distribution function in both directions for t^2 = $input",
    (record) => {
      const t = sqrtDown(record.x, 64)
      if (compare(square(t), record.x) !== 0) return
      for (const bits of [32, 64, 200]) {
        const minus = negate(t)
        checkEnds({ down: normalCdfDown(minus, bits), up: normalCdfUp(minus, bits) }, record, bits)
        const upper = { ...record, from: subtract(one, record.to), to: subtract(one, record.from) }
        checkEnds({ down: normalCdfDown(t, bits), up: normalCdfUp(t, bits) }, upper, bits)
      }
    },
  )

  test("is one half at 0, and answers at once where nothing is left", () => {
    const { lo, hi } = encloseNormalTail(zero, 64)
    expect(lo <= 1n << 63n && 1n << 63n <= hi && hi - lo <= 3n).toBe(true)
    for (const tSquared of [rational(89n), rational(10n ** 9n), rational(10n ** 400n, 3n)]) {
      expect(encloseNormalTail(tSquared, 64)).toEqual({ lo: 0n, hi: 1n, bits: 64 })
    }
    expect(() => encloseNormalTail(rational(-1n), 64)).toThrow(
      expect.objectContaining({ code: "bug/invariant" }),
    )
  })

  test("falls with t, without a jump where it becomes too small to see", () => {
    let before = encloseNormalTail(zero, 64)
    for (let k = 1n; k <= 140n; k += 1n) {
      const tail = encloseNormalTail(square(rational(k, 14n)), 64)
      expect(tail.lo <= before.lo && tail.hi <= before.hi && tail.hi - tail.lo <= 3n).toBe(true)
      before = tail
    }
  })

  test("pi is enclosed at any number of bits, also from the cache", () => {
    const [record] = known("pi")
    if (record === undefined) throw new Error("no pi")
    for (const bits of [...allBits, 64]) checkEnclosure(enclosePi(bits), record, 3n)
    // More precisions than the cache keeps.
    for (let bits = 2; bits < 90; bits += 1) checkEnclosure(enclosePi(bits), record, 3n)
  })
})

describe("arithmetic on enclosures", () => {
  test("rounds outward", () => {
    expect(shiftUp(5n, 1n)).toBe(3n)
    expect(shiftUp(4n, 1n)).toBe(2n)
    expect(shiftUp(-5n, 1n)).toBe(-2n)
    expect(divideUp(7n, 2n)).toBe(4n)
    expect(divideUp(8n, 2n)).toBe(4n)
    expect(divideUp(0n, 9n)).toBe(0n)
    expect(coarsen({ lo: -5n, hi: 5n, bits: 3 }, 1)).toEqual({ lo: -2n, hi: 2n, bits: 1 })
    expect(timesEnclosure({ lo: 3n, hi: 5n, bits: 2 }, { lo: 3n, hi: 3n, bits: 2 })).toEqual({
      lo: 2n,
      hi: 4n,
      bits: 2,
    })
    expect(lowerEnd({ lo: 6n, hi: 7n, bits: 2 })).toEqual(rational(3n, 2n))
    expect(upperEnd({ lo: 6n, hi: 7n, bits: -1 })).toEqual(rational(14n))
  })

  test("bug/invariant: refuses to add bits, or to multiply what is not aligned or may be negative", () => {
    const bug = expect.objectContaining({ code: "bug/invariant" })
    const value = { lo: 1n, hi: 2n, bits: 4 }
    expect(() => coarsen(value, 5)).toThrow(bug)
    expect(() => timesEnclosure(value, { ...value, bits: 5 })).toThrow(bug)
    expect(() => timesEnclosure(value, { ...value, lo: -1n })).toThrow(bug)
  })
})

test("the fixture says what it means: e^-1 begins with 0.367879441171442321595", () => {
  const [record] = known("exp-negative").filter(({ input }) => input === "1")
  const digits = "0.36787944117144232159552377016146086744581113103176783450783680169746"
  const about = parseDecimal(digits, "e^-1")
  expect(record !== undefined && compare(record.from, about) >= 0).toBe(true)
  expect(record !== undefined && isLess(record.from, add(about, rational(1n, 10n ** 67n)))).toBe(true)
})
