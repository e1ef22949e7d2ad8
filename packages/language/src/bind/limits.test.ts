import { DosimeterError } from "@dosimeter/core"
import { expect, test } from "vitest"
import { parse } from "../parse/parse.ts"
import { testCatalog } from "@dosimeter/proof/testing/test-catalog"
import { testGrammar } from "../testing/test-grammar.ts"
import { bind } from "./bind.ts"

const grammar = await testGrammar()

function bound(sql: string): ReturnType<typeof bind> {
  return bind(parse(sql, grammar).query, { catalog: testCatalog, parameters: [] })
}

function errorOf(sql: string): DosimeterError {
  try {
    bound(sql)
  } catch (error) {
    if (error instanceof DosimeterError) return error
    throw error
  }
  throw new Error("it was bound")
}

function list(count: number, item: (index: number) => string, between = ", "): string {
  return Array.from({ length: count }, (_, index) => item(index)).join(between)
}

const doubling = list(
  20,
  (i) => `c${i + 1} AS (SELECT a.* FROM c${i} a JOIN c${i} b ON a.patient_id = b.patient_id)`,
)

test.each([
  ["columns", `SELECT ${list(10_000, () => "id")} FROM wards`],
  ["items of IN", `SELECT COUNT(*) FROM visits WHERE age IN (${list(1001, String)})`],
  ["WITH queries that double", `WITH c0 AS (SELECT * FROM visits), ${doubling} SELECT COUNT(*) FROM c20`],
  ["tables", `SELECT COUNT(*) FROM ${list(401, (i) => `wards w${i}`)}`],
  ["keys", `SELECT COUNT(*) FROM visits GROUP BY ${list(65, (i) => `age + ${i}`)}`],
  ["keys by the thousand", `SELECT COUNT(*) FROM visits GROUP BY ${list(7_000, (i) => `age+${i}`)}`],
  ["keys of ROLLUP", `SELECT COUNT(*) FROM visits GROUP BY ROLLUP (${list(65, (i) => `age + ${i}`)})`],
  ["keys of a set", `SELECT COUNT(*) FROM visits GROUP BY GROUPING SETS ((${list(65, () => "age")}), ())`],
  ["rows of VALUES", `VALUES ${list(10_001, () => "(1)")}`],
])("too many %s are refused, with one issue", (_what, sql) => {
  const error = errorOf(sql)
  expect(error.code).toBe("sql/too-many")
  expect(error.issues).toHaveLength(1)
})

test.each([
  ["900 outputs", `SELECT ${list(900, (i) => `beds + ${i}`)} FROM wards`],
  ["64 keys", `SELECT COUNT(*) FROM visits GROUP BY ${list(64, (i) => `age + ${i}`)}`],
  ["900 aggregates", `SELECT ${list(900, (i) => `SUM(CLAMP(age + ${i}, 0, 9))`)} FROM visits`],
  ["2000 conditions", `SELECT COUNT(*) FROM visits WHERE ${list(2000, (i) => `age <> ${i}`, " AND ")}`],
  ["150 parts of a union", list(150, () => "SELECT id FROM wards", " UNION ALL ")],
  ["40 subqueries", `SELECT COUNT(*) FROM ${"(SELECT * FROM ".repeat(40)}visits${") t".repeat(40)}`],
])("%s are bound", (_what, sql) => {
  expect(() => bound(sql)).not.toThrow()
})

test("everything that is wrong is said at once, in the order of the SQL, and each thing once", () => {
  const error = errorOf(
    "WITH a AS (SELECT wrad FROM visits), b AS (SELECT * FROM a), c AS (SELECT agee FROM visits) " +
      "SELECT COUNT(*), SUM(fe) FROM b JOIN c ON true WHERE nothing = 1",
  )
  expect(error.issues.map(({ facts }) => facts["name"])).toEqual(["wrad", "agee"])
})
