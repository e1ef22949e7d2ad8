// The closed forms of tree.ts and margins.ts against generalized least squares by plain elimination.

import fc from "fast-check"
import { expect, test } from "vitest"
import type { Estimate } from "../estimates/estimate.ts"
import { reconcileMargins, type ReleasedMargin } from "./reconcile-margins.ts"
import { reconcileTree } from "./reconcile-tree.ts"

/** A measurement of a linear form of the unknowns. */
interface Measurement {
  readonly form: readonly number[]
  readonly value: number
  readonly variance: number
}

/** The best estimate of `form` . x and its variance, or undefined if the measurements do not determine x. */
function denseGls(
  measurements: readonly Measurement[],
  size: number,
): ((form: readonly number[]) => { value: number; variance: number }) | undefined {
  const places = Array.from({ length: size }, (_, index) => index)
  const sum = (term: (one: Measurement) => number): number =>
    measurements.reduce((total, one) => total + term(one) / one.variance, 0)
  const normal = places.map((i) => places.map((j) => sum(({ form }) => (form[i] ?? 0) * (form[j] ?? 0))))
  const right = places.map((i) => sum(({ form, value }) => (form[i] ?? 0) * value))
  const inverse = inverseOf(normal)
  if (inverse === undefined) return undefined
  return (form) => {
    const gain = inverse.map((row) => dot(row, form))
    return { value: dot(gain, right), variance: dot(gain, form) }
  }
}

function inverseOf(matrix: readonly (readonly number[])[]): readonly (readonly number[])[] | undefined {
  const size = matrix.length
  const rows = matrix.map((row, index) => [...row, ...row.map((_, place) => Number(place === index))])
  for (let k = 0; k < size; k += 1) {
    let pivot = k
    for (let row = k; row < size; row += 1) {
      if (Math.abs(rows[row]?.[k] ?? 0) > Math.abs(rows[pivot]?.[k] ?? 0)) pivot = row
    }
    const [top = [], other = []] = [rows[pivot], rows[k]]
    rows[pivot] = other
    const head = top[k] ?? 0
    if (Math.abs(head) < 1e-9) return undefined
    const scaled = top.map((entry) => entry / head)
    rows[k] = scaled
    for (const [index, row] of rows.entries()) {
      const factor = row[k] ?? 0
      if (index !== k) rows[index] = row.map((entry, place) => entry - factor * (scaled[place] ?? 0))
    }
  }
  return rows.map((row) => row.slice(size))
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, entry, index) => sum + entry * (b[index] ?? 0), 0)
}

function near(got: number | undefined, want: number): void {
  expect(Math.abs((got ?? Number.NaN) - want)).toBeLessThanOrEqual(1e-7 * Math.max(1, Math.abs(want)))
}

const variances = fc.constantFrom(0.25, 1, 2, 7)
const amount = fc.integer({ min: -20, max: 80 })

test("a tree has the values and variances of dense least squares, unmeasured nodes included", () => {
  const node = fc.record({
    pick: fc.nat(),
    value: amount,
    variance: variances,
    isMeasured: fc.integer({ min: 0, max: 3 }),
  })
  let determined = 0
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 12 }), (list) => {
      const parents = list.map(({ pick }, index) => (index === 0 ? -1 : pick % index))
      const nodes = list.map(({ value, variance, isMeasured }): Estimate | undefined => {
        return isMeasured === 0 ? undefined : { value, variance, law: "gaussian" }
      })
      const leaves = parents.map((_, index) => index).filter((index) => !parents.includes(index))
      const isBelow = (leaf: number, top: number): boolean =>
        leaf === top || (leaf > 0 && isBelow(parents[leaf] ?? 0, top))
      const forms = parents.map((_, top) => leaves.map((leaf) => Number(isBelow(leaf, top))))
      const measured = nodes.flatMap((one, index) =>
        one === undefined ? [] : [{ ...one, form: forms[index] ?? [] }],
      )
      const best = denseGls(measured, leaves.length)
      if (best === undefined) {
        const code = "postprocess/undetermined"
        expect(() => reconcileTree({ parents, nodes })).toThrow(expect.objectContaining({ code }))
        return
      }
      determined += 1
      for (const [index, got] of reconcileTree({ parents, nodes }).entries()) {
        const want = best(forms[index] ?? [])
        near(got.value, want.value)
        near(got.variance, want.variance)
      }
    }),
    { numRuns: 300 },
  )
  expect(determined).toBeGreaterThan(50)
})

const names = ["a", "b", "c"]
const subsets = [[], ["a"], ["b"], ["c"], ["a", "b"], ["b", "a"], ["c", "a"], ["b", "c"], ["c", "a", "b"]]

/** For each cell of a marginal, the sum of table cells that it is. */
function marginalForms(sizes: readonly number[], attributes: readonly string[]): number[][] {
  const sizeOf = (name: string): number => sizes[names.indexOf(name)] ?? 1
  const count = attributes.reduce((product, name) => product * sizeOf(name), 1)
  const forms = Array.from({ length: count }, () =>
    new Array<number>(sizes.reduce((a, b) => a * b, 1)).fill(0),
  )
  for (const [cell] of (forms[0] ?? []).entries()) {
    let rest = cell
    const digits = new Map<string, number>()
    for (const name of names.toReversed()) {
      digits.set(name, rest % sizeOf(name))
      rest = Math.floor(rest / sizeOf(name))
    }
    const place = attributes.reduce((index, name) => index * sizeOf(name) + (digits.get(name) ?? 0), 0)
    const form = forms[place]
    if (form !== undefined) form[cell] = 1
  }
  return forms
}

test("margins have the values and variances of dense least squares", () => {
  const size = fc.integer({ min: 1, max: 3 })
  const chosen = fc.array(
    fc.record({ attributes: fc.constantFrom(...subsets), variance: variances, seed: fc.nat() }),
    {
      maxLength: 5,
    },
  )
  fc.assert(
    fc.property(fc.tuple(size, size, size), chosen, variances, (sizes, some, variance) => {
      // The whole table is measured too, so that dense least squares has a single solution.
      const all = [...some, { attributes: ["b", "c", "a"], variance, seed: 5 }]
      const measured = all.map((one): ReleasedMargin => {
        const count = marginalForms(sizes, one.attributes).length
        const values = Array.from({ length: count }, (_, index) => ((one.seed % 97) * (index + 3) * 31) % 60)
        return { attributes: one.attributes, values, variance: one.variance, law: "gaussian" }
      })
      const measurements = measured.flatMap((one) =>
        marginalForms(sizes, one.attributes).map((form, index) => {
          return { form, value: one.values[index] ?? 0, variance: one.variance }
        }),
      )
      const best = denseGls(
        measurements,
        sizes.reduce((a, b) => a * b, 1),
      )
      const [a, b, c] = sizes
      for (const got of reconcileMargins({ sizes: { a, b, c }, measured, wanted: subsets })) {
        for (const [index, form] of marginalForms(sizes, got.attributes).entries()) {
          const want = best?.(form)
          near(got.values[index], want?.value ?? Number.NaN)
          near(got.variance, want?.variance ?? Number.NaN)
        }
      }
    }),
    { numRuns: 60 },
  )
})
