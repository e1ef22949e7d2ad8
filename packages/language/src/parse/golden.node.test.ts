import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { readGolden, runGolden, writeGolden, type Stages } from "../testing/golden.ts"
import { testGrammar } from "../testing/test-grammar.ts"
import { parse } from "./parse.ts"
import { show } from "./show.ts"

const folder = join(import.meta.dirname, "../../test/golden")
const files = readdirSync(folder).filter((name) => /^parse-.*\.sqlt$/.test(name))
const grammar = await testGrammar()
const stages: Stages = { ast: (sql) => show(parse(sql, grammar)) }
const update = process.env["UPDATE"] === "1"

describe.each(files)("%s", (name) => {
  const path = join(folder, name)
  const cases = readGolden(readFileSync(path, "utf8"))
  if (update) {
    const updated = cases.map((one) => ({ ...one, sections: runGolden(one, stages, "ast") }))
    writeFileSync(path, writeGolden(updated))
  }

  test.each(cases.map((one) => [one.line, one.sql.split("\n")[0]?.slice(0, 60) ?? "", one] as const))(
    "line %i: %s",
    (_line, _sql, one) => {
      const sections = update
        ? readGolden(readFileSync(path, "utf8")).find(({ sql }) => sql === one.sql)
        : one
      expect(runGolden(one, stages, "ast")).toEqual(sections?.sections)
    },
  )
})

test("there are at least 120 cases", () => {
  const count = files.reduce(
    (sum, name) => sum + readGolden(readFileSync(join(folder, name), "utf8")).length,
    0,
  )
  expect(count).toBeGreaterThanOrEqual(120)
})
