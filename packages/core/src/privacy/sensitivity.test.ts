import { describe, expect, test } from "vitest"
import { refusalOf } from "../testing/refusals.ts"
import {
  boundedSensitivity,
  countSensitivity,
  joinSensitivities,
  l1Of,
  l2SquaredOf,
  normSensitivity,
  type Sensitivity,
} from "./sensitivity.ts"
import type { Neighbours } from "./unit.ts"

/** What one unit adds to each group; a group that it does not touch gets 0. */
type Contribution = readonly bigint[]

interface Case {
  readonly lower: bigint
  readonly upper: bigint
  readonly groupsPerUnit: number
  readonly groupsInAll: number
  readonly neighbours: Neighbours
}

/**
 * Everything that a unit may do: touch at most k of the groups, with the bounds or 0 (if allowed) in each.
 */
function contributions({ lower, upper, groupsPerUnit, groupsInAll }: Case): Contribution[] {
  const amounts = [...new Set([lower, upper, ...(lower <= 0n && upper >= 0n ? [0n] : [])])]
  const extend = (touched: number, left: number): Contribution[] => {
    if (left === 0) return [[]]
    const without = extend(touched, left - 1).map((rest) => [0n, ...rest])
    if (touched === groupsPerUnit) return without
    const others = extend(touched + 1, left - 1)
    return [...without, ...amounts.flatMap((amount) => others.map((rest) => [amount, ...rest]))]
  }
  return extend(0, groupsInAll)
}

/** The query: the sum of all amounts in each group. */
function sums(dataset: readonly Contribution[], groups: number): bigint[] {
  return Array.from({ length: groups }, (_, group) =>
    dataset.reduce((sum, unit) => sum + (unit[group] ?? 0n), 0n),
  )
}

/** The largest changes between the answers on all pairs of neighbours of two units and one or no third. */
function worstChange(of: Case): { l1: bigint; l2Squared: bigint } {
  const all = contributions(of)
  const groups = of.groupsInAll
  const [someone = []] = all
  const bystanders = [[someone], [someone, all.at(-1) ?? []]]
  let [l1, l2Squared] = [0n, 0n]
  const compare = (a: readonly bigint[], b: readonly bigint[]): void => {
    const changes = a.map((value, i) => value - (b[i] ?? 0n))
    const sum = changes.reduce((total, d) => total + (d < 0n ? -d : d), 0n)
    const squares = changes.reduce((total, d) => total + d * d, 0n)
    if (sum > l1) l1 = sum
    if (squares > l2Squared) l2Squared = squares
  }
  for (const others of bystanders) {
    const answers = all.map((unit) => sums([...others, unit], groups))
    const without = sums(others, groups)
    for (const answer of answers) {
      if (of.neighbours === "add-or-remove") compare(answer, without)
      else for (const other of answers) compare(answer, other)
    }
  }
  return { l1, l2Squared }
}

const bounds = [
  [0n, 5n],
  [2n, 5n],
  [-4n, -1n],
  [-2n, 3n],
  [-3n, 3n],
  [-7n, 1n],
  [5n, 5n],
] as const
const cases = bounds.flatMap(([lower, upper]) =>
  [
    [1, 1],
    [1, 2],
    [2, 1],
    [2, 2],
    [2, 3],
    [2, 4],
  ].flatMap(([groupsPerUnit = 1, groupsInAll = 1]) =>
    (["add-or-remove", "replace"] as const).map((neighbours) => ({
      lower,
      upper,
      groupsPerUnit,
      groupsInAll,
      neighbours,
    })),
  ),
)

test.each(cases)("[S1] [U2] is the largest change over all neighbours: %o", (of) => {
  const sensitivity = boundedSensitivity(of)
  const worst = worstChange(of)
  expect(l1Of(sensitivity)).toBe(worst.l1)
  expect(l2SquaredOf(sensitivity)).toBe(worst.l2Squared)
})

test("groups without a known number are as many as the worst needs", () => {
  const of = { lower: -2, upper: 3, groupsPerUnit: 2, neighbours: "replace" } as const
  expect(boundedSensitivity(of)).toEqual(boundedSensitivity({ ...of, groupsInAll: 4 }))
})

test("adds the changes of several columns, at worst", () => {
  const column = (lower: number, upper: number, neighbours: Neighbours): Sensitivity =>
    boundedSensitivity({ groupsPerUnit: 1, lower, upper, neighbours })
  const added = joinSensitivities([column(0, 2, "add-or-remove"), column(-3, 1, "add-or-remove")])
  expect([l1Of(added), l2SquaredOf(added)]).toEqual([5n, 13n])
  const replaced = joinSensitivities([column(0, 2, "replace"), column(-3, 3, "replace")])
  // Columns differ in which pattern is the worst: 2 groups of 2, and 1 group of 6 (12 = 12 for L1, 36 > 18).
  expect([l1Of(replaced), l2SquaredOf(replaced)]).toEqual([4n + 6n, 8n + 36n])
})

test("keeps the list of patterns short for columns of one sign", () => {
  const count = countSensitivity({ groupsPerUnit: 3, rowsPerGroup: 2, neighbours: "replace" })
  const joined = joinSensitivities(Array.from({ length: 40 }, () => count))
  expect(joined.patterns).toHaveLength(1)
  expect(l1Of(joined)).toBe(40n * 12n)
})

test("[U1] a count changes by its rows per group, in each group that a unit touches", () => {
  const count = (neighbours: Neighbours) =>
    countSensitivity({ groupsPerUnit: 3, rowsPerGroup: 4, neighbours })
  expect([l1Of(count("add-or-remove")), l2SquaredOf(count("add-or-remove"))]).toEqual([12n, 48n])
  expect([l1Of(count("replace")), l2SquaredOf(count("replace"))]).toEqual([24n, 96n])
})

describe("refuses", () => {
  const good = { groupsPerUnit: 1, lower: 0, upper: 1, neighbours: "add-or-remove" } as const
  test.each([
    ["privacy/zero-sensitivity", { lower: 0, upper: 0 }],
    ["parameter/out-of-range", { lower: 2, upper: 1 }],
    ["parameter/out-of-range", { groupsPerUnit: 0 }],
    ["parameter/out-of-range", { groupsPerUnit: -1 }],
    ["parameter/not-an-integer", { groupsPerUnit: 1.5 }],
    ["parameter/not-an-integer", { lower: "0.5" }],
    ["parameter/not-an-integer", { upper: 0.1 }],
    ["parameter/not-a-number", { upper: Infinity }],
    ["parameter/not-a-number", { lower: Number.NaN }],
    ["parameter/not-a-number", { upper: "many" }],
    ["parameter/too-large", { upper: 1n << 5000n }],
  ])("with %s: %o", (code, change) => {
    expect(refusalOf(() => boundedSensitivity({ ...good, ...change })).code).toBe(code)
  })

  test("no rows per group, and no columns", () => {
    const rows = () => countSensitivity({ groupsPerUnit: 1, rowsPerGroup: 0, neighbours: "replace" })
    expect(refusalOf(rows).code).toBe("parameter/out-of-range")
    expect(refusalOf(() => joinSensitivities([])).code).toBe("parameter/empty")
  })

  test("[S2] a sensitivity of 0 that was made by hand", () => {
    const nothing: Sensitivity = { neighbours: "replace", patterns: [[{ groups: 3n, amount: 0n }]] }
    expect(refusalOf(() => l1Of(nothing)).code).toBe("privacy/zero-sensitivity")
    expect(refusalOf(() => l2SquaredOf(nothing)).code).toBe("privacy/zero-sensitivity")
    expect(refusalOf(() => l1Of({ neighbours: "replace", patterns: [] })).code).toBe(
      "privacy/zero-sensitivity",
    )
  })

  test("columns with different neighbours, as a bug of ours", () => {
    const added = boundedSensitivity(good)
    const replaced = boundedSensitivity({ ...good, neighbours: "replace" })
    expect(refusalOf(() => joinSensitivities([added, replaced])).code).toBe("bug/invariant")
  })
})

describe("a norm of all that a unit adds", () => {
  const bounds = { bound: 7n, isSigned: false, neighbours: "add-or-remove" } as const

  test("a norm that is an L2 norm says nothing about the L1 norm", () => {
    const scaled = normSensitivity({ ...bounds, norm: "l2" })
    expect(l2SquaredOf(scaled)).toBe(49n)
    expect(() => l1Of(scaled)).toThrow("a bound of the L2 norm bounds no L1 norm")
    expect(l1Of(normSensitivity({ ...bounds, norm: "l1" }))).toBe(7n)
  })

  test("replacing a unit moves the root of two, or twice where amounts have signs", () => {
    const replaced = { ...bounds, norm: "l2", neighbours: "replace" } as const
    expect(l2SquaredOf(normSensitivity(replaced))).toBe(98n)
    expect(l2SquaredOf(normSensitivity({ ...replaced, isSigned: true }))).toBe(196n)
  })
})
