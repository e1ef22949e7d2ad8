// Trees of sums: the loss is the worst that a unit can do, the noise is least, and nodes add up.

import { describe, expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberNear } from "../../exact/dyadic.ts"
import {
  add,
  compare,
  divide,
  multiply,
  rational,
  square,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { levelSizes, siblingSplits, splitLength, sumsByLevel } from "../../exact/weighted-tree.ts"
import { reconcileTree } from "../../post/consistency/reconcile-tree.ts"
import { treeRounding, treeTerms, treeValues, wholeTree } from "../../post/tables/tree-cells.ts"
import { refusalOf } from "../../testing/refusals.ts"
import { seededBits } from "../../testing/seeded-bits.ts"
import { errorOf, lossIn, lossOf } from "../mechanism.ts"
import { treeChange } from "./tree-change.ts"
import { bestShares, plainShares, sumVariance } from "./tree-shares.ts"
import {
  releaseTree,
  tree,
  treeDrawVariances,
  treeError,
  treeLoss,
  treeVariances,
  type TreeSpec,
} from "./tree.ts"

const persons = { groupsPerUnit: 1, lower: 0n, upper: 1n, neighbours: "add-or-remove" } as const
const shapes = {
  even: [[2], [3, 3]],
  uneven: [[3], [1, 4, 2]],
  deep: [[2], [2, 1], [3, 1, 2]],
  flat: [[5]],
  chain: [[1], [1], [3]],
} as const

const everyLevel = (children: readonly (readonly number[])[]): readonly number[] =>
  Array<number>(children.length + 1).fill(1)

/** What a change of the leaves costs: all measurements, written out, in units of their noise. */
function costOf(spec: TreeSpec, change: readonly bigint[]): Rational {
  const sums = sumsByLevel(spec, change)
  const total = divide(rational((sums[0]?.[0] ?? 0n) ** 2n), spec.total)
  const compared = spec.children.flatMap((_, level) =>
    siblingSplits(spec, level).map((split) => {
      const own = sums[level + 1] ?? []
      const sumOf = (from: number, to: number): bigint => own.slice(from, to).reduce((a, b) => a + b, 0n)
      const moved = split.right * sumOf(split.from, split.middle) - split.left * sumOf(split.middle, split.to)
      const noise = multiply(spec.variances[level]?.[split.parent] ?? zero, rational(splitLength(split)))
      return divide(rational(moved * moved), noise)
    }),
  )
  return compared.reduce(add, total)
}

/** Every change that a unit can make, amounts at their corners. */
function* changesOf(spec: TreeSpec): Generator<readonly bigint[]> {
  const { lower, upper, groupsPerUnit, neighbours } = spec
  const amounts = [...new Set([lower < 0n ? lower : 0n, 0n, upper > 0n ? upper : 0n])]
  let own: (readonly bigint[])[] = [[]]
  for (let leaf = 0; leaf < (levelSizes(spec).at(-1) ?? 0); leaf += 1) {
    own = own.flatMap((change) => amounts.map((amount) => [...change, amount]))
  }
  const few = own.filter((change) => BigInt(change.filter((amount) => amount !== 0n).length) <= groupsPerUnit)
  for (const change of few) {
    if (neighbours === "add-or-remove") yield change
    else for (const other of few) yield change.map((amount, leaf) => amount - (other[leaf] ?? 0n))
  }
}

function worstOf(spec: TreeSpec): Rational {
  let most = zero
  for (const change of changesOf(spec)) {
    const cost = costOf(spec, change)
    if (compare(cost, most) > 0) most = cost
  }
  return most
}

describe("the loss", () => {
  test.each(Object.entries(shapes))(
    "[S1] [L1] [M7] is what a unit in one leaf reaches, and what was asked for: %s",
    (_, children) => {
      const spec = tree({ ...persons, children, wanted: everyLevel(children), muSquared: "0.3" })
      const claimed = treeChange(spec)
      const worst = worstOf(spec)
      expect(compare(worst, claimed)).toBeLessThanOrEqual(0)
      expect(numberNear(worst) / numberNear(claimed)).toBeCloseTo(1, 12)
      expect(compare(claimed, rational(3n, 10n))).toBeLessThanOrEqual(0)
      expect(numberNear(claimed)).toBeCloseTo(0.3, 9)
      // Weights are rounded, so that leaves differ a little, and no leaf is far below.
      for (let leaf = 0; leaf < (levelSizes(spec).at(-1) ?? 0); leaf += 1) {
        const change = Array<bigint>(levelSizes(spec).at(-1) ?? 0)
          .fill(0n)
          .with(leaf, 1n)
        expect(numberNear(costOf(spec, change))).toBeGreaterThan(0.295)
      }
    },
  )

  test.each(["1e-6", "0.01", "1"])(
    "[L1] [M7] is what was asked for, however large amounts are: mu squared %s",
    (muSquared) => {
      for (const [bits, children] of [20n, 40n, 80n].flatMap((one) =>
        Object.values(shapes).map((shape) => [one, shape] as const),
      )) {
        for (const neighbours of ["add-or-remove", "replace"] as const) {
          const bound = { groupsPerUnit: 2, lower: 0n, upper: 1n << bits, neighbours }
          const spec = tree({ ...bound, children, wanted: everyLevel(children), muSquared })
          const claimed = treeChange(spec)
          expect(compare(claimed, exactly(muSquared, "mu squared"))).toBeLessThanOrEqual(0)
          expect(numberNear(claimed) / Number(muSquared)).toBeCloseTo(1, 8)
          const leaves = levelSizes(spec).at(-1) ?? 0
          const change = Array.from({ length: leaves }, (_, leaf) => (leaf < 2 ? bound.upper : 0n))
          expect(compare(costOf(spec, change), claimed)).toBeLessThanOrEqual(0)
        }
      }
    },
  )

  const bounds = [
    { groupsPerUnit: 1n, lower: 0n, upper: 2n, neighbours: "replace", isReached: false },
    { groupsPerUnit: 1n, lower: -1n, upper: 2n, neighbours: "add-or-remove", isReached: true },
    { groupsPerUnit: 1n, lower: -2n, upper: 2n, neighbours: "replace", isReached: false },
    { groupsPerUnit: 2n, lower: 0n, upper: 1n, neighbours: "add-or-remove", isReached: true },
    { groupsPerUnit: 3n, lower: -3n, upper: 0n, neighbours: "add-or-remove", isReached: true },
    { groupsPerUnit: 2n, lower: -1n, upper: 1n, neighbours: "add-or-remove", isReached: false },
    { groupsPerUnit: 2n, lower: 0n, upper: 1n, neighbours: "replace", isReached: false },
    { groupsPerUnit: 9n, lower: 0n, upper: 1n, neighbours: "add-or-remove", isReached: true },
  ] as const
  test.each(bounds)(
    "[S1] [U2] [M7] holds for all that a unit can do: $groupsPerUnit leaves, $lower to $upper, $neighbours",
    ({ isReached, ...bound }) => {
      for (const children of [shapes.even, shapes.uneven, shapes.flat]) {
        const spec = tree({ ...bound, children, wanted: everyLevel(children), muSquared: 1 })
        const worst = worstOf(spec)
        const claimed = treeChange(spec)
        expect(compare(worst, claimed)).toBeLessThanOrEqual(0)
        expect(compare(claimed, rational(1n))).toBeLessThanOrEqual(0)
        if (isReached) expect(numberNear(worst) / numberNear(claimed)).toBeCloseTo(1, 12)
      }
    },
  )

  test("[S1] holds whatever the weights and variances are", () => {
    const spec = tree({
      ...persons,
      groupsPerUnit: 2,
      children: shapes.uneven,
      wanted: [1, 1, 1],
      muSquared: 1,
    })
    const odd: TreeSpec = {
      ...spec,
      weights: [
        [3n, 1n, 7n],
        [2n, 1n, 9n, 1n, 4n, 5n, 2n],
      ],
      variances: [[rational(7n)], [rational(2n), rational(1n, 3n), rational(50n)]],
    }
    for (const neighbours of ["add-or-remove", "replace"] as const) {
      const changed = { ...odd, neighbours }
      expect(compare(worstOf(changed), treeChange(changed))).toBeLessThanOrEqual(0)
    }
    // Of both signs, so that a change may be great among siblings and nothing in all.
    const signed = { ...odd, lower: -1n, total: rational(1000n) }
    expect(compare(worstOf(signed), treeChange(signed))).toBeLessThanOrEqual(0)
    expect(numberNear(worstOf(odd)) / numberNear(treeChange(odd))).toBeCloseTo(1, 12)
  })

  test("is read by lossOf and errorOf, and is not pure", () => {
    const spec = tree({ ...persons, children: shapes.even, wanted: [1, 1, 1], muSquared: "1/4" })
    expect(lossOf(spec)).toEqual(treeLoss(spec))
    expect(errorOf(spec, "0.9")).toEqual(treeError(spec, rational(1n, 10n)))
    expect(refusalOf(() => lossIn(spec, "pure")).code).toBe("privacy/no-such-loss")
  })
})

describe("the plan", () => {
  test.each([[[[4], [5, 5, 5, 5]]], [[[3], [2, 2, 2], [6, 6, 6, 6, 6, 6]]]])(
    "has the least total variance where all nodes of a level are alike: %j",
    (children) => {
      // In closed form: residuals of each level, noise in proportion to the root of cost through worth.
      const sizes = levelSizes({ children })
      const roots = sizes.map((nodes, level) => {
        const before = sizes[level - 1]
        const cost = before === undefined ? 1 : 1 - before / nodes
        // What a node's variance is worth: itself, and what its children have of it, and so on.
        const worth = sizes.slice(level).reduce((sum, below) => sum + nodes / below, 0)
        return Math.sqrt(cost * (before === undefined ? worth : nodes * cost * worth))
      })
      const least = roots.reduce((sum, root) => sum + root, 0) ** 2
      const spec = tree({ ...persons, children, wanted: everyLevel(children), muSquared: 1 })
      const reached = treeVariances(spec)
        .flat()
        .reduce((sum, variance) => sum + numberNear(variance), 0)
      expect(reached / least).toBeGreaterThan(0.999)
      expect(reached / least).toBeLessThan(1.002)
    },
  )

  test("is never worse than equal noise on all levels, or on the leaves alone, with least squares", () => {
    for (const children of [...Object.values(shapes), [[3], [1, 30, 4]], [[40], Array<number>(40).fill(2)]]) {
      for (const groupsPerUnit of [1, 3]) {
        const wanted = everyLevel(children)
        const best = bestShares({ children, wanted, groupsPerUnit })
        const { equal, leaves } = plainShares({ children, wanted, groupsPerUnit })
        expect(best.total).toBeLessThanOrEqual(Math.min(equal.total, leaves.total) * (1 + 1e-9))
        expect(best.shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9)
        const spec = tree({ ...persons, groupsPerUnit, children, wanted, muSquared: 1 })
        const reached = treeVariances(spec)
          .flat()
          .reduce((sum, variance) => sum + numberNear(variance), 0)
        expect(reached / best.total).toBeLessThan(1.01)
      }
    }
  })

  test("knows the variance of sums of nodes", () => {
    const children = shapes.deep
    const shares = bestShares({ children, wanted: [1, 1, 1, 1], groupsPerUnit: 1 })
    const spec = tree({ ...persons, children, wanted: [1, 1, 1, 1], muSquared: 1 })
    const draws = treeDrawVariances(spec)
    for (const [level, nodes] of [
      [3, [0, 2, 5]],
      [2, [0, 2]],
      [1, [1]],
      [3, [0, 1, 2, 3, 4, 5]],
    ] as const) {
      const exact = treeTerms(spec)(level, nodes)
        .map((term) => multiply(square(term.factor), draws[term.level]?.[term.place] ?? zero))
        .reduce(add, zero)
      const found = sumVariance(shares, children, { level, nodes })
      expect(found / numberNear(exact)).toBeGreaterThan(0.98)
      expect(found / numberNear(exact)).toBeLessThan(1.02)
    }
  })

  test("gives no noise budget to levels that nobody looks at", () => {
    const children = [[3], [4, 4, 4]]
    const { shares } = bestShares({ children, wanted: [1, 0, 1], groupsPerUnit: 1 })
    expect(shares[1]).toBe(0)
    const spec = tree({ ...persons, children, wanted: [0, 0, 1], muSquared: 1 })
    expect(
      treeVariances(spec)[2]
        ?.map(numberNear)
        .every((one) => Math.abs(one - 1) < 0.01),
    ).toBe(true)
  })

  test.each([
    [{ children: [] }, "parameter/empty"],
    [{ children: [[2], [3]] }, "parameter/out-of-range"],
    [{ children: [[2], [3, 0]] }, "parameter/out-of-range"],
    [{ children: [[2 ** 21]], wanted: [1, 1] }, "parameter/too-large"],
    [{ wanted: [1, 1] }, "parameter/out-of-range"],
    [{ wanted: [0, 0, 0] }, "parameter/out-of-range"],
    [{ wanted: [1, -1, 1] }, "parameter/out-of-range"],
    [{ upper: 0n }, "parameter/out-of-range"],
    [{ muSquared: 0 }, "parameter/not-positive"],
    [{ groupsPerUnit: 0 }, "parameter/out-of-range"],
  ] as const)("[M1] [S2] refuses what is no tree, number %#", (change, code) => {
    const good = { ...persons, children: shapes.even, wanted: [1, 1, 1], muSquared: 1 }
    expect(refusalOf(() => tree({ ...good, ...change })).code).toBe(code)
  })
})

describe("nodes", () => {
  const children = shapes.uneven
  const spec = tree({ ...persons, children, wanted: [1, 1, 1], muSquared: "1/10" })
  const leaves = [5n, 0n, 12n, 3n, 1n, 40n, 2n]
  const released = releaseTree(spec, leaves, seededBits("tree"))
  const values = treeValues(spec, released, 20)

  test("[M7] add up to their parents exactly, and are what the measurements say", () => {
    expect(sumsByLevel(spec, values.at(-1) ?? [])).toEqual(values)
    const termsOf = treeTerms(spec)
    const draws = treeDrawVariances(spec)
    const variances = treeVariances(spec)
    for (const [level, nodes] of values.entries()) {
      for (const [node, value] of nodes.entries()) {
        const terms = termsOf(level, [node])
        const exact = terms
          .map((term) => multiply(term.factor, rational(released[term.level]?.[term.place] ?? 0n)))
          .reduce(add, zero)
        const gap = subtract(exact, rational(value, 1n << 20n))
        expect(Math.abs(numberNear(gap))).toBeLessThanOrEqual((treeRounding(spec, level) + 1e-9) * 2 ** -20)
        const variance = terms
          .map(({ level: at, place, factor }) => multiply(square(factor), draws[at]?.[place] ?? zero))
          .reduce(add, zero)
        expect(variance).toEqual(variances[level]?.[node])
      }
    }
  })

  test("of exact measurements are exact", () => {
    const exact = treeValues(spec, measurementsOf(spec, leaves), 10)
    expect(exact).toEqual(sumsByLevel(spec, leaves).map((level) => level.map((sum) => sum << 10n)))
  })

  test("sums of nodes take each measurement once", () => {
    const termsOf = treeTerms(spec)
    const all = termsOf(2, [...leaves.keys()])
    expect(all).toEqual([{ level: 0, place: 0, factor: rational(1n) }])
    const family = termsOf(2, [1, 2, 3, 4])
    expect(family).toEqual(termsOf(1, [1]))
  })

  test("have the variances of weighted least squares on noisy levels", () => {
    const { shares } = bestShares({ children, wanted: [1, 1, 1], groupsPerUnit: 1 })
    const parents = [-1, 0, 0, 0, 1, 2, 2, 2, 2, 3, 3]
    const levelOf = [0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2]
    const nodes = levelOf.map((level) => ({
      value: 0,
      variance: 10 / (shares[level] ?? 1),
      law: "gaussian" as const,
    }))
    const best = reconcileTree({ parents, nodes }).map(({ variance }) => variance)
    const own = treeVariances(spec).flat().map(numberNear)
    for (const [index, variance] of own.entries()) expect(variance / (best[index] ?? 0)).toBeCloseTo(1, 1)
  })

  test("[P2] become whole numbers from 0 that add up", () => {
    const few = treeValues(
      spec,
      releaseTree(
        spec,
        leaves.map(() => 0n),
        seededBits("few"),
      ),
      12,
    )
    const whole = wholeTree(spec, few, 12)
    expect(whole.flat().every((value) => value >= 0n)).toBe(true)
    expect(sumsByLevel(spec, whole.at(-1) ?? [])).toEqual(whole)
    const same = wholeTree(
      spec,
      whole.map((level) => level.map((value) => value << 12n)),
      12,
    )
    expect(same).toEqual(whole)
  })
})

function measurementsOf(spec: TreeSpec, leaves: readonly bigint[]): readonly (readonly bigint[])[] {
  const sums = sumsByLevel(spec, leaves)
  const compared = spec.children.map((_, level) =>
    siblingSplits(spec, level).map(({ from, middle, to, left, right }) => {
      const own = sums[level + 1] ?? []
      const sumOf = (first: number, last: number): bigint =>
        own.slice(first, last).reduce((a, b) => a + b, 0n)
      return right * sumOf(from, middle) - left * sumOf(middle, to)
    }),
  )
  return [sums[0] ?? [], ...compared]
}
