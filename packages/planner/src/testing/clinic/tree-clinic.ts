// A small clinic with public trees: wards of hospitals of regions, codes of chapters. Some rows contradict
// the trees, and some have no value.

import type { TestColumn, TestDataset, TestRow, TestTable } from "../random/random-tables.ts"

type Neighbours = TestDataset["neighbours"]

/** The policy of the clinic, as JSON, which is YAML too. */
export function treePolicy(options: {
  readonly neighbours?: Neighbours
  readonly accounting?: "pure" | "zcdp" | "gdp"
}): string {
  const { neighbours = "add-or-remove", accounting = "zcdp" } = options
  return JSON.stringify({
    dataset: "wards",
    source: { duckdb: "none" },
    unit: "person",
    neighbours,
    budget: { epsilon: 10, delta: 1e-6, accounting },
    question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.95 },
    bounding: { groups_per_unit: 2, rows_per_group: 3 },
    trees: {
      site: {
        levels: ["region", "hospital", "ward"],
        nodes: { North: { Elm: ["ICU", "Surgery"], Oak: ["ICU"] }, South: { Bay: ["ICU", "Birth", "Eyes"] } },
      },
      icd: { levels: ["chapter", "code"], nodes: { I: ["A00", "A01"], II: ["B20"], III: ["C1", "C2"] } },
    },
    tables: Object.fromEntries(
      tables.map(({ name, unitLine, keys, columns }) => [
        name,
        { unit: unitLine, keys, columns: Object.fromEntries(columns.map((one) => [one.name, one.line])) },
      ]),
    ),
  })
}

/** Questions about the clinic, each one release of a tree where noise is Gaussian. */
export const treeQuestions = {
  rollup:
    "SELECT region, hospital, ward, COUNT(*), SUM(age) FROM people GROUP BY ROLLUP (region, hospital, ward)",
  joined:
    "SELECT w.region, w.hospital, COUNT(*) FROM people JOIN wards AS w USING (ward_id) GROUP BY ROLLUP (1, 2)",
  ancestor:
    "SELECT ANCESTOR(code, 'chapter') AS chapter, code, COUNT(*) FROM people GROUP BY ROLLUP (chapter, code)",
  stays: "SELECT region, hospital, COUNT(*), SUM(n) FROM stays GROUP BY ROLLUP (region, hospital)",
  cube: "SELECT sex, w.region, w.hospital, COUNT(*) FROM people JOIN wards AS w USING (ward_id) GROUP BY CUBE (1, 2, 3)",
  slots: "SELECT slot, region, hospital, COUNT(*) FROM stays GROUP BY ROLLUP (slot, region, hospital)",
} as const

/** Questions about margins of tables, whose units are weighed by sums over several groups. */
export const tableQuestions = {
  slots: "SELECT slot, COUNT(*), SUM(n) FROM stays GROUP BY ROLLUP (slot)",
  noSign: "SELECT slot, COUNT(*), SUM(CLAMP(n, 0, 4)) FROM stays GROUP BY ROLLUP (slot)",
} as const

/** The dataset of the clinic. */
export function treeDataset(options: {
  readonly neighbours: Neighbours
  readonly accounting?: "pure" | "zcdp" | "gdp"
}): TestDataset {
  const { neighbours } = options
  return { seed: "trees", policy: treePolicy(options), neighbours, tables, owners: [1, 2, 3, 4, 5, 6] }
}

const text = (name: string, line: TestColumn["line"]): TestColumn => ({
  name,
  kind: "text",
  stored: "VARCHAR",
  line: { type: "text", ...line },
  role: "data",
})
const whole = (name: string, line: TestColumn["line"], role: TestColumn["role"] = "data"): TestColumn => ({
  name,
  kind: "integer",
  stored: "INTEGER",
  line: { type: "integer", ...line },
  role,
})
const levels = (nullable: boolean): readonly TestColumn[] =>
  ["region", "hospital", "ward"].map((level) => text(level, { tree: `site.${level}`, nullable }))

const of = (owner: number | undefined, values: string, other = false): TestRow => ({
  owner,
  other,
  values: values.split(" ").map((value) => (/^(-?\d+|NULL)$/.test(value) ? value : `'${value}'`)),
})

const tables: readonly TestTable[] = [
  {
    name: "people",
    unit: "person",
    unitLine: "person_id",
    keys: [["person_id"]],
    columns: [
      whole("person_id", {}, "unit"),
      text("sex", { values: ["f", "m"], nullable: false }),
      whole("ward_id", {}),
      ...levels(true),
      text("code", { tree: "icd.code" }),
      whole("age", { min: 0, max: 90 }),
    ],
    rows: [
      of(1, "1 f 1 North Elm ICU A00 90"),
      of(2, "2 m 3 North Oak ICU B20 30"),
      of(3, "3 f 5 South Bay Birth C1 12"),
      // A hospital of another region, a code of no chapter, and no ward.
      of(4, "4 f 9 South Elm ICU X9 90"),
      of(5, "5 m NULL South Bay NULL NULL NULL"),
      of(6, "6 f 2 NULL NULL NULL C2 200"),
      of(1, "1 m 6 South Bay Eyes C2 0", true),
      of(2, "2 f 4 South Bay ICU A01 90", true),
      of(3, "3 f 1 North Elm ICU A00 11", true),
      of(5, "5 m 3 North Oak ICU B20 90", true),
    ],
  },
  {
    name: "stays",
    unit: "person",
    unitLine: "person_id",
    keys: [["stay_id"]],
    columns: [
      whole("stay_id", {}, "key"),
      whole("person_id", {}, "unit"),
      ...levels(false).slice(0, 2),
      whole("n", { min: -1, max: 4 }),
      whole("slot", { min: 0, max: 99, nullable: false }),
    ],
    rows: [
      ...[1, 2, 3, 4, 5, 6, 7].map((stay) => of(1, `${stay} 1 North Elm 4 ${stay}`)),
      ...[11, 12, 13].map((stay) => of(1, `${stay} 1 North Oak ${stay - 9} ${stay}`)),
      ...[21, 22, 23, 24].map((stay) => of(2, `${stay} 2 South Bay -1 7`)),
      of(2, "31 2 North Elm -1 8"),
      of(3, "41 3 North Oak NULL 0"),
      of(3, "42 3 South Elm 4 99"),
      // A slot that is not listed.
      of(3, "43 3 South Elm 4 100"),
      of(4, "51 4 South Bay 9 7"),
      // Far more than count.
      ...Array.from({ length: 30 }, (_, index) => of(4, `${200 + index} 4 South Bay 4 ${20 + index}`)),
      ...[61, 62, 63].map((stay) => of(1, `${stay} 1 South Bay 4 ${stay}`, true)),
      of(2, "71 2 North Oak 4 7", true),
    ],
  },
  {
    name: "wards",
    unit: "public",
    unitLine: "public",
    keys: [["ward_id"]],
    columns: [whole("ward_id", { nullable: false }), ...levels(false)],
    rows: [
      of(undefined, "1 North Elm ICU"),
      of(undefined, "2 North Elm Surgery"),
      of(undefined, "3 North Oak ICU"),
      of(undefined, "4 South Bay ICU"),
      of(undefined, "5 South Bay Birth"),
      of(undefined, "6 South Bay Eyes"),
    ],
  },
]
