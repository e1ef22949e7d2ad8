import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { ownershipOf } from "@dosimeter/proof/units/track-unit"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Boundary, Rel } from "@dosimeter/proof/algebra/rel"
import { showRel } from "@dosimeter/proof/algebra/show"
import { inputsOf } from "@dosimeter/proof/algebra/walk"
import { parse } from "../parse/parse.ts"
import { readGolden, runGolden, writeGolden, type Stages } from "../testing/golden.ts"
import { testCatalog } from "@dosimeter/proof/testing/test-catalog"
import { testGrammar } from "../testing/test-grammar.ts"
import { checkColumns } from "@dosimeter/proof/verify/check-columns"
import { checkDomains } from "@dosimeter/proof/verify/check-domains"
import { bind, type Bound } from "./bind.ts"

const folder = join(import.meta.dirname, "../../test/golden")
const files = readdirSync(folder).filter((name) => /^(bind|refusals)-.*\.sqlt$/.test(name))
const grammar = await testGrammar()
const update = process.env["UPDATE"] === "1"
/** The values of $1 and $2 in every case. */
const parameters: readonly Constant[] = [
  { kind: "number", value: { numerator: 3n, denominator: 1n } },
  { kind: "text", value: "2024-05-06" },
]
const stages: Stages = { ir: (sql) => showBound(bound(sql)) }

function bound(sql: string): Bound {
  return bind(parse(sql, grammar).query, { catalog: testCatalog, parameters })
}

function showBound({ rel, outputNames, notes }: Bound): string {
  return [showRel(rel), `-> ${outputNames.join(", ")}`, ...notes.map((note) => `note: ${note}`)].join("\n")
}

function boundariesIn(rel: Rel): readonly Boundary[] {
  return rel.kind === "boundary" ? [rel] : inputsOf(rel).flatMap(boundariesIn)
}

describe.each(files)("%s", (name) => {
  const path = join(folder, name)
  const cases = readGolden(readFileSync(path, "utf8"))
  if (update) {
    const updated = cases.map((one) => ({ ...one, sections: runGolden(one, stages, "ir") }))
    writeFileSync(path, writeGolden(updated))
  }

  test.each(cases.map((one) => [one.line, one.sql.split("\n")[0]?.slice(0, 60) ?? "", one] as const))(
    "line %i: %s",
    (_line, _sql, one) => {
      const expected = update
        ? readGolden(readFileSync(path, "utf8")).find(({ sql }) => sql === one.sql)
        : one
      const sections = runGolden(one, stages, "ir")
      expect(sections).toEqual(expected?.sections)
      expect(sections.some((section) => section.name === "error")).toBe(name.startsWith("refusals"))
      if (name.startsWith("refusals")) return
      // What verify/ will ask of a plan holds of what was bound.
      const { rel, outputNames } = bound(one.sql)
      expect(rel.columns).toHaveLength(outputNames.length)
      expect(["public", "released"]).toContain(ownershipOf(rel).kind)
      for (const { input } of boundariesIn(rel)) {
        checkColumns(input)
        checkDomains(input)
      }
    },
  )
})

test("there are at least 150 cases", () => {
  const count = files.reduce(
    (sum, name) => sum + readGolden(readFileSync(join(folder, name), "utf8")).length,
    0,
  )
  expect(count).toBeGreaterThanOrEqual(150)
})
