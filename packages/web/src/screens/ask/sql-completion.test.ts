import { expect, test } from "vitest"
import type { KnownTable } from "../../workers/price.ts"
import { suggestionsAt } from "./sql-completion.ts"

const column = (name: string) => ({ name, type: "integer" })
const tables: readonly KnownTable[] = [
  { name: "person", kind: "private", columns: [column("person_id"), column("gender_concept_id")] },
  {
    name: "visit_occurrence",
    kind: "private",
    columns: [column("person_id"), column("visit_start_date")],
  },
]

/** What begins with the word before the bar, the likeliest first. */
function at(marked: string): readonly string[] {
  const cursor = marked.indexOf("|")
  const text = marked.replace("|", "")
  const found = suggestionsAt(text, cursor, tables)
  if (found === undefined) return []
  const word = text.slice(found.from, cursor).toLowerCase()
  return found.options
    .filter(({ label }) => label.toLowerCase().startsWith(word))
    .toSorted((a, b) => b.boost - a.boost)
    .map(({ label }) => label)
}

test("columns of the tables that the question names come first", () => {
  expect(at("SELECT COUNT(*) FROM visit_occurrence WHERE visit_st|")).toEqual(["visit_start_date"])
  expect(at("SELECT vis| FROM visit_occurrence")).toEqual(["visit_start_date", "visit_occurrence"])
  expect(at("SELECT gen| FROM person")).toEqual(["gender_concept_id"])
  expect(at("SELECT gen| FROM visit_occurrence")).toEqual([])
  expect(at("SELECT person_| FROM person JOIN visit_occurrence USING (person_id)")).toEqual(["person_id"])
})

test("before a table is named all columns are offered, and after FROM tables are", () => {
  expect(at("SELECT gen|")).toEqual(["gender_concept_id"])
  expect(at("SELECT COUNT(*) FROM p|")[0]).toBe("person")
  expect(at("SELECT COUNT(*) FROM p|")).not.toContain("person_id")
})

test("after a table or its alias and a point, its columns and nothing else", () => {
  expect(at("SELECT p.| FROM person p")).toEqual(["person_id", "gender_concept_id"])
  expect(at("SELECT v.vis| FROM person AS p JOIN visit_occurrence AS v ON TRUE")).toEqual([
    "visit_start_date",
  ])
  expect(at("SELECT person.gen|")).toEqual(["gender_concept_id"])
  expect(at("SELECT q.gen|")).toEqual([])
})

test("nothing inside of texts and comments, nor before anything is typed", () => {
  expect(at("SELECT COUNT(*) FROM person WHERE x = 'gen|")).toEqual([])
  expect(at("-- gen|")).toEqual([])
  expect(at("SELECT |")).toEqual([])
})
