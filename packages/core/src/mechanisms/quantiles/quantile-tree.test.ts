import { describe, expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import { add, compare, multiply, one, rational, square, zero, type Rational } from "../../exact/rational.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import { bitsOfUniforms, inversionLaw } from "../../testing/inversion-law.ts"
import { eventsOf } from "../events-of.ts"
import { distinctPlaces, drawsOf, quantileTree, type QuantileTree } from "./quantile-tree.ts"
import { quantiles, quantilesLoss, quantilesOfRho, releaseQuantiles, type QuantilesSpec } from "./quantile.ts"

const evenly = (count: number): Rational[] =>
  Array.from({ length: count }, (_, i) => rational(BigInt(i) + 1n, BigInt(count) + 1n))

/** The draws on each way from the root to a leaf. */
function waysOf(tree: QuantileTree): QuantileTree[][] {
  const rests = [tree.below, tree.above].flatMap((part) => (part === undefined ? [] : waysOf(part)))
  return rests.length === 0 ? [[tree]] : rests.map((rest) => [tree, ...rest])
}

const sumOf = (numbers: readonly Rational[]): Rational => numbers.reduce(add, zero)

describe("the draws of several quantiles", () => {
  test.each([1, 2, 3, 4, 5, 9, 16, 64, 99])("spend all of the loss on each way, and no more: %i", (count) => {
    const wanted = evenly(count)
    const bySum = quantileTree(wanted, { kind: "sum", amount: rational(3n, 2n) })
    for (const way of waysOf(bySum)) {
      expect(sumOf(way.map(({ epsilon }) => epsilon))).toEqual(rational(3n, 2n))
      expect(way.every(({ epsilon }) => epsilon.numerator > 0n)).toBe(true)
    }
    const bySquares = quantileTree(wanted, { kind: "squares", amount: rational(3n, 2n) })
    for (const way of waysOf(bySquares)) {
      const squares = sumOf(way.map(({ epsilon }) => square(epsilon)))
      expect(compare(squares, rational(3n, 2n))).toBeLessThanOrEqual(0)
      expect(numberNear(squares)).toBeCloseTo(1.5, 9)
    }
    for (const tree of [bySum, bySquares]) {
      expect(drawsOf(tree).map(({ which }) => which)).toEqual(wanted.map((_, which) => which))
    }
  })

  test("draw what is asked for twice once", () => {
    const wanted = [rational(1n, 4n), rational(1n, 2n), rational(1n, 2n), rational(3n, 4n)]
    expect(distinctPlaces(wanted)).toEqual([0, 1, 3])
    const tree = quantileTree(wanted, { kind: "sum", amount: one })
    expect(drawsOf(tree).map(({ which }) => which)).toEqual([0, 1, 3])
  })

  /** The variance of all ranks together, in the limit of many rows, by following each draw's error. */
  function variance(at: readonly number[], tree: QuantileTree | undefined, [a, b]: [number, number]): number {
    if (tree === undefined) return 0
    const v = at[tree.which] ?? 0
    const r = (v - a) / (b - a)
    const own = 8 * (Math.max(r, 1 - r) / numberNear(tree.epsilon)) ** 2
    const moved = at
      .filter((u) => u > a && u < b)
      .map((u) => (u < v ? (u - a) / (v - a) : (b - u) / (b - v)) ** 2)
      .reduce((sum, part) => sum + part, 0)
    return own * moved + variance(at, tree.below, [a, v]) + variance(at, tree.above, [v, b])
  }

  test("have less error than equal levels of a balanced tree, and shares near the best", () => {
    for (const count of [2, 4, 5, 9, 19]) {
      const at = evenly(count).map(numberNear)
      const levels = 32 - Math.clz32(count)
      const even = (from: number, to: number): QuantileTree | undefined => {
        const which = (from + to) >> 1
        if (from >= to) return undefined
        const [below, above] = [even(from, which), even(which + 1, to)]
        const epsilon = rational(1n, BigInt(levels))
        return { which, epsilon, ...(below && { below }), ...(above && { above }) }
      }
      const best = quantileTree(evenly(count), { kind: "sum", amount: one })
      const ratio = Math.sqrt(variance(at, best, [0, 1]) / variance(at, even(0, count), [0, 1]))
      expect(ratio).toBeLessThan(count === 2 ? 0.98 : 0.94)
      // Moving a little of the loss between the root and the rest does not help.
      const scaled = (tree: QuantileTree | undefined, factor: Rational): QuantileTree | undefined => {
        if (tree === undefined) return undefined
        const [below, above] = [scaled(tree.below, factor), scaled(tree.above, factor)]
        const epsilon = multiply(tree.epsilon, factor)
        return { which: tree.which, epsilon, ...(below && { below }), ...(above && { above }) }
      }
      for (const part of [rational(9n, 10n), rational(11n, 10n)]) {
        const root = multiply(best.epsilon, part)
        const rest = rational(1n)
        const left = { n: numberNear(rest) - numberNear(root), d: 1 - numberNear(best.epsilon) }
        const factor = rational(BigInt(Math.round((left.n / left.d) * 1e6)), 1_000_000n)
        const [below, above] = [scaled(best.below, factor), scaled(best.above, factor)]
        const other: QuantileTree = {
          which: best.which,
          epsilon: root,
          ...(below && { below }),
          ...(above && { above }),
        }
        expect(variance(at, other, [0, 1])).toBeGreaterThan(variance(at, best, [0, 1]))
      }
    }
  })
})

/** On no border of a draw, so that each draw reads two words. */
const anywhere = Math.floor(0.4142135623 * 2 ** 53)

/** The joint law of the quantiles, read off the mechanism draw by draw, in the order of the draws. */
function lawOf(spec: QuantilesSpec, histogram: readonly number[]): Map<string, number> {
  const order: QuantileTree[] = []
  const visit = (tree: QuantileTree | undefined): void => {
    if (tree === undefined) return
    order.push(tree)
    visit(tree.below)
    visit(tree.above)
  }
  visit(spec.tree)
  const law = new Map<string, number>()
  const walk = (
    uniforms: readonly number[],
    probability: number,
    cells: ReadonlyMap<number, number>,
  ): void => {
    const draw = order[uniforms.length]
    if (draw === undefined) {
      const key = spec.quantiles.map((_, which) => cells.get(which)).join(" ")
      law.set(key, (law.get(key) ?? 0) + probability)
      return
    }
    const before = [...cells].filter(([which]) => which < draw.which).map(([, cell]) => cell)
    const after = [...cells].filter(([which]) => which > draw.which).map(([, cell]) => cell)
    const [low, high] = [Math.max(0, ...before), Math.min(histogram.length - 1, ...after)]
    const rest = order.slice(uniforms.length + 1).map(() => anywhere)
    const outcome = (u: number): number => {
      const rng = bitsOfUniforms([...uniforms, u, ...rest])
      return (releaseQuantiles(spec, histogram.map(BigInt), rng)[draw.which] ?? -1) - low
    }
    for (const [cell, entry] of inversionLaw(high - low + 1, outcome).entries()) {
      const next = new Map(cells).set(draw.which, low + cell)
      walk([...uniforms, entry.uniform], probability * entry.probability, next)
    }
  }
  walk([], 1, new Map())
  return law
}

describe("ways of different lengths", () => {
  const wanted = ["1/5", "2/5", "1/2", "9/10"]
  const pairs: readonly [Neighbours, number[], number[]][] = [
    ["add-or-remove", [2, 1, 2], [3, 1, 2]],
    ["add-or-remove", [2, 1, 2], [2, 1, 3]],
    ["add-or-remove", [0, 3, 0], [0, 4, 0]],
    ["add-or-remove", [1, 0, 4], [1, 1, 4]],
    ["replace", [2, 1, 2], [1, 1, 3]],
    ["replace", [0, 3, 0], [1, 2, 0]],
  ]
  test.each(pairs)("[M5] keep the loss between neighbours: %s %j %j", (neighbours, one, other) => {
    const options = { quantiles: wanted, cells: 3, rowsPerUnit: 1, neighbours, epsilon: "1.2" } as const
    const spec: QuantilesSpec = { ...quantiles(options), slots: 1n }
    expect(new Set(waysOf(spec.tree).map(({ length }) => length)).size).toBeGreaterThan(1)
    const [a, b] = [lawOf(spec, one), lawOf(spec, other)]
    const logs = [...a].map(([key, p]) => Math.abs(Math.log(p / (b.get(key) ?? 0))))
    expect(Math.max(...logs)).toBeLessThanOrEqual(1.2 * (1 + 1e-9))
    expect(Math.max(...logs)).toBeGreaterThan(0.25)
  })

  test("are charged by the costliest one in each measure, for every group of a unit", () => {
    const options = { quantiles: wanted, cells: 9, rowsPerUnit: 1, neighbours: "replace" } as const
    const bySum = quantiles({ ...options, groupsPerUnit: 3, epsilon: "1.2" })
    expect(quantilesLoss(bySum).pure?.epsilon).toEqual(rational(6n, 5n))
    const most = waysOf(bySum.tree).map((way) => sumOf(way.map(({ epsilon }) => square(epsilon))))
    const rho = Math.max(...most.map(numberNear)) * (3 / 8)
    expect(numberNear(quantilesLoss(bySum).zcdp.rho)).toBeCloseTo(rho, 12)
    const bySquares = quantilesOfRho({ ...options, groupsPerUnit: 3, rho: "0.1" })
    const { zcdp } = quantilesLoss(bySquares)
    expect(compare(zcdp.rho, rational(1n, 10n))).toBeLessThanOrEqual(0)
    expect(numberNear(zcdp.rho)).toBeCloseTo(0.1, 9)
  })

  test("are one event of the greatest sum, unless one way is the costliest in every draw", () => {
    const options = { cells: 9, rowsPerUnit: 1, neighbours: "replace", epsilon: 1 } as const
    const uneven = eventsOf(quantiles({ ...options, quantiles: wanted }))
    expect(uneven).toEqual([{ event: { kind: "pure", epsilon: one, shape: "range" }, count: 1 }])
    expect(eventsOf(quantiles({ ...options, quantiles: ["1/4", "1/2", "3/4"] }))).toHaveLength(2)
  })
})
