// Plans over prepared copies that were spoilt after planning, and copies that claim too much: all rejected.

import { DosimeterError, rational } from "@dosimeter/core"
import { beforeAll, describe, expect, test } from "vitest"
import type { PreparedTable } from "../units/prepared-table.ts"
import { placeMax, type CatalogTable, type PreparedFacts } from "../catalog/catalog.ts"
import { compile, type Compiled } from "@dosimeter/planner/compile"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import { callExpr, integerLiteral } from "../algebra/make.ts"
import type { Rel } from "../algebra/rel.ts"
import { upperBounds } from "../algebra/walk.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import {
  showPlan,
  withExprs,
  withNodes,
  withRelease,
} from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

type ReleasePlan = Omit<Compiled["plan"], symbol>

const { catalog, terms } = readPolicy(clinicPolicy({}))
const copies = designCopies(catalog, {
  schema: [],
  keys: { visits: [[{ column: "ward" }], [{ column: "code" }], [{ column: "day", cut: "month" }]] },
})
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const byCode = "SELECT code, COUNT(*), SUM(n), COUNT(DISTINCT person_id) FROM visits GROUP BY code"
const inLayers =
  "SELECT sex, SUM(CLAMP(fee, 0, 9)) FROM visits AS v JOIN person AS p ON p.person_id = v.person_id GROUP BY sex"

describe("forms", () => {
  const expected: readonly (readonly [string, readonly string[]])[] = [
    [byCode, ["visits by code"]],
    [inLayers, ["person", "visits"]],
    ["SELECT ward, AVG(fee) FROM visits GROUP BY ward", ["totals of visits by ward"]],
    ["SELECT DATE_TRUNC('month', day), COUNT(*) FROM visits GROUP BY 1", ["totals of visits by month(day)"]],
    ["SELECT ward, COUNT(*) FROM visits WHERE ward <> 'A' GROUP BY ward", ["totals of visits by ward"]],
    ["SELECT ward, SUM(CLAMP(fee, 0, 1)) FROM visits GROUP BY ward", ["visits by ward"]],
    ["SELECT SUM(fee) FROM visits", ["totals of visits"]],
    ["SELECT sex, COUNT(*) FROM person GROUP BY sex", ["person"]],
    ["SELECT SUM(n), MEDIAN(fee) FROM visits", ["visits"]],
    ["SELECT COUNT(*) FROM visits WHERE ward = 'A'", ["totals of visits by ward"]],
    [
      "SELECT c.label, COUNT(*) FROM visits AS v JOIN codes AS c ON v.code = c.code GROUP BY 1",
      ["totals of visits by code"],
    ],
    [
      "SELECT v.code, c.rate, COUNT(*) FROM visits AS v JOIN codes AS c ON v.code = c.code GROUP BY 1, 2",
      ["totals of visits by code", "visits by code"],
    ],
    // A condition comes before bounding, so that its rows are not dropped for others.
    ["SELECT code, COUNT(*) FROM visits WHERE n > 3 GROUP BY code", []],
    ["SELECT code, COUNT(*) FROM visits WHERE ward = 'A' GROUP BY code", []],
    // Totals of all groups are there; keys are selected by the rows themselves, or else sums are of them.
    ["SELECT code, COUNT(*) FROM visits WHERE code <> 'x' GROUP BY code", ["totals of visits by code"]],
    ["SELECT code, COUNT(*) FILTER (WHERE n > 3) FROM visits GROUP BY code", ["visits by code"]],
    ["SELECT n, COUNT(*) FROM visits GROUP BY n", []],
    ["SELECT SUM(amount) FROM bills", []],
    ["SELECT COUNT(*) FROM visits AS v JOIN drugs AS d ON v.person_id = d.person_id", []],
  ]

  test.each(expected)("%s", (sql, labels) => {
    expect(planOf(sql).releases.map(({ prepared }) => prepared)).toEqual([labels])
  })

  test("without copies everything is raw", () => {
    const { plan } = compile(byCode, { grammar, catalog, terms })
    expect(plan.releases.map(({ prepared }) => prepared)).toEqual([[]])
  })
})

const isPlaceFilter = (rel: Rel): boolean => rel.kind === "filter" && upperBounds(rel.condition).length > 0
const always = callExpr("equal", [integerLiteral(1n), integerLiteral(1n)])

const spoilt: readonly {
  readonly name: string
  readonly sql: string
  readonly change: (plan: ReleasePlan) => ReleasePlan
}[] = [
  {
    name: "rows are not bounded",
    sql: byCode,
    change: (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "filter" && isPlaceFilter(rel) ? { ...rel, condition: always } : rel,
      ),
  },
  { name: "one more group of a unit", sql: byCode, change: (plan) => withLimit(plan, 2n, 3n) },
  { name: "one more row of a unit", sql: byCode, change: (plan) => withLimit(plan, 3n, 4n) },
  {
    name: "as many groups as places are counted",
    sql: byCode,
    change: (plan) => withLimit(plan, 2n, placeMax),
  },
  { name: "more rows in layers", sql: inLayers, change: (plan) => withLimit(plan, 3n, 4n) },
  { name: "units are counted by two rows", sql: byCode, change: (plan) => withLimit(plan, 1n, 2n) },
  {
    name: "units are counted by all rows",
    sql: byCode,
    change: (plan) =>
      withExprs(plan, (expr) =>
        expr.kind === "case"
          ? { ...expr, otherwise: integerLiteral(1n), domain: { ...expr.domain, nullable: true } }
          : expr,
      ),
  },
  {
    name: "a copy by another key",
    sql: byCode,
    change: (plan) => ({
      ...withNodes(plan, (rel) => (rel.kind === "scan" ? over(rel, "visits by ward") : rel)),
      releases: plan.releases.map((release) => ({ ...release, prepared: ["visits by ward"] })),
    }),
  },
  {
    name: "a copy that the plan does not name",
    sql: byCode,
    change: (plan) => withRelease(plan, (release) => ({ ...release, prepared: [] })),
  },
  {
    name: "a copy of a copy",
    sql: byCode,
    change: (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "scan" ? { ...rel, table: { ...rel.table, path: ["elsewhere"] } } : rel,
      ),
  },
  {
    name: "a public join that gives a row many partners",
    sql: "SELECT v.code, COUNT(*) FROM visits AS v JOIN codes AS c ON v.code = c.code GROUP BY 1",
    change: (plan) =>
      withNodes(plan, (rel) => (rel.kind === "join" ? { ...rel, condition: undefined } : rel)),
  },
  {
    name: "places within a key that is not fixed",
    sql: "SELECT SUM(CLAMP(fee, 0, 9)) FROM visits WHERE ward = 'A'",
    change: (plan) =>
      withNodes(plan, (rel) =>
        rel.kind === "filter" && !isPlaceFilter(rel) ? { ...rel, condition: always } : rel,
      ),
  },
  {
    name: "a join that gives a row many partners",
    sql: inLayers,
    change: (plan) =>
      withNodes(plan, (rel) => (rel.kind === "join" ? { ...rel, condition: undefined } : rel)),
  },
]

test.each(spoilt)("rejects $name", ({ sql, change }) => {
  const plan = planOf(sql)
  expect(rejectionOf(plan, copies)).toBe("accepted")
  const changed = change(plan)
  expect(showPlan(changed), "the corruption must change something").not.toBe(showPlan(plan))
  expect(rejectionOf(changed, copies)).toMatch(/^bug\//)
})

const claims: readonly { readonly name: string; readonly change: (copy: PreparedTable) => PreparedTable }[] =
  [
    { name: "another unit", change: (copy) => withTable(copy, { unit: { kind: "row" } }) },
    { name: "keys of its own", change: (copy) => withTable(copy, { keys: [["person_id"]] }) },
    { name: "another name", change: (copy) => withTable(copy, { name: "person" }) },
    { name: "no places", change: (copy) => ({ ...copy, table: without(copy.table) }) },
    {
      name: "a narrower column",
      change: (copy) =>
        withTable(copy, {
          columns: copy.table.columns.map((column) =>
            column.name === "n" ? { ...column, domain: { ...column.domain, range: narrow } } : column,
          ),
        }),
    },
    {
      name: "narrower steps",
      change: (copy) =>
        withTable(copy, {
          columns: copy.table.columns.map((column) =>
            column.name === "fee_steps" ? { ...column, domain: { ...column.domain, range: narrow } } : column,
          ),
        }),
    },
    {
      name: "a denied column as an allowed one",
      change: (copy) =>
        withTable(copy, {
          columns: [
            ...copy.table.columns,
            ...copy.base.columns
              .filter(({ name }) => name === "note")
              .map((column) => ({ ...column, access: "allowed" as const })),
          ],
        }),
    },
    {
      name: "places beyond those that are counted",
      change: (copy) =>
        withTable(copy, {
          columns: copy.table.columns.map((column) =>
            column.name === "_i" ? { ...column, domain: { ...column.domain, range: wide } } : column,
          ),
        }),
    },
    {
      name: "a place by a column that it does not have",
      change: (copy) =>
        withTable(copy, {
          prepared: {
            of: copy.base.path,
            sources: copy.base.columns.map(({ source }) => source),
            places: [{ column: "_i", counts: "rows", by: ["nothing"] }],
          },
        }),
    },
    {
      name: "another table of the database",
      change: (copy) => withPrepared(copy, { of: ["elsewhere"] }),
    },
    {
      name: "a column of another name in the database",
      change: (copy) =>
        withPrepared(copy, {
          sources: copy.base.columns.map(({ source }, at) => (at === 0 ? "other" : source)),
        }),
    },
    { name: "fewer columns of the database", change: (copy) => withPrepared(copy, { sources: [] }) },
    { name: "a base that is not in the catalog", change: (copy) => ({ ...copy, base: { ...copy.base } }) },
  ]

test.each(claims)("rejects a copy with $name", ({ change }) => {
  // The plan reads none of them: it is the claim that is rejected.
  const { plan } = compile(byCode, { grammar, catalog, terms })
  const changed = copies.map((copy) => (copy.label === "visits by code" ? change(copy) : copy))
  expect(rejectionOf(plan, changed)).toMatch(/^bug\//)
})

const narrow = { min: { value: rational(0n), declared: true }, max: { value: rational(1n), declared: true } }
const wide = {
  min: { value: rational(1n), declared: true },
  max: { value: rational(1n << 31n), declared: true },
}

function withTable(copy: PreparedTable, change: Partial<CatalogTable>): PreparedTable {
  return { ...copy, table: { ...copy.table, ...change } }
}

function without({ prepared: _, ...table }: CatalogTable): CatalogTable {
  return table
}

type ScanOf = Extract<Rel, { readonly kind: "scan" }>

/** Another bound in place of one, wherever it stands. */
function withLimit(plan: ReleasePlan, before: bigint, after: bigint): ReleasePlan {
  return withExprs(plan, (expr) => {
    if (expr.kind !== "call" || expr.name !== "less-or-equal") return expr
    const [{ most } = { most: -1n }] = upperBounds(expr)
    const [place] = expr.args
    return most === before && place !== undefined
      ? callExpr("less-or-equal", [place, integerLiteral(after)])
      : expr
  })
}

function over(scan: ScanOf, label: string): Rel {
  const table = copies.find((copy) => copy.label === label)?.table ?? scan.table
  const sources = scan.sources.map(
    (source) => table.columns.find(({ name }) => name === source.name) ?? source,
  )
  return { ...scan, table, sources }
}

function planOf(sql: string): ReleasePlan {
  return planOnce(sql, { grammar, catalog, terms, prepared: copies })
}

function rejectionOf(plan: ReleasePlan, prepared: readonly PreparedTable[]): string {
  try {
    verify(plan, catalog, prepared)
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}

function withPrepared(copy: PreparedTable, change: Partial<PreparedFacts>): PreparedTable {
  const { prepared } = copy.table
  if (prepared === undefined) throw new Error("a copy is prepared")
  return withTable(copy, { prepared: { ...prepared, ...change } })
}
