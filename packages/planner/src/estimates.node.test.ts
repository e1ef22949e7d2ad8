// Estimates about a population, from SQL to cells: classical values without noise, wider intervals with it.

import { budgetFor } from "@dosimeter/core"
import { exactly, numberNear, rational, rationalOfNumber } from "@dosimeter/core/exact"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { compile } from "./compile.ts"
import { testCatalog } from "@dosimeter/proof/testing/test-catalog"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { estimateAggregate } from "@dosimeter/answers/estimates/estimate-aggregate"
import { estimateCell } from "@dosimeter/answers/estimates/estimate-cell"
import { evaluate } from "@dosimeter/answers/evaluate/evaluate"
import { intervalOfCell } from "@dosimeter/answers/intervals/interval-of-cell"
import type { NoiseBase } from "@dosimeter/core/post"
import { linearOf, addLinear, spreadOf, spreadOfLinear } from "@dosimeter/answers/cells/spread"
import { survivalCells } from "@dosimeter/answers/estimates/survival-cells"
import { cellOf, publicCell, type Cell } from "@dosimeter/answers/cells/table"

const grammar = await testGrammar()
const terms = {
  budget: budgetFor({ epsilon: 3, delta: "1e-7", accounting: "zcdp" }),
  question: {
    epsilonDefault: exactly("0.5", "epsilon"),
    epsilonMax: exactly("1", "epsilon"),
    delta: exactly("1e-9", "delta"),
    confidence: exactly("0.95", "confidence"),
  },
  bounding: { groupsPerUnit: 3n, rowsPerGroup: 5n, groupsPerUnitMax: 20n, rowsPerGroupMax: 100n },
} as const

/** The rows of a question about nobody, as texts: the value, and the interval where there is one. */
function answer(sql: string): readonly (readonly string[])[] {
  const { plan } = compile(sql, { grammar, catalog: testCatalog, terms })
  const table = evaluate(plan.post, { released: () => ({ columns: [], rows: [] }), scan: () => [] })
  return table.rows.map((row) => row.map(shown))
}

function shown(cell: Cell): string {
  const { value } = cell
  if (value.kind !== "number") return value.kind === "text" ? value.value : value.kind
  const interval = intervalOfCell(cell, 0.95)
  const text = (number: number): string => `${Number(number.toPrecision(4))}`
  const own = text(numberNear(value.value))
  return interval === undefined ? own : `${own} [${text(interval.low)}, ${text(interval.high)}]`
}

test("the example of docs/sql-reference.md gives what it says", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/sql-reference.md"), "utf8")
  const example = page.match(/^```sql\n(SELECT RISK_RATIO[^]*?)^```/m)?.[1] ?? ""
  const said = [...example.matchAll(/-- ([\d.]+ \[[^\]]*\])/g)].map(([, text]) => text ?? "")
  const numbers = (text: string): readonly number[] => text.match(/[\d.]+/g)?.map(Number) ?? []
  const [row = []] = answer(example)
  expect(said).toHaveLength(row.length)
  for (const [index, text] of said.entries()) {
    for (const [place, number] of numbers(row[index] ?? "").entries()) {
      expect(Math.abs(number - (numbers(text)[place] ?? 0))).toBeLessThan(0.02 * number)
    }
  }
})

describe("without noise", () => {
  test("two-by-two tables", () => {
    const risks = "RISK(81, 263), PREVALENCE(81, 263), RISK_DIFFERENCE(56, 70, 48, 80)"
    expect(answer(`SELECT ${risks}`)).toEqual([
      ["0.308 [0.2553, 0.3662]", "0.308 [0.2553, 0.3662]", "0.2 [0.05243, 0.3339]"],
    ])
    expect(answer("SELECT RISK_RATIO(4, 123, 11, 139), ODDS_RATIO(4, 119, 11, 128)")).toEqual([
      ["0.4109 [0.1409, 1.217]", "0.3911 [0.1275, 1.235]"],
    ])
  })

  test("rates per so many", () => {
    expect(answer("SELECT RATE_PER(10, 100), INCIDENCE_RATE(10, 100, 1), RATE_PER(10, 100, 100000)")).toEqual(
      [["100 [54.32, 184.1]", "0.1 [0.05432, 0.1841]", "10000 [5432, 18410]"]],
    )
    expect(
      answer("SELECT RATE_RATIO(20, 1000, 10, 1000), RATE_DIFFERENCE(20, 1000, 10, 1000)")[0]?.[0],
    ).toMatch(/^2 \[/)
  })

  test("nothing to divide by, or NULL, is NULL and no error", () => {
    const nothing =
      "RISK(1, 0), RATE_PER(3, -2), RISK_RATIO(1, 10, 0, 10), ODDS_RATIO(1, 0, 1, 1), RISK(NULL, 3)"
    expect(answer(`SELECT ${nothing}`)).toEqual([["null", "null", "null", "null", "null"]])
    expect(answer("SELECT RISK(0, 20), RISK(20, 20), RISK_RATIO(0, 20, 5, 20)")).toEqual([
      ["0 [0, 0.1611]", "1 [0.8389, 1]", "0 [0, 0.7733]"],
    ])
  })

  const gehan = `(VALUES (6,3,1),(7,1,0),(9,0,1),(10,1,1),(11,0,1),(13,1,0),(16,1,0),(17,0,1),(19,0,1),
    (20,0,1),(22,1,0),(23,1,0),(25,0,1),(32,0,2),(34,0,1),(35,0,1)) AS t(week, relapsed, censored)`

  test("survival, and the number at risk", () => {
    const rows = answer(`SELECT week, AT_RISK(relapsed, censored) OVER w,
      KAPLAN_MEIER(relapsed, censored) OVER w FROM ${gehan} WINDOW w AS (ORDER BY week) ORDER BY week`)
    expect(rows.filter(([week]) => ["6", "7", "10", "13", "16", "22", "23"].includes(week ?? ""))).toEqual([
      ["6", "21", "0.8571 [0.6536, 0.9502]"],
      ["7", "17", "0.8067 [0.5949, 0.9223]"],
      ["10", "15", "0.7529 [0.5345, 0.89]"],
      ["13", "12", "0.6902 [0.4644, 0.8513]"],
      ["16", "11", "0.6275 [0.4009, 0.8091]"],
      ["22", "7", "0.5378 [0.3056, 0.7547]"],
      ["23", "6", "0.4482 [0.2262, 0.6929]"],
    ])
  })

  test("rows of the same bin count together, and partitions apart", () => {
    const long = `(VALUES (1,TRUE,2,'a'),(1,FALSE,1,'a'),(2,TRUE,1,'a'),(2,FALSE,1,'a'),(1,TRUE,0,'b'),
      (1,FALSE,4,'b')) AS t(bin, died, n, arm)`
    const counts = "CASE WHEN died THEN n ELSE 0 END, CASE WHEN died THEN 0 ELSE n END"
    const rows = answer(`SELECT arm, bin, KAPLAN_MEIER(${counts})
      OVER (PARTITION BY arm ORDER BY bin) FROM ${long} ORDER BY 1, 2`)
    expect(rows.map(([arm, bin, cell]) => [arm, bin, cell?.split(" ")[0]])).toEqual([
      ["a", "1", "0.6"],
      ["a", "1", "0.6"],
      ["a", "2", "0.3"],
      ["a", "2", "0.3"],
      ["b", "1", "1"],
      ["b", "1", "1"],
    ])
  })

  test("the log-rank test, in any order of rows", () => {
    const rows = `(VALUES (1,2,0,'p'),(2,2,0,'p'),(3,1,0,'p'),(4,2,0,'p'),(5,2,0,'p'),(8,4,0,'p'),(11,2,0,'p'),
      (12,2,0,'p'),(15,1,0,'p'),(17,1,0,'p'),(22,1,0,'p'),(23,1,0,'p'),(35,0,1,'m'),(34,0,1,'m'),(32,0,2,'m'),
      (25,0,1,'m'),(23,1,0,'m'),(22,1,0,'m'),(20,0,1,'m'),(19,0,1,'m'),(17,0,1,'m'),(16,1,0,'m'),(13,1,0,'m'),
      (11,0,1,'m'),(10,1,1,'m'),(9,0,1,'m'),(7,1,0,'m'),(6,3,1,'m')) AS t(week, relapsed, censored, drug)`
    const test = "LOG_RANK(relapsed, censored, week, drug), LOG_RANK_P(relapsed, censored, week, drug)"
    expect(answer(`SELECT ${test} FROM ${rows}`)).toEqual([["16.79", "0.00004169"]])
    expect(answer(`SELECT ${test} FROM ${rows} WHERE drug = 'm'`)).toEqual([["null", "null"]])
    const filtered = `LOG_RANK(relapsed, censored, week, drug) FILTER (WHERE week < 8)`
    expect(answer(`SELECT ${filtered} FROM ${rows}`)[0]?.[0]).not.toBe("16.79")
  })

  test("the hazard ratio of two groups, and of no other number of them", () => {
    const rows = `(VALUES (1,20,100,'a'),(2,18,90,'a'),(3,9,700,'a'),(1,40,90,'b'),(2,28,80,'b'),(3,21,600,'b'))
      AS t(bin, died, left_alive, arm)`
    const ratio = "HAZARD_RATIO(died, left_alive, bin, arm)"
    // At risk for 877, 763 and 354.5 bins in a, for 794, 675 and 310.5 in b; worked out apart.
    expect(answer(`SELECT ${ratio} FROM ${rows}`)).toEqual([["2.123 [1.491, 3.024]"]])
    expect(answer(`SELECT ${ratio} FROM ${rows} WHERE arm = 'a'`)).toEqual([["null"]])
    expect(answer(`SELECT HAZARD_RATIO(died, left_alive, bin, arm || bin) FROM ${rows}`)).toEqual([["null"]])
  })

  test("a standardised rate", () => {
    const strata =
      "(VALUES (10, 1000, 1, 'x'), (30, 1000, 3, 'x'), (NULL, 50, 4, 'x'), (8, 400, 9, 'y')) AS t(e, n, w, g)"
    expect(answer(`SELECT g, STANDARDISED_RATE(e, n, w) FROM ${strata} GROUP BY g ORDER BY g`)).toEqual([
      ["x", "25 [18.04, 34.65]"],
      ["y", "20 [10.13, 39.47]"],
    ])
    expect(answer(`SELECT STANDARDIZED_RATE(e, n, w, 1) FROM ${strata} WHERE g = 'z'`)).toEqual([["null"]])
    expect(answer(`SELECT STANDARDISED_RATE(e, n, -w) FROM ${strata}`)).toEqual([["null"]])
  })
})

const base = (id: number, law: "gaussian" | "laplace", amount: number): NoiseBase =>
  law === "gaussian"
    ? { id, law, variance: rationalOfNumber(amount * amount), grid: rational(1n) }
    : { id, law, scale: rationalOfNumber(amount), grid: rational(1n) }

function noisy(value: number, id: number, deviation = 8): Cell {
  const exact = rationalOfNumber(value)
  const spread = spreadOf(base(id, "gaussian", deviation), exact)
  return cellOf({ kind: "number", value: exact }, spread, "released")
}

const known = (value: number): Cell => publicCell({ kind: "number", value: rationalOfNumber(value) })

function widthOf(cell: Cell): number {
  const { low, high } = intervalOfCell(cell, 0.95) ?? { low: 0, high: 0 }
  return high - low
}

describe("with noise", () => {
  const exact = [known(50), known(1000), known(40), known(1000)]
  const released = [noisy(50, 1), noisy(1000, 2), noisy(40, 3), noisy(1000, 4)]

  test("intervals are wider than of the sample alone, and of the noise alone", () => {
    for (const name of ["risk-ratio", "risk-difference", "rate-ratio", "odds-ratio"] as const) {
      expect(widthOf(estimateCell(name, released))).toBeGreaterThan(1.1 * widthOf(estimateCell(name, exact)))
    }
    // 1.96 sqrt(64 + 50) / 1000 to each side, nearly.
    const rate = widthOf(estimateCell("rate-per", [noisy(50, 1), known(1000), known(1000)]))
    expect(rate).toBeGreaterThan(2 * 1.96 * Math.sqrt(64 + 50))
    expect(rate).toBeLessThan(2.1 * 1.96 * Math.sqrt(64 + 52))
  })

  test("noise that cancels is not counted twice", () => {
    const total = noisy(1000, 1)
    const [one, other] = [linearOf(noisy(50, 2)), linearOf(total)]
    if (one === undefined || other === undefined) throw new Error("these are linear")
    const both = addLinear(one, other)
    const sum = cellOf({ kind: "number", value: both.centre }, spreadOfLinear(both), "released")
    // 1 - risk of the others, written in two ways.
    const [direct, shared] = [
      estimateCell("risk", [total, sum]),
      estimateCell("risk", [total, noisy(1050, 3)]),
    ]
    expect(widthOf(direct)).toBeLessThan(widthOf(shared))
  })

  test("numbers that are no sums still have intervals, wider ones", () => {
    const cut = (cell: Cell): Cell =>
      cellOf(
        cell.value,
        {
          kind: "derived",
          inputs: { cells: [cell], from: 0, to: 1 },
          combine: ([range]) => range ?? { low: 0, high: 0, mayBeNull: true },
        },
        "released",
      )
    const [a, b, c, d] = released
    const wide = estimateCell(
      "risk-ratio",
      [a, b, c, d].map((cell) => cut(cell ?? known(0))),
    )
    expect(widthOf(wide)).toBeGreaterThan(widthOf(estimateCell("risk-ratio", released)))
    expect(widthOf(wide)).toBeLessThan(Infinity)
    const { spread } = wide
    expect(spread?.kind).toBe("derived")
  })

  test("what is below the threshold stays so; of many numbers only if all are", () => {
    const below: Cell = { ...noisy(3, 9), state: "below-threshold" }
    expect(estimateCell("risk", [below, known(10)]).state).toBe("below-threshold")
    const strata = [
      [below, known(100), known(1), known(1000)],
      [noisy(20, 5), known(100), known(1), known(1000)],
    ]
    expect(estimateAggregate("standardised-rate", strata).state).toBe("released")
    const curve = survivalCells({ events: [below, below], censored: [below, below], bins: [0, 1] })
    expect(curve(1).state).toBe("below-threshold")
  })

  test("what needs counts says nothing of other numbers", () => {
    const vague = cellOf({ kind: "number", value: rational(5n) }, { kind: "vague" }, "released")
    const rows = [[vague, known(100), known(1), known(1000)]]
    expect(widthOf(estimateAggregate("standardised-rate", rows))).toBe(Infinity)
    expect(widthOf(survivalCells({ events: [vague], censored: [known(9)], bins: [0] })(0))).toBe(Infinity)
    expect(widthOf(estimateCell("risk", [vague, known(100)]))).toBe(Infinity)
    expect(estimateAggregate("log-rank", [[vague, known(1), known(1), known(1)]]).value.kind).toBe("null")
  })

  test("too many groups or bins have no test, and no error", () => {
    const rows = Array.from({ length: 5000 }, (_, bin) => [known(1), known(1), known(bin), known(bin % 2)])
    expect(estimateAggregate("log-rank", rows).value.kind).toBe("null")
    const many = Array.from({ length: 3000 }, () => known(1))
    const last = survivalCells({ events: many, censored: many, bins: many.map((_, bin) => bin) })(2999)
    expect(last.value.kind).toBe("number")
    expect(intervalOfCell(last, 0.95)).toEqual({ low: 0, high: 1 })
  })
})
