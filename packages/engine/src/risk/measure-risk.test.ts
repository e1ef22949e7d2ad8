import { seededBits } from "@dosimeter/core/testing"
import type { Source } from "@dosimeter/policy/file/policy"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openExactRows } from "../dataset/duckdb/exact-rows.ts"
import { openDuckDB } from "../dataset/duckdb/open-duckdb.ts"
import { measureRisk, type RiskOptions } from "./measure-risk.ts"

const folder = mkdtempSync(join(tmpdir(), "dosimeter-risk-test-"))
afterAll(() => rmSync(folder, { recursive: true }))

function csv(name: string, lines: readonly string[]): Source {
  writeFileSync(join(folder, `${name}.csv`), `${lines.join("\n")}\n`)
  return { kind: "csv", globs: [`${name}.csv`] }
}

const report = (source: Source, options: Partial<RiskOptions> = {}) =>
  measureRisk({ source, folder, attacks: false, rng: seededBits("risk"), ...options })

// Three classes of four: in one all have cancer, in one two and two, in one three diseases.
const ward = csv("ward", [
  "zip,age,disease",
  ...["heart", "heart", "viral", "viral"].map((disease) => `130**,below 30,${disease}`),
  ...["cancer", "heart", "viral", "viral"].map((disease) => `1485*,40 or more,${disease}`),
  ...["cancer", "cancer", "cancer", "cancer"].map((disease) => `130**,30 to 39,${disease}`),
])
const wardColumns = { quasi: ["zip", "age"], sensitive: ["disease"] }

test("a crowd of four in which all have the same disease hides nobody", async () => {
  const { rows, crowds, homogeneity, combinations } = await report(ward, wardColumns)
  expect(rows).toBe(12)
  expect(crowds).toMatchObject({ k: 4, classes: 3, median: 4 })
  expect(crowds.sizes.find(({ from }) => from === 3)).toEqual({ from: 3, to: 4, classes: 3, people: 12 })
  // Of twelve, 3 have heart disease, 4 a virus, 5 cancer: a class of cancer alone is 1 - 5/12 away.
  const [disease] = homogeneity
  expect(disease).toMatchObject({ values: 3, l: 1, certain: 4, certainAlone: 0, certainInCrowd: 0 })
  expect(disease?.t).toBeCloseTo(7 / 12, 12)
  expect(disease?.entropyL).toBeCloseTo(1, 12)
  expect(
    combinations.map(({ columns, classes, unique, below5, certain }) => [
      columns.join(),
      classes,
      unique,
      below5,
      certain[0]?.people,
    ]),
  ).toEqual([
    ["zip", 2, 0, 4, 0],
    ["age", 3, 0, 12, 4],
    ["zip,age", 3, 0, 12, 4],
  ])
})

test("diversity is that of the least diverse class", async () => {
  const source = csv("diverse", [
    "town,disease",
    ...["flu", "flu", "hiv", "hiv"].map((disease) => `A,${disease}`),
    ...["flu", "flu", "flu", "hiv"].map((disease) => `B,${disease}`),
  ])
  const { homogeneity } = await report(source, { quasi: ["town"], sensitive: ["disease"] })
  // Of B three quarters have flu: entropy 0.5623 nats, and 5/8 of all do, an eighth less.
  expect(homogeneity[0]).toMatchObject({ l: 2, certain: 0 })
  expect(homogeneity[0]?.entropyL).toBeCloseTo(Math.exp(-0.75 * Math.log(0.75) - 0.25 * Math.log(0.25)), 12)
  expect(homogeneity[0]?.t).toBeCloseTo(1 / 8, 12)
})

test("recursive diversity, by hand: how much the most common value outweighs the rest", async () => {
  const source = csv("recursive", [
    "town,disease",
    // Counts 5, 3, 1, 1; then 2, 2, 2; then 4, 1; then one value alone.
    ..."aaaaabbbcd".split("").map((disease) => `A,${disease}`),
    ..."aabbcc".split("").map((disease) => `B,${disease}`),
    ..."aaaad".split("").map((disease) => `C,${disease}`),
    ..."bb".split("").map((disease) => `D,${disease}`),
  ])
  const { homogeneity } = await report(source, { quasi: ["town"], sensitive: ["disease"] })
  expect(homogeneity[0]?.recursive).toEqual([
    // 5 / 5, 2 / 4 and 4 / 1; the two of D have one value.
    { l: 2, c: 4, without: 2 },
    // 5 / 2 and 2 / 2; C and D have fewer than three.
    { l: 3, c: 2.5, without: 7 },
    { l: 4, c: 5, without: 13 },
  ])
  const two = csv("binary", ["town,disease", "A,yes", "A,no", "B,no"])
  const binary = await report(two, { quasi: ["town"], sensitive: ["disease"] })
  expect(binary.homogeneity[0]?.recursive).toEqual([{ l: 2, c: 1, without: 1 }])
})

test("a missing value is a value, of people and of what they have", async () => {
  const source = csv("missing", ["town,sex,disease", "A,F,flu", "A,,", "A,,", ",F,hiv"])
  const { crowds, homogeneity } = await report(source, { quasi: ["town", "sex"], sensitive: ["disease"] })
  expect(crowds).toMatchObject({ k: 1, classes: 3 })
  expect(homogeneity[0]).toMatchObject({ values: 3, certain: 4, certainAlone: 2 })
})

test("a second file: unique pairs, records that match several, and what they tell", async () => {
  const source = csv("register", [
    "age,zip,disease",
    "30,A,flu",
    "30,B,hiv",
    "30,B,hiv",
    "50,B,flu",
    "50,C,flu",
    "50,C,hiv",
  ])
  const voters = csv("voters", [
    "name,years,zip",
    "Ann,30,A",
    "Bob,30,B",
    "Cleo,50,B",
    "Dan,50,B",
    "Eve,50,C",
    "Fay,80,C",
  ])
  const { linkage } = await report(source, {
    quasi: ["age", "zip"],
    sensitive: ["disease"],
    link: { source: voters, folder, on: { age: "years" } },
  })
  // Ann is a pair. Bob matches two, who both have HIV; Cleo and Dan the one of 50 in B; Eve two who differ.
  expect(linkage).toEqual({
    file: "voters",
    on: ["age", "zip"],
    records: 6,
    pairs: 1,
    ambiguous: 4,
    unmatched: 1,
    certain: [{ column: "disease", people: 4 }],
  })
})

test("coarser columns: what each step costs, until everybody has a crowd", async () => {
  const source = csv("ages", [
    "age,disease",
    ...Array.from({ length: 40 }, (_, age) => `${age},${age < 20 ? "flu" : "hiv"}`),
  ])
  const { generalisation } = await report(source, { quasi: ["age"], sensitive: ["disease"], k: 20 })
  expect(
    generalisation.map(({ what, k, unique, below11, certain }) => [
      what,
      k,
      unique,
      below11,
      certain[0]?.people,
    ]),
  ).toEqual([
    ["as it is", 1, 40, 40, 40],
    ["age: bands of 5", 5, 0, 40, 40],
    ["age: bands of 10", 10, 0, 40, 40],
    // A crowd of twenty, and still everybody's disease is certain.
    ["age: bands of 20", 20, 0, 0, 40],
  ])
  // Of log 40 are left log 8, log 4 and log 2.
  for (const [index, left] of [40, 8, 4, 2].entries()) {
    expect(generalisation[index]?.lost).toBeCloseTo(1 - Math.log(left) / Math.log(40), 12)
  }
})

test("a handful of markers is unique", async () => {
  const bit = (person: number, marker: number): number => (person >> marker) & 1
  const source = csv("genomes", [
    ["m0", "m1", "m2", "m3"].join(","),
    ...Array.from({ length: 16 }, (_, person) => [0, 1, 2, 3].map((marker) => bit(person, marker)).join(",")),
  ])
  const { curve } = await report(source, { quasi: ["m0"] })
  expect(curve?.columns).toEqual(["m0", "m1", "m2", "m3"])
  expect(curve?.points.map(({ known, mean, least }) => [known, mean, least])).toEqual([
    [1, 0, 0],
    [2, 0, 0],
    [3, 0, 0],
    [4, 1, 1],
  ])
})

test("two tables in which everybody has a crowd tell everything together", async () => {
  const source = csv("two", ["sex,town,disease", "F,A,flu", "F,B,hiv", "M,A,asthma", "M,B,cancer"])
  const { attacks } = await report(source, {
    quasi: ["sex", "town"],
    sensitive: ["disease"],
    k: 2,
    attacks: true,
  })
  const [homogeneous, linked] = attacks?.tables ?? []
  expect(homogeneous).toMatchObject({
    people: 4,
    withheld: 0,
    certain: [0],
    levels: [["left out", "as it is"]],
  })
  expect(linked).toMatchObject({ people: 4, certain: [0, 0], together: 4 })
  expect(attacks?.leftOut).toEqual([expect.stringContaining("fewer than five people are unique")])
})

test("hidden and rounded counts give away everybody, and Dosimeter's answers do not", async () => {
  const source = csv("unique", [
    "age,disease",
    ...Array.from({ length: 60 }, (_, age) => `${age},${age % 2 === 0 ? "flu" : "none"}`),
  ])
  const { attacks } = await report(source, {
    quasi: ["age"],
    sensitive: ["disease"],
    attacks: true,
    targets: 20,
  })
  expect(attacks?.counts).toEqual([
    { kind: "hidden", queries: 2, targets: 20, right: 1, hidden: 0 },
    { kind: "rounded", queries: 10, targets: 20, right: 1, hidden: 0 },
  ])
  expect(attacks?.ceiling).toBeCloseTo(Math.E / (1 + Math.E), 12)
  expect(attacks?.dosimeter?.targets).toBe(20)
  // Twenty coins: below nineteen, whatever the seed is, but for less than one in a thousand seeds.
  expect(attacks?.dosimeter?.right).toBeLessThan(0.95)
})

test("a large loss protects nobody, so the attack does work", async () => {
  const source = csv("large", [
    "age,disease",
    ...Array.from({ length: 60 }, (_, age) => `${age},${age % 2 === 0 ? "flu" : "none"}`),
  ])
  const { attacks } = await report(source, {
    quasi: ["age"],
    sensitive: ["disease"],
    attacks: true,
    targets: 10,
    epsilon: 80,
  })
  expect(attacks?.dosimeter?.right).toBe(1)
  expect(attacks?.tables.map(({ dosimeter }) => dosimeter.right)).toEqual([1, 1])
})

test("below eleven nothing is shown, and nothing found", async () => {
  const source = csv("rare", [
    "age,disease",
    ...Array.from({ length: 60 }, (_, age) => `${age},${age < 9 ? "rare" : "none"}`),
  ])
  const fact = { column: "disease", value: "rare" }
  const { attacks } = await report(source, {
    quasi: ["age"],
    sensitive: ["disease"],
    attacks: true,
    targets: 8,
    fact,
  })
  expect(attacks?.fact).toEqual(fact)
  expect(attacks?.counts[0]).toEqual({ kind: "hidden", queries: 2, targets: 8, right: 0.5, hidden: 8 })
})

test("several rows of one person are one, and what a person has is all of it", async () => {
  const source = csv("stays", [
    "patient,age,disease",
    "1,30,flu",
    "1,31,hiv",
    "2,30,flu",
    "2,30,flu",
    "3,30,hiv",
    ",30,flu",
  ])
  const { rows, person, crowds, found } = await report(source, {
    quasi: ["age"],
    sensitive: ["disease"],
    person: "patient",
    rows: 9,
  })
  expect(rows).toBe(3)
  expect(person).toEqual({ column: "patient", varying: 1 })
  expect(crowds.k).toBe(3)
  expect(found).toEqual([])
})

test("single rows are shown to whoever asks for them, and to nobody else", async () => {
  const source = csv("few", ["age,disease", "30,flu", "30,hiv", "40,flu", "50,flu", "50,flu"])
  const columns = { quasi: ["age"], sensitive: ["disease"] }
  expect((await report(source, columns)).found).toEqual([])
  expect(JSON.stringify(await report(source, columns))).not.toContain('"flu"')
  const { found } = await report(source, { ...columns, rows: 2 })
  expect(found.map(({ values }) => values)).toEqual([
    { age: "40", disease: "flu" },
    { age: "50", disease: "flu" },
  ])
})

test("columns are suggested by their names, and by values that nearly every row has of its own", async () => {
  const source = csv("names", [
    "patientId,code,birth_date,Sex,ZIP,colour,diagnosis",
    ...Array.from(
      { length: 30 },
      (_, row) => `${row % 5},x${row},2001-01-${(row % 9) + 10},F,1011${row % 3},red,${row % 2}`,
    ),
  ])
  const { columns, quasi, sensitive, chosen } = await report(source)
  expect(columns.map(({ column, role }) => `${column} ${role}`)).toEqual([
    "patientId identifier",
    "code identifier",
    "birth_date quasi",
    "Sex other",
    "ZIP quasi",
    "colour other",
    "diagnosis sensitive",
  ])
  expect({ quasi, sensitive, chosen }).toEqual({
    quasi: ["birth_date", "ZIP"],
    sensitive: ["diagnosis"],
    chosen: true,
  })
})

test("rows that may be no people are named, and so are genetic markers", async () => {
  const source = csv("tests", [
    "test_id,subject_id,rs7412,age,result",
    ...Array.from(
      { length: 40 },
      (_, row) => `${row},${row % 25},${row % 2 === 0 ? "CT" : "CC"},${row % 3},${row % 2}`,
    ),
  ])
  const each = await report(source)
  expect([each.rows, each.personSuggested]).toEqual([
    40,
    { column: "subject_id", people: 25, isEstimate: false },
  ])
  const { rows, personSuggested } = await report(source, { person: "subject_id" })
  expect([rows, personSuggested]).toEqual([25, undefined])
  expect(each.columns.find(({ column }) => column === "rs7412")).toMatchObject({ role: "quasi" })
  // One row for each subject: nothing to suggest.
  const apart = csv("apart", [
    "subject_id,age",
    ...Array.from({ length: 40 }, (_, row) => `${row},${row % 3}`),
  ])
  expect((await report(apart)).personSuggested).toBeUndefined()
})

/** The same counts by plain loops over rows: shares no code and no database with the report. */
function countedByHand(rows: readonly (readonly string[])[], known: readonly number[], told: number) {
  const classes = new Map<string, (readonly string[])[]>()
  for (const row of rows) {
    const key = JSON.stringify(known.map((index) => row[index]))
    classes.set(key, [...(classes.get(key) ?? []), row])
  }
  const own = [...classes.values()]
  const people = (which: (members: readonly (readonly string[])[]) => boolean): number =>
    own.filter(which).reduce((sum, { length }) => sum + length, 0)
  return {
    classes: own.length,
    unique: people(({ length }) => length === 1),
    below5: people(({ length }) => length < 5),
    below11: people(({ length }) => length < 11),
    certain: people((members) => new Set(members.map((row) => row[told])).size === 1),
  }
}

test("300 people at random: every combination is what plain loops over the rows count", async () => {
  const rng = seededBits("people by hand")
  const drawn = (most: number): string => `${rng.word() % most}`
  const rows = Array.from({ length: 300 }, () => [drawn(9), drawn(2), drawn(7), drawn(4)])
  const source = csv("drawn", ["age,sex,zip,disease", ...rows.map((row) => row.join(","))])
  const { combinations, crowds } = await report(source, {
    quasi: ["age", "sex", "zip"],
    sensitive: ["disease"],
  })
  const names = ["age", "sex", "zip"]
  expect(combinations).toHaveLength(7)
  for (const { columns, certain, ...counts } of combinations) {
    const { certain: told, ...wanted } = countedByHand(
      rows,
      columns.map((name) => names.indexOf(name)),
      3,
    )
    expect(counts, columns.join()).toMatchObject(wanted)
    expect(certain, columns.join()).toEqual([{ column: "disease", people: told }])
  }
  expect(crowds.sizes.reduce((sum, { people }) => sum + people, 0)).toBe(300)
})

test("combinations beyond what can be counted are said to be left out", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `a${index}`)
  const source = csv("wide", [
    names.join(","),
    names.map(() => "1").join(","),
    names.map(() => "2").join(","),
  ])
  const { combinations, combinationsLeftOut } = await report(source, { quasi: names })
  expect([combinations.length, combinationsLeftOut]).toEqual([127, 128])
  expect(combinations.some(({ columns }) => columns.length === 8)).toBe(true)
})

test("a table of a DuckDB file, and one of Parquet", async () => {
  const opened = await openDuckDB({ kind: "csv", globs: ["ward.csv"] }, folder)
  await opened.connection.run(`COPY ward TO '${folder}/ward.parquet'`)
  await opened.connection.run(`ATTACH '${folder}/ward.duckdb' AS made; CREATE TABLE made.ward AS FROM ward;
    CREATE SCHEMA made.lab; CREATE TABLE made.lab.empty (age INTEGER); DETACH made`)
  opened.close()
  const database: Source = { kind: "duckdb", file: "ward.duckdb" }
  const [own, parquet] = await Promise.all([
    report(database, { ...wardColumns, table: "ward" }),
    report({ kind: "parquet", globs: ["ward.parquet"] }, wardColumns),
  ])
  expect(own).toEqual(parquet)
  expect(own.crowds.k).toBe(4)
  await expect(report(database, wardColumns)).rejects.toMatchObject({ code: "risk/which-table" })
  await expect(report(database, { table: "none" })).rejects.toMatchObject({ code: "risk/no-table" })
  await expect(report(database, { table: "lab.empty" })).rejects.toMatchObject({ code: "risk/no-people" })
})

test("a second file that is a database is read behind the door: its views reach no other file", async () => {
  csv("secret", ["zip,age", "A,30", "B,50"])
  const opened = await openDuckDB({ kind: "csv", globs: ["secret.csv"] }, folder)
  await opened.connection.run(`ATTACH '${folder}/good.duckdb' AS good; CREATE TABLE good.list AS FROM secret;
    ATTACH '${folder}/evil.duckdb' AS evil; CREATE VIEW evil.list AS FROM read_csv('${folder}/secret.csv')`)
  opened.close()
  const linkedTo = (file: string): ReturnType<typeof report> =>
    report(ward, { ...wardColumns, link: { source: { kind: "duckdb", file }, folder, on: {} } })
  expect((await linkedTo("good.duckdb")).linkage).toMatchObject({ file: "list", records: 2 })
  await expect(linkedTo("evil.duckdb")).rejects.toMatchObject({ code: "risk/failed" })
})

test.each<[string, Partial<RiskOptions>]>([
  ["risk/no-column", { quasi: ["height"] }],
  ["risk/column-twice", { quasi: ["zip", "ZIP"] }],
  ["risk/too-many-columns", { quasi: Array.from({ length: 13 }, () => "zip") }],
  ["risk/no-fact", { ...wardColumns, attacks: true, fact: { column: "disease", value: "gout" } }],
  [
    "risk/no-common-columns",
    { ...wardColumns, link: { source: csv("other", ["x,y", "1,2"]), folder, on: {} } },
  ],
])("%s", async (code, options) => {
  await expect(report(ward, options)).rejects.toMatchObject({ code })
})

test("what cannot be read is told without a word about a charge", async () => {
  writeFileSync(join(folder, "whole.csv"), "age,disease\n30,flu\n")
  const rows = await openExactRows({ kind: "csv", globs: ["whole.csv"] }, folder)
  await expect(rows.ask("SELECT no_such_column FROM whole")).rejects.toMatchObject({ code: "risk/failed" })
  rows.close()
})

test("risk/no-quasi and risk/other-source", async () => {
  await expect(report(csv("colours", ["colour", "red"]))).rejects.toMatchObject({ code: "risk/no-quasi" })
  const source: Source = {
    kind: "trino",
    url: "http://trino:8080",
    catalog: "lake",
    schema: "public",
    version: { by: "snapshots" },
  }
  await expect(report(source)).rejects.toMatchObject({ code: "risk/other-source", kind: "unsupported" })
})
