// A tree is attacked on neighbouring tables with the loss that lossOf states, and its errors are drawn.

import { expect, test } from "vitest"
import { numberNear } from "../../exact/dyadic.ts"
import { multiply, rational } from "../../exact/rational.ts"
import { sumsByLevel } from "../../exact/weighted-tree.ts"
import { treeValues } from "../../post/tables/tree-cells.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { attack } from "../../testing/attack.ts"
import { checkCoverage } from "../../testing/check-coverage.ts"
import { releaseTree, tree, treeNodeError, treeVariances, type TreeSpec } from "./tree.ts"

const persons = { groupsPerUnit: 1, lower: 0n, upper: 1n, neighbours: "add-or-remove" } as const

test("[L1] [M7] a tree keeps its loss", () => {
  const spec = tree({ ...persons, children: [[2]], wanted: [1, 1], muSquared: "1/4" })
  // What tells most: the noisy leaf that the unit is in.
  const on = (leaves: readonly bigint[]) => (used: TreeSpec, rng: RandomBits) =>
    treeValues(used, releaseTree(used, leaves, rng), 1).at(-1)?.[0] ?? 0n
  const sixteenth = rational(1n, 16n)
  const variances = spec.variances.map((level) => level.map((variance) => multiply(variance, sixteenth)))
  const broken = { ...spec, total: multiply(spec.total, sixteenth), variances }
  attack("tree", { spec, measure: "gdp", on: [on([40n, 9n]), on([41n, 9n])], broken })
})

test("[E1] [P2] errors of nodes hold as often as stated, and hardly more", () => {
  const children = [[3], [1, 4, 2]]
  const spec = tree({ ...persons, children, wanted: [1, 1, 1], muSquared: "1/50" })
  const leaves = [3n, 0n, 17n, 200n, 4n, 0n, 61n]
  const sums = sumsByLevel(spec, leaves)
  for (const [level, place] of [
    [0, 0],
    [1, 0],
    [1, 1],
    [2, 2],
  ] as const) {
    const variance = treeVariances(spec)[level]?.[place] ?? rational(1n)
    const { halfWidth } = treeNodeError(variance, rational(1n, 10n))
    const holds = (rng: RandomBits): boolean => {
      const value = treeValues(spec, releaseTree(spec, leaves, rng), 12)[level]?.[place] ?? 0n
      const off = numberNear(rational(value - ((sums[level]?.[place] ?? 0n) << 12n), 1n << 12n))
      return Math.abs(off) <= Number(halfWidth)
    }
    const name = `node ${place} of level ${level}`
    expect(checkCoverage({ name, holds, confidence: 0.9, draws: 3000 })).toBeLessThan(0.97)
  }
})
