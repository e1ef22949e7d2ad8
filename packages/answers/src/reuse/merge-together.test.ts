import { multiply, rational, type Rational } from "@dosimeter/core/exact"
import { describe, expect, test } from "vitest"
import { addForms, formOf, formSums, scaleForm, type LinearForm } from "@dosimeter/core/post"
import type { LinearNumber } from "../cells/spread.ts"
import { mergeTogether } from "./merge-together.ts"

const normal = (id: number, variance: bigint): LinearForm =>
  formOf({ law: "gaussian", id, grid: rational(1n), variance: rational(variance) })

function number(centre: bigint, form: LinearForm | undefined): LinearNumber {
  return { centre: rational(centre), form, slack: 0, mayBeNull: false, fromZero: false }
}

function varianceOf(form: LinearForm | undefined): number {
  return form === undefined ? 0 : formSums(form).gaussian.variance
}

/** sum - factor * count. */
function difference(sum: LinearNumber, count: LinearNumber, factor: Rational): LinearForm | undefined {
  return addForms(sum.form, scaleForm(count.form, multiply(factor, rational(-1n))))
}

// Values between 1900 and 2000 from a pair: a = sum of (x - 1900) / 100, b = the number less a.
const [a, b] = [normal(1, 100n), normal(2, 100n)]
const count = number(20_000n, addForms(a, b))
const sum = number(39_000_000n, addForms(scaleForm(a, rational(2000n)), scaleForm(b, rational(1900n))))
const counted = number(20_000n, normal(3, 50n))
const summed = number(39_000_000n, normal(4, 50n * 2000n * 2000n))

describe("columns that share noise", () => {
  test("are merged so that their mean is no worse than from each answer, and exact numbers stay exact", () => {
    const merged = mergeTogether([
      [sum, count],
      [undefined, counted],
      [summed, undefined],
    ])
    const [newSum, newCount] = merged ?? []
    if (newSum === undefined || newCount === undefined) throw new Error("they share noise")
    // All answers say the same here: so does the estimate, to the last digit.
    expect(newSum.centre).toEqual(sum.centre)
    expect(newCount.centre).toEqual(count.centre)
    for (const at of [1900n, 1950n, 2000n]) {
      const before = varianceOf(difference(sum, count, rational(at)))
      expect(varianceOf(difference(newSum, newCount, rational(at)))).toBeLessThanOrEqual(before * 1.000001)
    }
    expect(varianceOf(newCount.form)).toBeLessThan(varianceOf(counted.form))
    expect(varianceOf(newSum.form)).toBeLessThan(varianceOf(sum.form))
    // Each column by itself: the number from the better answer, the sum of another, and the mean is lost.
    const apart = varianceOf(difference(sum, counted, rational(1950n)))
    expect(apart).toBeGreaterThan(100 * varianceOf(difference(newSum, newCount, rational(1950n))))
  })

  test("have weights that add up exactly, however many answers there are", () => {
    const answers = [37n, 53n, 91n, 117n, 203n].map((variance, index) => {
      const [low, high] = [normal(10 + 2 * index, variance), normal(11 + 2 * index, variance + 5n)]
      return [
        number(39_000_000n, addForms(scaleForm(low, rational(2000n)), scaleForm(high, rational(1900n)))),
        number(20_000n, addForms(low, high)),
      ] as const
    })
    for (let count = 2; count <= answers.length; count += 1) {
      const merged = mergeTogether(answers.slice(0, count)) ?? []
      expect(merged.map(({ centre }) => centre)).toEqual([rational(39_000_000n), rational(20_000n)])
    }
  })

  test("are left to be merged one by one where nothing is shared, or where they are multiples", () => {
    expect(
      mergeTogether([
        [summed, counted],
        [undefined, count],
      ]),
    ).toBeUndefined()
    expect(mergeTogether([[sum, count]])).toBeUndefined()
    const twice = number(40_000n, scaleForm(count.form, rational(2n)))
    expect(
      mergeTogether([
        [twice, count],
        [undefined, counted],
      ]),
    ).toBeUndefined()
    expect(
      mergeTogether([
        [sum, count],
        [undefined, number(20_000n, undefined)],
      ]),
    ).toBeUndefined()
  })
})
