// Ladders of norms as the database computes them, against counts by hand; nobody changes more than is
// claimed; and the norm that is read reaches the plan of the question.

import { compare, numberNear, rational } from "@dosimeter/core/exact"
import { formOf } from "@dosimeter/core/post"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { printRel } from "@dosimeter/proof/print/print"
import { compile, scaledIn, type CompileOptions } from "../compile.ts"
import { compareVersions } from "../testing/clinic/hand-made.ts"
import { TestDatabase } from "../testing/units/test-database.ts"
import { refined } from "../strategies/scaled-vector.ts"
import { endOf, lastStep } from "./ladder-question.ts"
import { learnableNorms } from "./learn-norm.ts"

let grammar: Grammar
let database: TestDatabase
beforeAll(async () => {
  grammar = await testGrammar()
  database = await TestDatabase.open(1)
})
afterAll(() => database.close())

function optionsOf(accounting: string, bounding = "{}"): CompileOptions {
  const { catalog, terms } = readPolicy(`
dataset: ladders
source: { duckdb: none }
neighbours: add-or-remove
budget: { epsilon: 10, ${accounting === "pure" ? "" : "delta: 1e-6, "}accounting: ${accounting} }
question: { epsilon: { default: 1, max: 2 }, ${accounting === "pure" ? "" : "delta: 1e-8, "}confidence: 0.95 }
bounding: ${bounding}
tables:
  t:
    unit: person
    columns:
      person: integer
      ward: { type: text, values: [A, B, C] }
      n: { type: integer, min: -2, max: 1000000 }
`)
  return { grammar, catalog, terms }
}

type TestRow = readonly [person: number, ward: string | null, n: number | null]

const rowsOf = (person: number, ward: string, count: number): readonly TestRow[] =>
  Array.from({ length: count }, () => [person, ward, 1])

// Sums of squares 1, 2, 3, 4, 5, 8, 9, 25 million; sums of sizes 2^h and next to it; nothing; NULL; below 0.
const people: readonly TestRow[] = [
  ...rowsOf(1, "A", 1),
  ...[rowsOf(2, "A", 1), rowsOf(2, "B", 1)].flat(),
  ...[rowsOf(3, "A", 1), rowsOf(3, "B", 1), rowsOf(3, "C", 1)].flat(),
  ...rowsOf(4, "B", 2),
  ...[rowsOf(5, "A", 2), rowsOf(5, "B", 1)].flat(),
  ...[rowsOf(6, "A", 2), rowsOf(6, "B", 2)].flat(),
  ...[rowsOf(7, "A", 2), rowsOf(7, "B", 2), rowsOf(7, "C", 1)].flat(),
  ...rowsOf(8, "C", 5000),
  [9, "A", null],
  [10, "A", -2],
  [10, "B", 2],
  [11, "A", 1_000_000],
  [11, "A", 9_999_999],
  [12, "not listed", 7],
  [13, null, 4],
  [14, "A", -99],
  [14, "A", 2],
]

const persons = new Set(people.map(([person]) => person))

beforeAll(async () => {
  for (const version of ["everyone", ...[...persons].map((person) => `without_${person}`)]) {
    const rows = people
      .filter(([person]) => version !== `without_${person}`)
      .map(([person, ward, n]) => `(${person}, ${ward === null ? "NULL" : `'${ward}'`}, ${n ?? "NULL"})`)
    await database.execute(
      `CREATE SCHEMA ${version}; CREATE TABLE ${version}.t (person BIGINT, ward VARCHAR, n BIGINT);
       INSERT INTO ${version}.t VALUES ${rows.join(", ")}`,
    )
  }
})

const amounts = {
  "COUNT(*)": () => 1,
  "SUM(n)": (n: number | null) => Math.max(-2, Math.min(1_000_000, n ?? 0)),
  "COUNT(DISTINCT person)": () => 1,
} as const

const names = ["COUNT(*)", "SUM(n)", "COUNT(DISTINCT person)"] as const

// By hand: the least h with s <= 2^h, or n^2 <= 2^h; who adds nothing is on no step.
function byHand(aggregate: keyof typeof amounts, accounting: string): readonly (readonly bigint[])[] {
  const totals = new Map<number, Map<string, bigint>>()
  for (const [person, ward, n] of people) {
    if (ward === "not listed") continue
    const own = totals.get(person) ?? new Map<string, bigint>()
    const before = own.get(ward ?? "") ?? 0n
    const added = BigInt(amounts[aggregate](n))
    own.set(ward ?? "", aggregate.startsWith("COUNT(DISTINCT") ? 1n : before + added)
    totals.set(person, own)
  }
  const steps = new Map<bigint, bigint>()
  for (const own of totals.values()) {
    const values = [...own.values()]
    const sizes = values.map((value) => (value < 0n ? -value : value)).reduce((a, b) => a + b, 0n)
    const square =
      accounting === "pure" ? sizes * sizes : values.reduce((sum, value) => sum + value * value, 0n)
    if (square === 0n) continue
    let step = 0n
    while (2n ** step < square) step += 1n
    steps.set(step, (steps.get(step) ?? 0n) + 1n)
  }
  return [...steps].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

describe.each(["zcdp", "gdp", "pure"])("under %s", (accounting) => {
  test.each(names)(
    "a ladder of %s counts each person on one step, and loses them alone",
    async (aggregate) => {
      const sql = `SELECT ward, ${aggregate} FROM t GROUP BY ward`
      const [norm, ...others] = learnableNorms(sql, optionsOf(accounting))
      expect(others).toEqual([])
      const plan = norm?.ladder({}).plan
      if (plan === undefined) throw new Error("no norm")
      const [release] = plan.releases
      expect(release?.keys.kind).toBe("public")
      const rel = release?.extracts[0]?.rel
      if (rel === undefined) throw new Error("no extract")
      const { rows } = await database.run(printRel(rel, "duckdb"), "everyone")
      const found = rows.map((row) => row.slice(0, 2).map((cell) => BigInt(`${cell}`)))
      expect(found.toSorted(([a = 0n], [b = 0n]) => (a < b ? -1 : 1))).toEqual(byHand(aggregate, accounting))
      for (const person of persons) {
        const { broken } = await compareVersions(database, plan, ["everyone", `without_${person}`])
        expect(broken).toEqual([])
      }
    },
  )

  test("all steps are listed, to that of the cap where one is declared", () => {
    const sql = "SELECT ward, COUNT(*) FROM t GROUP BY ward"
    const listed = (bounding: string): number => {
      const keys = learnableNorms(sql, optionsOf(accounting, bounding))[0]?.ladder({}).plan.releases[0]?.keys
      return keys?.kind === "public" ? (keys.lists[0]?.length ?? 0) : 0
    }
    expect(listed("{}")).toBe(41)
    // 64 rows are a norm of 2^6.
    expect(listed("{ rows_per_unit: 64 }")).toBe(13)
    expect(listed("{ rows_per_unit: 65 }")).toBe(14)
  })
})

test("the ends of steps are whole numbers with n^2 <= 2^h, and the next is beyond", () => {
  for (let step = 0; step <= 80; step += 1) {
    const end = endOf(step, "l1")
    expect(end * end).toBeLessThanOrEqual(2n ** BigInt(step))
    expect((end + 1n) * (end + 1n)).toBeGreaterThan(2n ** BigInt(step))
    expect(endOf(step, "l2")).toBe(2n ** BigInt(step))
  }
})

describe("the norm that is read", () => {
  const sql = "SELECT ward, COUNT(*) AS visits FROM t GROUP BY ward"
  const counts = [900, 1000, 800, 500, 260, 130, 60, 30, 14, 6, 2, ...Array.from({ length: 30 }, () => 0)]
  const ladder = { counts, deviation: 5, law: "gaussian" } as const
  const forms = counts.map((_, id) =>
    formOf({ law: "gaussian", variance: rational(25n), id, grid: rational(1n) }),
  )
  const wish = (options: CompileOptions, aim: "least-error" | "below-noise" = "least-error") => {
    return { plan: compile(sql, options).plan, aim, paid: "paid" }
  }

  test("reaches the plan, with what is beyond it in the same steps", () => {
    const options = optionsOf("zcdp")
    const [norm] = learnableNorms(sql, options)
    const read = norm?.read({ ...ladder, forms }, wish(options))
    if (norm === undefined || read === undefined) throw new Error("no norm")
    const { plan } = compile(sql, { ...options, norms: new Map([[norm.boundary, read]]) })
    const [release] = plan.releases
    const scaled = release?.measurements[0]
    if (scaled?.kind !== "linear" || scaled.strategy.kind !== "scaled") throw new Error("not scaled")
    const [worth = rational(1n)] = scaled.strategy.worths
    const { bound = 0n, beyond } = release?.bounds.scaled ?? {}
    const length = Number(bound) * numberNear(worth)
    expect(length).toBeGreaterThan(0.998 * numberNear(read.bound))
    expect(length).toBeLessThanOrEqual(numberNear(read.bound))
    expect(numberNear(beyond?.estimate ?? rational(0n)) * numberNear(worth)).toBeCloseTo(
      numberNear(read.beyond.estimate),
      6,
    )
    expect(beyond?.most).toBeUndefined()
    expect(plan.notes.join()).toContain("a ladder of norms chose")
    const charged = compile(sql, options).plan.charge
    expect(numberNear(plan.charge.amount)).toBeCloseTo(numberNear(charged.amount), 9)
  })

  test("is longer where what is left out shall be below the noise than with half of the counts far out", () => {
    const options = optionsOf("zcdp")
    const [norm] = learnableNorms(sql, options)
    const far = counts.map((count, step) => (step > 4 ? 4 * count : count))
    const [near, longer] = [counts, far].map((own) =>
      norm?.read({ ...ladder, counts: own, forms }, wish(options, "below-noise")),
    )
    expect(numberNear(longer?.bound ?? rational(0n))).toBeGreaterThan(numberNear(near?.bound ?? rational(9n)))
  })

  test("is bounded beyond, with a declared cap, by no less than what the counts themselves say", () => {
    const options = optionsOf("zcdp", "{ rows_per_unit: 64 }")
    const [norm] = learnableNorms(sql, options)
    const short = counts.slice(0, 13)
    const read = norm?.read({ ...ladder, counts: short, forms: forms.slice(0, 13) }, wish(options))
    const bound = numberNear(read?.bound ?? rational(0n))
    const exact = short.reduce((sum, count, step) => sum + count * Math.max(0, 2 ** (step / 2) - bound), 0)
    const most = numberNear(read?.beyond.most ?? rational(0n))
    // 1.96 deviations of 5 for each of the few steps above, each weighed by its length.
    const spread = Math.hypot(...short.map((_, step) => 5 * Math.max(0, 2 ** (step / 2) - bound)))
    expect(most).toBeGreaterThan(exact + 1.95 * spread)
    expect(most).toBeLessThan(exact * 1.01 + 2.2 * spread + 5)
  })

  test("of units in groups is no longer than that of a unit in all of them, which leaves nothing out", () => {
    const people = "SELECT ward, COUNT(DISTINCT person) AS visitors FROM t GROUP BY ward"
    const options = optionsOf("zcdp")
    const [norm] = learnableNorms(people, options)
    const everywhere = counts.map((_, step) => (step === 2 ? 9000 : 0))
    const own = { plan: compile(people, options).plan, aim: "below-noise", paid: "paid" } as const
    const read = norm?.read({ ...ladder, counts: everywhere, forms }, own)
    expect(norm?.groups).toBe(4)
    expect(read?.bound).toEqual(rational(2n))
    expect(read?.beyond).toEqual({ estimate: rational(0n), most: rational(0n) })
  })

  test("is none where few people are seen", () => {
    const options = optionsOf("zcdp")
    const [norm] = learnableNorms(sql, options)
    const few = counts.map((count) => count / 50)
    expect(norm?.read({ ...ladder, counts: few, deviation: 20, forms }, wish(options))).toBeUndefined()
  })
})

test("a norm that nobody exceeds goes on being one in the steps that it is scaled in", () => {
  for (const bound of [rational(1n), rational(4581n, 1n << 10n), rational((1n << 21n) + 1n, 1n << 10n)]) {
    const { finer, bound: steps } = refined(bound)
    const rounded = rational(steps, finer)
    expect(compare(rounded, bound)).toBeGreaterThanOrEqual(0)
    expect(numberNear(rounded)).toBeLessThan(1.001 * numberNear(bound))
  }
})

test("nothing is learnt where nothing is scaled; small counts may be hidden", () => {
  const options = optionsOf("zcdp")
  expect(learnableNorms("SELECT ward, VARIANCE(n) FROM t GROUP BY ward", options)).toEqual([])
  const sql = "SELECT ward, COUNT(*) FROM t GROUP BY ward"
  expect(learnableNorms(sql, options)).toHaveLength(1)
  const hiding = { ...options, terms: { ...options.terms, shownFrom: 10n } }
  expect(learnableNorms(sql, hiding)).toHaveLength(1)
})

test("a norm of averages is learnt, of the rows of a unit that count in a group", () => {
  const sql = "SELECT ward, AVG(n) FROM t GROUP BY ward"
  const [scaled] = scaledIn(sql, optionsOf("zcdp", "{ rows_per_group: 4 }"))
  expect(scaled?.subject.vector.amounts).toHaveLength(2)
  expect(scaled?.subject.vector.rowsPerGroup).toBe(4n)
  expect(learnableNorms(sql, optionsOf("zcdp"))[0]?.groups).toBe(8)
  const options = optionsOf("zcdp")
  const [norm] = learnableNorms(sql, options)
  const far = [...Array.from({ length: 40 }, () => 0), 1000, 800, 500, 260, 130, 60, 30, 14, 6, 2, 0, 0]
  const forms = far.map((_, id) =>
    formOf({ law: "gaussian", variance: rational(25n), id, grid: rational(1n) }),
  )
  const wish = { plan: compile(sql, options).plan, aim: "below-noise", paid: "paid" } as const
  const read = norm?.read({ counts: far, deviation: 5, law: "gaussian", forms }, wish)
  // Shorter than nearly everybody: a sum would lose most of itself by it.
  expect(numberNear(read?.bound ?? rational(2n ** 60n))).toBeLessThan(2 ** 21)
  expect(read?.note).toContain("who has more rows counts for less: about")
  const [beside] = scaledIn("SELECT ward, COUNT(*), AVG(n) FROM t GROUP BY ward", optionsOf("zcdp"))
  expect(beside?.subject.vector.rowsPerGroup).toBe(undefined)
})

// A thousandth of a row and many rows: of weights next to nothing is left, or nobody has any.
test.each([10n, 1n << 12n, 1n << 20n, 1n << 23n, 1n << 34n])(
  "nobody changes averages by more than is claimed at a norm of %s steps",
  async (bound) => {
    const sql = "SELECT ward, AVG(n) FROM t GROUP BY ward"
    const options = optionsOf("zcdp")
    const norm = { bound: rational(bound), beyond: { estimate: rational(0n) }, note: "" }
    const { plan } = compile(sql, { ...options, norms: new Map([[0, norm]]) })
    expect(plan.releases[0]?.bounds.scaled?.beyond).toBeDefined()
    for (const person of persons) {
      const { broken } = await compareVersions(database, plan, ["everyone", `without_${person}`])
      expect(broken).toEqual([])
    }
  },
)

test("a ladder of several numbers is of one vector, and ends where sums of squares hold it", () => {
  const sql = "SELECT ward, COUNT(*), SUM(n), COUNT(DISTINCT person) FROM t GROUP BY ward"
  const [scaled] = scaledIn(sql, optionsOf("zcdp", "{ rows_per_unit: 1000000 }"))
  if (scaled === undefined) throw new Error("not scaled")
  expect(scaled.subject.vector.amounts).toHaveLength(3)
  expect(lastStep(scaled.subject)).toBeLessThanOrEqual(80)
  expect(learnableNorms(sql, optionsOf("zcdp"))[0]?.groups).toBe(12)
})
