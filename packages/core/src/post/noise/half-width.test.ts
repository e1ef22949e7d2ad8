// Half-widths against exact laws: the noise of a sum is worked out by convolution, and passes its bound no
// more often than stated.

import { expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import { divide, rational, subtract } from "../../exact/rational.ts"
import { discreteLaplacePmf, roundedGaussianPmf } from "../../testing/laws.ts"
import { halfWidthOf, normalWidth } from "./half-width.ts"
import { laplaceSumQuantile } from "./laplace-sum.ts"
import { addForms, crossSums, formOf, formSums, scaleForm, type LinearForm } from "./linear-form.ts"
import type { NoiseBase } from "./noise-base.ts"

interface Term {
  readonly law: "gaussian" | "laplace"
  /** The variance or the scale. */
  readonly size: number
  readonly coefficient: number
}

const term = (law: Term["law"], size: number, coefficient: number): Term => ({ law, size, coefficient })
const repeated = (count: number, one: Term): readonly Term[] => Array.from({ length: count }, () => one)

function formOfTerms(terms: readonly Term[]): LinearForm {
  const form = terms.reduce<LinearForm | undefined>((sum, { law, size, coefficient }, id) => {
    const exact = rational(BigInt(Math.round(size * 4)), 4n)
    const base: NoiseBase =
      law === "gaussian"
        ? { id, law, variance: exact, grid: rational(1n) }
        : { id, law, scale: exact, grid: rational(1n) }
    return addForms(sum, scaleForm(formOf(base), rational(BigInt(coefficient))))
  }, undefined)
  if (form === undefined) throw new Error("a form has terms")
  return form
}

/** The probabilities of the whole numbers from -reach to reach. */
function lawOf(terms: readonly Term[], reach: number): Float64Array {
  let law = new Float64Array(2 * reach + 1)
  law[reach] = 1
  for (const { law: name, size, coefficient } of terms) {
    const pmf = name === "gaussian" ? roundedGaussianPmf(size) : discreteLaplacePmf(size)
    const next = new Float64Array(2 * reach + 1)
    const most = Math.ceil(name === "gaussian" ? 9 * Math.sqrt(size) + 2 : 30 * size + 2)
    for (let noise = -most; noise <= most; noise += 1) {
      const [p, shift] = [pmf(BigInt(noise)), noise * coefficient]
      for (let at = Math.max(0, -shift); at < law.length - Math.max(0, shift); at += 1) {
        next[at + shift] = (next[at + shift] ?? 0) + p * (law[at] ?? 0)
      }
    }
    law = next
  }
  return law
}

const sums: readonly (readonly [string, readonly Term[], number])[] = [
  ["two narrow normals", repeated(2, term("gaussian", 0.25, 1)), 40],
  ["two normals", [term("gaussian", 4, 1), term("gaussian", 9, -1)], 100],
  [
    "a weighted sum of normals",
    [term("gaussian", 4, 3), term("gaussian", 25, -1), term("gaussian", 1, 7)],
    250,
  ],
  ["many normals", repeated(12, term("gaussian", 2.25, 1)), 120],
  ["two Laplace draws", repeated(2, term("laplace", 3, 1)), 400],
  ["narrow Laplace draws", repeated(3, term("laplace", 0.5, 1)), 80],
  [
    "a weighted sum of Laplace draws",
    [term("laplace", 4, 1), term("laplace", 1, -5), term("laplace", 2, 2)],
    700,
  ],
  ["many Laplace draws", repeated(15, term("laplace", 1.5, 1)), 400],
  ["both laws", [term("laplace", 2, 1), term("gaussian", 9, 2), term("gaussian", 4, 1)], 300],
]

test.each(sums)("%s: the bound holds, and is not twice too wide", (_, terms, reach) => {
  const form = formOfTerms(terms)
  const law = lawOf(terms, reach)
  const beyond = (width: number): number =>
    law.reduce((sum, p, index) => (Math.abs(index - reach) > width ? sum + p : sum), 0)
  for (const miss of [0.5, 0.2, 0.05, 0.01, 1e-4]) {
    const bound = halfWidthOf(form, miss)
    if (bound.kind !== "size") throw new Error("a sum has a size")
    expect(beyond(bound.size), `miss ${miss}`).toBeLessThanOrEqual(miss)
    expect(beyond(bound.size / 2 - 2), `miss ${miss}`).toBeGreaterThan(miss)
  }
})

test("sums of Laplace variables have the quantiles of their law", () => {
  for (const miss of [0.5, 0.05, 1e-6]) {
    expect(laplaceSumQuantile(1, miss)).toBeCloseTo(-Math.log(miss), 8)
    const two = laplaceSumQuantile(2, miss)
    expect(Math.exp(-two) * (1 + two / 2)).toBeCloseTo(miss, 8)
    // Four hundred of them are nearly normal, with variance 800.
    expect(laplaceSumQuantile(400, 0.05) / (normalWidth(0.05) * Math.sqrt(800))).toBeCloseTo(1, 2)
  }
  expect(laplaceSumQuantile(1000, 0.05)).toBe(Infinity)
})

test("a miss below what doubles can tell has no bound", () => {
  expect(halfWidthOf(formOfTerms([term("gaussian", 4, 1)]), 1e-13)).toEqual({ kind: "unbounded" })
})

test("forms add up term by term, whatever the order", () => {
  const ids = [5, 1, 9, 1, 1023, 512, 9, 0, 2 ** 31 - 1, 77, 5]
  const one = (id: number): LinearForm =>
    formOf({ id, law: "gaussian", variance: rational(BigInt(id) + 1n), grid: rational(1n) })
  const total = ids.reduce<LinearForm | undefined>((sum, id) => addForms(sum, one(id)), undefined)
  const backward = ids
    .toReversed()
    .reduce<LinearForm | undefined>((sum, id) => addForms(one(id), sum), undefined)
  if (total === undefined || backward === undefined) throw new Error("there are terms")
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  expect(formSums(total).terms).toBe(counts.size)
  for (const [id, count] of counts)
    expect(crossSums(total, one(id))).toEqual({ variance: count * (id + 1), steps: count })
  expect(addForms(total, scaleForm(backward, rational(-1n)))).toBeUndefined()
  const half = addForms(scaleForm(total, rational(1n, 2n)), scaleForm(one(77), rational(3n)))
  if (half === undefined) throw new Error("there are terms")
  expect(crossSums(half, one(77)).steps).toBe(3.5)
  expect(numberNear(subtract(divide(rational(7n), rational(2n)), rational(3n)))).toBe(0.5)
})
