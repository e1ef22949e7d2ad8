import { DosimeterError } from "@dosimeter/core/errors"
import { exactly, rational } from "@dosimeter/core/exact"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { expect, test } from "vitest"
import { compile } from "../compile.ts"
import { clinicPolicy, clinicQuestions } from "../testing/clinic/clinic.ts"

const grammar = await loadGrammar()

test.each(["pure", "zcdp", "gdp"] as const)(
  "every question is planned at the least epsilon and at no smaller one, where %s losses are added up",
  (accounting) => {
    const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
    for (const sql of Object.values(clinicQuestions)) {
      const at = (epsilon: string): unknown =>
        compile(sql, { grammar, catalog, terms, ask: { epsilon: exactly(epsilon, "epsilon") } })
      expect(at("0.000001")).toBeDefined()
      for (const less of ["0.00000099", "1e-30", "1e-390"])
        expect(codeOf(() => at(less))).toBe("ask/too-small")
    }
  },
)

test("an epsilon of many bits is no slower to plan than it is long", () => {
  const { catalog, terms } = readPolicy(clinicPolicy({}))
  const epsilon = rational((1n << 4000n) + 1n, 1n << 4001n)
  expect(compile(clinicQuestions.count, { grammar, catalog, terms, ask: { epsilon } }).isExplain).toBe(false)
})

function codeOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "planned"
}
