import fc from "fast-check"
import { expect, test } from "vitest"
import {
  atLeastZero,
  betweenZeroAndOne,
  deltaOf,
  exactly,
  parseDecimal,
  positive,
  decimalExponent,
  showParameter,
  wholeNumber,
  type Numeric,
} from "./decimal.ts"
import { rational, showRational } from "./rational.ts"

const refusal = (code: string): unknown => expect.objectContaining({ code, kind: "invalid" })

test.each([
  ["0", "0"],
  ["12", "12"],
  ["-0.25", "-1/4"],
  ["+0.5", "1/2"],
  ["0.1", "1/10"],
  ["00.10", "1/10"],
  ["1e-9", "1/1000000000"],
  ["1E3", "1000"],
  ["2.50e+1", "25"],
  ["-0", "0"],
  ["1/3", "1/3"],
  ["-4/6", "-2/3"],
  ["+3/9", "1/3"],
  ["0/5", "0"],
  [`1e400`, `1${"0".repeat(400)}`],
  [`1e-400`, `1/1${"0".repeat(400)}`],
  ["9".repeat(400), "9".repeat(400)],
])("reads %s exactly", (text, exact) => {
  expect(showRational(parseDecimal(text, "epsilon"))).toBe(exact)
  expect(exactly(text, "epsilon")).toEqual(parseDecimal(text, "epsilon"))
})

test.each([
  "",
  " ",
  " 1",
  "1 ",
  "1\n",
  "NaN",
  "Infinity",
  "-inf",
  "0x10",
  "0b1",
  "1_000",
  "1,5",
  ".5",
  "5.",
  "1e",
  "1e+",
  "1e5.5",
  "1.2.3",
  "--1",
  "+-1",
  "1/0",
  "0/0",
  "1/-3",
  "1/ 3",
  "1/2/3",
  "0.5/2",
  "1e2/3",
  "1n",
  "\u0661",
  "\uff11",
  "1e123456",
  "1e99999999999999999999",
  "9".repeat(401),
  `1/${"9".repeat(400)}`,
  `0.${"0".repeat(1_000_000)}1`,
  "epsilon",
  "${1}",
])("parameter/not-a-number: refuses %j", (text) => {
  expect(() => exactly(text, "epsilon")).toThrow(refusal("parameter/not-a-number"))
  expect(() => exactly(text, "epsilon")).toThrow(/^epsilon is not a finite number: .{0,40}$|^epsilon .*1\n$/s)
})

test.each(["1e-5000", "1e5000", "1e401", "0.5e-400", "-1e-99999", `0.${"1".repeat(300)}e-300`])(
  "parameter/out-of-range: refuses the exponent of %j before it costs time",
  (text) => {
    expect(() => exactly(text, "epsilon")).toThrow(refusal("parameter/out-of-range"))
  },
)

test("a number is the double that it is, not the decimal that it looks like", () => {
  expect(exactly(0.1, "epsilon")).toEqual(rational(3602879701896397n, 1n << 55n))
  expect(exactly(-0, "epsilon")).toEqual(rational(0n))
  expect(exactly(5e-324, "epsilon")).toEqual(rational(1n, 1n << 1074n))
  for (const value of [Number.NaN, Infinity, -Infinity]) {
    expect(() => exactly(value, "epsilon")).toThrow(refusal("parameter/not-a-number"))
  }
})

test("integers and fractions are read as they are, in lowest terms", () => {
  expect(exactly(-7n, "k")).toEqual(rational(-7n))
  expect(exactly({ numerator: 2n, denominator: -4n }, "k")).toEqual(rational(-1n, 2n))
  expect(() => exactly({ numerator: 2n, denominator: 0n }, "k")).toThrow(refusal("parameter/not-a-number"))
})

test("parameter/too-large: refuses what would make every later step slow", () => {
  const limit = 1n << 4096n
  expect(exactly(limit, "k")).toEqual(rational(limit))
  for (const value of [limit + 1n, -limit - 1n, rational(1n, limit + 1n), rational(limit + 1n, 2n)]) {
    expect(() => exactly(value, "k")).toThrow(refusal("parameter/too-large"))
  }
})

test("parameter/not-a-number: refuses what callers without types may send", () => {
  const foreign: readonly unknown[] = [
    null,
    undefined,
    true,
    {},
    [],
    [1n],
    { numerator: 1, denominator: 2 },
    { numerator: 5, denominator: 1n },
    { numerator: 1n },
    { numerator: "1", denominator: "2" },
    () => 1,
  ]
  for (const value of foreign) {
    expect(() => exactly(value as Numeric, "epsilon")).toThrow(refusal("parameter/not-a-number"))
    expect(() => positive(value as Numeric, "epsilon")).toThrow(refusal("parameter/not-a-number"))
  }
})

test("parameter/not-positive: 0 and below are refused", () => {
  expect(positive("1e-400", "scale").numerator).toBe(1n)
  for (const value of ["0", "-0.0", -1n, -5e-324, "0/7"]) {
    expect(() => positive(value, "scale")).toThrow(refusal("parameter/not-positive"))
  }
})

test("parameter/negative: 0 is allowed, less is not", () => {
  expect(atLeastZero("0", "epsilon")).toEqual(rational(0n))
  for (const value of ["-1e-400", -5e-324, -1n]) {
    expect(() => atLeastZero(value, "epsilon")).toThrow(refusal("parameter/negative"))
  }
  expect(() => atLeastZero("-1e-400", "epsilon")).toThrow("must not be negative, and is -5e-324")
})

test("parameter/out-of-range: a confidence lies strictly between 0 and 1, a delta may be 0", () => {
  const nearOne = rational((1n << 200n) - 1n, 1n << 200n)
  expect(betweenZeroAndOne(nearOne, "confidence")).toEqual(nearOne)
  expect(betweenZeroAndOne("1e-300", "confidence").numerator).toBe(1n)
  for (const value of ["0", "1", "1.5", "-0.5"]) {
    expect(() => betweenZeroAndOne(value, "confidence")).toThrow(refusal("parameter/out-of-range"))
  }
  expect(deltaOf("0")).toEqual(rational(0n))
  expect(deltaOf(nearOne)).toEqual(nearOne)
  for (const value of ["1", "2", "-1e-9"])
    expect(() => deltaOf(value)).toThrow(refusal("parameter/out-of-range"))
})

test("parameter/not-an-integer: whole numbers are whole, and large enough", () => {
  expect(wholeNumber("3", "k")).toBe(3n)
  expect(wholeNumber("3.0", "k")).toBe(3n)
  expect(wholeNumber(2 ** 60, "k")).toBe(1n << 60n)
  expect(wholeNumber("0", "k", 0n)).toBe(0n)
  for (const value of ["3.5", "1/3", 0.1]) {
    expect(() => wholeNumber(value, "k")).toThrow(refusal("parameter/not-an-integer"))
  }
  expect(() => wholeNumber("0", "k")).toThrow(refusal("parameter/out-of-range"))
  expect(() => wholeNumber("-1", "k", 0n)).toThrow("k must lie in the integers from 0, and is -1")
})

test.each([
  ["1/2", "0.5"],
  ["-1/8", "-0.125"],
  ["12", "12"],
  ["1/1000000000000", "1e-12"],
  ["-5/4", "-1.25"],
  ["1/3", "0.3333333333333333"],
  ["1/10000000000000", "1e-13"],
  ["1e-400", "5e-324"],
  [`1.${"0".repeat(390)}1`, "1.0000000000000002"],
  ["1e400", `1${"0".repeat(400)}`],
])("shows %s as %s", (text, shown) => {
  expect(showParameter(exactly(text, "x"))).toBe(shown)
})

test("a parameter that is not 0 is never shown as 0", () => {
  const long = exactly({ numerator: 10n ** 1000n + 1n, denominator: 3n }, "x")
  expect(showParameter(long)).toMatch(/^\d{37}\.\.\.$/)
  const limits = { min: 1n, max: 1n << 1023n }
  fc.assert(
    fc.property(fc.bigInt(limits), fc.bigInt({ min: 1n, max: 1n << 1200n }), (n, d) => {
      expect(showParameter(rational(n, d))).toMatch(/^[0-9.]*[1-9]/)
      expect(showParameter(rational(-n, d))).toBe(`-${showParameter(rational(n, d))}`)
    }),
  )
})

test("what is shown of a short decimal reads back as the same value", () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
      fc.integer({ min: 0, max: 12 }),
      (n, places) => {
        const value = rational(n, 10n ** BigInt(places))
        expect(parseDecimal(showParameter(value), "x")).toEqual(value)
      },
    ),
  )
})

test("the exponent of a double's first digit is exact at every power of ten", () => {
  for (let power = -300; power <= 300; power += 1) expect(decimalExponent(Number(`1e${power}`))).toBe(power)
  expect([decimalExponent(999), decimalExponent(0.05), decimalExponent(5e-324)]).toEqual([2, -2, -324])
})
