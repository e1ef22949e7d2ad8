// Sums of slices: what is read off agrees with adding the forms up, and so does every interval.

import { rational } from "../../exact/rational.ts"
import { expect, test } from "vitest"
import { addForms, formOf, formSums, plainTree, scaleForm, type LinearForm } from "./linear-form.ts"
import type { NoiseBase } from "./noise-base.ts"
import { sliceNoise } from "./noise-slice.ts"

const gaussian = (id: number, variance = 9n): NoiseBase => ({
  id,
  law: "gaussian",
  variance: rational(variance),
  grid: rational(1n),
})
const laplace = (id: number, scale: bigint): NoiseBase => ({
  id,
  law: "laplace",
  scale: rational(scale),
  grid: rational(1n, 2n),
})

const lists: Readonly<Record<string, readonly (LinearForm | undefined)[]>> = {
  "the same noise everywhere": Array.from({ length: 20 }, (_, id) => formOf(gaussian(id))),
  "some without noise": Array.from({ length: 20 }, (_, id) =>
    id % 3 === 1 ? undefined : formOf(gaussian(id)),
  ),
  "both laws, and multiples": Array.from({ length: 23 }, (_, id) =>
    scaleForm(
      formOf(id % 2 === 0 ? gaussian(id, BigInt(id + 1)) : laplace(id, 4n)),
      rational(BigInt(id - 9)),
    ),
  ),
}

test.each(Object.entries(lists))("%s", (_, forms) => {
  const slices = sliceNoise(forms)
  if (slices === undefined) throw new Error("no draw is shared")
  for (let from = 0; from <= forms.length; from += 1) {
    for (let to = from; to <= forms.length; to += 1) {
      const slice = slices(from, to)
      const added = forms.slice(from, to).reduce<LinearForm | undefined>(addForms, undefined)
      expect(slice === undefined).toBe(added === undefined)
      if (slice === undefined || added === undefined) continue
      expect(rounded(formSums(slice))).toEqual(rounded(formSums(added)))
      expect(rounded(plainTree(slice).sums)).toEqual(rounded(plainTree(added).sums))
      expect(rounded(formSums(addForms(slice, added) ?? slice))).toEqual(
        rounded(formSums(scaleForm(added, rational(2n)) ?? added)),
      )
    }
  }
})

function rounded(sums: object): unknown {
  return JSON.parse(
    JSON.stringify(sums, (_, value: unknown) => (typeof value === "number" ? value.toPrecision(9) : value)),
  )
}

test("a draw that is there twice, or a sum of draws, is left to trees", () => {
  const both = addForms(formOf(gaussian(1)), formOf(gaussian(2)))
  expect(sliceNoise([formOf(gaussian(1)), formOf(gaussian(1))])).toBeUndefined()
  expect(sliceNoise([both, formOf(gaussian(3))])).toBeUndefined()
})
