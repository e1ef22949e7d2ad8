// What every projection of this folder has in common: the result is feasible, no feasible point is nearer, a
// feasible input stays, and a second time changes nothing.

import fc from "fast-check"
import { expect, test } from "vitest"
import { isotonic } from "./isotonic.ts"
import { leastSquares } from "./least-squares.ts"
import { clampAtZero } from "../estimates/nonnegative.ts"
import { respectChain, respectOrder } from "./orderings.ts"
import { projectOntoSimplex } from "./simplex.ts"

type Vector = readonly number[]

interface Projection {
  readonly project: (values: Vector, weights: Vector) => Vector
  readonly isFeasible: (values: Vector) => boolean
  /** Some feasible point, made from any. */
  readonly feasible: (values: Vector) => Vector
}

const size = 6
const slack = 1e-9
const sum = (values: Vector): number => values.reduce((a, b) => a + b, 0)
const rises = (values: Vector): boolean =>
  values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0) - slack)
const sorted = (values: Vector): Vector => values.toSorted((a, b) => a - b)
const chain = [4, 0, 2]
const pairs = [
  [0, 1],
  [0, 2],
  [1, 3],
  [2, 3],
  [5, 3],
] as const

const projections: Readonly<Record<string, Projection>> = {
  "clamping at 0": {
    project: clampAtZero,
    isFeasible: (values) => values.every((value) => value >= 0),
    feasible: (values) => values.map(Math.abs),
  },
  "the simplex": {
    project: (values, weights) => projectOntoSimplex(values, { total: 40, weights }),
    isFeasible: (values) => values.every((value) => value >= 0) && Math.abs(sum(values) - 40) < slack,
    feasible: (values) =>
      values.map((value) => (40 * (Math.abs(value) + 1)) / sum(values.map((v) => Math.abs(v) + 1))),
  },
  "a rising sequence": {
    project: (values, weights) => isotonic(values, { weights }),
    isFeasible: rises,
    feasible: sorted,
  },
  "a falling sequence within bounds": {
    project: (values, weights) => isotonic(values, { weights, direction: "falling", atLeast: 0, atMost: 30 }),
    isFeasible: (values) => rises(values.toReversed()) && values.every((value) => value >= 0 && value <= 30),
    feasible: (values) => sorted(values.map((value) => Math.min(30, Math.abs(value)))).toReversed(),
  },
  "a chain": {
    project: (values, weights) => respectChain(values, { chain, weights }),
    isFeasible: (values) => rises(chain.map((place) => values[place] ?? 0)),
    feasible: (values) => {
      const along = sorted(chain.map((place) => values[place] ?? 0))
      return values.map((value, place) => along[chain.indexOf(place)] ?? value)
    },
  },
  "a partial order": {
    project: (values, weights) => respectOrder(values, { pairs, weights }),
    isFeasible: (values) => pairs.every(([a, b]) => (values[a] ?? 0) <= (values[b] ?? 0) + slack),
    feasible: (values) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = sorted(values)
      return [a, b, c, f, d, e]
    },
  },
  "a budget and a floor": {
    project: (values, weights) =>
      leastSquares({
        values,
        weights,
        equal: [{ coefficients: [1, 1, 0, 0, 0, -1], bound: 0 }],
        atMost: [
          { coefficients: [1, 1, 1, 1, 1, 1], bound: 20 },
          { coefficients: [0, 0, -1, 0, 0, 0], bound: 5 },
        ],
      }).values,
    isFeasible: ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) =>
      Math.abs(a + b - f) < slack && a + b + c + d + e + f <= 20 + slack && c >= -5 - slack,
    feasible: (values) => {
      const [a = 0, b = 0, c = 0, d = 0] = values.map((value) => value / 100)
      return [a, b, c, d, 0, a + b]
    },
  },
}

const vector = fc.array(fc.double({ min: -60, max: 60, noNaN: true }), { minLength: size, maxLength: size })
const weighting = fc.array(fc.constantFrom(0.1, 1, 2, 30), { minLength: size, maxLength: size })

function distance(a: Vector, b: Vector, weights: Vector): number {
  return sum(a.map((value, index) => (weights[index] ?? 0) * (value - (b[index] ?? 0)) ** 2))
}

test.each(Object.entries(projections))("%s", (_, { project, isFeasible, feasible }) => {
  fc.assert(
    fc.property(vector, vector, weighting, (values, other, weights) => {
      const fitted = project(values, weights)
      const witness = feasible(other)
      expect(isFeasible(fitted)).toBe(true)
      expect(isFeasible(witness)).toBe(true)
      const moved = distance(values, fitted, weights)
      expect(moved).toBeLessThanOrEqual(distance(values, witness, weights) * (1 + 1e-12) + 1e-9)
      // Stronger: by Pythagoras, the error against any feasible truth falls by at least what was moved.
      const before = distance(values, witness, weights)
      expect(distance(fitted, witness, weights) + moved).toBeLessThanOrEqual(before + 1e-8 * (1 + before))
      expect(distance(project(fitted, weights), fitted, weights)).toBeLessThan(1e-15 * (1 + before))
      expect(distance(project(witness, weights), witness, weights)).toBeLessThan(1e-15 * (1 + before))
    }),
    { numRuns: 150 },
  )
})
