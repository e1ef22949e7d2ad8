// What the choice between one number and two is worth, on made-up people: 1,000 codes by Zipf's law, all of
// it drawn by the mechanisms of the plans themselves. The bits are always the same.

import { releaseGaussian, releaseKeys, releaseWeightedKeys } from "@dosimeter/core/mechanisms"
import { seededBits } from "@dosimeter/core/testing"
import { beforeAll, expect, test } from "vitest"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { compile } from "../compile.ts"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const policy = `
dataset: d
source: { duckdb: d.duckdb }
neighbours: add-or-remove
budget: { epsilon: 10, delta: 1e-5, accounting: zcdp }
question: { epsilon: 1, delta: 2e-6 }
bounding: { groups_per_unit: 8, rows_per_group: 2 }
tables: { events: { unit: person_id, columns: { person_id: integer, code: text } } }
`
const groupsPerUnit = 8
const codes = 1000

function planOf(rowsPerGroup: number, keys?: "more" | "counts"): ReleasePlan {
  const { catalog, terms } = readPolicy(policy)
  const ask = { rowsPerGroup: BigInt(rowsPerGroup), ...(keys === undefined ? {} : { keys }) }
  return compile("SELECT code, COUNT(*) FROM events GROUP BY code", { grammar, catalog, terms, ask }).plan
}

/** Of each person the codes that count, and the rows of each: 100,000 rows of 5,000 people. */
function people(): readonly (readonly (readonly [code: number, rows: number])[])[] {
  const bits = seededBits("people by code")
  const uniform = (): number => bits.word() / 2 ** 32
  const weights = Array.from({ length: codes }, (_, code) => 1 / (code + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  const ends = weights.map((weight) => (sum += weight / total))
  const codeAt = (at: number): number => ends.findIndex((end) => at < end)
  return Array.from({ length: 5000 }, () => {
    const rows = new Map<number, number>()
    for (let row = 0; row < 20; row += 1) {
      const code = codeAt(uniform())
      rows.set(code, (rows.get(code) ?? 0) + 1)
    }
    const mixed = [...rows].map((pair) => ({ pair, at: uniform() })).toSorted((a, b) => a.at - b.at)
    return mixed.slice(0, groupsPerUnit).map(({ pair }) => pair)
  })
}

interface Outcome {
  /** Of the counts that are shown. */
  readonly noise: number
  readonly shown: number
  /** The length of all errors, with 0 for a group that is not shown. */
  readonly all: number
}

const draws = 10

/** How many groups are shown by one number, what noise and what error in all it has, through apart. */
const expected: readonly (readonly [
  rows: number,
  shown: number,
  noise: number,
  all: number,
  isOne: boolean,
])[] = [
  [1, 1.4, 0.75, 0.85, true],
  [2, 0.7, 0.75, 1.15, false],
  [4, 0.4, 0.75, 1.35, false],
]

test("[M4] what is taken has the smaller error, if a group that is not shown counts as nobody", () => {
  const kept = people()
  for (const [rowsPerGroup, shown, noise, all, isOne] of expected) {
    const [apart, one] = (["more", "counts"] as const).map((keys) =>
      outcomeOf(planOf(rowsPerGroup, keys), kept),
    )
    if (apart === undefined || one === undefined) throw new Error("two plans")
    expect(Math.abs(one.shown / apart.shown - shown)).toBeLessThan(0.06)
    expect(Math.abs(one.noise / apart.noise - noise)).toBeLessThan(0.06)
    expect(Math.abs(one.all / apart.all - all)).toBeLessThan(0.06)
    expect(planOf(rowsPerGroup).releases[0]?.measurements.length === 0).toBe(isOne)
    expect(one.all < apart.all).toBe(isOne)
  }
})

function outcomeOf(plan: ReleasePlan, kept: ReturnType<typeof people>): Outcome {
  const [release] = plan.releases
  if (release?.keys.kind !== "private") throw new Error("keys come from the data")
  const { spec } = release.keys
  const [measured] = release.measurements
  const rowsPerGroup = release.bounds.rowsPerGroup
  const rows = Array<bigint>(codes).fill(0n)
  const weights = Array<bigint>(codes).fill(0n)
  for (const person of kept) {
    const own = spec.kind === "keys-weighted" ? spec.weights : []
    const weight = own.find(({ groups }) => groups >= BigInt(person.length))?.weight ?? 0n
    for (const [code, count] of person) {
      rows[code] = (rows[code] ?? 0n) + (BigInt(count) < rowsPerGroup ? BigInt(count) : rowsPerGroup)
      weights[code] = (weights[code] ?? 0n) + weight
    }
  }
  const held = [...rows.keys()].filter((code) => (rows[code] ?? 0n) > 0n)
  const of = (list: readonly bigint[]): readonly bigint[] => held.map((code) => list[code] ?? 0n)
  const bits = seededBits("draws of codes")
  let [noise, shown, all] = [0, 0, 0]
  for (let draw = 0; draw < draws; draw += 1) {
    const noisy = new Map<number, bigint>()
    if (spec.kind === "keys-weighted") {
      const strategy = measured?.kind === "linear" ? measured.strategy : undefined
      if (strategy?.kind !== "identity" || strategy.spec.kind !== "gaussian")
        throw new Error("Gaussian noise")
      const counts = releaseGaussian(strategy.spec, of(rows), bits)
      for (const { key } of releaseWeightedKeys(spec, of(weights), bits)) noisy.set(key, counts[key] ?? 0n)
    } else {
      for (const { key, count = 0n } of releaseKeys(spec, of(rows), bits)) noisy.set(key, count)
    }
    const errors = of(rows).map((count, key) => Number((noisy.get(key) ?? 0n) - count))
    const squares = (which: (key: number) => boolean): number =>
      errors.reduce((sum, error, key) => (which(key) ? sum + error * error : sum), 0)
    noise += Math.sqrt(squares((key) => noisy.has(key)) / noisy.size) / draws
    shown += noisy.size / draws
    all += Math.sqrt(squares(() => true)) / draws
  }
  return { noise, shown, all }
}
