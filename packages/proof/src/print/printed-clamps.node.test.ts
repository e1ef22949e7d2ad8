// Every sum of a printed extract is clamped between constants of the charge, by its text alone.

import { DosimeterError } from "@dosimeter/core/errors"
import { isLongForm } from "@dosimeter/core/testing"
import { beforeAll, expect, test } from "vitest"
import { compile } from "@dosimeter/planner/compile"
import type { Release, ReleasePlan } from "../algebra/release-plan.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { designCopies } from "@dosimeter/planner/copies/design-copies"
import { clinicPolicy, clinicQuestions } from "@dosimeter/planner/testing/clinic/clinic"
import { printedClamps } from "@dosimeter/planner/testing/units/printed-clamps"
import { randomQuestion } from "@dosimeter/planner/testing/random/random-question"
import { randomDataset } from "@dosimeter/planner/testing/random/random-tables"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { printRel } from "./print.ts"

let grammar: Grammar
const found = { sums: 0, reached: 0, prepared: 0, kinds: new Set<string>() }

beforeAll(async () => {
  grammar = await testGrammar()
})

/** What the charge says that one unit adds to a column of an extract, at most. */
function claimsOf(
  { keys, measurements, bounds }: Release,
  extract: number,
  column: number,
): readonly bigint[] {
  const sizeOf = ({ lower, upper }: { readonly lower: bigint; readonly upper: bigint }): bigint =>
    upper > -lower ? upper : -lower
  const amounts = (patterns: readonly (readonly { readonly amount: bigint }[])[]): bigint =>
    patterns.flat().reduce((most, { amount }) => (amount > most ? amount : most), 0n)
  const ofKeys =
    extract === 0 && keys.kind === "private" && keys.units === column
      ? [
          keys.spec.kind === "keys-weighted"
            ? keys.spec.weights.reduce((most, { weight }) => (weight > most ? weight : most), 0n)
            : 1n,
        ]
      : extract === 0 && keys.kind === "top" && keys.score === column
        ? [keys.spec.sensitivity]
        : []
  const ofMeasurements = measurements.flatMap((measurement): readonly bigint[] => {
    if (measurement.extract !== extract) return []
    if (measurement.kind === "choice") {
      // Rows of histograms may weigh less; unweighed ones are counted, not added up.
      const spec = measurement.choice.kind === "quantiles" ? measurement.choice.spec : undefined
      const isOwn = spec?.full !== undefined && measurement.count === column
      return isOwn ? [spec.full * spec.rowsPerUnit] : []
    }
    const { strategy, columns } = measurement
    found.kinds.add(strategy.kind)
    const of = columns.find(({ id }) => id === column)?.of
    if (of === undefined) return []
    switch (strategy.kind) {
      case "identity":
      case "scaled":
        return [amounts(strategy.spec.sensitivity.patterns)]
      case "parts":
      case "levels":
        // Weighed units are kept to the stated norm of all sums together.
        return [bounds.scaled?.bound ?? sizeOf(strategy.spec)]
      case "totals":
        return [strategy.spec.amountPerStep]
      case "moments": {
        const { lower, upper, from } = strategy
        const reach = sizeOf({ lower: lower - from, upper: upper - from })
        if (of === "rows") return [bounds.rowsPerGroup]
        return [(of === "values" ? sizeOf(strategy) : reach * reach) * bounds.rowsPerGroup]
      }
      default:
        return strategy satisfies never
    }
  })
  return [...ofKeys, ...ofMeasurements]
}

/** Looks at the text of every extract; gives what is wrong. */
function problemsOf(plan: ReleasePlan, dialect: "duckdb" | "postgres" | "trino"): readonly string[] {
  return plan.releases.flatMap((release) =>
    release.extracts.flatMap(({ rel }, extract) =>
      printedClamps(printRel(rel, dialect).text).flatMap((clamp, place) => {
        if (clamp === undefined) return []
        const column = rel.columns[place]?.id ?? -1
        const size = clamp.upper > -clamp.lower ? clamp.upper : -clamp.lower
        const [claim, ...others] = claimsOf(release, extract, column)
        if (claim === undefined) return [`column ${column} is read by nothing`]
        found.sums += 1
        if (release.prepared.length > 0) found.prepared += 1
        const least = others.reduce((a, b) => (a < b ? a : b), claim)
        if (size === least || size * release.bounds.rowsPerGroup === least) found.reached += 1
        return size <= least ? [] : [`column ${column} adds up to ${size}, and ${least} is charged`]
      }),
    ),
  )
}

const dialects = ["duckdb", "postgres", "trino"] as const

test.each(Object.entries(clinicQuestions))("[Q2] sums are clamped as they are charged: %s", (_, sql) => {
  for (const accounting of ["pure", "zcdp"] as const) {
    const { catalog, terms } = readPolicy(clinicPolicy({ accounting }))
    for (const prepared of [[], designCopies(catalog, { schema: [], keys: {} })]) {
      const { plan } = compile(sql, { grammar, catalog, terms, prepared })
      for (const dialect of dialects) expect(problemsOf(plan, dialect)).toEqual([])
    }
  }
})

test.each(Array.from({ length: isLongForm ? 200 : 4 }, (_, schema) => `clamps ${schema}`))(
  "[Q2] so is whatever else can be asked: %s",
  (seed) => {
    const dataset = randomDataset(seed)
    const { catalog, terms } = readPolicy(dataset.policy)
    const copies = designCopies(catalog, { schema: [], keys: {} })
    for (let place = 0; place < 8; place += 1) {
      const sql = randomQuestion(dataset, `${seed}, ${place}`)
      for (const prepared of [[], copies]) {
        try {
          const { plan } = compile(sql, { grammar, catalog, terms, prepared })
          expect(problemsOf(plan, "duckdb"), sql).toEqual([])
        } catch (error) {
          if (!(error instanceof DosimeterError) || error.kind === "bug") throw error
        }
      }
    }
  },
)

test("all of this was looked at, and claims are what clamps reach", () => {
  expect([...found.kinds].toSorted()).toEqual(expect.arrayContaining(["identity", "moments", "parts"]))
  expect(found.sums).toBeGreaterThan(200)
  expect(found.prepared).toBeGreaterThan(20)
  expect(found.reached / found.sums).toBeGreaterThan(0.5)
})

test.each([
  ["a bare column", "SUM(c1)"],
  ["a column in a cast", "SUM(CAST(c1 AS BIGINT))"],
  ["one end only", "SUM(CASE WHEN c1 >= 0 THEN c1 END)"],
  ["another column's ends", "SUM(CASE WHEN c2 >= 0 AND c2 <= 5 THEN c1 WHEN c2 > 5 THEN 5 END)"],
  ["anything otherwise", "SUM(CASE WHEN c1 >= 0 AND c1 <= 5 THEN c1 ELSE c1 END)"],
  ["a multiple of another column", "SUM(CASE WHEN c2 >= 0 AND c2 <= 5 THEN (c1 * 3) END)"],
  ["a product of two columns", "SUM(CASE WHEN c1 >= 0 AND c1 <= 5 THEN (c1 * c2) END)"],
  ["arithmetic around it", "SUM(2 * GREATEST(0, LEAST(5, c1)))"],
  ["a float's ends", "SUM(CASE WHEN CAST(c1 AS DOUBLE) >= 0 AND CAST(c1 AS DOUBLE) <= 5 THEN c1 END)"],
])("a sum is free with %s", (_, text) => {
  expect(() => printedClamps(`SELECT ${text} AS c3 FROM t`)).toThrow("without a clamp")
})

test("reads the clamps of a query's last step", () => {
  const first = `CASE WHEN "c2" >= CAST(-3 AS BIGINT) AND "c2" <= CAST(5 AS BIGINT) THEN CAST("c2" AS INTEGER)
    WHEN "c2" >= CAST(5 AS BIGINT) THEN 5 WHEN "c2" <= CAST(-3 AS BIGINT) THEN -3 END`
  const second = "CASE WHEN a = 'THEN' THEN GREATEST(0, LEAST(7, x * y)) ELSE CAST(NULL AS INTEGER) END"
  const text = `WITH n1 AS (SELECT SUM(c1) AS c2 FROM t) SELECT "c1",
    CAST(SUM(CAST(${first} AS BIGINT)) AS BIGINT) AS "c4", SUM(${second}) AS c5 FROM n1 GROUP BY "c1"`
  expect(printedClamps(text)).toEqual([undefined, { lower: -3n, upper: 5n }, { lower: 0n, upper: 7n }])
  const multiple = `CASE WHEN c2 >= CAST(-1 AS BIGINT) AND c2 <= CAST(8 AS BIGINT)
    THEN (CAST(c2 AS INTEGER) * 205)
    WHEN c2 >= CAST(9 AS BIGINT) THEN 1776 WHEN c2 <= CAST(-2 AS BIGINT) THEN -300 ELSE 0 END`
  expect(printedClamps(`SELECT SUM(${multiple}) AS c3 FROM t`)).toEqual([{ lower: -300n, upper: 1776n }])
})
