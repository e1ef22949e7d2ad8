import { DosimeterError, rational } from "@dosimeter/core"
import { expect, test } from "vitest"
import { columnNamed, tableNamed } from "@dosimeter/proof/catalog/catalog"
import type { SqlType } from "@dosimeter/proof/catalog/sql-type"
import type { Policy } from "../file/policy.ts"
import { readPolicy } from "../read/read-policy.ts"
import type { ColumnFacts, SourceFacts, TableFacts } from "../file/source-facts.ts"

const head = `dataset: clinic
source: { csv: "*.csv" }
neighbours: add-or-remove
budget: { epsilon: 3, delta: 1e-9, accounting: zcdp }
question: { epsilon: 0.5, delta: 1e-10 }
bounding: { groups_per_unit: 3, rows_per_group: 5 }
`

/** The codes and messages of what is wrong with these tables. */
function issuesOf(tables: string, facts?: SourceFacts): readonly (readonly [string, string])[] {
  try {
    readPolicy(head + tables, facts === undefined ? {} : { facts })
    return []
  } catch (error) {
    // The issues are what is looked at; anything else is a failure of the test.
    if (!(error instanceof DosimeterError)) throw error
    return error.issues.map(({ code, message }) => [code, message] as const)
  }
}

const int32 = { min: rational(-(2n ** 31n)), max: rational(2n ** 31n - 1n) }

function column(name: string, kind: SqlType["kind"] | "list", nullable = true): ColumnFacts {
  const types: Readonly<Record<string, SqlType>> = {
    integer: { kind: "integer" },
    text: { kind: "text" },
    float: { kind: "float" },
    decimal: { kind: "decimal", scale: 2 },
    date: { kind: "date" },
    timestamp: { kind: "timestamp" },
    boolean: { kind: "boolean" },
  }
  return {
    name,
    type: types[kind],
    typeName: kind.toUpperCase(),
    nullable,
    ...(kind === "integer" ? { range: int32 } : {}),
  }
}

function table(
  name: string,
  columns: readonly ColumnFacts[],
  keys: readonly (readonly string[])[] = [],
): TableFacts {
  return { name, path: ["main", name], columns, keys }
}

const clinic: SourceFacts = {
  tables: [
    table(
      "Visits",
      [
        column("PatientID", "text"),
        column("age", "integer", false),
        column("fee", "float"),
        column("paid", "decimal", false),
        column("seen", "date", false),
        column("tags", "list"),
      ],
      [["PatientID", "age"]],
    ),
    table(
      "wards",
      [column("id", "integer"), column("name", "text"), column("note", "text"), column("shape", "list")],
      [["id"]],
    ),
  ],
}

function domainOf(policy: Policy, tableName: string, name: string) {
  const found = tableNamed(policy.catalog, tableName)
  return found === undefined ? undefined : columnNamed(found, name)?.domain
}

test("the source's names, types, widths, keys and NOT NULLs are taken", () => {
  const policy = readPolicy(
    `${head}tables:
  visits:
    unit: patientid
    columns:
      { age: , fee: { min: 0, max: 500, grid: 0.01 }, paid: , seen: { min: 1999-01-01, max: 2008-12-31 } }
  wards: { unit: public }
`,
    { facts: clinic },
  )
  const visits = tableNamed(policy.catalog, "visits")
  expect(visits).toMatchObject({ path: ["main", "Visits"], keys: [["patientid", "age"]] })
  expect(visits?.columns.map(({ name, source }) => [name, source])).toContainEqual(["patientid", "PatientID"])
  expect(domainOf(policy, "visits", "patientid")).toEqual({ type: { kind: "text" }, nullable: false })
  expect(domainOf(policy, "visits", "age")).toEqual({
    type: { kind: "integer" },
    nullable: false,
    range: { min: { value: int32.min, declared: false }, max: { value: int32.max, declared: false } },
  })
  expect(domainOf(policy, "visits", "fee")?.type).toEqual({ kind: "decimal", scale: 2 })
  expect(domainOf(policy, "visits", "paid")).toMatchObject({
    type: { kind: "decimal", scale: 2 },
    nullable: false,
  })
  expect(domainOf(policy, "visits", "seen")).toMatchObject({
    nullable: true,
    range: { min: { declared: true } },
  })
  expect(tableNamed(policy.catalog, "wards")?.columns.map(({ name }) => name)).toEqual(["id", "name", "note"])
  expect(policy.claims).toEqual([{ kind: "unique", table: "visits", columns: ["patientid", "age"] }])
  expect(policy.grounded).toBe(true)
  expect(policy.catalog.unitName).toBe("patient")
})

test("a stored decimal keeps its range, rounded outward where it is read with fewer digits", () => {
  const ends = { min: rational(-9999n, 100n), max: rational(9999n, 100n) }
  const paid: ColumnFacts = { ...column("paid", "decimal"), range: ends }
  const rangeAs = (type: string) =>
    domainOf(
      readPolicy(`${head}tables: { a: { unit: row, columns: { paid: ${type} } } }`, {
        facts: { tables: [table("a", [paid])] },
      }),
      "a",
      "paid",
    )?.range?.max.value
  expect(rangeAs("")).toEqual(rational(9999n, 100n))
  expect(rangeAs("decimal(3)")).toEqual(rational(9999n, 100n))
  expect(rangeAs("decimal(0)")).toEqual(rational(100n))
})

test("what the database does not enforce is a claim", () => {
  const policy = readPolicy(
    `${head}tables:
  visits:
    unit: patientid
    keys: [patientid]
    columns: { fee: { nullable: false }, patientid: { nullable: false } }
  wards: { unit: public, columns: { name: { nullable: false, key: true }, note: { nullable: false } } }\n`,
    { facts: clinic },
  )
  expect(policy.claims).toEqual([
    { kind: "unique", table: "visits", columns: ["patientid"] },
    // A float may be NaN, which is read as NULL.
    { kind: "not-null", table: "visits", columns: ["fee"] },
    { kind: "unique", table: "wards", columns: ["name"] },
    { kind: "not-null", table: "wards", columns: ["note"] },
  ])
})

test("names of the source can be given", () => {
  const policy = readPolicy(
    `${head}tables:
  stays:
    unit: person
    source: main.Visits
    columns: { person: { source: PatientID }, price: { source: fee } }
  Wards: { unit: public, columns: { Name: text } }
`,
    { facts: clinic },
  )
  expect(tableNamed(policy.catalog, "stays")?.path).toEqual(["main", "Visits"])
  expect(domainOf(policy, "stays", "price")?.type.kind).toBe("float")
  const alone = readPolicy(
    `${head}tables:\n  Stays: { unit: Person, columns: { Price: float } }\n  "X": { unit: person, source: [a.b] }`,
  )
  expect(alone.catalog.tables.map(({ name, path }) => [name, path])).toEqual([
    ["stays", ["Stays"]],
    ["X", ["a.b"]],
  ])
  expect(alone.catalog.tables[0]?.columns.map(({ name, source }) => [name, source])).toEqual([
    ["price", "Price"],
    ["person", "person"],
  ])
})

const againstSource: readonly (readonly [string, string, string])[] = [
  ["tables: { vists: { unit: row } }", "policy/not-in-source", "the source has no table vists"],
  [
    "tables: { visits: { unit: row, columns: { aeg: } } }",
    "policy/not-in-source",
    "the source has no column aeg in the table visits",
  ],
  [
    "tables: { visits: { unit: patient } }",
    "policy/not-in-source",
    "the source has no column patient in the table visits",
  ],
  [
    "tables: { visits: { unit: row, keys: [idd] } }",
    "policy/not-in-source",
    "the source has no column idd in the table visits",
  ],
  [
    "tables: { visits: { unit: row, columns: { tags: } } }",
    "policy/unsupported-type",
    "the source stores visits.tags as LIST, which cannot be asked about",
  ],
  [
    "tables: { visits: { unit: row, columns: { age: text } } }",
    "policy/type-differs",
    "visits.age is text, and the source's column is integer",
  ],
  ["tables: { visits: { unit: fee } }", "policy/unit-type", "visits.fee tells units apart, and is float"],
  [
    "tables: { visits: { unit: patientid }, wards: { unit: id } }",
    "policy/type-differs",
    "wards.id is integer, and visits.patientid is text",
  ],
]

test.each(againstSource)("against the source, %s is wrong", (text, code, message) => {
  expect(issuesOf(text, clinic)).toEqual([[code, message]])
})

const paths: readonly (readonly [string, string, string])[] = [
  [
    "{ a: { unit: x -> b.id -> p } }",
    "policy/unknown-table",
    "the path of a names the table b, which the policy does not describe",
  ],
  [
    "{ a: { unit: x -> a.id -> p } }",
    "policy/path-cycle",
    "the path from a to its unit runs in a circle: a -> a",
  ],
  [
    "{ a: { unit: x -> b.id }, b: { unit: y -> a.id } }",
    "policy/path-cycle",
    "the path from b to its unit runs in a circle: a -> b -> a",
  ],
  [
    "{ a: { unit: x -> b.id -> p }, b: { unit: public } }",
    "policy/bad-path",
    "the path x -> b.id -> p leads to nobody: b is public",
  ],
  [
    "{ a: { unit: x -> b.id }, b: { unit: row } }",
    "policy/bad-path",
    "the path x -> b.id leads to nobody: b is by row",
  ],
  [
    "{ a: { unit: x -> b.id -> q }, b: { unit: p } }",
    "policy/bad-path",
    "the path x -> b.id -> q leads to nobody: b goes by p",
  ],
  [
    "{ a: { unit: x -> b } }",
    "policy/bad-path",
    "the path x -> b leads to nobody: it alternates between a column and table.column",
  ],
  [
    "{ a: { unit: x -> -> p } }",
    "policy/bad-path",
    "the path x -> -> p leads to nobody: it alternates between a column and table.column",
  ],
  [
    "{ a: { unit: a.x } }",
    "policy/bad-path",
    "the path a.x leads to nobody: it alternates between a column and table.column",
  ],
  [
    "{ a: { unit: row }, b: { unit: p } }",
    "policy/mixed-units",
    "each row of a is a unit, and b belongs to persons",
  ],
  [
    "{ a: { unit: x -> b.id, columns: { x: integer } }, b: { unit: p, columns: { id: text } } }",
    "policy/type-differs",
    "a.x is integer, and b.id is text",
  ],
  [
    "{ a: { unit: x -> b.id }, b: { unit: p, columns: { id: { type: integer, max: 9 } } } }",
    "policy/inexact-key",
    "b.id tells rows or units apart, but values beyond its min or max fall together",
  ],
]

test.each(paths)("the unit of %s is refused", (tables, code, message) => {
  expect(issuesOf(`tables: ${tables}`)).toContainEqual([code, message])
})

test("keys for copies are columns, or the months and years of dates", () => {
  const visits = "unit: p, columns: { ward: text, day: date, note: deny }"
  const keysOf = (prepare: string) =>
    readPolicy(`${head}tables: { visits: { ${visits}, prepare: ${prepare} } }`).catalog.tables[0]?.copyKeys
  expect(keysOf("[ward, month(day), [ward, year( day )]]")).toEqual([
    [{ column: "ward" }],
    [{ column: "day", cut: "month" }],
    [{ column: "ward" }, { column: "day", cut: "year" }],
  ])
  expect(keysOf("[]")).toEqual([])
  const refused = (tables: string) => issuesOf(`tables: ${tables}`).map(([, message]) => message)
  expect(refused(`{ visits: { ${visits}, prepare: [note] } }`)[0]).toContain("note")
  expect(refused(`{ visits: { ${visits}, prepare: [month(ward)] } }`)[0]).toContain("a column of text")
  expect(refused("{ t: { unit: public, prepare: [x] } }")[0]).toContain("copies by key")
})

test("a path that ends at a table goes on with its own, and what it leads to is a key", () => {
  const policy = readPolicy(`${head}tables:
  lines: { unit: order_id -> orders.id }
  orders: { unit: visit_id -> visits.id -> patient_id }
  visits: { unit: patient_id }
`)
  const hops = [
    { column: "order_id", table: "orders", key: "id" },
    { column: "visit_id", table: "visits", key: "id" },
  ]
  expect(tableNamed(policy.catalog, "lines")?.unit).toEqual({ kind: "path", hops, column: "patient_id" })
  expect(tableNamed(policy.catalog, "orders")?.keys).toEqual([["id"]])
  expect(tableNamed(policy.catalog, "visits")?.keys).toEqual([["id"]])
  expect(policy.claims.map((claim) => claim.table)).toEqual(["orders", "visits"])
  // Nothing says what the ids are, so they are read as text: no two fall together.
  expect(domainOf(policy, "lines", "order_id")).toEqual({ type: { kind: "text" }, nullable: false })
  expect(domainOf(policy, "orders", "id")).toEqual({ type: { kind: "text" }, nullable: true })
  expect(policy.catalog.unitName).toBe("patient")
})

test("a whole path may be written out", () => {
  const policy = readPolicy(`${head}tables:
  lines: { unit: order_id -> orders.id -> visit_id -> visits.id -> patient_id }
  orders: { unit: visit_id -> visits.id }
  visits: { unit: patient_id }
`)
  expect(tableNamed(policy.catalog, "lines")?.unit).toMatchObject({ column: "patient_id", hops: [{}, {}] })
})

const inferred: readonly (readonly [string, SqlType])[] = [
  ["{ min: 0, max: 5 }", { kind: "float" }],
  ["{ min: 0, max: 5, grid: 0.25 }", { kind: "float" }],
  ["{ min: 0, max: 5, grid: 1 }", { kind: "decimal", scale: 0 }],
  ["{ grid: 0.001 }", { kind: "decimal", scale: 3 }],
  ["{ min: 1999-01-01 }", { kind: "date" }],
  ["{ max: 1999-01-01 12:30 }", { kind: "timestamp" }],
  ["{ values: [1, 2] }", { kind: "integer" }],
  ["{ values: [1.5, 2] }", { kind: "decimal", scale: 1 }],
  ["{ values: [true, false] }", { kind: "boolean" }],
  ["{ values: [2001-01-01] }", { kind: "date" }],
  ['{ values: ["1", "2"] }', { kind: "text" }],
  ["{ values: [1, A] }", { kind: "text" }],
  ["{ text: code }", { kind: "text" }],
  ["timestamp", { kind: "timestamp" }],
  ["decimal(3)", { kind: "decimal", scale: 3 }],
]

test.each(inferred)("a column written as %s has type %j", (written, type) => {
  const policy = readPolicy(`${head}tables:\n  a:\n    unit: row\n    columns:\n      x: ${written}\n`)
  expect(domainOf(policy, "a", "x")?.type).toEqual(type)
})

test("the ends of a range are read exactly, a day as a whole", () => {
  const policy = readPolicy(`${head}tables:
  a:
    unit: row
    columns:
      day: { min: 1970-01-02, max: 2000-02-29 }
      time: { type: timestamp, min: 1970-01-02, max: 1970-01-02 }
      moment: { type: timestamp, max: "1969-12-31T23:59:59.5" }
      early: date
      real: { type: float, min: 0.1, max: 0.3 }
`)
  const ends = (name: string) => {
    const { min, max } = domainOf(policy, "a", name)?.range ?? {}
    return [min?.value, max?.value]
  }
  const day = 86_400_000_000n
  expect(ends("day")).toEqual([rational(1n), rational(11_016n)])
  expect(ends("time")).toEqual([rational(day), rational(2n * day - 1n)])
  expect(ends("moment")[1]).toEqual(rational(-500_000n))
  expect(ends("early")).toEqual([rational(-719_162n), rational(2_932_896n)])
  // 0.1 and 0.3 are no doubles: the range ends at doubles inside them.
  const [low, high] = ends("real")
  expect(low === undefined ? 0 : Number(low.numerator) / Number(low.denominator)).toBe(0.1)
  expect(high === undefined ? 0 : Number(high.numerator) / Number(high.denominator)).toBe(0.3)
  expect(low === undefined ? false : 10n * low.numerator >= low.denominator).toBe(true)
  expect(high === undefined ? false : 10n * high.numerator <= 3n * high.denominator).toBe(true)
})
