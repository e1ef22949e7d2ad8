// A group in which nobody counts is no group: whether it is there must not be told by a failure.

import { seededBits } from "@dosimeter/core/testing"
import { loadGrammar } from "@dosimeter/language/parse/grammar"
import { compile } from "@dosimeter/planner/compile"
import { clinicPolicy } from "@dosimeter/planner/testing/clinic/clinic"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { expect, test } from "vitest"
import { paidTables } from "../testing/read-paid.ts"
import { releaseTables } from "./release.ts"

const grammar = await loadGrammar()

test.each([
  ["counted", "SELECT code, COUNT(DISTINCT person_id) FROM visits GROUP BY code", "zcdp"],
  ["counted", "SELECT code, COUNT(DISTINCT person_id) FROM visits GROUP BY code", "pure"],
  ["weighed", "SELECT code FROM visits GROUP BY code", "zcdp"],
  ["weighed", "SELECT code FROM visits GROUP BY code", "pure"],
  ["shown for their own sake", "SELECT code, SUM(n) FROM visits GROUP BY code", "pure"],
] as const)("[Q3] keys that are %s: those of nobody are not there (%s, %s)", async (_, sql, accounting) => {
  const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
  const { plan } = compile(sql, { grammar, catalog, terms })
  const keyOf = (value: string): readonly [{ readonly kind: "text"; readonly value: string }] => [
    { kind: "text", value },
  ]
  const tables = (plan.releases[0]?.extracts ?? []).map(({ values }) => ({
    rows: [
      { keys: keyOf("many"), values: values.map(() => 10n ** 15n) },
      { keys: keyOf("nobody"), values: values.map(() => 0n) },
    ],
  }))
  const shown = (await paidTables(plan, tables)).flatMap((paid) =>
    releaseTables(paid, seededBits("keys")).map(({ keys }) => keys),
  )
  expect(shown).toEqual([keyOf("many")])
})
