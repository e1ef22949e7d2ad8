import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { nearestWithTotal, wholeFromZero, type NoisyWhole } from "./from-zero.ts"

const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n)
const plain = (...values: readonly number[]): readonly NoisyWhole[] =>
  values.map((value) => ({ value: BigInt(value), variance: 1n, isSure: false }))

/** The real solution another way: the shift is searched for, in doubles. */
function bySearch(
  values: readonly Pick<NoisyWhole, "value" | "variance">[],
  total: bigint,
): readonly number[] {
  const numbers = values.map(({ value, variance }) => [Number(value), Number(variance)] as const)
  const at = (shift: number): readonly number[] => numbers.map(([y, v]) => Math.max(0, y - shift * v))
  let [low, high] = [-1e7, 1e7]
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2
    const found = at(middle).reduce((a, b) => a + b, 0)
    if (found > Number(total)) low = middle
    else high = middle
  }
  return at(high)
}

const value = fc.bigInt({ min: -1000n, max: 1000n })
const noisy = fc.record({ value, variance: fc.bigInt({ min: 1n, max: 50n }) })

describe("nearestWithTotal", () => {
  test("has the total, nothing negative, and is the searched solution up to rounding", () => {
    fc.assert(
      fc.property(fc.array(noisy, { minLength: 1, maxLength: 40 }), fc.bigInt(0n, 5000n), (values, total) => {
        const found = nearestWithTotal(values, total)
        const searched = bySearch(values, total)
        expect(sum(found)).toBe(total)
        for (const [index, one] of found.entries()) {
          expect(one >= 0n).toBe(true)
          expect(Math.abs(Number(one) - (searched[index] ?? Number.NaN))).toBeLessThan(1 + 1e-6)
        }
      }),
    )
  })

  test("leaves alone what is right already", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ value: fc.bigInt(0n, 99n), variance: fc.bigInt(1n, 9n) })),
        (values) => {
          const found = nearestWithTotal(values, sum(values.map((one) => one.value)))
          expect(found).toEqual(values.map((one) => one.value))
        },
      ),
    )
  })

  test("is the nearest of all whole numbers with the total, where variances are equal", () => {
    const values = plain(5, 3, -4, 0)
    const distance = (others: readonly number[]): number =>
      others.reduce((all, other, index) => all + (other - Number(values[index]?.value ?? 0n)) ** 2, 0)
    const found = nearestWithTotal(values, 4n).map(Number)
    for (let a = 0; a <= 4; a += 1) {
      for (let b = 0; a + b <= 4; b += 1) {
        for (let c = 0; a + b + c <= 4; c += 1) {
          expect(distance(found)).toBeLessThanOrEqual(distance([a, b, c, 4 - a - b - c]))
        }
      }
    }
  })
})

describe("wholeFromZero", () => {
  test("cuts a single number at 0", () => {
    expect(wholeFromZero(plain(-10))).toEqual([0n])
    expect(wholeFromZero(plain(7))).toEqual([7n])
    expect(wholeFromZero([])).toEqual([])
  })

  test("keeps what is sure, and the sum of the others", () => {
    const sure = { value: 10_000n, variance: 1n, isSure: true }
    expect(wholeFromZero([...plain(9, -6), sure, ...plain(3)])).toEqual([6n, 0n, 10_000n, 0n])
  })

  test("does not take from what is sure where the others add up to less than nothing", () => {
    const sure = { value: 50n, variance: 1n, isSure: true }
    expect(wholeFromZero([sure, ...plain(-30, 12, -1)])).toEqual([50n, 0n, 0n, 0n])
  })

  test("takes more from what is less certain", () => {
    const numbers = [
      { value: 20n, variance: 1n, isSure: false },
      { value: 20n, variance: 3n, isSure: false },
      { value: -8n, variance: 1n, isSure: false },
    ]
    expect(wholeFromZero(numbers)).toEqual([18n, 14n, 0n])
  })

  test("refuses a sure number below 0, and no variance", () => {
    expect(() => wholeFromZero([{ value: -1n, variance: 1n, isSure: true }])).toThrow("a sure one is above 0")
    expect(() => wholeFromZero([{ value: 1n, variance: 0n, isSure: false }])).toThrow("has a variance")
  })
})
