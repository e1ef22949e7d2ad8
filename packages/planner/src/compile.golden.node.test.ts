import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { budgetFor, exactly, type Accounting, type Neighbours } from "@dosimeter/core"
import { describe, expect, test } from "vitest"
import type { Dialect } from "@dosimeter/proof/dialects/dialect"
import type { Terms } from "@dosimeter/proof/catalog/terms"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { compile } from "./compile.ts"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import { explain } from "./explain/explain.ts"
import { showExplanation } from "./explain/show-explanation.ts"
import { readGolden, runGolden, writeGolden, type Stages } from "@dosimeter/language/testing/golden"
import { testCatalog } from "@dosimeter/proof/testing/test-catalog"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { sourceText } from "@dosimeter/language/text/source"

const folder = join(import.meta.dirname, "../test/golden")
const files = readdirSync(folder).filter((name) => /^(plan|sql)-.*\.sqlt$/.test(name))
const grammar = await testGrammar()
const update = process.env["UPDATE"] === "1"

const stages: Stages = {
  plan: (sql) => showPlan(planOf(sql, "zcdp")),
  "plan pure": (sql) => showPlan(planOf(sql, "pure")),
  "plan gdp": (sql) => showPlan(planOf(sql, "gdp")),
  "plan replace": (sql) => showPlan(planOf(sql, "zcdp", "replace")),
  duckdb: (sql) => printed(sql, "duckdb"),
  postgres: (sql) => printed(sql, "postgres"),
  trino: (sql) => printed(sql, "trino"),
}

function termsFor(accounting: Accounting): Terms {
  return {
    budget: budgetFor({ epsilon: 3, delta: "1e-7", accounting }),
    question: {
      epsilonDefault: exactly("0.5", "epsilon"),
      epsilonMax: exactly("1", "epsilon"),
      delta: exactly("1e-9", "delta"),
      confidence: exactly("0.95", "confidence"),
    },
    bounding: { groupsPerUnit: 3n, rowsPerGroup: 5n, groupsPerUnitMax: 20n, rowsPerGroupMax: 100n },
  }
}

function planOf(sql: string, accounting: Accounting, neighbours: Neighbours = "add-or-remove"): VerifiedPlan {
  const catalog = { ...testCatalog, neighbours }
  return compile(sql, { grammar, catalog, terms: termsFor(accounting) }).plan
}

function showPlan(plan: VerifiedPlan): string {
  return showExplanation(explain(plan))
}

function printed(sql: string, dialect: Dialect): string {
  return printPlan(planOf(sql, "zcdp"), dialect)
    .map(({ text }) => text)
    .join("\n\n")
}

describe.each(files)("%s", (name) => {
  const path = join(folder, name)
  const cases = readGolden(readFileSync(path, "utf8"))
  const fallback = name.startsWith("sql") ? "duckdb" : "plan"
  if (update) {
    const updated = cases.map((one) => ({ ...one, sections: runGolden(one, stages, fallback) }))
    writeFileSync(path, writeGolden(updated))
  }
  test.each(cases.map((one) => [one.line, one.sql.split("\n")[0]?.slice(0, 60) ?? "", one] as const))(
    "line %i: %s",
    (_line, _sql, one) => {
      const expected = update
        ? readGolden(readFileSync(path, "utf8")).find(({ sql }) => sql === one.sql)
        : one
      expect(runGolden(one, stages, fallback)).toEqual(expected?.sections)
    },
  )
})

test("PostgreSQL's own grammar reads what is printed for it", () => {
  const texts = files.flatMap((name) =>
    readGolden(readFileSync(join(folder, name), "utf8")).flatMap(({ sections }) =>
      sections.filter((section) => section.name === "postgres").map(({ text }) => text),
    ),
  )
  expect(texts.length).toBeGreaterThan(3)
  for (const text of texts) for (const one of text.split("\n\n")) grammar.parse(sourceText(one))
})
