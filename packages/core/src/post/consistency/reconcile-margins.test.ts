import { describe, expect, test } from "vitest"
import { reconcileMargins, type ReleasedMargin } from "./reconcile-margins.ts"

const marginal = (
  attributes: readonly string[],
  values: readonly number[],
  variance: number,
): ReleasedMargin => {
  return { attributes, values, variance, law: "gaussian" }
}
const close = (got: readonly number[] | undefined, want: readonly number[]): void => {
  expect(got).toHaveLength(want.length)
  for (const [index, value] of want.entries()) expect(got?.[index]).toBeCloseTo(value, 10)
}

describe("margins", () => {
  test("female + male = all, by hand", () => {
    const measured = [marginal([], [100], 1), marginal(["sex"], [52, 45], 1)]
    const [all, bySex] = reconcileMargins({ sizes: { sex: 2 }, measured })
    // 97 with variance 2 against 100 with variance 1: 99, and both sexes get one more.
    close(all?.values, [99])
    close(bySex?.values, [53, 46])
    expect(all?.variance).toBeCloseTo(2 / 3, 12)
    expect(bySex?.variance).toBeCloseTo(2 / 3, 12)
  })

  test("rows, columns and total of a table agree, in whatever order attributes are named", () => {
    const sizes = { sex: 2, age: 3 }
    const measured = [
      marginal(["age", "sex"], [5, 9, 7, 1, 3, 8], 4),
      marginal(["sex"], [17, 16], 1),
      marginal([], [30], 2),
    ]
    const wanted = [["sex", "age"], ["age"], ["sex"], []]
    const [cells, byAge, bySex, all] = reconcileMargins({ sizes, measured, wanted })
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = cells?.values ?? []
    close(byAge?.values, [a + d, b + e, c + f])
    close(bySex?.values, [a + b + c, d + e + f])
    close(all?.values, [a + b + c + d + e + f])
    const [turned] = reconcileMargins({ sizes, measured, wanted: [["age", "sex"]] })
    close(turned?.values, [a, d, b, e, c, f])
  })

  test("that agree already stay as they are", () => {
    const measured = [
      marginal(["a", "b"], [1, 2, 3, 4], 2),
      marginal(["a"], [3, 7], 5),
      marginal([], [10], 1),
    ]
    const result = reconcileMargins({ sizes: { a: 2, b: 2 }, measured })
    for (const [index, { values }] of measured.entries()) close(result[index]?.values, values)
  })

  test("keep a public total and an attribute of one value", () => {
    const measured = [marginal([], [10], 0), marginal(["a", "one"], [4, 4, 5], 3)]
    const [all, byA] = reconcileMargins({ sizes: { a: 3, one: 1 }, measured })
    expect(all).toMatchObject({ values: [10], variance: 0 })
    close(
      byA?.values,
      [4 - 1, 4 - 1, 5 - 1].map((value) => value),
    )
    expect(byA?.variance).toBeCloseTo(2, 12)
  })

  test("say whether their noise is still normal", () => {
    const onGrid = { ...marginal(["a"], [1, 2], 3), grid: 1 }
    expect(reconcileMargins({ sizes: { a: 2 }, measured: [onGrid] })[0]?.law).toBe("other")
    expect(reconcileMargins({ sizes: { a: 2 }, measured: [marginal(["a"], [1, 2], 3)] })[0]?.law).toBe(
      "gaussian",
    )
  })
})

test.each<readonly [string, () => unknown, string]>([
  [
    "a table that was not measured",
    () =>
      reconcileMargins({
        sizes: { a: 2, b: 2 },
        measured: [marginal(["a"], [1, 2], 1)],
        wanted: [["a", "b"]],
      }),
    "postprocess/undetermined",
  ],
  [
    "a total of nothing",
    () => reconcileMargins({ sizes: {}, measured: [], wanted: [[]] }),
    "postprocess/undetermined",
  ],
  [
    "public totals that differ",
    () => reconcileMargins({ sizes: {}, measured: [marginal([], [1], 0), marginal([], [2], 0)] }),
    "postprocess/conflict",
  ],
  [
    "an unknown attribute",
    () => reconcileMargins({ sizes: { a: 1 }, measured: [marginal(["b"], [1], 1)] }),
    "parameter/out-of-range",
  ],
  [
    "an attribute named twice",
    () => reconcileMargins({ sizes: { a: 1 }, measured: [marginal(["a", "a"], [1], 1)] }),
    "parameter/out-of-range",
  ],
  [
    "too few cells",
    () => reconcileMargins({ sizes: { a: 2 }, measured: [marginal(["a"], [1], 1)] }),
    "parameter/length",
  ],
  ["a size of 0", () => reconcileMargins({ sizes: { a: 0 }, measured: [] }), "parameter/not-positive"],
  ["half a value", () => reconcileMargins({ sizes: { a: 1.5 }, measured: [] }), "parameter/not-an-integer"],
  [
    "a table too large to hold",
    () => reconcileMargins({ sizes: { a: 1e5, b: 1e5 }, measured: [marginal(["a", "b"], [], 1)] }),
    "parameter/too-large",
  ],
])("refuses %s", (_, act, code) => {
  expect(act).toThrow(expect.objectContaining({ code }))
})
