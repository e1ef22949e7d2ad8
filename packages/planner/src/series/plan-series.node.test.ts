import { exactly } from "@dosimeter/core"
import { one, zero } from "@dosimeter/core/exact"
import type { RunningTotalSpec, TotalForm } from "@dosimeter/core/mechanisms"
import { beforeAll, describe, expect, test } from "vitest"
import { dayOfCivil } from "@dosimeter/proof/catalog/civil-date"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { KeyPlan, PublicKeys, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { clinicPolicy } from "../testing/clinic/clinic.ts"
import { withNodes, withRelease, withStrategies } from "../testing/corruptions/corrupt-plan.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "@dosimeter/proof/verify/verify"
import { verifySeries } from "@dosimeter/proof/verify/verify-series"
import { explain } from "../explain/explain.ts"
import { planSeries, type SeriesPlan } from "./plan-series.ts"

let grammar: Grammar
beforeAll(async () => {
  grammar = await testGrammar()
})

const from = dayOfCivil({ year: 2020n, month: 1n, day: 1n })

const { catalog, terms } = readPolicy(clinicPolicy({}))

function series(
  sql: string,
  options: { readonly periods?: number; readonly ask?: Ask; readonly form?: TotalForm } = {},
): SeriesPlan {
  return planSeries(sql, { grammar, catalog, terms, from, periods: 8, ...options })
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

test("is explained as any plan", () => {
  const [release] = explain(series(weekly).proven.plan).releases
  const [reading] = release?.aggregates ?? []
  expect(reading?.mechanism).toMatch(
    /^Gaussian noise of sigma \S+ in each sum that fades by the power \d\/16; /,
  )
  expect(reading?.mechanism).toMatch(/; one \S+ adds at most 3 in each of 2 periods$/)
  expect(reading?.error).toMatch(/^± \S+ at 95 %$/)
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
  const changed = (change: (plan: ReleasePlan) => ReleasePlan): (() => void) => {
    const proven: ReleasePlan = series(weekly).proven.plan
    const plan = change({ ...proven })
    return () => verifySeries(verify(plan, catalog))
  }
  const withSpec = (change: (spec: RunningTotalSpec) => RunningTotalSpec): (() => void) =>
    changed((plan) =>
      withStrategies(plan, "totals", (one) => ({
        ...one,
        strategy: { kind: "totals", spec: change(one.strategy.spec) },
      })),
    )
  const withKeys = (change: (keys: PublicKeys) => KeyPlan): (() => void) =>
    changed((plan) =>
      withRelease(plan, (one) => ({
        ...one,
        keys: one.keys.kind === "public" ? change(one.keys) : one.keys,
      })),
    )

  test("as it stands it holds", () => expect(changed((plan) => plan)).not.toThrow())
  test.each<[string, (spec: RunningTotalSpec) => RunningTotalSpec, string]>([
    ["fewer steps of a unit", (spec) => ({ ...spec, stepsPerUnit: 1n }), "counts for more"],
    ["a smaller amount", (spec) => ({ ...spec, amountPerStep: 2n }), "counts for more"],
    ["a longer horizon", (spec) => ({ ...spec, horizon: 9n }), "another number of periods"],
    ["a shorter horizon", (spec) => ({ ...spec, horizon: 7n }), "another number of periods"],
    ["other neighbours", (spec) => ({ ...spec, neighbours: "replace" }), "other neighbours"],
    ["no noise", (spec) => ({ ...spec, noise: { law: "laplace", scale: zero } }), "without noise"],
    [
      "less noise",
      (spec) => ({ ...spec, noise: { law: "gaussian", variance: one } }),
      "not the sum of the losses",
    ],
  ])("%s", (_, change, words) => expect(withSpec(change)).toThrow(words))
  test("a smaller charge", () =>
    expect(
      changed((plan) => ({ ...plan, charge: { ...plan.charge, amount: exactly("0.000001", "amount") } })),
    ).toThrow("not the sum of the losses"))
  test("periods that are counted in another order", () =>
    expect(
      changed((plan) =>
        withNodes(plan, (rel) =>
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
  test("periods that are listed in another order", () => {
    expect(withKeys((keys) => ({ ...keys, lists: keys.lists.map((list) => list.toReversed()) }))).toThrow(
      "not listed in their order",
    )
    const rows = (keys: PublicKeys): readonly (readonly Constant[])[] =>
      keys.lists[0]?.map((period) => [period]).toReversed() ?? []
    expect(withKeys((keys) => ({ ...keys, rows: rows(keys) }))).toThrow("not listed in their order")
  })
  test("a plan that measures no totals, and a copy of one that does", () => {
    const { plan } = series(weekly).proven
    const { former } = series(weekly, { form: { kind: "tree" } }).proven
    if (former === undefined) throw new Error("a series that goes on may be known by another plan")
    expect(() => verifySeries(former)).toThrow("a series is of one sum")
    const copied: ReleasePlan = plan
    expect(() => {
      Reflect.apply(verifySeries, undefined, [{ ...copied }])
    }).toThrow("is not proven")
    // The former plan of another series is none of this one.
    expect(() => verifySeries(plan, former)).toThrow("charged for as another one")
  })
})
