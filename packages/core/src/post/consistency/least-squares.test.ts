import fc from "fast-check"
import { describe, expect, test } from "vitest"
import postprocess from "../../testing/fixtures/postprocess.json" with { type: "json" }
import { checkRecord, recordsOf } from "../../testing/vectors.ts"
import { gaussianEstimate } from "../estimates/estimate.ts"
import { isotonic } from "./isotonic.ts"
import { covarianceAt, jointOf, type JointEstimate } from "../estimates/joint.ts"
import { imposeEqualities, leastSquares, leastSquaresOf, type LinearConstraint } from "./least-squares.ts"

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])
const rowsOf = (value: unknown): number[][] => (Array.isArray(value) ? value.map(numbers) : [])
const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, entry, index) => sum + entry * (b[index] ?? 0), 0)
const unit = (size: number, index: number, entry = 1): number[] =>
  Array.from({ length: size }, (_, place) => (place === index ? entry : 0))
const close = (got: readonly number[], want: readonly number[], tolerance = 1e-9): void => {
  expect(got).toHaveLength(want.length)
  for (const [index, value] of want.entries()) {
    expect(Math.abs((got[index] ?? Number.NaN) - value)).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(value)),
    )
  }
}
const dense = (joint: JointEstimate): number[][] =>
  joint.values.map((_, row) => joint.values.map((__, column) => covarianceAt(joint, row, column)))

/** Least |A x - b|^2 with x >= 0, where the last rows of A are the identity: the first are measured sums. */
function nonNegative(a: readonly number[][], b: readonly number[]): number[] {
  const size = a[0]?.length ?? 0
  const sums = a.length - size
  const equal = a.slice(0, sums).map((row, index) => ({
    coefficients: [...unit(sums, index), ...row.map((entry) => -entry)],
    bound: 0,
  }))
  const atMost = Array.from({ length: size }, (_, index) => ({
    coefficients: unit(b.length, sums + index, -1),
    bound: 0,
  }))
  return leastSquares({ values: b, equal, atMost }).values.slice(sums)
}

test.each(recordsOf(postprocess, "post.nnls"))("gives the reference $id", (record) => {
  const [a, b] = [rowsOf(record.inputs["A"]), numbers(record.inputs["b"])]
  const x = nonNegative(a, b)
  checkRecord({ record, field: "x", got: x })
  const residual = a.reduce((sum, row, index) => sum + (dot(row, x) - (b[index] ?? 0)) ** 2, 0)
  checkRecord({ record, field: "residual_squared", got: residual })
})

const small = fc.integer({ min: -3, max: 3 })
const problem = fc
  .record({ size: fc.integer({ min: 1, max: 6 }), equal: fc.nat(2), atMost: fc.nat(9) })
  .chain(({ size, equal, atMost }) => {
    const vector = fc.array(small, { minLength: size, maxLength: size })
    const many = (count: number) => fc.array(vector, { minLength: count, maxLength: count })
    return fc.record({
      values: fc.array(fc.double({ min: -20, max: 20, noNaN: true }), { minLength: size, maxLength: size }),
      weights: fc.array(fc.constantFrom(0.01, 0.5, 1, 7, 300), { minLength: size, maxLength: size }),
      feasible: vector,
      equal: many(equal),
      atMost: many(atMost),
      slack: fc.array(fc.nat(2), { minLength: atMost, maxLength: atMost }),
    })
  })
  .map(({ values, weights, feasible, equal, atMost, slack }) => ({
    values,
    weights,
    feasible,
    equal: equal.map((coefficients) => ({ coefficients, bound: dot(coefficients, feasible) })),
    atMost: atMost.map((coefficients, index) => ({
      coefficients,
      bound: dot(coefficients, feasible) + (slack[index] ?? 0),
    })),
  }))

describe("least squares under constraints", () => {
  test("[P2] is feasible, and no feasible point is nearer", () => {
    fc.assert(
      fc.property(problem, ({ feasible, ...given }) => {
        const { values, distance } = leastSquares(given)
        for (const { coefficients, bound } of given.equal) {
          expect(Math.abs(dot(coefficients, values) - bound)).toBeLessThan(1e-8)
        }
        for (const { coefficients, bound } of given.atMost) {
          expect(dot(coefficients, values)).toBeLessThan(bound + 1e-8)
        }
        // The angle at the projection between the input and any feasible point is not acute.
        const terms = given.values.map((value, index) => {
          const fitted = values[index] ?? 0
          return (given.weights[index] ?? 0) * (value - fitted) * ((feasible[index] ?? 0) - fitted)
        })
        expect(terms.reduce((a, b) => a + b, 0)).toBeLessThan(1e-7 * (1 + distance))
      }),
      { numRuns: 400 },
    )
  })

  test("an inequality that equalities imply is met but for rounding, also a second time", () => {
    const conditions = {
      weights: [0.01, 0.01, 0.01],
      equal: [
        { coefficients: [0, 1, 0], bound: -1 },
        { coefficients: [3, -1, 0], bound: 1 },
      ],
      atMost: [{ coefficients: [1, 0, 0], bound: 0 }],
    }
    const once = leastSquares({ ...conditions, values: [0, 0, 0] }).values
    close(once, [0, -1, 0])
    close(leastSquares({ ...conditions, values: once }).values, [0, -1, 0])
  })

  test("[P2] of a feasible point is that point, and a second time changes nothing", () => {
    fc.assert(
      fc.property(problem, ({ feasible, ...given }) => {
        close(leastSquares({ ...given, values: feasible }).values, feasible)
        const once = leastSquares(given).values
        close(leastSquares({ ...given, values: once }).values, once, 1e-8)
      }),
    )
  })

  test("follows isotonic regression along a chain of a hundred", () => {
    const values = Array.from({ length: 100 }, (_, index) => ((index * 37) % 101) - index / 3)
    const atMost = values.slice(1).map((_, index) => ({
      coefficients: values.map((__, place) => Number(place === index) - Number(place === index + 1)),
      bound: 0,
    }))
    close(leastSquares({ values, atMost }).values, isotonic(values))
  })

  test("names the constraints that hold the result", () => {
    const atMost = [
      { coefficients: [1, 0], bound: 5 },
      { coefficients: [0, 1], bound: 1 },
    ]
    expect(leastSquares({ values: [2, 4], weights: [1, 4], atMost })).toEqual({
      values: [2, 1],
      active: [1],
      distance: 36,
    })
  })

  test("uses shared noise, and does not move public values", () => {
    const covariance = {
      kind: "dense",
      rows: [
        [2, 1, 0],
        [1, 2, 0],
        [0, 0, 0],
      ],
    } as const
    const joint: JointEstimate = { values: [3, 5, 10], covariance, law: "gaussian" }
    // By hand: C A' (A C A')^-1 (b - A y) with A = (1, 0, 1), b = 11: a step of -2 along (2, 1, 0) / 2.
    const { values } = leastSquaresOf(joint, { equal: [{ coefficients: [1, 0, 1], bound: 11 }] })
    close(values, [1, 4, 10])
  })
})

describe("equalities alone", () => {
  test("have the covariance of the textbook", () => {
    const factor = fc.array(small, { minLength: 16, maxLength: 16 })
    const row = fc.array(small, { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(factor, fc.array(row, { maxLength: 3 }), (entries, rows) => {
        // F F' + I is a covariance, with room in every direction.
        const f = [0, 1, 2, 3].map((index) => entries.slice(4 * index, 4 * index + 4))
        const c = f.map((a, i) => f.map((b, j) => dot(a, b) + Number(i === j)))
        const joint: JointEstimate = {
          values: [4, -1, 2, 7],
          covariance: { kind: "dense", rows: c },
          law: "gaussian",
        }
        const equal = rows.map((coefficients) => ({ coefficients, bound: dot(coefficients, [1, 2, 0, 1]) }))
        const got = imposeEqualities(joint, equal)
        const want = oneByOne(joint.values, c, equal)
        close(got.values, want.values, 1e-8)
        for (const [index, line] of want.rows.entries()) close(dense(got)[index] ?? [], line, 1e-8)
      }),
    )
  })

  test("leave what is consistent, with its covariance, and keep normal noise normal", () => {
    const joint = jointOf([10, 4, 5].map((value) => gaussianEstimate({ value, sigmaSquared: 1 })))
    const equal = [{ coefficients: [1, -1, -1], bound: 0 }]
    const once = imposeEqualities(joint, equal)
    const twice = imposeEqualities(once, equal)
    close(once.values, [29 / 3, 13 / 3, 16 / 3])
    close(dense(once)[0] ?? [], [2 / 3, 1 / 3, 1 / 3])
    close(twice.values, once.values)
    for (const [index, row] of dense(once).entries()) close(dense(twice)[index] ?? [], row)
    expect(twice.law).toBe("gaussian")
    expect(imposeEqualities({ ...joint, law: "laplace" }, equal).law).toBe("other")
  })
})

/**
 * Conditions on one equality at a time by the textbook formula; an equality that follows
 * from others is void.
 */
function oneByOne(
  start: readonly number[],
  covariance: readonly (readonly number[])[],
  equal: readonly LinearConstraint[],
): { readonly values: readonly number[]; readonly rows: readonly (readonly number[])[] } {
  let [values, rows] = [start, covariance]
  for (const { coefficients, bound } of equal) {
    const gain = rows.map((row) => dot(row, coefficients))
    const variance = dot(gain, coefficients)
    if (variance < 1e-9) continue
    const miss = (bound - dot(coefficients, values)) / variance
    values = values.map((value, index) => value + (gain[index] ?? 0) * miss)
    rows = rows.map((row, i) => row.map((entry, j) => entry - ((gain[i] ?? 0) * (gain[j] ?? 0)) / variance))
  }
  return { values, rows }
}

describe("refuses", () => {
  const at = (coefficients: readonly number[], bound: number, name?: string): LinearConstraint => {
    return name === undefined ? { coefficients, bound } : { coefficients, bound, name }
  }
  const values = [1, 2]
  const covariance = (rows: readonly (readonly number[])[]): JointEstimate => {
    return { values: rows.map(() => 0), covariance: { kind: "dense", rows }, law: "gaussian" }
  }

  test("constraints that contradict each other, by name", () => {
    const atMost = [at([1, 0], 0, "x is at most 0"), at([0, 1], 5), at([-1, 0], -1, "x is at least 1")]
    expect(() => leastSquares({ values, atMost })).toThrow(
      expect.objectContaining({
        code: "postprocess/infeasible",
        message: "no values can meet: x is at most 0, x is at least 1",
      }),
    )
  })

  test.each<readonly [string, () => unknown, string]>([
    [
      "equalities that contradict each other",
      () => leastSquares({ values, equal: [at([1, 1], 1), at([2, 2], 3)] }),
      "postprocess/infeasible",
    ],
    [
      "an equality about nothing",
      () => leastSquares({ values, equal: [at([0, 0], 1)] }),
      "postprocess/infeasible",
    ],
    [
      "an inequality about nothing",
      () => leastSquares({ values, atMost: [at([0, 0], -1)] }),
      "postprocess/infeasible",
    ],
    [
      "what doubles cannot tell from a contradiction",
      () => leastSquares({ values, atMost: [at([1, 1], 0), at([-1, -1 - 1e-10], -1)] }),
      "postprocess/ill-conditioned",
    ],
    [
      "Laplace noise that is shared",
      () => imposeEqualities({ ...covariance([[1]]), law: "laplace" }, []),
      "postprocess/not-a-covariance",
    ],
    [
      "numbers whose squares no double holds",
      () => leastSquares({ values: [1e200, 1], atMost: [at([1, 0], -1e200)] }),
      "postprocess/ill-conditioned",
    ],
    ["too few coefficients", () => leastSquares({ values, equal: [at([1], 1)] }), "parameter/length"],
    [
      "a bound that is not finite",
      () => leastSquares({ values, equal: [at([1, 1], Infinity)] }),
      "parameter/not-a-number",
    ],
    [
      "more values than it can hold",
      () => leastSquares({ values: new Array<number>(1001).fill(0) }),
      "parameter/too-large",
    ],
    [
      "a matrix that is not symmetric",
      () =>
        imposeEqualities(
          covariance([
            [1, 0],
            [0.5, 1],
          ]),
          [],
        ),
      "postprocess/not-a-covariance",
    ],
    [
      "a correlation above 1",
      () =>
        imposeEqualities(
          covariance([
            [1, 2],
            [2, 1],
          ]),
          [],
        ),
      "postprocess/not-a-covariance",
    ],
    [
      "a matrix that gives a sum a negative variance",
      () =>
        imposeEqualities(
          covariance([
            [1, -0.9, -0.9],
            [-0.9, 1, -0.9],
            [-0.9, -0.9, 1],
          ]),
          [],
        ),
      "postprocess/not-a-covariance",
    ],
  ])("%s", (_, act, code) => {
    expect(act).toThrow(expect.objectContaining({ code }))
  })
})
