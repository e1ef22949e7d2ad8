// The errors of bounds from SQL beside the same from each person's vector, one by one.

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bestClamp, bestCut, keptBy } from "./cut-errors.ts"
import { bestBound, numbers, scaledErrors, vectorKinds, wholeError } from "./scaled-errors.ts"
import { makeEvents, openMemory } from "./skewed-people.ts"

const connection = await openMemory()
beforeAll(async () => makeEvents(connection, { skew: "zipf 1.0", profile: "own", rows: 5000 }))
afterAll(() => connection.closeSync())

type Vector = readonly (readonly [number, number])[]

async function vectorsOf(pairs: string): Promise<readonly Vector[]> {
  const people = new Map<number, [number, number][]>()
  for (const [person = 0, g = 0, v = 0] of await numbers(connection, pairs)) {
    people.set(person, [...(people.get(person) ?? []), [g, v]])
  }
  return [...people.values()]
}

function normOf(vector: Vector, norm: "L1" | "L2"): number {
  if (norm === "L1") return vector.reduce((sum, [, v]) => sum + v, 0)
  return Math.sqrt(vector.reduce((sum, [, v]) => sum + v * v, 0))
}

describe.each([vectorKinds.codes, vectorKinds.people, vectorKinds.months])("$name", (kind) => {
  test.each(["L1", "L2"] as const)("scaled to an %s norm", async (norm) => {
    const errors = await scaledErrors(connection, kind, norm)
    const vectors = await vectorsOf(kind.pairs)
    expect(errors.bounds.length).toBeGreaterThan(20)
    for (const { bound, bias, leftOut } of errors.bounds.filter((_, place) => place % 7 === 0)) {
      const expected = new Float64Array(kind.groups)
      let above = 0
      for (const vector of vectors) {
        const own = normOf(vector, norm)
        const lost = Math.max(0, 1 - bound / own)
        above += Math.max(0, own - bound)
        for (const [g, v] of vector) expected[g] = (expected[g] ?? 0) + v * lost
      }
      const most = Math.max(1, ...expected)
      expected.forEach((value, g) => expect(Math.abs((bias[g] ?? 0) - value) / most).toBeLessThan(1e-9))
      expect(Math.abs(leftOut - above)).toBeLessThan(1e-9 * Math.max(1, above))
    }
  })

  test("the ladder counts everybody once, by half octaves", async () => {
    const { ladder } = await scaledErrors(connection, kind, "L2")
    const norms = (await vectorsOf(kind.pairs)).map((vector) => normOf(vector, "L2"))
    const expected = ladder.map(
      (_, h) =>
        norms.filter((own) => own <= 2 ** (h / 2) + 1e-9 && (h === 0 || own > 2 ** ((h - 1) / 2) + 1e-9))
          .length,
    )
    expect(ladder).toEqual(expected)
  })

  test("a clamp's error is that of each person's totals clamped", async () => {
    const best = await bestClamp(connection, kind, { norm: "L2", noise: 4.53 })
    const bias = new Float64Array(kind.groups)
    for (const vector of await vectorsOf(kind.pairs)) {
      for (const [g, v] of vector) bias[g] = (bias[g] ?? 0) + Math.max(0, v - best.bound)
    }
    const noise = 4.53 * best.bound * Math.sqrt(kind.groups)
    expect(best.error / wholeError(bias, noise)).toBeCloseTo(1, 9)
  })
})

test("the best bound is no worse than any other", async () => {
  const errors = await scaledErrors(connection, vectorKinds.codes, "L2")
  const best = bestBound(errors, 4.53)
  for (const { bound, bias } of errors.bounds) {
    expect(best.error).toBeLessThanOrEqual(wholeError(bias, 4.53 * bound))
  }
})

test("groups x rows keep what they say", async () => {
  const kind = { groups: 1000, key: "code", value: "1", most: 1 } as const
  const { whole, of } = await keptBy(connection, kind)
  const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)
  const [[rows = 0] = []] = await numbers(connection, "SELECT count(*) FROM events")
  const [[people = 0] = []] = await numbers(connection, "SELECT count(DISTINCT person_id) FROM events")
  const pairs = await numbers(connection, "SELECT count(*) FROM events GROUP BY person_id, code")
  expect(total(whole)).toBe(rows)
  expect(total(of(1, 1))).toBe(people)
  expect(total(of(1000, 2))).toBe(pairs.reduce((sum, [n = 0]) => sum + Math.min(n, 2), 0))
  const best = await bestCut(connection, kind, { norm: "L2", noise: 4.53 })
  expect(best.bound).toBeCloseTo(best.rowsKept * Math.sqrt(best.groupsKept), 9)
})
