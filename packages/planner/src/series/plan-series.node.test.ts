import { exactly } from "@dosimeter/core"
import { beforeAll, describe, expect, test } from "vitest"
import { dayOfCivil } from "@dosimeter/proof/catalog/civil-date"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "../testing/clinic/clinic.ts"
import { mapRel } from "../testing/corruptions/corrupt-plan.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { checkSeries, type SeriesClaim } from "@dosimeter/proof/verify/check-series"
import { planSeries, type SeriesPlan } from "./plan-series.ts"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const from = dayOfCivil({ year: 2020n, month: 1n, day: 1n })

function series(sql: string, options: { readonly periods?: number; readonly ask?: Ask } = {}): SeriesPlan {
  const { catalog, terms } = readPolicy(clinicPolicy({}))
  const { periods = 8, ask = {} } = options
  return planSeries(sql, { grammar, catalog, terms, ask, from, periods })
}

const weekly = "SELECT date_trunc('week', day) AS week, COUNT(*) AS n FROM visits GROUP BY 1 ORDER BY 1"

test("[M3] a series counts a person's first periods, in the order of time", () => {
  const { proven, days, rises } = series(weekly)
  const { spec, plan } = proven
  expect(spec).toMatchObject({ horizon: 8n, stepsPerUnit: 2n, amountPerStep: 3n })
  expect(days).toHaveLength(9)
  expect(days.map((day) => (day - (days[0] ?? 0n)) / 7n)).toEqual([0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n])
  expect(rises).toBe(true)
  expect(plan.releases[0]?.prepared).toEqual([])
})

test.each(["pure", "zcdp", "gdp"] as const)(
  "[L1] the charge is the loss of the series, in %s",
  (accounting) => {
    const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
    const { proven } = planSeries(weekly, { grammar, catalog, terms, from, periods: 50 })
    const { charge } = proven
    expect(charge.accounting).toBe(accounting)
    expect(charge.amount.numerator > 0n).toBe(true)
  },
)

test("persons, sums and months are series too; where a key gives one period, nothing is bounded", () => {
  const persons = series("SELECT date_trunc('month', day), COUNT(DISTINCT person_id) FROM visits GROUP BY 1")
  expect(persons.proven.spec).toMatchObject({ stepsPerUnit: 2n, amountPerStep: 1n })
  const sum = series("SELECT day, SUM(n) FROM visits GROUP BY 1", { ask: { groupsPerUnit: 1n } })
  expect(sum.proven.spec).toMatchObject({ stepsPerUnit: 1n, amountPerStep: 30n })
  expect(sum.rises).toBe(false)
  const { catalog, terms } = readPolicy(clinicPolicy({}))
  const born = "SELECT date_trunc('year', born), COUNT(*) FROM person GROUP BY 1"
  const years = {
    grammar,
    catalog,
    terms,
    from: dayOfCivil({ year: 1950n, month: 1n, day: 1n }),
    periods: 40,
  }
  expect(planSeries(born, years).proven.spec).toMatchObject({ stepsPerUnit: 1n, amountPerStep: 1n })
})

describe("series/not-a-series, series/beyond-range, series/rows-may-vanish: what may lose rows as others are added", () => {
  test.each([
    ["SELECT COUNT(*) FROM visits", "series/not-a-series"],
    ["SELECT ward, COUNT(*) FROM visits GROUP BY 1", "series/not-a-series"],
    ["SELECT day, COUNT(*), SUM(fee) FROM visits GROUP BY 1", "series/not-a-series"],
    ["SELECT day, COUNT(*) FROM visits GROUP BY 1 HAVING COUNT(*) > 5", "series/not-a-series"],
    ["SELECT day, COUNT(*) FROM visits GROUP BY 1 ORDER BY 2 DESC LIMIT 3", "series/not-a-series"],
    ["SELECT day, MEDIAN(fee) FROM visits GROUP BY 1", "series/not-a-series"],
  ])("%s: %s", (sql, code) => {
    expect(() => series(sql)).toThrow(expect.objectContaining({ code }))
  })

  test("the range of the date limits the horizon", () => {
    expect(() => series(weekly, { periods: 80 })).toThrow(
      expect.objectContaining({ code: "series/beyond-range" }),
    )
  })

  test.each([
    `SELECT v.day, COUNT(*) FROM visits v
     WHERE NOT EXISTS (SELECT 1 FROM drugs d WHERE d.person_id = v.person_id) GROUP BY 1`,
    `SELECT day, COUNT(*) FROM (SELECT person_id, MAX(day) AS day FROM visits GROUP BY person_id) t GROUP BY 1`,
    `SELECT v.day, COUNT(*) FROM visits v LEFT JOIN drugs d ON d.visit_id = v.visit_id GROUP BY 1`,
  ])("[Q3] %s is refused", (sql) => {
    expect(() => series(sql)).toThrow(expect.objectContaining({ code: "series/rows-may-vanish" }))
  })
})

describe("[Q3] a false claim about a series is rejected", () => {
  // A copy, as a planner with a bug would make one: it can be changed, and it is not proven.
  const claimOf = ({ proven: { plan, spec, charge } }: SeriesPlan): SeriesClaim => ({ plan, spec, charge })
  const changed = (change: (series: SeriesClaim) => SeriesClaim): (() => void) => {
    const claim = change(claimOf(series(weekly)))
    return () => checkSeries(claim)
  }
  const withRel = (one: SeriesClaim, change: (rel: Rel) => Rel): SeriesClaim => {
    const [release] = one.plan.releases
    const [extract] = release?.extracts ?? []
    if (release === undefined || extract === undefined) throw new Error("a series reads a table")
    const rel = mapRel(extract.rel, change)
    const releases = [{ ...release, extracts: [{ ...extract, rel }] }]
    return { ...one, plan: { ...one.plan, releases } }
  }

  test("as it stands it holds", () => expect(changed((one) => one)).not.toThrow())
  test("fewer steps of a unit", () =>
    expect(changed((one) => ({ ...one, spec: { ...one.spec, stepsPerUnit: 1n } }))).toThrow(
      "counts for more",
    ))
  test("a smaller amount", () =>
    expect(changed((one) => ({ ...one, spec: { ...one.spec, amountPerStep: 2n } }))).toThrow(
      "counts for more",
    ))
  test("a longer horizon", () =>
    expect(changed((one) => ({ ...one, spec: { ...one.spec, horizon: 9n } }))).toThrow(
      "another number of periods",
    ))
  test("other neighbours", () =>
    expect(changed((one) => ({ ...one, spec: { ...one.spec, neighbours: "replace" } }))).toThrow(
      "other neighbours",
    ))
  test("a smaller charge", () =>
    expect(
      changed((one) => ({ ...one, charge: { ...one.charge, amount: exactly("0.000001", "amount") } })),
    ).toThrow("not the loss of the series"))
  test("periods in another order", () =>
    expect(
      changed((one) =>
        withRel(one, (rel) =>
          rel.kind !== "window"
            ? rel
            : {
                ...rel,
                items: rel.items.map((item) => ({
                  ...item,
                  orderBy: item.orderBy.map((key) => ({ ...key, direction: "descending" as const })),
                })),
              },
        ),
      ),
    ).toThrow("not kept in their order"))
})
