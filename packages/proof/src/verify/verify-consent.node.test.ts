// Plans with consent: every table asks for it, and a plan that does not is rejected.

import { specOf } from "../algebra/measurement.ts"
import { DosimeterError } from "@dosimeter/core/errors"
import { beforeAll, describe, expect, test } from "vitest"
import type { ConsentMode } from "../catalog/catalog.ts"
import { compile, type CompileOptions } from "@dosimeter/planner/compile"
import { callExpr, columnExpr } from "../algebra/make.ts"
import type { Mark, Rel } from "../algebra/rel.ts"
import type { ReleasePlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { printRel } from "../print/print.ts"
import { planSeries } from "@dosimeter/planner/series/plan-series"
import { clinicPolicy, clinicQuestions } from "@dosimeter/planner/testing/clinic/clinic"
import { withExtract, withNodes } from "@dosimeter/planner/testing/corruptions/corrupt-plan"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { verify } from "./verify.ts"

const modes: readonly ConsentMode[] = ["required", "opt-out"]
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

function clinic(mode: ConsentMode): Pick<CompileOptions, "catalog" | "terms" | "grammar"> {
  const { catalog, terms } = readPolicy(`${clinicPolicy({})}consent: ${mode}\n`)
  return { catalog, terms, grammar }
}

describe("[G1] plans with consent", () => {
  const all = Object.entries(clinicQuestions).map(([name, sql], index) => ({
    mode: modes[index % 2] ?? "required",
    name,
    sql,
  }))

  test.each(all)("every table of $name asks for it: $mode", ({ mode, sql }) => {
    const { catalog, terms } = clinic(mode)
    const { plan } = compile(sql, { catalog, terms, grammar })
    for (const { rel } of plan.releases.flatMap(({ extracts }) => extracts)) {
      for (const dialect of ["duckdb", "postgres", "trino"] as const) {
        expect(printRel(rel, dialect).text).toContain('"consent"')
      }
    }
    const plain = { ...catalog }
    Reflect.deleteProperty(plain, "consent")
    // The same noise and the same price as without.
    expect(plan.charge).toEqual(compile(sql, { catalog: plain, terms, grammar }).plan.charge)
  })

  test("where units are replaced, one that loses all of its rows is covered by what is claimed", () => {
    const { catalog, terms } = readPolicy(`${clinicPolicy({ neighbours: "replace" })}consent: required\n`)
    const claimed = (sql: string): unknown =>
      compile(sql, { catalog, terms, grammar }).plan.releases.flatMap(({ measurements }) =>
        measurements.map(specOf),
      )
    const one = (amount: bigint): unknown => [
      expect.objectContaining({
        sensitivity: { neighbours: "replace", patterns: [[{ groups: 1n, amount }]] },
      }),
    ]
    expect(claimed("SELECT COUNT(*) FROM person")).toEqual(one(1n))
    // From 20 to nothing is further than from 20 to 10.
    expect(claimed("SELECT SUM(CLAMP(height, 10, 20)) FROM person")).toEqual(one(20n))
  })

  test("series are refused: who withdraws takes rows away", () => {
    const series = { ...clinic("opt-out"), from: 18_262n, periods: 4 }
    const sql = "SELECT date_trunc('month', day), COUNT(*) FROM visits GROUP BY 1"
    expect(codeOf(() => planSeries(sql, series))).toBe("series/rows-may-vanish")
  })

  test("records without an owner cannot agree", () => {
    const policy = clinicPolicy({}).replace(
      /^tables:[^]*/m,
      "consent: required\ntables: { a: { unit: row, columns: { x: integer } } }\n",
    )
    expect(codeOf(() => readPolicy(policy))).toBe("policy/not-applicable")
    expect(codeOf(() => readPolicy(`${clinicPolicy({})}consent_refresh: daily\n`))).toBe("policy/missing")
    expect(readPolicy(`${clinicPolicy({})}consent: required\nconsent_refresh: daily\n`).consentRefresh).toBe(
      "daily",
    )
  })
})

describe("[G1] [Q3] spoilt plans", () => {
  const onMark = (plan: ReleasePlan, change: (mark: Mark) => Rel): ReleasePlan =>
    withNodes(plan, (rel) =>
      rel.kind === "mark" && rel.right.kind === "scan" && rel.right.table.name === "consent"
        ? change(rel)
        : rel,
    )
  const corruptions: readonly {
    readonly name: string
    readonly change: (plan: ReleasePlan) => ReleasePlan
  }[] = [
    {
      name: "without the condition",
      change: (plan) =>
        withExtract(plan, (extract) => {
          const { rel } = extract
          if (rel.kind !== "aggregate" || rel.input.kind !== "filter") return extract
          return { ...extract, rel: { ...rel, input: rel.input.input } }
        }),
    },
    {
      name: "with the opposite condition",
      change: (plan) =>
        withExtract(plan, (extract) => {
          const { rel } = extract
          if (rel.kind !== "aggregate" || rel.input.kind !== "filter") return extract
          const condition = callExpr("not", [rel.input.condition])
          return { ...extract, rel: { ...rel, input: { ...rel.input, condition } } }
        }),
    },
    {
      name: "with a condition that is always true",
      change: (plan) =>
        withExtract(plan, (extract) => {
          const { rel } = extract
          if (rel.kind !== "aggregate" || rel.input.kind !== "filter") return extract
          const { condition } = rel.input
          const or = callExpr("or", [condition, callExpr("not", [condition])])
          return { ...extract, rel: { ...rel, input: { ...rel.input, condition: or } } }
        }),
    },
    {
      name: "that asks for anybody's",
      change: (plan) => onMark(plan, (mark) => ({ ...mark, condition: undefined })),
    },
    {
      name: "asking by another column",
      change: (plan) =>
        onMark(plan, (mark) => {
          const [id] = mark.right.columns
          const other = mark.left.columns.find(({ name }) => name === "n") ?? mark.left.columns.at(-1)
          if (id === undefined || other === undefined) return mark
          return { ...mark, condition: callExpr("equal", [columnExpr(other), columnExpr(id)]) }
        }),
    },
    {
      name: "that asks another table",
      change: (plan) =>
        onMark(plan, (mark) =>
          mark.right.kind === "scan"
            ? { ...mark, right: { ...mark.right, table: { ...mark.right.table, path: ["everybody"] } } }
            : mark,
        ),
    },
    {
      name: "that says nothing of it",
      change: (plan) => {
        const silent = { ...plan }
        Reflect.deleteProperty(silent, "consent")
        return silent
      },
    },
    {
      name: "of another version",
      change: (plan) => ({ ...plan, consent: { mode: "required", purposes: [], version: "2" } }),
    },
    {
      name: "for another purpose",
      change: (plan) => ({ ...plan, consent: { mode: "required", purposes: ["x"], version: "none" } }),
    },
  ]

  test.each(corruptions)("a plan $name is rejected", ({ change }) => {
    const { catalog, terms } = clinic("required")
    const { plan } = compile(clinicQuestions.count, { catalog, terms, grammar })
    expect(codeOf(() => verify(change(plan), catalog))).toMatch(/^bug\//)
  })

  test("a plan of before the owner asked for consent is rejected, and one that claims it without", () => {
    const { catalog, terms } = readPolicy(clinicPolicy({}))
    const consented = clinic("required")
    const plain = compile(clinicQuestions.count, { catalog, terms, grammar }).plan
    expect(codeOf(() => verify(plain, consented.catalog))).toMatch(/^bug\//)
    const { plan } = compile(clinicQuestions.count, consented)
    expect(codeOf(() => verify(plan, catalog))).toMatch(/^bug\//)
  })
})

function codeOf(attempt: () => unknown): string {
  try {
    attempt()
  } catch (error) {
    if (error instanceof DosimeterError) return error.code
    throw error
  }
  return "accepted"
}
