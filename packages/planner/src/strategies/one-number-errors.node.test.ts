// What it is worth to buy keys and counts apart, with all rows scaled, on made-up people: 1,000 codes by
// Zipf's law, all of it drawn by the mechanisms of the plans themselves. The bits are always the same.

import { numberNear, rational } from "@dosimeter/core/exact"
import { releaseGaussian, releaseKeys, releaseWeightedKeys } from "@dosimeter/core/mechanisms"
import { seededBits } from "@dosimeter/core/testing"
import { beforeAll, expect, test } from "vitest"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
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

/** Of each person the codes, in an order by chance, and the rows of each: 100,000 rows of 5,000 people. */
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
    return mixed.map(({ pair }) => pair)
  })
}

interface Outcome {
  /** Of the counts that are shown. */
  readonly noise: number
  readonly shown: number
  /** The length of all errors, of noise and of what is left out, with 0 for a group that is not shown. */
  readonly all: number
}

const draws = 10

/** How many groups are shown by one number, what noise and what error in all it has, through apart. */
const expected: readonly (readonly [rows: number, shown: number, noise: number, all: number])[] = [
  [1, 1.41, 0.76, 1.51],
  [2, 0.73, 0.77, 5.8],
  [4, 0.38, 0.79, 5.3],
]

test("[M4] what is taken has the smaller error, if a group that is not shown counts as nobody", () => {
  const kept = people()
  for (const [rowsPerGroup, shown, noise, all] of expected) {
    const [apart, one] = (["more", "counts"] as const).map((keys) =>
      outcomeOf(planOf(rowsPerGroup, keys), kept),
    )
    if (apart === undefined || one === undefined) throw new Error("two plans")
    expect(Math.abs(one.shown / apart.shown - shown)).toBeLessThan(0.06)
    expect(Math.abs(one.noise / apart.noise - noise)).toBeLessThan(0.06)
    expect(Math.abs(one.all / apart.all - all)).toBeLessThan(0.1)
    expect(planOf(rowsPerGroup).releases[0]?.measurements).toHaveLength(1)
  }
})

function outcomeOf(plan: ReleasePlan, all: ReturnType<typeof people>): Outcome {
  const [release] = plan.releases
  if (release?.keys.kind !== "private") throw new Error("keys come from the data")
  const { spec } = release.keys
  const [measured] = release.measurements
  const { rowsPerGroup } = release.bounds
  const scaled = hasStrategy(measured, "scaled") ? measured.strategy : undefined
  const worth = numberNear(scaled?.worths[0] ?? rational(1n))
  const norm = Number(release.bounds.scaled?.bound ?? 0n) * worth
  const truth = Array<number>(codes).fill(0)
  const exact = Array<number>(codes).fill(0)
  const weights = Array<bigint>(codes).fill(0n)
  for (const person of all) {
    const kept = person.slice(0, groupsPerUnit)
    const own = spec.kind === "keys-weighted" ? spec.weights : []
    const weight = own.find(({ groups }) => groups >= BigInt(kept.length))?.weight ?? 0n
    const factor = Math.min(1, norm / Math.hypot(...person.map(([, count]) => count)))
    for (const [code, count] of person) {
      truth[code] = (truth[code] ?? 0) + count
      if (scaled !== undefined) exact[code] = (exact[code] ?? 0) + factor * count
    }
    for (const [code, count] of kept) {
      if (scaled === undefined) exact[code] = (exact[code] ?? 0) + Math.min(count, Number(rowsPerGroup))
      weights[code] = (weights[code] ?? 0n) + weight
    }
  }
  const held = [...truth.keys()].filter((code) => (truth[code] ?? 0) > 0)
  const bits = seededBits("draws of codes")
  let [noise, shown, whole] = [0, 0, 0]
  for (let draw = 0; draw < draws; draw += 1) {
    const noisy = new Map<number, number>()
    if (spec.kind === "keys-weighted") {
      if (scaled?.spec.kind !== "gaussian") throw new Error("Gaussian noise")
      const steps = held.map((code) => BigInt(Math.round((exact[code] ?? 0) / worth)))
      const counts = releaseGaussian(scaled.spec, steps, bits)
      const amounts = held.map((code) => weights[code] ?? 0n)
      for (const { key } of releaseWeightedKeys(spec, amounts, bits))
        noisy.set(key, Number(counts[key]) * worth)
    } else {
      const counts = held.map((code) => BigInt(exact[code] ?? 0))
      for (const { key, count = 0n } of releaseKeys(spec, counts, bits)) noisy.set(key, Number(count))
    }
    const errors = (of: readonly number[]): readonly number[] =>
      held.map((code, key) => (noisy.get(key) ?? 0) - (of[code] ?? 0))
    const ofNoise = errors(exact).filter((_, key) => noisy.has(key))
    noise += Math.hypot(...ofNoise) / Math.sqrt(ofNoise.length) / draws
    shown += noisy.size / draws
    whole += Math.hypot(...errors(truth)) / draws
  }
  return { noise, shown, all: whole }
}
