// Sums of cells that were measured together, against noise from the real samplers: their intervals hold the
// exact number at least as often as they say, and not much more often.

import { expect, test } from "vitest"
import { rational } from "@dosimeter/core"
import { margins, releaseMargins, releaseTree, tree } from "@dosimeter/core/mechanisms"
import { clopperPearson, freshSeed, seededBits, spendAlpha } from "@dosimeter/core/testing"
import { intervalOfCell } from "../intervals/interval-of-cell.ts"
import { deriveRows } from "./derived-table.ts"
import type { KeptJoint } from "./joint-column.ts"

const alpha = 1e-9
const confidence = 0.9
const trials = 700
const seed = freshSeed()
const rng = seededBits(seed)
const cells = Array.from({ length: 12 }, (_, index) => BigInt(40 + 7 * index))
const table = {
  lower: 0n,
  upper: 1n,
  groupsPerUnit: 1,
  neighbours: "add-or-remove",
  muSquared: 0.02,
} as const
const sizes = [3n, 4n]
const wanted = [[], [0], [1], [0, 1]].map((attributes) => ({ attributes }))
const parts = margins({ ...table, sizes: [3, 4], wanted })
const children = [[2], [3, 2], [2, 3, 2, 2, 3]]
const levels = tree({ ...table, children, wanted: [1, 1, 1, 1] })
const rest = { kind: "joint", grid: rational(1n), bits: 20, isWhole: false, draw: 0 } as const

const ofTable = (): KeptJoint => ({
  ...rest,
  shape: { kind: "table", sizes },
  law: { kind: "parts", parts: parts.parts },
  noisy: releaseMargins(parts, cells, rng),
})
const ofTree = (): KeptJoint => ({
  ...rest,
  shape: { kind: "tree", children },
  law: { kind: "levels", weights: levels.weights, total: levels.total, variances: levels.variances },
  noisy: releaseTree(levels, cells, rng),
})
const facts = {
  rows: "",
  conditions: [],
  keys: [],
  columns: [],
  groupsPerUnit: 1n,
  rowsPerGroup: 1n,
  oneGroup: true,
  oneRow: true,
  cutsGroups: false,
  selectedFrom: undefined,
}

test.each([
  ["a margin", ofTable, [0, 4, 8]],
  ["cells of a table that are no margin", ofTable, [0, 1, 6, 11]],
  ["a node of a tree", ofTree, [0, 1]],
  ["leaves of several nodes", ofTree, [0, 4, 5, 9, 11]],
])("[P2] the interval of %s", (_name, column, rows) => {
  spendAlpha(2 * alpha)
  const exact = Number(rows.reduce((sum, row) => sum + (cells[row] ?? 0n), 0n))
  const derivation = { groups: [{ keys: [], from: rows }], columns: [0], differences: [], isEqual: true }
  let held = 0
  for (let trial = 0; trial < trials; trial += 1) {
    const kept = { facts, keys: cells.map(() => []), columns: [column()] }
    const source = { table: kept, derivation, drawOf: (_draw: number, place: number): number => place }
    const [row] = deriveRows([source], { types: [{ kind: "integer" }], hides: () => false })
    const interval = row?.[0] === undefined ? undefined : intervalOfCell(row[0], confidence)
    if (interval !== undefined && interval.low <= exact && exact <= interval.high) held += 1
  }
  const { lower, upper } = clopperPearson({ successes: held, trials, alpha })
  expect(upper, `covers too rarely, SEED=${seed}`).toBeGreaterThanOrEqual(confidence)
  expect(lower, `is much too wide, SEED=${seed}`).toBeLessThanOrEqual(0.95)
})
