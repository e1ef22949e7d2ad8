// Which groups a public tree gives, how groupings over it are planned, and what ANCESTOR is.

import { DosimeterError } from "@dosimeter/core/errors"
import { beforeAll, describe, expect, test } from "vitest"
import { compile } from "../compile.ts"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { treeGroupings, treeOf } from "@dosimeter/proof/algebra/tree-layout"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { treePolicy, treeQuestions } from "../testing/clinic/tree-clinic.ts"
import { explain } from "../explain/explain.ts"

let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

function planOf(sql: string, accounting: "zcdp" | "pure" = "zcdp"): ReleasePlan {
  const { catalog, terms } = readPolicy(treePolicy({ accounting }))
  return compile(sql, { grammar, catalog, terms }).plan
}

function rowsOf(sql: string): readonly string[] {
  const [release] = planOf(sql).releases
  return release === undefined ? [] : publicRows(release.keys).map(show)
}

function show(row: readonly Constant[]): string {
  return row.map((value) => (value.kind === "text" ? value.value : value.kind)).join(" ")
}

describe("groups", () => {
  test("[Q5] are those of the tree, and a name may stand below several", () => {
    expect(
      rowsOf(
        "SELECT w.hospital, w.region, COUNT(*) FROM wards AS w JOIN people USING (ward_id) GROUP BY 1, 2",
      ),
    ).toEqual(["Elm North", "Oak North", "Bay South"])
    expect(
      rowsOf("SELECT w.ward, w.region, COUNT(*) FROM people JOIN wards AS w USING (ward_id) GROUP BY 1, 2"),
    ).toEqual(["ICU North", "Surgery North", "ICU South", "Birth South", "Eyes South"])
  })

  test("may have no value at lower levels, where columns may be NULL", () => {
    expect(rowsOf("SELECT region, hospital, COUNT(*) FROM people GROUP BY 1, 2")).toEqual([
      "North Elm",
      "North Oak",
      "North null",
      "South Bay",
      "South null",
      "null null",
    ])
  })

  test("have all levels or none, where the lowest decides the others", () => {
    const sql = "SELECT ANCESTOR(code, 'chapter'), code, COUNT(*) FROM people GROUP BY 1, 2"
    expect(rowsOf(sql)).toEqual(["I A00", "I A01", "II B20", "III C1", "III C2", "null null"])
  })

  test("combine freely with other keys", () => {
    const sql =
      "SELECT sex, w.region, w.hospital, COUNT(*) FROM people JOIN wards AS w USING (ward_id) GROUP BY 1, 2, 3"
    expect(rowsOf(sql)).toEqual([
      "f North Elm",
      "f North Oak",
      "f South Bay",
      "m North Elm",
      "m North Oak",
      "m South Bay",
    ])
  })

  test("of one level are its values", () => {
    const [release] = planOf(
      "SELECT w.ward, COUNT(*) FROM wards AS w JOIN people USING (ward_id) GROUP BY 1",
    ).releases
    expect(release?.keys).not.toHaveProperty("rows")
  })

  test("that are the largest are looked for among those that can be", () => {
    const sql = "SELECT region, hospital, COUNT(*) FROM stays GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 1"
    expect(planOf(sql).releases.map(({ keys }) => keys.kind)).toEqual(["public"])
  })
})

describe("groupings", () => {
  test.each(Object.entries(treeQuestions))("are one release: %s", (_name, sql) => {
    for (const accounting of ["zcdp", "pure"] as const) {
      const trees = planOf(sql, accounting).releases.map(({ keys }) => keys.kind === "public" && treeOf(keys))
      expect(trees).toEqual([expect.objectContaining({ sets: expect.anything() })])
    }
  })

  test("have one level per key prefix, and the other groupings are sums of its nodes", () => {
    const [release] = planOf(treeQuestions.cube).releases
    const tree = release?.keys.kind === "public" ? treeOf(release.keys) : undefined
    if (tree === undefined) throw new Error("no tree")
    expect(tree.rows.length).toBe(6)
    const groupings = treeGroupings(tree)
    expect(groupings.map(({ groups }) => groups.length)).toEqual([6, 4, 6, 2, 3, 2, 3, 1])
    const nodes = groupings.map(({ groups }) => Math.max(...groups.map((group) => group.nodes.length)))
    expect(nodes).toEqual([1, 2, 1, 3, 1, 1, 1, 1])
  })

  test("of persons in several leaves, and of something else than sums, are asked for one by one", () => {
    for (const what of ["COUNT(DISTINCT person_id)", "MEDIAN(n)"]) {
      const plan = planOf(`SELECT region, hospital, ${what} FROM stays GROUP BY ROLLUP (1, 2)`)
      expect(plan.releases.map(({ keys }) => keys.kind)).toEqual(["public", "public", "none"])
      expect(plan.releases.map(({ keys }) => publicRows(keys).length)).toEqual([3, 2, 1])
    }
  })

  test("are explained: shares of the levels, and what that is worth", () => {
    const [gaussian] = explain(planOf(treeQuestions.rollup)).releases
    expect(gaussian?.groups).toBe("22 public groups of 4 groupings, all that can be; they add up")
    expect(gaussian?.aggregates[0]?.mechanism).toMatch(
      /^Gaussian noise at 4 levels of a tree, which have [\d., %]+ of the loss, the top first: \d+ % less/,
    )
    expect(gaussian?.aggregates[0]?.error).toMatch(
      /^± \d+ by region, hospital, ward; .* ± \d+ in all, at 95 %, or less$/,
    )
    const [laplace] = explain(planOf(treeQuestions.rollup, "pure")).releases
    expect(laplace?.aggregates[0]?.mechanism).toMatch(/^Laplace noise of scale [\d.]+ in each of 12 leaves/)
  })
})

describe("ANCESTOR", () => {
  test.each([
    ["ANCESTOR(age, 'chapter')", "age is no level of a tree"],
    ["ANCESTOR(code, sex)", "the level of ANCESTOR is not a constant"],
    ["ANCESTOR(code, 'book')", "icd has no level book"],
    ["ANCESTOR(hospital, 'ward')", "ward is below hospital"],
    ["ANCESTOR(ward, 'region')", "a ward may be in several of region"],
    ["ANCESTOR(code)", "ANCESTOR has 1 arguments, and 2 are needed"],
    ["ANCESTOR(UPPER(code), 'chapter')", "is no level of a tree"],
  ])("refuses %s, and says why", (call, words) => {
    expect(refusalOf(() => planOf(`SELECT ${call}, COUNT(*) FROM people GROUP BY 1`))).toContain(words)
  })

  test("of a level is the level itself", () => {
    expect(rowsOf("SELECT ANCESTOR(code, 'Code'), COUNT(*) FROM people GROUP BY 1").length).toBe(6)
  })
})

function refusalOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DosimeterError) return error.message
    throw error
  }
  return "accepted"
}
