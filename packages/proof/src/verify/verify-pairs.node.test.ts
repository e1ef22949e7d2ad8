// Plans over copies of pairs that were spoilt after planning, and copies of pairs that claim too much: all
// rejected.

import { DosimeterError, rational } from "@dosimeter/core"
import { beforeAll, expect, test } from "vitest"
import type { PreparedTable, StoredTotal } from "../units/prepared-table.ts"
import type { CatalogTable, PreparedFacts } from "../catalog/catalog.ts"
import { compile, type Compiled } from "@dosimeter/planner/compile"
import { planOnce } from "@dosimeter/planner/testing/plan-once"
import { callExpr, integerLiteral } from "../algebra/make.ts"
import type { Rel } from "../algebra/rel.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import { showPlan, withNodes, withRelease } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { scaledRelations } from "@dosimeter/planner/testing/corruptions/scaled-corruptions"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

type ReleasePlan = Omit<Compiled["plan"], symbol>

const { catalog, terms } = readPolicy(clinicPolicy({}))
const copies = designCopies(catalog, {
  schema: [],
  keys: { visits: [[{ column: "ward" }], [{ column: "day", cut: "month" }]] },
})
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

const always = callExpr("equal", [integerLiteral(1n), integerLiteral(1n)])
const narrow = { min: { value: rational(0n), declared: true }, max: { value: rational(1n), declared: true } }

const byMonth = "SELECT DATE_TRUNC('month', day), COUNT(*), SUM(fee) FROM visits GROUP BY 1"

// There is no aggregate of rows to be spoilt.
const ofPairs = scaledRelations.filter(({ name }) => name !== "rows of units by themselves")

test.each(ofPairs)("[Q3] over pairs, rejects $name", ({ change }) => {
  const plan = planOf(byMonth)
  expect(plan.releases.map(({ prepared }) => prepared)).toEqual([["totals of visits by month(day)"]])
  const changed = change(plan)
  expect(showPlan(changed), "the corruption must change something").not.toBe(showPlan(plan))
  expect(rejectionOf(changed, copies)).toMatch(/^(bug|privacy)\//)
})

const spoiltPairs: readonly {
  readonly name: string
  readonly sql?: string
  readonly change: (plan: ReleasePlan) => ReleasePlan
}[] = [
  {
    name: "pairs of a finer key than the groups",
    change: (plan) =>
      withNodes(plan, (rel) => (rel.kind === "scan" ? pairsBy(rel, ["day_month", "fee_total"]) : rel)),
  },
  {
    name: "pairs of a key that is not fixed",
    sql: "SELECT COUNT(*), SUM(fee) FROM visits WHERE ward = 'A'",
    change: (plan) => withNodes(plan, (rel) => (rel.kind === "filter" ? { ...rel, condition: always } : rel)),
  },
  {
    name: "a copy that is not named",
    change: (plan) => withRelease(plan, (release) => ({ ...release, prepared: ["totals of visits"] })),
  },
  {
    name: "pairs read as rows of the table",
    change: (plan) => withNodes(plan, (rel) => (rel.kind === "scan" ? withoutPairs(rel) : rel)),
  },
]

test.each(spoiltPairs)("[Q3] rejects $name", ({ sql = byMonth, change }) => {
  const plan = planOf(sql)
  expect(rejectionOf(plan, copies)).toBe("accepted")
  const changed = change(plan)
  expect(showPlan(changed), "the corruption must change something").not.toBe(showPlan(plan))
  expect(rejectionOf(changed, copies)).toMatch(/^bug\//)
})

const pairClaims: readonly {
  readonly name: string
  readonly change: (copy: PreparedTable) => PreparedTable
}[] = [
  {
    name: "one row for each unit",
    change: (copy) => withPrepared(copy, { pairs: { by: [], tableKeys: copy.base.keys } }),
  },
  {
    name: "pairs by nothing",
    change: (copy) => withPrepared(copy, { pairs: { by: ["day_month", "x"], tableKeys: copy.base.keys } }),
  },
  {
    name: "pairs by a total",
    change: (copy) =>
      withPrepared(copy, { pairs: { by: ["day_month", "_rows"], tableKeys: copy.base.keys } }),
  },
  { name: "the keys of the table", change: (copy) => withTable(copy, { keys: copy.base.keys }) },
  {
    name: "other keys of the table",
    change: (copy) => withPrepared(copy, { pairs: { by: ["day_month"], tableKeys: [] } }),
  },
  { name: "a key of its own", change: (copy) => withTable(copy, { keys: [["person_id"]] }) },
  { name: "totals and no pairs", change: (copy) => ({ ...copy, table: withoutPairsIn(copy.table) }) },
  {
    name: "a column of a row",
    change: (copy) =>
      withTable(copy, {
        columns: [...copy.table.columns, ...copy.base.columns.filter(({ name }) => name === "n")],
      }),
  },
  {
    name: "narrower totals",
    change: (copy) =>
      withTable(copy, {
        columns: copy.table.columns.map((column) =>
          column.name === "fee_total" ? { ...column, domain: { ...column.domain, range: narrow } } : column,
        ),
      }),
  },
  {
    name: "a total of something else than steps",
    change: (copy) => ({
      ...copy,
      totals: totalsOf(copy).map((total) =>
        total.of?.kind === "steps" ? { ...total, of: total.of.operand } : total,
      ),
    }),
  },
  {
    name: "a month that is called like a column",
    change: (copy) => {
      const renamed = (name: string): string => (name === "day_month" ? "n" : name)
      const { derived, table, base } = copy
      const columns = table.columns.map((one) => ({ ...one, name: renamed(one.name) }))
      const pairs = { by: ["n"], tableKeys: base.keys }
      return withTable(
        {
          ...withPrepared(copy, { pairs }),
          derived: derived.map((one) => ({ ...one, name: renamed(one.name) })),
        },
        { columns },
      )
    },
  },
  {
    name: "what is computed from a row",
    change: (copy) => ({
      ...copy,
      derived: totalsOf(copy).flatMap(({ name, of }) => (of === undefined ? [] : [{ name, value: of }])),
      totals: totalsOf(copy).filter(({ of }) => of === undefined),
    }),
  },
]

test.each(pairClaims)("rejects a copy of pairs with $name", ({ change }) => {
  const { plan } = compile(byMonth, { grammar, catalog, terms })
  const changed = copies.map((copy) =>
    copy.label === "totals of visits by month(day)" ? change(copy) : copy,
  )
  expect(changed).not.toEqual(copies)
  expect(rejectionOf(plan, changed)).toMatch(/^bug\//)
})

type ScanOf = Extract<Rel, { readonly kind: "scan" }>

// A copy that has the month and something else as its group, which the question does not know.
function pairsBy(scan: ScanOf, by: readonly string[]): Rel {
  const { prepared } = scan.table
  return prepared === undefined
    ? scan
    : { ...scan, table: { ...scan.table, prepared: { ...prepared, pairs: { by, tableKeys: [] } } } }
}

function withoutPairsIn(table: CatalogTable): CatalogTable {
  if (table.prepared === undefined) return table
  const { pairs: _, ...prepared } = table.prepared
  return { ...table, prepared }
}

function withoutPairs(scan: ScanOf): Rel {
  return { ...scan, table: withoutPairsIn(scan.table) }
}

function totalsOf({ totals }: PreparedTable): readonly StoredTotal[] {
  return totals ?? []
}

function withTable(copy: PreparedTable, change: Partial<CatalogTable>): PreparedTable {
  return { ...copy, table: { ...copy.table, ...change } }
}

function withPrepared(copy: PreparedTable, change: Partial<PreparedFacts>): PreparedTable {
  const { prepared } = copy.table
  if (prepared === undefined) throw new Error("a copy is prepared")
  return withTable(copy, { prepared: { ...prepared, ...change } })
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
