// Pairs of neighbouring datasets on which other systems broke (test/fixtures/adversarial_neighbours.json):
// rounding, overflow, wrapping, unsafe integers, order of addition, cancellation, contributions without
// bounds. The sums that go to the noise are exact, and change by no more than is claimed.

import { readFileSync } from "node:fs"
import { DosimeterError } from "@dosimeter/core/errors"
import {
  add,
  compare,
  divide,
  multiply,
  rational,
  rationalOfNumber,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import { afterAll, beforeAll, expect, test } from "vitest"
import { hasStrategy, type LinearMeasurement } from "@dosimeter/proof/algebra/measurement"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { compareVersions, extractOn, planOf, policyOf } from "./testing/clinic/hand-made.ts"
import { TestDatabase } from "./testing/units/test-database.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"

interface Pair {
  readonly id: string
  readonly group: string
  readonly inputs: {
    readonly lower?: string
    readonly upper?: string
    readonly dataset?: readonly (string | number)[]
    readonly neighbour?: readonly string[]
    readonly neighbour_flips_index?: number
    readonly bits?: number
    readonly values?: readonly string[]
    readonly name?: string
  }
  readonly expected: Readonly<Record<string, string>>
}

const fixture = new URL("../test/fixtures/adversarial_neighbours.json", import.meta.url)
const { records }: { readonly records: readonly Pair[] } = JSON.parse(readFileSync(fixture, "utf8"))
const inGroup = (name: string): readonly Pair[] =>
  records.filter(({ group }) => group === `neighbours.${name}`)

let grammar: Grammar
let one: TestDatabase
let four: TestDatabase
let schemas = 0

beforeAll(async () => {
  grammar = await testGrammar()
  one = await TestDatabase.open(1)
  four = await TestDatabase.open(4)
})

afterAll(() => {
  one.close()
  four.close()
})

test("all pairs are here, and every group has its test", () => {
  expect(records).toHaveLength(31)
  const groups = [
    "sized_sum_rounding",
    "float_overflow",
    "integer_wrap",
    "js_unsafe_integer",
    "order_dependence",
    "variance_cancellation",
    "contribution_bounding",
  ]
  expect(groups.flatMap(inGroup)).toHaveLength(31)
})

test.each(inGroup("sized_sum_rounding"))(
  "$id: a sum is exact however large its terms",
  async ({ inputs, expected }) => {
    const [lower, upper] = [fromHex(inputs.lower ?? ""), fromHex(inputs.upper ?? "")]
    const values = (inputs.dataset ?? []).map((bit) => (bit === 0 ? lower : upper))
    const flipped = values.map((value, place) =>
      place === inputs.neighbour_flips_index ? (value === lower ? upper : lower) : value,
    )
    // The spacing of doubles there is the grid.
    const grid = upper - lower
    const column = `v: { type: float, min: ${decimal(lower)}, max: ${decimal(upper)}, grid: ${decimal(grid)} }`
    const [before, after] = await versions(
      one,
      "DOUBLE",
      [values, flipped].map((list) => list.map(asDouble)),
    )
    const plan = planOf("SELECT SUM(v) FROM t", tableOf(column, { neighbours: "replace" }), { grammar })
    expect(await sumOn(one, plan, before)).toEqual(fraction(expected["exact_sum"]))
    expect(await sumOn(one, plan, after)).toEqual(fraction(expected["exact_sum_neighbour"]))
    expect((await compareVersions(one, plan, [before, after])).broken).toEqual([])
  },
)

test.each(inGroup("float_overflow"))("$id: no infinity, no NaN, no error", async ({ inputs }) => {
  const [before, after] = await versions(
    one,
    "DOUBLE",
    [inputs.dataset ?? [], inputs.neighbour ?? []].map((list) => list.map((value) => asDouble(value))),
  )
  const columns = [
    "v: { type: float, min: -100, max: 100 }",
    "v: { type: float, min: -1e30, max: 1e30 }",
    "v: float",
  ]
  for (const column of columns) {
    const plan = planOf(
      "SELECT SUM(CLAMP(v, -1e29, 1e29)), COUNT(v), AVG(CLAMP(v, -5, 5)) FROM t",
      tableOf(column),
      { grammar },
    )
    const isOneApart =
      Math.abs((inputs.dataset ?? []).length - (inputs.neighbour ?? []).length) === 1 &&
      (inputs.neighbour ?? []).length !== 1
    const { broken } = await compareVersions(one, plan, [before, after])
    if (isOneApart || (inputs.dataset ?? [])[0] === "nan") expect(broken).toEqual([])
    else expect(broken.filter((what) => !/is more than/.test(what))).toEqual([])
  }
})

test.each(inGroup("integer_wrap"))("$id: integers do not wrap", async ({ inputs, expected }) => {
  const bits = BigInt(inputs.bits ?? 0)
  const type = bits === 32n ? "INTEGER" : "BIGINT"
  const [before, after] = await versions(
    one,
    type,
    [inputs.dataset ?? [], inputs.neighbour ?? []].map((list) => list.map(String)),
  )
  const column = (size: bigint): string =>
    `v: { type: integer, min: ${-(1n << size)}, max: ${(1n << size) - 1n} }`
  // A sum over all 64-bit numbers is refused; narrower bounds clamp the terms, which add up exactly.
  if (bits === 64n) {
    expect(() => planOf("SELECT SUM(v) FROM t", tableOf(column(63n)), { grammar })).toThrow(DosimeterError)
  }
  const size = bits === 64n ? 61n : bits - 1n
  const plan = planOf("SELECT SUM(v) FROM t", tableOf(column(size)), { grammar })
  const clamped = (1n << 63n) - (1n << size)
  const exact = (text: string | undefined): Rational =>
    bits === 64n ? subtract(fraction(text), rational(clamped)) : fraction(text)
  expect(await sumOn(one, plan, before)).toEqual(exact(expected["exact"]))
  expect(await sumOn(one, plan, after)).toEqual(exact(expected["exact_neighbour"]))
  expect((await compareVersions(one, plan, [before, after])).broken).toEqual([])
})

test.each(inGroup("js_unsafe_integer"))(
  "$id: sums beyond 2^53 keep their last digit",
  async ({ inputs, expected }) => {
    const [only] = await versions(one, "BIGINT", [(inputs.values ?? []).map(String)])
    const plan = planOf(
      "SELECT SUM(v) FROM t",
      tableOf("v: { type: integer, min: 0, max: 9007199254740993 }"),
      { grammar },
    )
    expect(await sumOn(one, plan, only)).toEqual(fraction(expected["exact"]))
  },
)

test.each(inGroup("order_dependence"))(
  "$id: every order, 1 and 4 threads, one sum",
  async ({ inputs, expected }) => {
    const values = (inputs.values ?? []).map(asDouble)
    const policy = tableOf("v: { type: float, min: -4e18, max: 4e18, grid: 1 }", { rows: 20 })
    for (const database of [one, four]) {
      for (const owners of ["many", "one"] as const) {
        const sql = "SELECT SUM(v), AVG(v), COUNT(DISTINCT v) FROM t"
        const plan = planOf(sql, owners === "many" ? policy : policy.replace("keys: [[user_id]]", ""), {
          grammar,
        })
        const shown = new Set<string>()
        for (const order of ordersOf(values)) {
          const [version] = await versions(database, "DOUBLE", [order], owners)
          const tables = await Promise.all(
            plan.releases.map((release) => extractOn(database, release, version)),
          )
          expect(valueOf(additiveOf(plan), plan, tables[0] ?? [])).toEqual(fraction(expected["exact"]))
          shown.add(
            tables
              .flat()
              .map(({ rows }) => rows.join("|"))
              .join(" / "),
          )
        }
        expect(shown.size).toBe(1)
      }
    }
  },
)

test.each(inGroup("variance_cancellation"))(
  "$id: a variance comes from exact sums",
  async ({ inputs, expected }) => {
    const values = inputs.values ?? []
    const [least, most] = [Number(values[0]), Number(values.at(-1))]
    const policy = tableOf(`v: { type: float, min: ${least}, max: ${most}, grid: 1 }`)
    const [only] = await versions(one, "DOUBLE", [values.map(asDouble)])
    const plan = planOf("SELECT VAR_POP(v) FROM t", policy, { grammar })
    expect(await varianceOn(plan, only, rational(BigInt(values.length)))).toEqual(
      fraction(expected["exact_population_variance"]),
    )
  },
)

/** The variance from the sums of a plan, if they are of the values and of their squares, from some centre. */
async function varianceOn(plan: ReleasePlan, version: string, rows: Rational): Promise<Rational | undefined> {
  const [release] = plan.releases
  if (release === undefined) return undefined
  const [vector] = release.measurements.filter((one) => hasStrategy(one, "moments"))
  if (vector === undefined) return undefined
  const tables = await extractOn(one, release, version)
  const [sum = rational(0n), squares = rational(0n)] = vector.columns
    .slice(1)
    .map((column) => valueOf({ ...vector, columns: [column] }, plan, tables))
  const mean = subtract(divide(sum, rows), multiply(rational(vector.strategy.from), vector.grid))
  return subtract(divide(multiply(squares, vector.grid), rows), multiply(mean, mean))
}

const scenarios: Readonly<Record<string, () => Promise<void>>> = {
  sum_negative_lower: async () => {
    const column = "v: { type: integer, min: -50, max: 10 }"
    const zeros = Array.from({ length: 10 }, () => "0")
    const [before, after] = await versions(one, "INTEGER", [zeros, [...zeros, "-50"]])
    for (const [neighbours, amount] of [
      ["add-or-remove", 50n],
      ["replace", 60n],
    ] as const) {
      const plan = planOf("SELECT SUM(v) FROM t", tableOf(column, { neighbours }), { grammar })
      expect(additiveOf(plan).strategy.spec.sensitivity.patterns).toEqual([[{ groups: 1n, amount }]])
      const { broken, reached } = await compareVersions(one, plan, [before, after])
      expect(broken).toEqual([])
      expect(reached.includes("amount")).toBe(neighbours === "add-or-remove")
    }
  },
  count_distinct_shared_values: async () => {
    const policy = policyOf(table("v: text"), { rows: 3 })
    const people = "SELECT u, v FROM range(1, 6) AS r(u), (VALUES ('A'), ('B'), ('C'), ('D'), ('E')) AS x(v)"
    const more = `${people} UNION ALL SELECT 0, v FROM (VALUES ('A'), ('B'), ('C'), ('D'), ('E')) AS x(v) UNION ALL SELECT 0, 'p' || i FROM range(100) AS r(i)`
    const pair = await made("user_id, v", [people, more])
    const plan = planOf("SELECT COUNT(DISTINCT v) FROM t", policy, { grammar })
    expect(additiveOf(plan).strategy.spec.sensitivity.patterns).toEqual([[{ groups: 1n, amount: 3n }]])
    expect((await compareVersions(one, plan, pair)).broken).toEqual([])
  },
  groups_per_user: async () => {
    const policy = policyOf(table("v: { type: integer, min: 0, max: 99 }"), { groups: 5, rows: 1 })
    const people = "SELECT i, i FROM range(1, 11) AS r(i)"
    const pair = await made("user_id, v", [people, `${people} UNION ALL SELECT 0, i FROM range(100) AS r(i)`])
    const plan = planOf("SELECT v, COUNT(*) FROM t GROUP BY v", policy, { grammar })
    expect(plan.releases[0]?.keys.kind).toBe("public")
    const { broken, reached } = await compareVersions(one, plan, pair)
    expect(broken).toEqual([])
    expect(reached).toEqual(expect.arrayContaining(["scaled: norm"]))
  },
  groups_merged_after_truncation: async () => {
    const policy = policyOf(table("v: integer"), { groups: 100, rows: 100 })
    const pair = await made("user_id, v", [
      "SELECT 1, i FROM range(100) AS r(i)",
      "SELECT 1, i FROM range(0) AS r(i)",
    ])
    const sql = "SELECT COUNT(*) FROM (SELECT DISTINCT user_id, v FROM t) AS q"
    const plan = planOf(sql, policy, { grammar })
    // One group of 100, not 100 groups of one.
    expect(additiveOf(plan).strategy.spec.sensitivity.patterns).toEqual([[{ groups: 1n, amount: 100n }]])
    const { broken, reached } = await compareVersions(one, plan, pair)
    expect(broken).toEqual([])
    expect(reached).toContain("L2 squared")
  },
  join_on_private_key_explosion: async () => {
    const columns = "    unit: user_id\n    columns: { user_id: integer, key: integer }\n"
    const policy = policyOf(`  a:\n${columns}  b:\n${columns}`)
    schemas += 1
    const [before, after] = [`v${schemas}a`, `v${schemas}b`]
    for (const version of [before, after]) {
      await one.execute(`CREATE SCHEMA ${version};
        CREATE TABLE ${version}.a AS SELECT i AS user_id, 7 AS key FROM range(1000) AS r(i);
        CREATE TABLE ${version}.b (user_id BIGINT, key BIGINT)`)
    }
    await one.execute(`INSERT INTO ${after}.b VALUES (1, 7)`)
    expect(() => planOf("SELECT COUNT(*) FROM a JOIN b USING (key)", policy, { grammar })).toThrow(
      DosimeterError,
    )
    // A key of one side makes the unit's equality what was meant; without it the question must say so.
    const keyed = policy.replace("  b:\n", "  b:\n    keys: [[key]]\n")
    const sql = [
      "SELECT COUNT(*) FROM a JOIN b USING (key)",
      "SELECT COUNT(*) FROM a JOIN b USING (user_id, key)",
    ]
    for (const [text, given] of [
      [sql[0], keyed],
      [sql[1], policy],
    ] as const) {
      const plan = planOf(text ?? "", given, { grammar })
      const { broken, reached } = await compareVersions(one, plan, [before, after])
      expect(broken).toEqual([])
      expect(reached).not.toContain("L1")
    }
  },
  user_id_case_or_type: async () => {
    const policy = policyOf("  t:\n    unit: user_id\n    columns: { user_id: text, v: integer }\n")
    const pair = await made("user_id, v", [
      "SELECT '7', 1",
      "SELECT u, 1 FROM (VALUES ('7'), ('07'), (' 7'), ('7.0')) AS x(u)",
    ])
    for (const sql of [
      "SELECT COUNT(DISTINCT user_id) FROM t",
      "SELECT COUNT(*) FROM t JOIN t AS s USING (user_id)",
    ]) {
      const plan = planOf(sql, policy, { grammar })
      // Four ids are four units, on both sides of a join.
      const counts = [await sumOn(one, plan, pair[0]), await sumOn(one, plan, pair[1])]
      expect(counts).toEqual([rational(1n), rational(4n)])
    }
  },
  null_passes_clamp: async () => {
    const policy = policyOf(table("v: integer"), { rows: 1 })
    const people = "SELECT i, 3 FROM range(1, 4) AS r(i)"
    const pair = await made("user_id, v", [`${people} UNION ALL SELECT 0, NULL`, people])
    const clamp = planOf("SELECT SUM(CLAMP(v, 0, 10)) FROM t", policy, { grammar })
    expect([await sumOn(one, clamp, pair[0]), await sumOn(one, clamp, pair[1])]).toEqual([
      rational(9n),
      rational(9n),
    ])
    // GREATEST and LEAST pass over NULL, as in both databases: the row counts as 10, as is claimed.
    const least = planOf("SELECT SUM(GREATEST(0, LEAST(10, v))) FROM t", policy, { grammar })
    const { broken, reached } = await compareVersions(one, least, pair)
    expect(broken).toEqual([])
    expect(reached).toContain("amount")
  },
  truncation_choice_depends_on_other_users: async () => {
    const policy = policyOf(table("v: { type: integer, min: 0, max: 63 }"), { rows: 2 })
    const own = "SELECT 0, v FROM (VALUES (1), (2), (4), (8), (16)) AS x(v)"
    const pair = await made("user_id, v", [own, `SELECT 1, 32 UNION ALL ${own}`])
    const [release] = planOf("SELECT MEDIAN(v) FROM t", policy, { grammar }).releases
    if (release === undefined) throw new Error("there is a release")
    const rows = async (version: string): Promise<readonly string[]> =>
      (await extractOn(one, release, version)).flatMap((table) => table.rows.map((row) => row.join(" ")))
    const [before, after] = [await rows(pair[0]), await rows(pair[1])]
    // All rows of user 0, with the same weights, and the one of user 1.
    expect(before).toHaveLength(5)
    expect(after.filter((row) => before.includes(row))).toHaveLength(5)
    expect(after).toHaveLength(6)
  },
}

test.each(inGroup("contribution_bounding"))("$id: $inputs.name", async ({ inputs }) => {
  const scenario = scenarios[inputs.name ?? ""]
  if (scenario === undefined) throw new Error("every scenario has its test")
  await scenario()
})

function table(column: string): string {
  return `  t:\n    unit: user_id\n    columns:\n      user_id: integer\n      ${column}\n`
}

/** One row a person. */
function tableOf(column: string, options: Parameters<typeof policyOf>[1] = {}): string {
  return policyOf(table(column).replace("    columns:", "    keys: [[user_id]]\n    columns:"), options)
}

/** New versions of table t, one for each list of values; each value is a person's, or all are one's. */
async function versions(
  database: TestDatabase,
  type: string,
  lists: readonly (readonly string[])[],
  owners: "many" | "one" = "many",
): Promise<readonly [string, string]> {
  const names: string[] = []
  for (const list of lists) {
    schemas += 1
    const name = `v${schemas}`
    const rows = list.map((value, place) => `(${owners === "many" ? place : 0}, '${value}'::${type})`)
    await database.execute(
      `CREATE SCHEMA ${name}; CREATE TABLE ${name}.t (user_id BIGINT, v ${type}); INSERT INTO ${name}.t VALUES ${rows.join(", ")}`,
    )
    names.push(name)
  }
  return [names[0] ?? "", names[1] ?? ""]
}

/** Two versions of table t from queries. */
async function made(columns: string, queries: readonly [string, string]): Promise<readonly [string, string]> {
  schemas += 1
  const names = [`m${schemas}a`, `m${schemas}b`] as const
  for (const [place, name] of names.entries()) {
    await one.execute(`CREATE SCHEMA ${name}; CREATE TABLE ${name}.t(${columns}) AS ${queries[place]}`)
  }
  return names
}

function additiveOf(plan: ReleasePlan): LinearMeasurement<"identity"> {
  const measurement = plan.releases[0]?.measurements[0]
  if (!hasStrategy(measurement, "identity")) throw new Error("the first measurement adds up")
  return measurement
}

/** The first measurement on a version, exactly. */
async function sumOn(database: TestDatabase, plan: ReleasePlan, version: string): Promise<Rational> {
  const [release] = plan.releases
  if (release === undefined) throw new Error("there is a release")
  return valueOf(additiveOf(plan), plan, await extractOn(database, release, version))
}

function valueOf(
  { extract, columns: [column], grid }: Pick<LinearMeasurement, "extract" | "columns" | "grid">,
  plan: ReleasePlan,
  tables: Awaited<ReturnType<typeof extractOn>>,
): Rational {
  const rel = plan.releases[0]?.extracts[extract]?.rel
  const place = rel?.columns.findIndex(({ id }) => id === column?.id) ?? -1
  const value = tables[extract]?.rows[0]?.[place]
  if (typeof value !== "bigint") throw new Error(`${String(value)} is no integer`)
  return multiply(rational(value), grid)
}

/** Every different order of the values. */
function ordersOf(values: readonly string[]): readonly (readonly string[])[] {
  if (values.length === 0) return [[]]
  return [...new Set(values)].flatMap((first) => {
    const rest = values.toSpliced(values.indexOf(first), 1)
    return ordersOf(rest).map((order) => [first, ...order])
  })
}

function fromHex(text: string): number {
  const match = /^0x1\.([0-9a-f]{13})p\+(\d+)$/.exec(text)
  if (match === null) throw new Error(`${text} is no double`)
  return (1 + Number.parseInt(match[1] ?? "", 16) / 2 ** 52) * 2 ** Number(match[2])
}

function asDouble(value: string | number): string {
  return typeof value === "number" ? decimal(value) : value.replace(/^(-?)inf$/, "$1Infinity")
}

/** All digits of a double. */
function decimal(value: number): string {
  const { numerator, denominator } = rationalOfNumber(value)
  const scaled = (numerator * 10n ** 12n) / denominator
  expect(compare(rational(scaled, 10n ** 12n), rationalOfNumber(value))).toBe(0)
  const whole = scaled / 10n ** 12n
  const rest = `${scaled % 10n ** 12n}`.padStart(12, "0").replace(/0+$/, "")
  return rest === "" ? `${whole}` : `${whole}.${rest}`
}

function fraction(text: string | undefined): Rational {
  const [numerator = "", denominator = "1"] = (text ?? "").split("/")
  return add(rational(BigInt(numerator), BigInt(denominator)), rational(0n))
}
