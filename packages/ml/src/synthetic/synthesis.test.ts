import { expect, test } from "vitest"
import { choosePairs } from "./choose-pairs.ts"
import { coarserPlaces, sumInto } from "./cell-places.ts"
import { groupsOfGroups, groupValues } from "./group-values.ts"
import type { Round, SyntheticSpec } from "./rounds.ts"
import { tableOfRows, type CodedRows } from "./sample-rows.ts"
import { SeededNumbers } from "./seeded-numbers.ts"
import { Synthesis } from "./synthesis.ts"
import { fromZero } from "./within-groups.ts"

const sizes = [10, 4, 3, 2]
const attributes = sizes.map((size, place) => ({
  name: `c${place}`,
  size,
  isOrdered: place === 0,
  hasMissing: false,
}))
const spec: SyntheticSpec = { attributes, rules: [], seed: "rounds" }

/** 2,000 rows: the second column follows the first, the fourth the third. */
function dataOf(): CodedRows {
  const random = new SeededNumbers("data")
  const columns = sizes.map(() => new Int32Array(2000))
  for (let row = 0; row < 2000; row += 1) {
    const first = Math.floor(random.next() * 10)
    const third = Math.floor(random.next() * 3)
    const values = [first, random.next() < 0.9 ? Math.floor(first / 2.5) : 0, third, third === 2 ? 1 : 0]
    for (const [place, value] of values.entries()) columns[place]?.set([value], row)
  }
  return columns
}

/** Counts with noise that is drawn evenly: enough for what only looks at released numbers. */
function measure(data: CodedRows, round: Round, all: number, random: SeededNumbers) {
  return round.tables.map((table) => {
    const variance = all / table.share
    const cells = table.groups.reduce((count, own) => count * (Math.max(...own) + 1), 1)
    const fine = tableOfRows(data, sizes, table.attributes)
    const exact = sumInto(fine, coarserPlaces(table.attributes, sizes, table), new Float64Array(cells))
    const noise = (): number => (random.next() - 0.5) * Math.sqrt(12 * variance)
    return { counts: exact.map((count) => count + Math.round(noise())), variance }
  })
}

function run(given: SyntheticSpec, all: number): Synthesis {
  const [data, random] = [dataOf(), new SeededNumbers("noise")]
  const synthesis = new Synthesis(given)
  for (let round = synthesis.next(); round !== undefined; round = synthesis.next()) {
    synthesis.take(round, measure(data, round, all, random))
  }
  return synthesis
}

test("the shares of all rounds add up to the whole", () => {
  for (const all of [0.001, 1, 1000]) {
    const shares = run(spec, all).taken.map(({ share }) => share)
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
  }
})

test("pairs that hang together are found, and rows have them", () => {
  const synthesis = run(spec, 1)
  expect(synthesis.pairs).toContainEqual([0, 1])
  expect(synthesis.pairs).toContainEqual([2, 3])
  expect(synthesis.rows).toBeGreaterThan(1900)
  expect(synthesis.rows).toBeLessThan(2100)
  const made = synthesis.make(3000, "x")
  const shares = tableOfRows(made, sizes, [2, 3]).map((count) => count / 3000)
  expect((shares[1] ?? 1) + (shares[3] ?? 1) + (shares[4] ?? 1)).toBeLessThan(0.05)
  expect(synthesis.make(3000, "x")).toEqual(made)
  expect(synthesis.make(3000, "y")).not.toEqual(made)
})

test("rows keep rules, and the report covers every column and every pair", () => {
  const isImpossible = ([first = 0, second = 0]: readonly number[]): boolean => first < 4 && second === 3
  const synthesis = run(
    {
      ...spec,
      rules: [
        { attributes: [0, 3], isImpossible },
        { attributes: [0, 1], isImpossible },
      ],
    },
    5,
  )
  const made = synthesis.make(2000, "x")
  for (const row of (made[0] ?? new Int32Array(0)).keys()) {
    expect(isImpossible([made[0]?.[row] ?? 0, made[1]?.[row] ?? 0])).toBe(false)
  }
  const report = synthesis.check(made, 0.95)
  expect(report).toHaveLength(10)
  for (const { low, guess, high } of report) expect(low <= guess && guess <= high && high <= 1).toBe(true)
})

test("one column alone is measured and checked", () => {
  const synthesis = new Synthesis({ ...spec, attributes: attributes.slice(0, 1) })
  const [data, random] = [dataOf(), new SeededNumbers("noise")]
  const names: string[] = []
  for (let round = synthesis.next(); round !== undefined; round = synthesis.next()) {
    names.push(round.name)
    synthesis.take(round, measure(data, round, 1, random))
  }
  expect(names).toEqual(["columns", "check"])
  expect(synthesis.make(10, "x")[0]).toHaveLength(10)
})

test("noisy tables without a single row, and counts that are no numbers", () => {
  const synthesis = new Synthesis(spec)
  const round = synthesis.next()
  if (round === undefined) throw new Error("there is a first round")
  const measured = round.tables.map(({ groups: [own = []] }) => ({
    counts: new Float64Array(own.length),
    variance: 9,
  }))
  const broken = measured.map((one) => ({ ...one, counts: one.counts.map(() => Number.NaN) }))
  expect(() => synthesis.take(round, broken)).toThrow("noisy counts are numbers")
  const empty = new Synthesis(spec)
  const random = new SeededNumbers("empty")
  const nobody = sizes.map(() => new Int32Array(0))
  for (let next = empty.next(); next !== undefined; next = empty.next()) {
    empty.take(next, measure(nobody, next, 1, random))
  }
  expect(empty.make(5, "x")).toHaveLength(4)
})

test("rare values stand together, values that a rule tells apart never do", () => {
  const counts = Float64Array.of(500, 3, 2, 400, 1, 90)
  const grouped = { counts, isOrdered: false, hasMissing: false, classes: [0, 0, 1, 0, 0, 0] }
  const groups = groupValues(grouped, { groupsMax: 5, least: 50 })
  expect(groups[1]).toBe(groups[4])
  expect(groups[2]).not.toBe(groups[1])
  expect(new Set([groups[0], groups[3], groups[5]]).size).toBe(3)
  const ordered = groupValues(
    { ...grouped, isOrdered: true, classes: [0, 0, 1, 1, 1, 1] },
    { groupsMax: 3, least: 50 },
  )
  expect(ordered.slice(0, 2).some((group) => ordered.slice(2).includes(group))).toBe(false)
  expect(ordered.every((group, place) => place === 0 || group - (ordered[place - 1] ?? 0) <= 1)).toBe(true)
  expect(groupsOfGroups([0, 1, 1, 2], [0, 0, 1])).toEqual([0, 0, 0, 1])
})

test("pairs are taken as long as they tell more than their noise, and the model stays small", () => {
  const candidates = [
    { attributes: [0, 1] as const, missing: 0.4, cells: 40 },
    { attributes: [2, 3] as const, missing: 0.3, cells: 6 },
    { attributes: [1, 2] as const, missing: 0.001, cells: 12 },
    { attributes: [1, 3] as const, missing: -0.2, cells: 8 },
  ]
  const limits = { sizes, together: [], cellsMax: 1000, pairsMax: 4, noiseOfOne: 0.001 }
  expect(choosePairs(candidates, limits).map(({ attributes: pair }) => pair)).toEqual([
    [0, 1],
    [2, 3],
  ])
  expect(choosePairs(candidates, { ...limits, noiseOfOne: 10 })).toHaveLength(0)
  expect(choosePairs(candidates, { ...limits, cellsMax: 20 }).map(({ attributes: pair }) => pair)).toEqual([
    [2, 3],
  ])
})

test("shares from zero on are the nearest that add up to one", () => {
  expect(fromZero([3, 1, -2])).toEqual([1, 0, 0])
  expect(fromZero([6, 4])).toEqual([0.6, 0.4])
  expect(fromZero([-1, -1])).toEqual([0.5, 0.5])
})
