import { expect, test } from "vitest"
import { isLongForm, sampleOf } from "./long-form.ts"

test("a sample is spread over all cases, and the long form has all", () => {
  const cases = Array.from({ length: 10 }, (_, index) => index)
  expect(sampleOf(cases, 3)).toEqual(isLongForm ? cases : [0, 3, 6])
  expect(sampleOf(cases, 20)).toEqual(cases)
})
