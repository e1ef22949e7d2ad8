import { expect, test } from "vitest"
import audit from "./fixtures/audit.json" with { type: "json" }
import { privacyVerdict } from "./privacy-verdict.ts"
import { checkRecord, numberInput, recordsOf } from "./vectors.ts"

test.each(recordsOf(audit, "audit.verdict").map((record) => [record.id, record] as const))(
  "gives the reference verdict: %s",
  (_, record) => {
    const verdict = privacyVerdict({
      count: numberInput(record, "count_D"),
      countOnNeighbour: numberInput(record, "count_Dprime"),
      trials: numberInput(record, "n_each"),
      epsilon: numberInput(record, "epsilon_claimed"),
      delta: numberInput(record, "delta_claimed"),
      alphaEachSide: numberInput(record, "alpha_each_side"),
    })
    checkRecord({ record, field: "p_lower", got: verdict.lower })
    checkRecord({ record, field: "pprime_upper", got: verdict.upperOnNeighbour })
    checkRecord({ record, field: "epsilon_lower_bound", got: verdict.epsilonLower })
    checkRecord({ record, field: "violation", got: verdict.violation })
  },
)

test("proves nothing from an event that delta explains, or that is rarer here than there", () => {
  const counts = { trials: 10_000, epsilon: 0, delta: 0.01, alphaEachSide: 1e-6 }
  const explained = privacyVerdict({ ...counts, count: 50, countOnNeighbour: 0 })
  expect(explained).toMatchObject({ epsilonLower: 0, violation: false })
  const rarer = privacyVerdict({ ...counts, count: 3000, countOnNeighbour: 5000 })
  expect(rarer).toMatchObject({ epsilonLower: 0, violation: false })
})
