import { numberNear, rational } from "@dosimeter/core/exact"
import { releaseGaussian } from "@dosimeter/core/mechanisms"
import { seededBits } from "@dosimeter/core/testing"
import { expect, test } from "vitest"
import type { CategoryColumn, ColumnSpec, Examples } from "../columns/columns.ts"
import { isTables } from "../export/served-shapes.ts"
import { examplesOf, unit, withoutRow } from "../testing/made-up.ts"
import { planBayes, type BayesPlan } from "./bayes-plan.ts"
import { CountedExamples, fitBayes, predictTables, type BayesAsk, type TablesModel } from "./fit-bayes.ts"

const age: ColumnSpec = { kind: "number", name: "age", low: 0, high: 100 }
const ward: ColumnSpec = { kind: "category", name: "ward", categories: 3 }
const stage: CategoryColumn = { kind: "category", name: "stage", categories: 3 }
const died: CategoryColumn = { kind: "category", name: "died", categories: 2 }

function planned(
  target: CategoryColumn,
  muSquared: bigint,
  neighbours: "add-or-remove" | "replace" = "add-or-remove",
): BayesPlan {
  return planBayes({ features: [age, ward], target, muSquared: rational(muSquared), neighbours })
}

/** Classes that go with age and with ward. */
function patients(rows: number, classes: number): Examples {
  const rng = seededBits("patients with classes")
  return examplesOf(rows, () => {
    const group = Math.floor(classes * unit(rng))
    const years = (100 * (group + unit(rng))) / classes
    return [unit(rng) < 0.1 ? NaN : years, unit(rng) < 0.7 ? group % 3 : Math.floor(3 * unit(rng)), group]
  })
}

function fit(
  plan: BayesPlan,
  examples: Examples,
  look: (ask: BayesAsk, vectors: readonly (readonly number[])[]) => void = () => {},
): TablesModel {
  const rng = seededBits("noise of tables")
  const rows = new CountedExamples(plan, examples)
  const dialogue = fitBayes(plan)
  let turn = dialogue.next()
  while (turn.done !== true) {
    const ask = turn.value
    const { length, add } = rows.vectorsOf(ask)
    const vectors = Array.from({ length: examples.rows }, (_, row) => {
      const into = new Float64Array(length)
      add(row, into)
      return [...into]
    })
    look(ask, vectors)
    const sums = new Float64Array(length).map((_, at) =>
      vectors.reduce((sum, own) => sum + (own[at] ?? 0), 0),
    )
    const spec = plan.sums.find(({ kind }) => kind === ask.kind)?.spec
    if (spec === undefined) throw new Error("every ask is planned")
    turn = dialogue.next(releaseGaussian(spec, [...sums].map(BigInt), rng))
  }
  return turn.value
}

test("each unit adds whole numbers within the bound that is charged, and the same whoever else is there", () => {
  const hostile = examplesOf(8, (row) => [[NaN, -Infinity, Infinity, 1e300][row % 4] ?? 0, row - 2, row - 3])
  for (const [examples, target] of [
    [patients(30, 3), stage],
    [patients(30, 2), died],
    [hostile, stage],
    [hostile, died],
  ] as const) {
    const plan = planned(target, 50n)
    const without = new CountedExamples(plan, withoutRow(examples, 3))
    let [asks, longest] = [0, 0]
    fit(plan, examples, (ask, vectors) => {
      const { bound = 0, length } = plan.sums.find(({ kind }) => kind === ask.kind) ?? {}
      for (const vector of vectors) {
        expect([vector.length, vector.every(Number.isSafeInteger)]).toEqual([length, true])
        const square = vector.reduce((sum, value) => sum + value ** 2, 0)
        expect(square).toBeLessThanOrEqual(bound ** 2)
        longest = Math.max(longest, square / bound ** 2)
      }
      const { add } = without.vectorsOf(ask)
      for (const row of [0, 2, 3, 6]) {
        const into = new Float64Array(vectors[0]?.length ?? 0)
        add(row, into)
        expect([...into]).toEqual(vectors[row < 3 ? row : row + 1])
      }
      asks += 1
    })
    expect(asks).toBe(2)
    // What is charged for is used.
    expect(longest).toBeGreaterThan(0.99)
  }
})

test("what both sums lose is what was given, whoever a neighbour is", () => {
  for (const [neighbours, times] of [
    ["add-or-remove", 1],
    ["replace", 2],
  ] as const) {
    const lost = planned(stage, 3n, neighbours).sums.reduce(
      (sum, { bound, spec: { variance } }) => sum + (times * bound) ** 2 / numberNear(variance),
      0,
    )
    expect(lost).toBeCloseTo(3, 12)
  }
})

test("what a unit adds is worked out when it is asked for, of its own row alone", () => {
  const examples = patients(20, 3)
  const read = new Set<string>()
  const features = examples.features.map(
    (values) =>
      new Proxy(values, {
        get: (all, at): unknown => {
          if (typeof at === "string" && /^\d+$/.test(at)) read.add(at)
          return Reflect.get(all, at)
        },
      }),
  )
  const plan = planned(stage, 1n)
  const rows = new CountedExamples(plan, { ...examples, features })
  fit(plan, examples, (ask) => {
    read.clear()
    const { add, length } = rows.vectorsOf(ask)
    expect([...read]).toEqual([])
    add(7, new Float64Array(length))
    expect([...read]).toEqual(["7"])
  })
})

test("tables that no unit's vector may be as wide as are refused before anything is charged", () => {
  const wide = (columns: number): (() => BayesPlan) => {
    const features = Array.from({ length: columns }, (_, at) => ({ ...ward, name: `${at}`, categories: 199 }))
    const target = { ...stage, categories: 100 }
    return () => planBayes({ features, target, muSquared: rational(1n), neighbours: "replace" })
  }
  // 200 counts a column and class.
  expect(wide(104)().sums.map(({ length }) => length)).toEqual([104 * 200 * 100, 100 ** 2])
  expect(wide(105)).toThrow(expect.objectContaining({ code: "model/bad-setting" }))
})

test("with little noise it tells classes apart, and says how well", () => {
  const three = fit(planned(stage, 1_000_000n), patients(900, 3))
  expect(isTables(JSON.parse(JSON.stringify(three)))).toBe(true)
  expect(three.quality.kind === "classes" && three.quality.accuracy).toBeGreaterThan(0.8)
  expect(three.rows).toBe(900)
  const [low = 0, , high = 0] = predictTables(three, [10, 0])
  expect(low).toBeGreaterThan(0.8)
  expect(high).toBeLessThan(0.1)
  const two = fit(planned(died, 1_000_000n), patients(600, 2))
  expect(two.quality.kind === "curve" && two.quality.auc).toBeGreaterThan(0.9)
  expect(predictTables(two, [NaN, 1]).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
})

test("data that is no such model is none", () => {
  const model = fit(planned(died, 1000n), patients(20, 2))
  for (const broken of [
    { ...model, tables: model.tables.slice(1) },
    { ...model, tables: model.tables.map((table) => table.slice(1)) },
    { ...model, prior: [0] },
    { ...model, kind: "bayes" },
    { ...model, more: 1 },
  ])
    expect(isTables(broken)).toBe(false)
})
