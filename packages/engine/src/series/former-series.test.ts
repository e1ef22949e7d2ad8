// Series that were made before running totals were a strategy of plans: they are known by the hash of the
// plan that they were charged for then. The hashes below were written by that version.

import { provenCatalog } from "@dosimeter/proof/verify/verify"
import { budgetFor, exactly } from "@dosimeter/core"
import { loadGrammar, type Grammar } from "@dosimeter/language/parse/grammar"
import { planSeries, type SeriesPlan } from "@dosimeter/planner/series/plan-series"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { beforeAll, expect, test } from "vitest"
import { openMemoryLedger } from "../ledger/stores/memory-ledger.ts"
import { isOfSeries, permitSteps } from "../release/permit.ts"
import { planHash } from "../release/plan-hash.ts"

const policyOf = (accounting: string, delta: readonly [number, number]): string => `dataset: clinic
source: { duckdb: clinic.duckdb }
unit: patient
neighbours: add-or-remove
budget: { epsilon: 700, delta: ${delta[0]}, accounting: ${accounting} }
question: { epsilon: { default: 1, max: 300 }, delta: ${delta[1]}, confidence: 0.95 }
bounding: { groups_per_unit: 2, rows_per_group: 1, norm: fixed }
tables:
  cases:
    unit: patient_id
    columns:
      day: { min: 2026-01-01, max: 2027-12-31, type: date, nullable: false }
`
const sql = "SELECT date_trunc('week', day) AS week, COUNT(DISTINCT patient_id) AS n FROM cases GROUP BY 1"
const from = BigInt(Date.parse("2026-01-05T00:00:00Z") / 86_400_000)

let grammar: Grammar
beforeAll(async () => {
  grammar = await loadGrammar()
})

function seriesOf(accounting: string, epsilon: string, sixteenths: bigint): SeriesPlan {
  const { catalog, terms } = readPolicy(policyOf(accounting, accounting === "pure" ? [0, 0] : [1e-5, 1e-8]))
  const ask = { epsilon: exactly(epsilon, "epsilon") }
  const form = { kind: "fading", sixteenths } as const
  return planSeries(sql, { grammar, catalog, terms, ask, from, periods: 5, form })
}

const known = [
  ["pure", "300", 0n, "2ce37245da45408633f287ceb9cee5b2607a8a1e52c1e8caaaf62aebddb6769c"],
  ["zcdp", "1", 3n, "d89cab9abd1d673f5398e443010ec56aed5e6e453a19810cedda07dcbde5aa24"],
  ["zcdp", "40", 3n, "6d3fb2f8c80a79adf84cc6a0aafc7444e3ff2c3de8b42197b2a93c26148dae05"],
  ["gdp", "1", 3n, "2dc99e0d6a7a83ec1adaf1cae39ddcb3863dbcbd4f629b6d46f98fe5eace346a"],
] as const

test.each(known)("a series of %s at %s is known by its former hash", (accounting, epsilon, form, hash) => {
  const { proven } = seriesOf(accounting, epsilon, form)
  expect(planHash(proven.plan)).not.toBe(hash)
  expect(isOfSeries(hash, proven)).toBe(true)
  expect(isOfSeries(planHash(proven.plan), proven)).toBe(true)
  expect(isOfSeries(planHash(seriesOf("pure", "2", 0n).proven.plan), proven)).toBe(false)
})

test("[L4] steps are drawn under a former charge, and under no charge of another plan", async () => {
  const { proven } = seriesOf("pure", "300", 0n)
  const ledger = await openMemoryLedger({ dataset: "clinic" })
  await ledger.openAccount("dataset", budgetFor({ epsilon: 700, delta: 0, accounting: "pure" }))
  const positions = []
  for (const hash of [known[0][3], known[1][3]]) {
    const { position } = await ledger.reserve({
      principal: "ada",
      requestId: hash,
      accounts: [],
      planHash: hash,
      dataVersion: "all that are to come",
      charge: proven.charge,
      steps: 5n,
    })
    positions.push(position)
  }
  const [own = 0n, other = 0n] = positions
  expect((await permitSteps({ ledger, catalog: provenCatalog(proven.plan) }, proven, own)).series).toBe(
    proven,
  )
  await expect(permitSteps({ ledger, catalog: provenCatalog(proven.plan) }, proven, other)).rejects.toThrow(
    "is of its plan",
  )
  await ledger.close()
})
