import { describe, expect, test } from "vitest"
import { bind } from "@dosimeter/language/bind/bind"
import { parse } from "@dosimeter/language/parse/parse"
import { testCatalog } from "../testing/test-catalog.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { inputsOf } from "../algebra/walk.ts"
import type { Boundary, Rel } from "../algebra/rel.ts"
import { unitFacts } from "./unit-facts.ts"

const grammar = await testGrammar()

function boundaryOf(rel: Rel): Boundary {
  if (rel.kind === "boundary") return rel
  const [input] = inputsOf(rel)
  if (input === undefined) throw new Error("no boundary")
  return boundaryOf(input)
}

/** What is proven of the rows below the boundary of a question. */
function facts(sql: string): {
  readonly group: boolean
  readonly row: boolean
  readonly keys: readonly string[]
} {
  const { rel } = bind(parse(sql, grammar).query, { catalog: testCatalog, parameters: [] })
  const { input, keys } = boundaryOf(rel)
  const { oneGroup, oneRow, facts: used } = unitFacts(input, keys)
  return {
    group: oneGroup,
    row: oneRow,
    keys: used.map(({ table, columns }) => `${table}(${columns.join()})`),
  }
}

const proven: readonly (readonly [string, string, boolean, boolean])[] = [
  ["a person's own table", "SELECT sex, COUNT(*) FROM patients GROUP BY sex", true, true],
  ["events", "SELECT ward, COUNT(*) FROM visits GROUP BY ward", false, false],
  [
    "events by what the person is",
    "SELECT sex, COUNT(*) FROM visits JOIN patients ON patients.id = patient_id GROUP BY sex",
    true,
    false,
  ],
  [
    "people with their events",
    "SELECT COUNT(*) FROM patients LEFT JOIN visits ON patients.id = patient_id",
    true,
    false,
  ],
  [
    "an aggregate by person",
    "SELECT COUNT(*) FROM (SELECT patient_id, MAX(fee) FROM visits GROUP BY 1) t",
    true,
    true,
  ],
  [
    "an aggregate by person and ward",
    "SELECT ward, COUNT(*) FROM (SELECT patient_id, ward, MAX(fee) FROM visits GROUP BY 1, 2) t GROUP BY 1",
    false,
    true,
  ],
  [
    "people with an aggregate of their events, some without one",
    `SELECT COUNT(n) FROM patients p
     LEFT JOIN (SELECT patient_id, COUNT(*) AS n FROM visits GROUP BY 1) t ON t.patient_id = p.id`,
    true,
    true,
  ],
  [
    "the first of each person's visits",
    `SELECT ward, COUNT(*) FROM (SELECT patient_id, ward, ROW_NUMBER() OVER (PARTITION BY patient_id
     ORDER BY arrived) AS n FROM visits) t WHERE n = 1 GROUP BY 1`,
    true,
    true,
  ],
  [
    "the first two are not one",
    `SELECT ward, COUNT(*) FROM (SELECT patient_id, ward, ROW_NUMBER() OVER (PARTITION BY patient_id
     ORDER BY arrived) AS n FROM visits) t WHERE n <= 2 GROUP BY 1`,
    false,
    false,
  ],
  ["visits with their ward", "SELECT COUNT(*) FROM patients p JOIN wards w ON w.id = 3", true, true],
  [
    "a public table on something else",
    "SELECT COUNT(*) FROM patients p JOIN wards w ON w.beds > 3",
    true,
    false,
  ],
  [
    "a condition within the public table",
    "SELECT COUNT(*) FROM patients p JOIN wards w ON w.id = w.beds",
    true,
    false,
  ],
  [
    "both halves of a union",
    "SELECT COUNT(*) FROM (SELECT id FROM patients UNION ALL SELECT id FROM patients) t",
    true,
    false,
  ],
]

// Equality proves something where both sides are of one exact type.
const equalities: readonly (readonly [string, string, boolean])[] = [
  ["a whole number and a whole number", "id = 5", true],
  ["the other way round", "5 = id", true],
  ["a whole number and a float", "id = CAST(1e18 AS double precision)", false],
  ["a float and a whole number", "CAST(1e18 AS double precision) = id", false],
  ["a whole number and a decimal", "id = 5.0", false],
  ["a whole number and nothing", "id = NULL", false],
  ["a whole number as a float and a float", "CAST(id AS double precision) = 1e18", false],
  ["a list of one float", "id IN (CAST(1e18 AS double precision))", false],
  ["a column of floats", "id = cost", false],
]

test.each(equalities)("[Q3] what equality proves: %s", (_name, condition, row) => {
  expect(facts(`SELECT COUNT(*) FROM visits WHERE ${condition}`)).toMatchObject({ row })
})

test("[Q3] equality across a join proves something of one exact type only", () => {
  const joined = (column: string): string =>
    `SELECT COUNT(*) FROM patients p JOIN (SELECT ${column} AS w, beds FROM wards GROUP BY 1, 2) w ON w.w = 3`
  expect(facts("SELECT COUNT(*) FROM patients p JOIN wards w ON w.id = 3")).toMatchObject({ row: true })
  expect(facts(joined("CAST(id AS double precision)"))).toMatchObject({ row: false })
})

// 0 and -0 are one group, and what is made of them may differ: a group of floats does not decide it.
test("[Q3] rows of one group have equal floats, and not the same", () => {
  const first = (key: string): string => `SELECT x, COUNT(*) FROM (SELECT patient_id, x, ROW_NUMBER() OVER (
    PARTITION BY patient_id, y ORDER BY arrived) AS n FROM (SELECT patient_id, arrived, ${key} AS x,
    ${key} * 2 AS y FROM visits) AS s) AS t WHERE n = 1 GROUP BY x`
  expect(facts(first("age"))).toMatchObject({ row: true })
  expect(facts(first("score"))).toMatchObject({ row: false })
})

describe("what keys prove", () => {
  test.each(proven)("%s", (_name, sql, group, row) => {
    expect(facts(sql)).toMatchObject({ group, row })
  })

  test("names the declared keys that it rests on, and no others", () => {
    expect(facts("SELECT sex, COUNT(*) FROM patients GROUP BY sex").keys).toContain("patients(id)")
    expect(facts("SELECT COUNT(*) FROM (SELECT patient_id FROM visits GROUP BY 1) t").keys).toEqual([])
  })

  test("nothing where there are no people", () => {
    const { rel } = bind(parse("SELECT id FROM wards", grammar).query, {
      catalog: testCatalog,
      parameters: [],
    })
    expect(() => unitFacts(rel, [])).toThrow(expect.objectContaining({ code: "bug/plan-rejected" }))
  })
})
