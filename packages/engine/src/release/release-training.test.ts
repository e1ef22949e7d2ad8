import { compare, divide, multiply, rational, zero } from "@dosimeter/core/exact"
import { seededBits } from "@dosimeter/core/testing"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { compile, type CompileOptions } from "@dosimeter/planner/compile"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import {
  isVerifiedTraining,
  verifyTraining,
  type ProposedTraining,
  type VerifiedTraining,
} from "@dosimeter/proof/verify/verify-training"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import fc from "fast-check"
import { beforeAll, expect, test } from "vitest"
import { clinicPolicy } from "../testing/clinic.ts"
import { paidTraining, trainingPermit } from "../testing/read-paid.ts"
import { BoundedSums } from "./bounded-sums.ts"
import type { ExactTable } from "./secret/exact-table.ts"

const sql = "SELECT SUM(age) AS a, SUM(weight) AS w FROM patients"
let options: Omit<CompileOptions, "parameters">
let plan: VerifiedPlan
let proposed: ProposedTraining
let training: VerifiedTraining

beforeAll(async () => {
  options = {
    grammar: await loadGrammar(),
    ...readPolicy(clinicPolicy),
    ask: { groupsPerUnit: 1n, rowsPerGroup: 1n },
  }
  plan = compile(sql, options).plan
  // Three of one kind and one of another, half of the loss each: rho = bound^2 / (2 variance).
  const half = multiply(plan.charge.amount, rational(1n, 2n))
  const variance = (bound: bigint, count: bigint) =>
    divide(rational(bound * bound * count), multiply(rational(2n), half))
  proposed = {
    charge: plan.charge,
    sums: [
      { name: "a", count: 3, length: 2, bound: 100n, variance: variance(100n, 3n) },
      { name: "b", count: 1, length: 1, bound: 7n, variance: variance(7n, 1n) },
    ],
  }
  training = verifyTraining(plan, proposed)
})

const rows = (count: number): ExactTable => ({
  rows: Array.from({ length: count }, (_, at) => ({
    keys: [{ kind: "number", value: rational(BigInt(at)) }],
    values: [BigInt(at % 10), BigInt(at)],
  })),
})

test("[B6] rows of a training are one for each unit, its sums within its charge, and nothing else is proven", () => {
  expect(isVerifiedTraining(training)).toBe(true)
  expect(isVerifiedTraining(structuredClone(proposed))).toBe(false)
  expect([training.unitCount, training.rows.columns.length, training.rows.kind]).toEqual([1, 3, "project"])
  const rejected = (change: Partial<ProposedTraining>, of = plan): void => {
    expect(() => verifyTraining(of, { ...proposed, ...change })).toThrow(
      expect.objectContaining({ code: "bug/plan-rejected" }),
    )
  }
  const [first, second] = proposed.sums
  if (first === undefined || second === undefined) throw new Error("there are two kinds")
  rejected({ sums: [{ ...first, count: 4 }, second] })
  rejected({ sums: [{ ...first, bound: 101n }, second] })
  rejected({ sums: [first, { ...second, variance: multiply(second.variance, rational(999n, 1000n)) }] })
  rejected({ charge: { ...plan.charge, amount: multiply(plan.charge.amount, rational(999n, 1000n)) } })
  rejected({ charge: { ...plan.charge, accounting: "gdp" } })
  rejected({ charge: { ...plan.charge, delta: rational(-1n) } })
  rejected({ sums: [{ ...first, count: 0 }, second] })
  rejected({ sums: [{ ...first, bound: 0n }, second] })
  // Nothing is charged for that could not be added up afterwards.
  const variance = multiply(first.variance, rational(2n ** 100n))
  const widest = { ...first, length: 2 ** 21, bound: 2n ** 52n, variance }
  expect(verifyTraining(plan, { ...proposed, sums: [widest] }).sums).toHaveLength(1)
  expect(() => new BoundedSums({ length: widest.length, add: () => {} }, widest.bound)).not.toThrow()
  rejected({ sums: [{ ...widest, length: 2 ** 21 + 1 }] })
  rejected({ sums: [{ ...widest, bound: 2n ** 52n + 1n }] })
  for (const other of [
    "SELECT sex, SUM(age) FROM patients GROUP BY sex",
    "SELECT COUNT(DISTINCT age) FROM patients",
    "SELECT COUNT(*) FROM patients",
  ]) {
    rejected({}, compile(other, options).plan)
  }
  // What is proven cannot be changed afterwards.
  expect(Object.isFrozen(training.sums[0]?.spec.sensitivity)).toBe(true)
  expect(compare(training.charge.delta, zero)).toBe(0)
})

test("[L4] the permit of a training reads its rows once, and no plan", async () => {
  const open = (): { readonly vectorsOf: () => never } => ({
    vectorsOf: () => expect.fail("nothing was asked"),
  })
  const { permit } = await paidTraining(training, rows(3), { open, rng: seededBits("permit") })
  expect(() => permit.useTraining(training)).toThrow("paid for, and read once")
  const other = await trainingPermit(training)
  expect(() => other.use(plan)).toThrow("what is read is paid for")
  expect(() => other.useTraining(verifyTraining(plan, proposed))).toThrow("paid for, and read once")
  other.useTraining(training)
})

test("sums are released as often as was charged, and show nothing of the rows", async () => {
  const ones = { length: 2, add: (_: number, into: Float64Array) => into.fill(1) }
  const open = (): { readonly vectorsOf: (ask: number) => typeof ones } => ({
    vectorsOf: (length) => ({ ...ones, length }),
  })
  const { sums } = await paidTraining(training, rows(50), { open, rng: seededBits("often") })
  expect(JSON.stringify({ sums })).toBe('{"sums":"[secret]"}')
  for (let time = 0; time < 3; time += 1) expect(await sums.answer(0, 2)).toHaveLength(2)
  await expect(sums.answer(0, 2)).rejects.toThrow("as often as was charged")
  await expect(sums.answer(2, 2)).rejects.toThrow("as often as was charged")
  await expect(sums.answer(1, 2)).rejects.toThrow("as many numbers as was charged")
  // It was counted before it failed.
  await expect(sums.answer(1, 1)).rejects.toThrow("as often as was charged")
})

test("others have their turn after so many numbers, however few units they are of", async () => {
  const [first] = proposed.sums
  if (first === undefined) throw new Error("there are two kinds")
  const wide = verifyTraining(plan, { ...proposed, sums: [{ ...first, length: 2 ** 19 }] })
  const stop = new AbortController()
  let units = 0
  const add = (): void => {
    units += 1
    if (units === 1) setImmediate(() => stop.abort())
  }
  const open = (): { readonly vectorsOf: () => { readonly length: number; readonly add: typeof add } } => ({
    vectorsOf: () => ({ length: 2 ** 19, add }),
  })
  const options = { open, rng: seededBits("turn"), signal: stop.signal }
  const { sums } = await paidTraining(wide, rows(40), options)
  await expect(sums.answer(0, "ask")).rejects.toMatchObject({ code: "backend/cancelled" })
  expect(units).toBe(8)
})

test("a unit adds at most its bound, whatever a learner works out", async () => {
  const noisy = async (count: number, vector: readonly number[]): Promise<readonly bigint[]> => {
    const open = (): object & { vectorsOf: (ask: string) => { length: number; add: typeof write } } => ({
      vectorsOf: () => ({ length: 2, add: write }),
    })
    // The last unit is the one that comes or goes; all others add 1 each.
    const write = (unit: number, into: Float64Array): void => {
      const own = unit === 20 ? vector : [1, 1]
      for (const [at, value] of own.entries()) into[at] = (into[at] ?? 0) + value
    }
    const { sums } = await paidTraining(training, rows(count), { open, rng: seededBits("same noise") })
    return sums.answer(0, "ask")
  }
  const without = await noisy(20, [])
  for (const [vector, added] of [
    [
      [60, -80],
      [60n, -80n],
    ],
    [
      [61, -80],
      [0n, 0n],
    ],
    [
      [0.5, 0],
      [0n, 0n],
    ],
    [
      [Number.NaN, 1],
      [0n, 0n],
    ],
    [
      [Infinity, 1],
      [0n, 0n],
    ],
    [
      [1e300, 0],
      [0n, 0n],
    ],
  ] as const) {
    const withOne = await noisy(21, vector)
    expect(withOne.map((value, at) => value - (without[at] ?? 0n))).toEqual(added)
  }
})

test("bounds as large as learners use are compared exactly", () => {
  const bound = 2n ** 36n
  const added = (vector: readonly bigint[]): readonly bigint[] => {
    const sums = new BoundedSums(
      { length: vector.length, add: (_, into) => vector.forEach((value, at) => (into[at] = Number(value))) },
      bound,
    )
    sums.add(0)
    return sums.total()
  }
  expect(added([bound, 0n])).toEqual([bound, 0n])
  expect(added([bound, 1n])).toEqual([0n, 0n])
  expect(added([-bound, 0n])).toEqual([-bound, 0n])
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -bound, max: bound }), { minLength: 1, maxLength: 4 }),
      (vector) => {
        const isWithin = vector.reduce((sum, value) => sum + value * value, 0n) <= bound * bound
        expect(added(vector)).toEqual(isWithin ? vector : vector.map(() => 0n))
      },
    ),
  )
  // More of them than doubles would add up exactly.
  const many = new BoundedSums({ length: 1, add: (_, into) => into.fill(2 ** 52 - 1) }, 2n ** 52n)
  for (let unit = 0; unit < 7; unit += 1) many.add(unit)
  expect(many.total()).toEqual([7n * (2n ** 52n - 1n)])
})
