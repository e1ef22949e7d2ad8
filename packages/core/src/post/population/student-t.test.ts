import { expect, test } from "vitest"
import { normalUpper } from "../estimates/normal-quantile.ts"
import { studentWidth } from "./student-t.ts"

test.each([
  [0.95, 1, 12.7062047],
  [0.95, 2, 4.3026527],
  [0.95, 3, 3.1824463],
  [0.95, 4, 2.7764451],
  [0.9, 5, 2.0150484],
  [0.95, 12, 2.1788128],
  [0.99, 30, 2.7499957],
] as const)("of the tables, at %s with %s degrees", (confidence, degrees, t) => {
  expect(studentWidth(confidence, degrees)).toBeCloseTo(t, 6)
})

test("with many degrees it is that of the normal law, and it falls with the degrees", () => {
  expect(studentWidth(0.95, 1000)).toBeCloseTo(1.9623391, 6)
  expect(normalUpper(0.025)).toBeCloseTo(1.959964, 5)
  const widths = Array.from({ length: 40 }, (_, index) => studentWidth(0.9, index + 1))
  expect(widths).toEqual(widths.toSorted((a, b) => b - a))
})

test("refuses what is no confidence and no count", () => {
  for (const [confidence, degrees] of [
    [1, 3],
    [0, 3],
    [0.5, 0],
    [0.5, 1.5],
  ] as const)
    expect(() => studentWidth(confidence, degrees)).toThrow(
      expect.objectContaining({ code: "bug/invariant" }),
    )
})
