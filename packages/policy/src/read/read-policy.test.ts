import { DosimeterError, rational } from "@dosimeter/core"
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  columnNamed,
  tableNamed,
  type CatalogColumn,
  type CatalogTable,
} from "@dosimeter/proof/catalog/catalog"
import { examplePolicy } from "../testing/example-policy.ts"
import { drawError } from "@dosimeter/language/text/caret"
import { sourceText } from "@dosimeter/language/text/source"
import type { Policy } from "../file/policy.ts"
import { readName, readOpening, readPolicy } from "./read-policy.ts"
import type { SourceFacts } from "../file/source-facts.ts"

const head = `dataset: clinic
source: { csv: "*.csv" }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-9, accounting: zcdp }
question: { epsilon: { default: 0.5, max: 1 }, delta: 1e-10 }
bounding: { groups_per_unit: 3, rows_per_group: 5 }
`

/** The issues of a policy as `line:column code`, and the messages beside. */
function issuesOf(text: string, facts?: SourceFacts): readonly (readonly [string, string, string])[] {
  try {
    readPolicy(text, facts === undefined ? {} : { facts })
    return []
  } catch (error) {
    // The issues are what is looked at; anything else is a failure of the test.
    if (!(error instanceof DosimeterError)) throw error
    const source = sourceText(text)
    return error.issues.map((issue) => {
      const { line, column } = source.position(issue.at?.start ?? -1)
      expect(issue.help).toBeDefined()
      expect(issue.at).toBeDefined()
      return [`${line}:${column}`, issue.code, issue.message] as const
    })
  }
}

function tableOf(policy: Policy, name: string): CatalogTable {
  const table = tableNamed(policy.catalog, name)
  if (table === undefined) throw new Error(`no table ${name}`)
  return table
}

function columnOf(policy: Policy, table: string, name: string): CatalogColumn {
  const column = columnNamed(tableOf(policy, table), name)
  if (column === undefined) throw new Error(`no column ${name}`)
  return column
}

test("accepts the example as it stands", () => {
  const policy = readPolicy(examplePolicy)
  expect(policy.source).toEqual({ kind: "parquet", globs: ["omop/*.parquet"] })
  expect(policy.catalog).toMatchObject({
    dataset: "hospital",
    unitName: "person",
    neighbours: "add-or-remove",
  })
  expect(policy.terms.question).toEqual({
    epsilonDefault: rational(1n, 2n),
    epsilonMax: rational(1n),
    delta: rational(1n, 10n ** 10n),
    confidence: rational(19n, 20n),
  })
  expect(policy.terms.bounding).toEqual({
    groupsPerUnit: 3n,
    rowsPerGroup: 5n,
    groupsPerUnitMax: 100n,
    rowsPerGroupMax: 1000n,
  })
  const end = (value: bigint) => ({ value: rational(value), declared: true })
  expect(columnOf(policy, "visits", "fee").domain).toEqual({
    type: { kind: "decimal", scale: 2 },
    nullable: true,
    range: { min: end(0n), max: end(500n) },
    grid: rational(1n, 100n),
  })
  expect(columnOf(policy, "visits", "ward").domain.values).toHaveLength(3)
  expect(columnOf(policy, "visits", "note").access).toBe("denied")
  expect(columnOf(policy, "visits", "patient_id").domain).toMatchObject({
    type: { kind: "integer" },
    nullable: false,
  })
  expect(policy.grounded).toBe(false)
})

test("reads JSON, and the same from it", () => {
  const json = JSON.stringify({
    dataset: "clinic",
    source: { duckdb: "clinic.duckdb" },
    neighbours: "replace",
    budget: { epsilon: 0.1, accounting: "pure" },
    question: { epsilon: 0.01 },
    bounding: { groups_per_unit: 1, rows_per_group: 1, max_groups_per_unit: 2 },
    shown_from: 10,
    raw_values: true,
    slot_ms: 250,
    resources: { seconds: 60, memory_mb: 500, threads: 2, rows_per_unit: 5000 },
    anchor: "../safe/clinic.anchor",
    unit: "patient",
    tables: { visits: { unit: "row", columns: { age: { type: "integer", min: 0, max: 120 } } } },
  })
  const policy = readPolicy(json)
  expect(policy.terms.budget).toMatchObject({ epsilon: rational(1n, 10n), delta: rational(0n) })
  expect(policy.terms.question).toMatchObject({ epsilonDefault: rational(1n, 100n), delta: rational(0n) })
  expect(policy.terms.bounding.groupsPerUnitMax).toBe(2n)
  expect(policy.terms.shownFrom).toBe(10n)
  expect(policy.terms.raw).toBe(true)
  expect(policy.terms.slotMs).toBe(250)
  expect(policy.catalog).toMatchObject({ unitName: "patient", neighbours: "replace" })
  expect(columnOf(policy, "visits", "age").domain.range?.max.value).toEqual(rational(120n))
  expect(readOpening(json)).toEqual({
    source: { kind: "duckdb", file: "clinic.duckdb" },
    resources: { seconds: 60, memoryMb: 500, threads: 2, rowsPerUnit: 5000 },
  })
  expect(policy.resources).toEqual({ seconds: 60, memoryMb: 500, threads: 2, rowsPerUnit: 5000 })
  expect(policy.anchor).toBe("../safe/clinic.anchor")
})

test("finds the source and the name of a policy that is wrong elsewhere", () => {
  expect(readOpening('source: { csv: ["a/*.csv", b.csv] }\nnonsense: 1')?.source).toEqual({
    kind: "csv",
    globs: ["a/*.csv", "b.csv"],
  })
  for (const text of ["dataset: x", "[1]", "source: {", "source: { tsv: a }"])
    expect(readOpening(text)).toBeUndefined()
  expect(readName("dataset: clinic\nnonsense: 1")).toBe("clinic")
  for (const text of ["dataset: 1 2", "[1]", "nonsense: 1"]) expect(readName(text)).toBeUndefined()
})

test("everything that is wrong is said at once, in the order of the text", () => {
  const text = examplePolicy
    .replace("neighbours: add-or-remove", "neighbors: add-or-remove")
    .replace("default: 0.5", "default: 2")
    .replace("min: 0,", "min: 900,")
    .replace("omop-5.4", "omop-54")
  expect(issuesOf(text).map(([place, code]) => `${place} ${code}`)).toEqual([
    "1:1 policy/missing",
    "3:9 policy/unknown-pack",
    "4:1 policy/unknown-key",
    "6:33 policy/above-limit",
    "12:19 policy/min-above-max",
  ])
})

test("an issue is drawn under the policy", () => {
  const text = `${head}tables:\n  visits: { unit: patient_id, columns: { fee: { min: 0, maxx: 5 } } }\n`
  let drawn = ""
  try {
    readPolicy(text)
  } catch (error) {
    // Drawn to be compared.
    if (error instanceof DosimeterError) drawn = drawError(error, sourceText(text))
  }
  expect(drawn).toBe(`error[policy/unknown-key]: the column visits.fee has no key maxx
  8 |   visits: { unit: patient_id, columns: { fee: { min: 0, maxx: 5 } } }
    |                                                         ^^^^
help: write max`)
})

const visits = (columns: string, more = ""): string =>
  `${head}tables:\n  visits:\n    unit: patient_id\n${more}    columns:\n      ${columns}\n`

/** What is wrong, where, and what is said. */
const wrong: readonly (readonly [string, string, string, string])[] = [
  ["dataset: [", "1:11", "policy/syntax", "a bracket is open"],
  ["a: 1\n---\nb: 2", "2:1", "policy/syntax", "a policy is one document"],
  ["\ta: 1", "1:1", "policy/syntax", "with spaces, not tabs"],
  ["[1]: 2", "1:1", "policy/syntax", "a key must be a word"],
  ["a".repeat(1_000_001), "1:1", "policy/too-long", "1000001 bytes"],
  ["[".repeat(100_000), "1:65", "policy/too-deep", "nested too deeply"],
  ["- ".repeat(100_000), "1:1", "policy/too-deep", "nested too deeply"],
  [`a:\n${" ".repeat(600)}b: 1`, "2:1", "policy/too-deep", "nested too deeply"],
  ["x", "1:1", "policy/wrong-value", "the policy is x, and should be a group"],
  ["", "1:1", "policy/wrong-value", "the policy is empty"],
  [visits("fee: &a { min: 0, max: 1 }"), "11:15", "policy/unsupported-yaml", "an anchor"],
  [visits("fee: *a"), "11:12", "policy/unsupported-yaml", "an alias"],
  [visits("fee: { min: !!float 0, max: 1 }"), "11:27", "policy/unsupported-yaml", "a tag"],
  [visits("fee: { <<: { min: 0 }, max: 1 }"), "11:14", "policy/unknown-key", "no key <<"],
  [`${head}__proto__: { a: 1 }\nschema: omop-5.4`, "7:1", "policy/unknown-key", "no key __proto__"],
  [
    `${head}budget: 1\nschema: omop-5.4`,
    "7:1",
    "policy/duplicate",
    "budget of the policy stands there twice",
  ],
  [visits("fee: integer\n      FEE: integer"), "12:7", "policy/duplicate", "fee in the columns of visits"],
  [`${head}tables:\n  a: { unit: row }\n  A: { unit: row }`, "9:3", "policy/duplicate", "a in tables"],
  [visits("ward: { values: [A, B, A] }"), "11:30", "policy/duplicate", "A among the values of visits.ward"],
  [head, "1:1", "policy/missing", "needs tables"],
  [head.replace("csv:", "tsv:"), "2:11", "policy/unknown-key", "source has no key tsv"],
  [`${head}tables:\n  visits: {}`, "8:3", "policy/missing", "the table visits needs unit"],
  [`${head}tables:\n  visits: 7`, "8:11", "policy/wrong-value", "the table visits is 7"],
  [`${head}tables: [visits]`, "7:9", "policy/wrong-value", "tables is a list"],
  [`${head}tables:\n  "": { unit: row }`, "8:3", "policy/out-of-range", "1 to 63 bytes"],
  [`${head}schema: omop\n`, "7:9", "policy/unknown-pack", "there is no schema pack omop"],
  [visits("fee: 7"), "11:12", "policy/wrong-value", "visits.fee is 7, and should be deny"],
  [visits("fee: { type: money }"), "11:20", "policy/wrong-value", "the type of visits.fee is money"],
  [visits("fee: { type: decimal(13) }"), "11:20", "policy/wrong-value", "decimal(13)"],
  [visits("fee: { min: low, max: 1, type: float }"), "11:19", "policy/wrong-value", "should be a number"],
  [visits('fee: { min: "0", max: 1, type: float }'), "11:19", "policy/wrong-value", "should be a number"],
  [visits("seen: { min: 2001-02-29, type: date }"), "11:20", "policy/wrong-value", "should be a date"],
  [visits("fee: { min: 0, max: 1, grid: x }"), "11:36", "policy/wrong-value", "the grid of visits.fee is x"],
  [visits("fee: { min: 0, max: 1, grid: 0 }"), "11:36", "policy/out-of-range", "greater than 0"],
  [visits("n: { type: integer, grid: 0.5 }"), "11:33", "policy/out-of-range", "a whole number"],
  [visits("n: { type: integer, min: 0.5 }"), "11:32", "policy/out-of-range", "a whole number"],
  [visits("fee: { min: 0.005, max: 1, grid: 0.01 }"), "11:19", "policy/out-of-range", "a multiple of 0.01"],
  [visits("fee: { min: 0, max: 1e31 }"), "11:27", "policy/out-of-range", "-1e30 to 1e30"],
  [visits("fee: { min: 5, max: 1 }"), "11:19", "policy/min-above-max", "5, is above its greatest, 1"],
  [visits("ward: { values: A }"), "11:23", "policy/wrong-value", "should be a list"],
  [visits("ward: { values: [A, null] }"), "11:27", "policy/wrong-value", "other than NULL"],
  [visits("ward: { values: [] }"), "11:7", "policy/out-of-range", "a list of 1 to 10000"],
  [
    visits("n: { values: [1, 9], min: 0, max: 5 }"),
    "11:24",
    "policy/out-of-range",
    "inside the column's range",
  ],
  [visits("n: { type: integer, values: [1, A] }"), "11:39", "policy/wrong-value", "of type integer"],
  [visits("n: { nullable: yes }"), "11:22", "policy/wrong-value", "nullable of visits.n is yes"],
  [visits("n: { type: text, text: full }"), "11:30", "policy/wrong-value", "text of visits.n is full"],
  [visits("n: { nullable: false }"), "11:7", "policy/no-type", "what type visits.n has"],
  [visits("n: { type: text, min: 0 }"), "11:29", "policy/not-applicable", "min means nothing for visits.n"],
  [visits("n: { type: date, grid: 1 }"), "11:30", "policy/not-applicable", "grid means nothing"],
  [visits("n: { type: float, values: [1.5] }"), "11:34", "policy/not-applicable", "values means nothing"],
  [visits("n: { type: date, bounds: auto }"), "11:32", "policy/not-applicable", "bounds means nothing"],
  [visits("n: { type: float, bounds: learn }"), "11:33", "policy/wrong-value", "bounds of visits.n"],
  [visits("n: { type: float, min: 0, bounds: auto }"), "11:41", "policy/wrong-value", "bounds of visits.n"],
  [visits("n: { type: integer, text: free }"), "11:7", "policy/not-applicable", "text means nothing"],
  [
    visits("n: { type: integer, references: vists.id }"),
    "11:39",
    "policy/unknown-table",
    "names the table vists",
  ],
  [visits("n: { type: integer, references: visits.m }"), "11:39", "policy/unknown-column", "has no column m"],
  [
    visits("n: { type: integer, references: visits }"),
    "11:39",
    "policy/wrong-value",
    "a column such as visits.id",
  ],
  [visits("n: integer", "    keys: [m]\n"), "10:12", "policy/unknown-column", "has no column m"],
  [visits("d: date", "    keys: [[patient_id, d]]\n"), "10:12", "policy/inexact-key", "read as NULL"],
  [visits("d: { type: float, key: true }"), "11:7", "policy/inexact-key", "are rounded"],
  [visits("patient_id: { type: integer, min: 1 }"), "9:11", "policy/inexact-key", "beyond its min or max"],
  [visits("patient_id: { type: integer, grid: 10 }"), "9:11", "policy/inexact-key", "steps of its grid"],
  [visits("patient_id: { values: [A, B] }"), "9:11", "policy/inexact-key", "would be shown"],
  [
    visits("patient_id: date"),
    "9:11",
    "policy/unit-type",
    "visits.patient_id tells units apart, and is date",
  ],
  [visits("patient_id: deny"), "9:11", "policy/unit-denied", "needed to count units"],
]

test.each(wrong.map((row, index) => [index, row] as const))("refuses what is wrong, case %i", (_, row) => {
  const [text, place, code, message] = row
  const found = issuesOf(text)
  expect(found.map(([where, which]) => [where, which])).toContainEqual([place, code])
  expect(found.find(([where, which]) => where === place && which === code)?.[2]).toContain(message)
  if (text.startsWith(head)) expect(found).toHaveLength(1)
})

const terms: readonly (readonly [string, string, string, string])[] = [
  ["dataset: clinic", "dataset: 7up", "policy/out-of-range", "beginning with a letter"],
  ["dataset: clinic", "dataset: [a]", "policy/wrong-value", "dataset is a list"],
  ['{ csv: "*.csv" }', "{}", "policy/wrong-value", "one of duckdb, parquet, csv, ndjson, postgres and trino"],
  ['{ csv: "*.csv" }', "{ csv: a, parquet: b }", "policy/wrong-value", "parquet and csv"],
  ['{ csv: "*.csv" }', "{ csv: }", "policy/missing", "source needs csv"],
  ["add-or-remove", "add", "policy/wrong-value", "neighbours is add"],
  ["epsilon: 3,", "epsilon: 0,", "policy/out-of-range", "epsilon of budget is 0"],
  ["epsilon: 3,", "epsilon: many,", "policy/wrong-value", "should be a number"],
  ["epsilon: 3,", "epsilon: 1001,", "policy/out-of-range", "from 0.000001 to 1000"],
  ["epsilon: 3,", "", "policy/missing", "budget needs epsilon"],
  ["delta: 1e-9,", "delta: 0,", "policy/out-of-range", "delta of budget is 0"],
  ["delta: 1e-9,", "delta: 0.01,", "policy/out-of-range", "delta of budget is 0.01"],
  ["delta: 1e-9,", "", "policy/missing", "budget needs delta"],
  ["accounting: zcdp", "accounting: rdp", "policy/wrong-value", "accounting is rdp"],
  [", accounting: zcdp", "", "policy/missing", "budget needs accounting"],
  ["accounting: zcdp", "accounting: zcdp, keys_share: 1", "policy/out-of-range", "keys_share is 1"],
  ["accounting: zcdp", "accounting: gdp, keys_share: half", "policy/wrong-value", "keys_share is half"],
  ["accounting: zcdp", "accounting: pure, keys_share: 0.1", "policy/wrong-value", "should be left out"],
  ["default: 0.5, max: 1", "default: 1.5, max: 1", "policy/above-limit", "is 1.5, above its max, which is 1"],
  [
    "default: 0.5, max: 1",
    "default: 0.5, max: 4",
    "policy/above-limit",
    "above the whole budget, which is 3",
  ],
  ["default: 0.5, max: 1", "max: 1", "policy/missing", "epsilon needs default"],
  ["{ default: 0.5, max: 1 }", "4", "policy/above-limit", "above the whole budget"],
  ["delta: 1e-10", "delta: 6e-10", "policy/above-limit", "above half of the budget's delta"],
  ["delta: 1e-10", "delta: 1e-10, confidence: 95", "policy/out-of-range", "confidence is 95"],
  ["groups_per_unit: 3", "groups_per_unit: 0", "policy/out-of-range", "a whole number from 1"],
  ["groups_per_unit: 3", "groups_per_unit: 1.5", "policy/out-of-range", "a whole number from 1"],
  ["rows_per_group: 5", "norm: none", "policy/wrong-value", "norm"],
  ["rows_per_group: 5", "aim: truth", "policy/wrong-value", "aim"],
  ["rows_per_group: 5", "rows_per_unit: 0", "policy/out-of-range", "rows_per_unit"],
  [
    "rows_per_group: 5",
    "rows_per_group: 5, max_rows_per_group: 4",
    "policy/above-limit",
    "above max_rows_per_group",
  ],
  ["rows_per_group: 5", "rows_per_group: auto", "policy/wrong-value", "rows_per_group"],
  [
    "rows_per_group: 5",
    "rows_per_group: 5, bounds_share: 0.91",
    "policy/out-of-range",
    "bounds_share is 0.91",
  ],
  [
    "rows_per_group: 5",
    "rows_per_group: 5, bounds_share: 0.009",
    "policy/out-of-range",
    "bounds_share is 0.009",
  ],
  ["bounding", "raw_values: sometimes\nbounding", "policy/wrong-value", "raw_values"],
  ["bounding", "shown_from: 0\nbounding", "policy/out-of-range", "shown_from is 0"],
  [
    "bounding",
    "limits: { studies: { a: { epsilon: 5, delta: 1e-9 } } }\nbounding",
    "policy/above-limit",
    "epsilon of the limit of a is 5",
  ],
  [
    "bounding",
    "limits: { analysts: { a: { epsilon: 1 } } }\nbounding",
    "policy/missing",
    "the limit of a needs delta",
  ],
  ["bounding", "limits: { analysts: 7 }\nbounding", "policy/wrong-value", "limits of analysts is 7"],
  ["bounding", "unit: []\nbounding", "policy/wrong-value", "unit is a list"],
]

test.each(terms)("refuses %j written as %j", (good, bad, code, message) => {
  const text = `${head}tables: { a: { unit: row } }\n`
  expect(text).toContain(good)
  const found = issuesOf(text.replace(good, bad))
  expect(found.map(([, which]) => which)).toEqual([code])
  expect(found[0]?.[2]).toContain(message)
})

test("every top-level key that privacy depends on is asked for", () => {
  for (const key of ["dataset", "source", "neighbours", "budget", "question"]) {
    const text = `${head}tables: { a: { unit: row } }\n`.replace(new RegExp(`^${key}:.*\n`, "m"), "")
    expect(issuesOf(text)[0]?.[2]).toBe(`the policy needs ${key}, and there is no default for it`)
  }
})

test("bounding may be left out, in part or all of it: then the norm is learnt", () => {
  const usual = { groupsPerUnit: 3n, rowsPerGroup: 5n, groupsPerUnitMax: 100n, rowsPerGroupMax: 1000n }
  const boundingOf = (line: string): unknown =>
    readPolicy(`${head}tables: { a: { unit: row } }\n`.replace(/^bounding:.*\n/m, line)).terms.bounding
  expect(boundingOf("")).toEqual(usual)
  expect(boundingOf("bounding: {}\n")).toEqual(usual)
  expect(boundingOf("bounding: { norm: auto, rows_per_group: 2 }\n")).toEqual({ ...usual, rowsPerGroup: 2n })
  expect(boundingOf("bounding: { norm: fixed, aim: least-error, rows_per_unit: 40 }\n")).toEqual({
    ...usual,
    norm: "fixed",
    aim: "least-error",
    rowsPerUnit: 40n,
  })
})

test("limits of studies and analysts are budgets of their own", () => {
  const text = `${head}tables: { a: { unit: row } }
limits:
  studies: { Heart failure: { epsilon: 1, delta: 1e-10 } }
  analysts: { ada: { epsilon: 0.5, delta: 1e-10 } }
`
  const { studies, analysts } = readPolicy(text).limits
  expect(studies.map(({ name, budget }) => [name, budget.epsilon])).toEqual([["Heart failure", rational(1n)]])
  expect(analysts[0]?.budget.accounting).toBe("zcdp")
})

test("numbers are read from their text, never through a double", () => {
  const text = head
    .replace("epsilon: 3,", "epsilon: 0.1000000000000000000001,")
    .replace(/\{ default.*?\}/, "0.1")
  const { budget, question } = readPolicy(`${text}tables: { a: { unit: row } }`).terms
  expect(budget.epsilon).toEqual(rational(10n ** 21n + 1n, 10n ** 22n))
  expect(question.epsilonMax).toEqual(rational(1n, 10n))
})

test("the extremes of a budget are read in bounded time", () => {
  for (const epsilon of ["0.000001", "1000"]) {
    for (const accounting of ["zcdp", "gdp"]) {
      const text = head
        .replace(/budget: .*/, `budget: { epsilon: ${epsilon}, delta: 1e-59, accounting: ${accounting} }`)
        .replace(/question: .*/, "question: { epsilon: 0.000001, delta: 1e-60 }")
      expect(issuesOf(`${text}tables: { a: { unit: row } }`)).toEqual([])
    }
  }
})

test("hostile texts end in issues, soon, and leave prototypes alone", () => {
  const many = Array.from({ length: 60_000 }, (_, index) => `k${index}: 1`).join("\n")
  expect(issuesOf(many)).toHaveLength(100)
  const table = `${head}tables:\n  __proto__: { unit: row, columns: { __proto__: integer, constructor: text } }\n`
  const policy = readPolicy(table)
  expect(columnOf(policy, "__proto__", "__proto__").domain.type.kind).toBe("integer")
  expect(Object.hasOwn(Object.prototype, "unit")).toBe(false)
})

test("line ends of any kind and a byte order mark do not matter", () => {
  const { catalog } = readPolicy(`\ufeff${examplePolicy.replaceAll("\n", "\r\n")}`)
  expect(tableNamed(catalog, "visits")).toEqual(tableNamed(readPolicy(examplePolicy).catalog, "visits"))
})

test("whatever is typed, a policy is read or its issues are told, each with a place", () => {
  const marks = "{ } [ ] : , - ? | > &a *a !!x # ' \" % ---\n \n \t".split(" ")
  const words = "null ~ 0 -1 1e99 .5 0x1 1/0 public row a->b.c deny 2001-02-30 \u0000".split(" ")
  const piece = fc.constantFrom(...marks, ...words)
  const change = fc.record({ at: fc.nat(examplePolicy.length), cut: fc.nat(12), piece })
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      let text = examplePolicy
      for (const { at, cut, piece: added } of changes) text = text.slice(0, at) + added + text.slice(at + cut)
      for (const [place, code] of issuesOf(text)) {
        expect(code).toMatch(/^policy\//)
        expect(place).toMatch(/^\d+:\d+$/)
      }
    }),
    { numRuns: 100 },
  )
})

test("keys of a site stand in place of the pack's, also if there are none", () => {
  const keysOf = (line: string): readonly (readonly string[])[] | undefined => {
    const { catalog } = readPolicy(`${examplePolicy}  drug_exposure: ${line}\n`)
    return catalog.tables.find(({ name }) => name === "drug_exposure")?.keys
  }
  expect(keysOf("{ columns: { quantity: { max: 100 } } }")).toEqual([["drug_exposure_id"]])
  expect(keysOf("{ keys: [] }")).toEqual([])
})
