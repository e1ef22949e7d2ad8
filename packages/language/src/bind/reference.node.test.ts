import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { aggregateNames, plainFunctions, specialFunctions } from "./calls/sql-names.ts"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/sql-reference.md"), "utf8")

test.each([...Object.keys(plainFunctions), ...specialFunctions])("docs/sql-reference.md names %s", (name) => {
  expect(page).toMatch(new RegExp(`\\b${name}\\b`, "i"))
})

test("docs/sql-reference.md names every aggregate that has a name of its own in PostgreSQL", () => {
  const known = Object.keys(aggregateNames).filter((name) =>
    /^(count|sum|avg|min|max|var|stddev|median|perc|mode)/.test(name),
  )
  const missing = known.filter((name) => !new RegExp(`\\b${name}`, "i").test(page))
  expect(missing.filter((name) => !["countif"].includes(name))).toEqual([])
})
