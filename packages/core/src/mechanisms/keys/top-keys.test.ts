import { describe, expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberUp } from "../../exact/dyadic.ts"
import { compare, one, rational } from "../../exact/rational.ts"
import { refusalOf, untouchedBits } from "../../testing/refusals.ts"
import { seededBits } from "../../testing/seeded-bits.ts"
import { errorOf, lossOf } from "../mechanism.ts"
import { releaseTopKeys, topKeys, topKeysError, topKeysLoss, type TopKeysSpec } from "./top-keys.ts"

const options = {
  k: 2,
  epsilon: 2,
  delta: "0.01",
  sensitivity: 1,
  groupsPerUnit: 3,
  neighbours: "add-or-remove",
} as const

/** The probability of every list, from the definition: keys by name, with their scores. */
function lawOf(spec: TopKeysSpec, scores: Readonly<Record<string, number>>): Map<string, number> {
  const sides = spec.neighbours === "replace" ? 2 : 1
  const rate = numberUp(spec.epsilonPerChoice) / (sides * Number(spec.sensitivity))
  const law = new Map<string, number>()
  const walk = (list: readonly string[], probability: number): void => {
    const put = (): unknown => law.set(list.join(" "), (law.get(list.join(" ")) ?? 0) + probability)
    if (list.length === Number(spec.k)) return void put()
    const left = Object.entries(scores).filter(([key]) => !list.includes(key))
    const end = Math.exp(rate * Number(spec.threshold))
    const sum = left.reduce((all, [, score]) => all + Math.exp(rate * score), end)
    for (const [key, score] of left) walk([...list, key], (probability * Math.exp(rate * score)) / sum)
    law.set(list.join(" "), (law.get(list.join(" ")) ?? 0) + (probability * end) / sum)
  }
  walk([], 1)
  return law
}

/** The least delta at which two laws are epsilon apart, in both directions. */
function deltaOf(a: Map<string, number>, b: Map<string, number>, epsilon: number): number {
  const above = (p: Map<string, number>, q: Map<string, number>): number =>
    [...p].reduce((sum, [o, x]) => sum + Math.max(0, x - Math.exp(epsilon) * (q.get(o) ?? 0)), 0)
  return Math.max(above(a, b), above(b, a))
}

type Scores = Readonly<Record<string, number>>
const pairs: readonly (readonly [string, Scores, Scores])[] = [
  ["three keys of one unit", { a: 1, b: 1, c: 1 }, {}],
  ["keys of its own beside others", { x: 9, y: 8, a: 1, b: 1, c: 1 }, { x: 9, y: 8 }],
  ["keys of its own beside others near the end", { x: 12, y: 12, z: 12, a: 1 }, { x: 12, y: 12, z: 12 }],
  ["others that rise together", { x: 9, y: 8, z: 7 }, { x: 8, y: 7, z: 6 }],
  ["one that rises alone", { x: 9, y: 8, z: 7 }, { x: 8, y: 8, z: 7 }],
]

describe("[M4] the law keeps (epsilon, delta)", () => {
  test.each(pairs)("%s", (_name, before, after) => {
    for (const k of [1, 2, 3]) {
      const spec = topKeys({ ...options, k })
      const { approx } = topKeysLoss(spec)
      const reached = deltaOf(lawOf(spec, before), lawOf(spec, after), numberUp(approx?.epsilon ?? one))
      expect(reached).toBeLessThanOrEqual(numberUp(approx?.delta ?? one))
    }
  })

  test("where a unit is replaced", () => {
    for (const k of [1, 2, 3]) {
      const spec = topKeys({ ...options, k, sensitivity: 2, neighbours: "replace" })
      const { approx } = topKeysLoss(spec)
      const [before, after] = [
        { x: 9, y: 7, a: 2, b: 2, c: 2 },
        { x: 7, y: 9, d: 2, e: 2 },
      ]
      const reached = deltaOf(lawOf(spec, before), lawOf(spec, after), numberUp(approx?.epsilon ?? one))
      expect(reached).toBeLessThanOrEqual(numberUp(approx?.delta ?? one))
    }
  })

  test("and reaches its delta: a threshold one lower would not", () => {
    const spec = topKeys({ ...options, k: 1 })
    const low = { ...spec, threshold: spec.threshold - 1n }
    const [own, none] = [{ a: 1, b: 1, c: 1 }, {}]
    const claimed = numberUp(topKeysLoss(spec).zcdp.delta)
    expect(claimed).toBeLessThanOrEqual(0.01)
    expect(deltaOf(lawOf(spec, own), lawOf(spec, none), 2)).toBeGreaterThan(0.95 * claimed)
    expect(deltaOf(lawOf(low, own), lawOf(low, none), 2)).toBeGreaterThan(claimed)
    expect(numberUp(topKeysLoss(low).zcdp.delta)).toBeGreaterThan(0.01)
  })

  test("its epsilon is reached: a key that rises alone", () => {
    const spec = topKeys({ ...options, k: 1 })
    const far = { x: 40, y: 0 }
    const near = { x: 40, y: 1 }
    expect(deltaOf(lawOf(spec, near), lawOf(spec, far), 1.9)).toBeGreaterThan(0)
  })
})

test("[L1] the loss is k choices, with delta in every measure", () => {
  const spec = topKeys({ ...options, k: 4, epsilon: 2 })
  const { approx, zcdp, gdp, pure } = topKeysLoss(spec)
  expect(lossOf(spec)).toEqual(topKeysLoss(spec))
  expect(pure).toBeUndefined()
  expect(approx?.epsilon).toEqual(rational(2n))
  expect(zcdp.rho).toEqual(rational(1n, 8n))
  for (const loss of [approx, zcdp, gdp]) {
    expect(compare(loss?.delta ?? one, exactly("0.01", "delta"))).toBeLessThanOrEqual(0)
    expect(numberUp(loss?.delta ?? one)).toBeGreaterThan(0.005)
  }
})

test("[L2] no delta however small is passed, and no threshold that hides nothing is free", () => {
  for (const delta of ["1e-6", "1e-15", "1e-300", "0.999"]) {
    for (const neighbours of ["add-or-remove", "replace"] as const) {
      const loss = topKeysLoss(topKeys({ ...options, delta, neighbours, sensitivity: 7, groupsPerUnit: 16 }))
      expect(compare(loss.zcdp.delta, exactly(delta, "delta"))).toBeLessThanOrEqual(0)
    }
  }
  expect(topKeysLoss({ ...topKeys(options), threshold: 1n }).zcdp.delta).toEqual(one)
})

test("[M2] large keys come out in order, and small ones not at all", () => {
  const spec = topKeys({ ...options, k: 3, epsilon: 30, delta: "1e-9" })
  const scores = [1n, 5000n, 2n, 90_000n, 700n, 3n]
  expect(releaseTopKeys(spec, scores, seededBits("order"))).toEqual([3, 1, 4])
  expect(releaseTopKeys(spec, [1n, 2n, 1n], seededBits("small"))).toEqual([])
  expect(releaseTopKeys(spec, [], seededBits("none"))).toEqual([])
  expect(releaseTopKeys(spec, [9000n], seededBits("one"))).toEqual([0])
})

test("[E1] the score that is preferred to the end", () => {
  const spec = topKeys(options)
  expect(errorOf(spec, "0.75")).toEqual(topKeysError(spec, rational(1n, 4n)))
  expect(topKeysError(spec, rational(1n, 2n)).shownFrom).toBe(spec.threshold)
  expect(topKeysError(spec, rational(3n, 4n)).shownFrom).toBe(spec.threshold)
  // The rate is 1: ln 19 above the threshold.
  expect(topKeysError(spec, rational(1n, 20n)).shownFrom).toBe(spec.threshold + 3n)
})

test("[M1] bad parameters are refused before a bit is drawn", () => {
  const bad = [
    { k: 0 },
    { epsilon: 0 },
    { delta: 0 },
    { delta: 1 },
    { sensitivity: 0 },
    { groupsPerUnit: 0 },
  ] as const
  for (const change of bad) expect(refusalOf(() => topKeys({ ...options, ...change })).code).toMatch(/^p/)
  expect(releaseTopKeys({ ...topKeys(options), k: 0n }, [3n], untouchedBits())).toEqual([])
})
