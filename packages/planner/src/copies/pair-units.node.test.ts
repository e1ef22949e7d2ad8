// Units that are scaled to a norm over copies of pairs: the same exact tables as over the rows themselves, at
// the same norm, and nobody changes more than is claimed.

import { DosimeterError } from "@dosimeter/core/errors"
import { isLongForm, sampleOf } from "@dosimeter/core/testing"
import { beforeAll, expect, test } from "vitest"
import { compile, type Compiled } from "../compile.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { hasStrategy } from "@dosimeter/proof/algebra/measurement"
import { printRel } from "@dosimeter/proof/print/print"
import { printPairsCheck } from "@dosimeter/proof/print/pairs-check"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { Dice } from "@dosimeter/proof/testing/dice"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { randomDataset, type TestDataset } from "../testing/random/random-tables.ts"
import { tableQuestions, treeDataset } from "../testing/clinic/tree-clinic.ts"
import { keysOf, makeCopies } from "../testing/units/prepared-copies.ts"
import { closeDataset, loadDataset, removeEachUnit } from "../testing/units/remove-each-unit.ts"
import { everyone, type TestDatabase } from "../testing/units/test-database.ts"
import { designCopies } from "./design-copies.ts"

type ReleasePlan = Compiled["plan"]

const schemas = Array.from({ length: isLongForm ? 24 : 2 }, (_, index) => `pairs ${index}`)
const questionsPerSchema = isLongForm ? 60 : 24
const found = { compared: 0, removed: 0, reached: new Set<string>(), forms: new Set<string>() }
let grammar: Grammar

beforeAll(async () => {
  grammar = await testGrammar()
})

test.each(schemas)("[Q1] pairs give the exact tables that rows give, for everyone: %s", async (seed) => {
  const dataset = randomDataset(seed)
  const { catalog, terms } = readPolicy(dataset.policy)
  const prepared = designCopies(catalog, { schema: [], keys: keysOf(dataset) })
  const loaded = await loadDataset(dataset)
  const made = new Set<string>()
  const problems: string[] = []
  try {
    for (let place = 0; place < questionsPerSchema; place += 1) {
      const sql = pairQuestion(dataset, `${seed}, ${place}`)
      const plan = planOf(sql, { catalog, terms, prepared })
      if (plan === undefined || !plan.releases.some(readsPairs)) continue
      const labels = plan.releases.flatMap((release) => release.prepared)
      const missing = prepared.filter(({ label }) => labels.includes(label) && !made.has(label))
      await makeCopies(loaded, missing)
      for (const { label } of missing) made.add(label)
      const raw = planOf(sql, { catalog, terms, prepared: [] })
      const [a, b] = [await tablesOf(plan, loaded.ordered), await tablesOf(raw, loaded.ordered)]
      found.compared += 1
      for (const form of formsOf(sql, plan)) found.forms.add(form)
      if (a !== b) problems.push(`${place}: ${sql}\n${a}\nand not\n${b}`)
      const { broken, reached } = await removeEachUnit(plan, loaded)
      for (const what of reached) found.reached.add(what)
      if (broken.length > 0) problems.push(`${place}: ${broken.slice(0, 3).join("; ")}\n  ${sql}`)
    }
  } finally {
    closeDataset(loaded)
  }
  expect(problems.join("\n")).toBe("")
})

test("many questions read pairs, of every kind, and the norm is reached", () => {
  expect(found.compared).toBeGreaterThan(schemas.length * 4)
  const all = [
    "sum",
    "rows",
    "units",
    "condition",
    "month",
    "join",
    "regrouped",
    "one group",
    "l1",
    "l2",
    "average",
  ]
  const wanted = isLongForm ? all : ["sum", "rows", "units", "average"]
  expect(wanted.filter((form) => !found.forms.has(form))).toEqual([])
})

test("[Q1] [Q2] groupings over pairs give the tables that rows give, and are written in every dialect", async () => {
  const dataset = treeDataset({ neighbours: "add-or-remove", accounting: "zcdp" })
  const { catalog, terms } = readPolicy(dataset.policy)
  const prepared = designCopies(catalog, { schema: [], keys: keysOf(dataset) })
  const loaded = await loadDataset(dataset)
  try {
    const plan = planOf(tableQuestions.slots, { catalog, terms, prepared })
    const raw = planOf(tableQuestions.slots, { catalog, terms, prepared: [] })
    if (plan === undefined || raw === undefined) throw new Error("the question is answered")
    const labels = plan.releases.flatMap((release) => release.prepared)
    expect(labels).toEqual(["totals of stays by slot"])
    expect(plan.releases.map(({ bounds }) => bounds.scaled?.norm)).toEqual(["l2"])
    await makeCopies(
      loaded,
      prepared.filter(({ label }) => labels.includes(label)),
    )
    expect(await tablesOf(plan, loaded.ordered)).toBe(await tablesOf(raw, loaded.ordered))
    expect((await removeEachUnit(plan, loaded)).broken).toEqual([])
    const totals = { duckdb: "INNER JOIN", postgres: " OVER (", trino: " OVER (" } as const
    for (const dialect of ["duckdb", "postgres", "trino"] as const) {
      for (const { extracts } of [...plan.releases, ...raw.releases]) {
        expect(printRel(extracts[0]?.rel ?? missing(), dialect).text).toContain(totals[dialect])
      }
    }
  } finally {
    closeDataset(loaded)
  }
})

test("[Q1] people, rows and an average side by side are read from one stored number of rows", async () => {
  const dataset = treeDataset({ neighbours: "add-or-remove", accounting: "zcdp" })
  const { catalog, terms } = readPolicy(dataset.policy)
  const prepared = designCopies(catalog, { schema: [], keys: keysOf(dataset) })
  const loaded = await loadDataset(dataset)
  try {
    const sql = "SELECT slot, COUNT(*), COUNT(DISTINCT person_id), AVG(n) FROM stays GROUP BY slot"
    const plan = planOf(sql, { catalog, terms, prepared }) ?? missing()
    const raw = planOf(sql, { catalog, terms, prepared: [] }) ?? missing()
    const labels = plan.releases.flatMap((release) => release.prepared)
    expect(labels).toEqual(["totals of stays by slot"])
    await makeCopies(
      loaded,
      prepared.filter(({ label }) => labels.includes(label)),
    )
    expect(await tablesOf(plan, loaded.ordered)).toBe(await tablesOf(raw, loaded.ordered))
    expect((await removeEachUnit(plan, loaded)).broken).toEqual([])
  } finally {
    closeDataset(loaded)
  }
})

function missing(): never {
  throw new Error("a release has an extract")
}

const planted = [
  {
    name: "a pair in two rows",
    change: (text: string) => `SELECT * FROM (${text}) AS a UNION ALL SELECT * FROM (${text}) AS b`,
  },
  {
    name: "a pair in two rows, its total shared",
    change: (text: string) => {
      const empty = text
        .replace(/"c\d+" AS "_rows"/, '0 AS "_rows"')
        .replaceAll(/"c\d+" AS ("(?:[^"]|"")*_total")/g, "NULL AS $1")
        .replaceAll(/"c\d+" AS ("(?:[^"]|"")*_count")/g, "NULL AS $1")
      return `SELECT * FROM (${text}) AS a UNION ALL SELECT * FROM (${empty}) AS b`
    },
  },
  {
    name: "totals of an older table",
    change: (text: string) => text.replace(/AS "_rows"/, '+ 1 AS "_rows"'),
  },
  {
    name: "a unit's pairs that are missing",
    change: (text: string) => `SELECT * FROM (${text}) AS a WHERE "_rows" > 1`,
  },
]

test.each(planted)("[Q2] is noticed when a copy is made: $name", async ({ change }) => {
  const dataset = randomDataset("schema 1")
  const { catalog } = readPolicy(dataset.policy)
  const copies = designCopies(catalog, { schema: [], keys: keysOf(dataset) })
  const visits = copies.filter(({ totals, base }) => totals !== undefined && base.name === "visits")
  const pairs = sampleOf(visits.slice(1), 1)
  expect(pairs.length).toBeGreaterThan(0)
  const wrongIn = async (spoilt?: (text: string) => string): Promise<readonly string[]> => {
    const loaded = await loadDataset(dataset)
    try {
      await makeCopies(loaded, pairs, spoilt)
      const wrong: string[] = []
      for (const copy of pairs) {
        const text = `SELECT * FROM (${printPairsCheck(copy, "duckdb")}) AS w`
        const { rows } = await loaded.ordered.run({ text, parameters: [] }, everyone)
        if (rows.length > 0) wrong.push(copy.label)
      }
      return wrong
    } finally {
      closeDataset(loaded)
    }
  }
  expect(await wrongIn()).toEqual([])
  expect(await wrongIn(change)).toEqual(pairs.map(({ label }) => label))
})

test("[Q3] a pair in two rows would break the norm that is claimed", async () => {
  const caught: string[] = []
  for (const seed of ["schema 0", "schema 1", "schema 2", "schema 3"]) {
    const dataset = randomDataset(seed)
    const { catalog, terms } = readPolicy(dataset.policy)
    const prepared = designCopies(catalog, { schema: [], keys: keysOf(dataset) })
    const plans = dataset.tables.flatMap(({ name, columns }) =>
      columns.flatMap((column) => {
        const sql = `SELECT ${column.name}, COUNT(*) FROM ${name} GROUP BY 1`
        return column.role === "data" ? (planOf(sql, { catalog, terms, prepared }) ?? []) : []
      }),
    )
    const loaded = await loadDataset(dataset)
    try {
      for (const plan of plans.filter(({ releases }) => releases.some(readsPairs))) {
        const labels = plan.releases.flatMap((release) => release.prepared)
        const copies = prepared.filter(({ label }) => labels.includes(label))
        await makeCopies(loaded, copies, planted[0]?.change)
        caught.push(...(await removeEachUnit(plan, loaded)).broken)
        if (caught.length > 0) break
      }
    } finally {
      closeDataset(loaded)
    }
    if (caught.length > 0) break
  }
  expect(caught).not.toEqual([])
})

function readsPairs({ prepared }: ReleasePlan["releases"][number]): boolean {
  return prepared.some((label) => label.startsWith("totals of "))
}

function planOf(
  sql: string,
  options: Omit<Parameters<typeof compile>[1], "grammar">,
): ReleasePlan | undefined {
  try {
    return compile(sql, { grammar, ...options }).plan
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return undefined
    throw new Error(`${error instanceof Error ? error.message : "?"}\n  ${sql}`, { cause: error })
  }
}

/** What is measured of all exact tables of a plan, and with which bounds. Groups of nothing are left out. */
async function tablesOf(plan: ReleasePlan | undefined, database: TestDatabase): Promise<string> {
  const lines: string[] = []
  for (const { extracts, measurements } of plan?.releases ?? []) {
    for (const one of measurements) {
      const extract = extracts[one.extract]
      if (one.kind !== "linear" || extract === undefined) throw new Error("a sum or count is asked for")
      const { keys, values, rel } = extract
      const places = one.columns.map(({ id }) => keys.length + values.indexOf(id))
      const { rows } = await database.run(printRel(rel, "duckdb"), everyone)
      const read = rows.map((row) => [...row.slice(0, keys.length), ...places.map((at) => row[at] ?? 0n)])
      const kept = read.filter((row) => row.slice(keys.length).some((cell) => cell !== 0n))
      lines.push(...kept.map((row) => row.join(" ")).toSorted())
      if ("spec" in one.strategy && "sensitivity" in one.strategy.spec) {
        const { patterns, norm } = one.strategy.spec.sensitivity
        const blocks = patterns.flat().map(({ groups, amount }) => `${groups} x ${amount}`)
        lines.push(`${norm ?? ""}: ${blocks.join()}`)
      }
    }
  }
  return lines.join("\n")
}

function formsOf(sql: string, { releases }: ReleasePlan): readonly string[] {
  const measured = releases.flatMap(({ measurements }) => measurements)
  const norms = measured.flatMap((one) =>
    hasStrategy(one, "scaled") ? [one.strategy.spec.sensitivity.norm ?? ""] : [],
  )
  // As windows: a total that is joined has a grouping of its own.
  const texts = releases.flatMap(({ extracts }) => extracts.map(({ rel }) => printRel(rel, "postgres").text))
  return [
    ...norms,
    ...(sql.includes("GROUP BY") ? [] : ["one group"]),
    ...(sql.includes("SUM(") ? ["sum"] : []),
    ...(sql.includes("AVG(") ? ["average"] : []),
    ...(sql.includes("COUNT(*)") ? ["rows"] : []),
    ...(sql.includes("DISTINCT") ? ["units"] : []),
    ...(sql.includes("WHERE") ? ["condition"] : []),
    ...(sql.includes("DATE_TRUNC") ? ["month"] : []),
    ...(sql.includes("JOIN") ? ["join"] : []),
    ...(texts.some((text) => text.split("GROUP BY").length > 2) ? ["regrouped"] : []),
  ]
}

/** Sums and counts by columns that have a copy, with conditions on them and joins. */
function pairQuestion(dataset: TestDataset, seed: string): string {
  const dice = new Dice(seed)
  // Tables with several rows of a unit, and columns whose values are listed or few.
  const isListed = ({ name }: { readonly name: string }): boolean => /_(int|few|cat|ok|day)$/.test(name)
  const people = dataset.tables.filter(
    ({ unit, name, columns }) => unit === "person" && name !== "person" && columns.some(isListed),
  )
  if (people.length === 0) return "SELECT COUNT(*) FROM person"
  const table = dice.pick(people)
  const key = dice.pick(table.columns.filter(isListed))
  const other = dataset.tables.find(
    ({ name, keys }) => name === "person" && name !== table.name && keys.length > 0,
  )
  const own = other?.columns.filter(({ role }) => role === "data") ?? []
  const joined = own.length > 0 && dice.chance(0.25) ? dice.pick(own).name : undefined
  const join = joined === undefined ? "" : " JOIN person AS p ON p.person_id = a.person_id"
  const month = `DATE_TRUNC('month', a.${key.name})`
  const shown = key.kind === "date" ? month : `a.${key.name}`
  // Coarser than the key of the copy: pairs of a unit are added up again.
  const coarse = dice.chance(0.15) ? `(${shown} IS NULL)` : shown
  const groups = joined !== undefined && dice.chance(0.7) ? [`p.${joined}`] : [coarse]
  const where = dice.chance(0.3) ? ` WHERE ${shown} IS NOT NULL` : ""
  const unit = table.columns.find(({ role }) => role === "unit")?.name
  const sums = table.columns
    .filter(({ role, kind }) => role === "data" && ["integer", "float", "decimal"].includes(kind))
    .map(({ name }) => `SUM(a.${name})`)
  const counts = ["COUNT(*)", ...(unit === undefined ? [] : [`COUNT(DISTINCT a.${unit})`])]
  const aggregates = Array.from({ length: 1 + dice.below(2) }, () => dice.pick([...counts, ...sums]))
  const from = `FROM ${table.name} AS a${join}${where}`
  if (dice.chance(0.25)) return `SELECT ${aggregates.join(", ")} ${from}`
  const average = sums.length > 0 && dice.chance(0.3) ? dice.pick(sums).replace("SUM", "AVG") : undefined
  const all = average === undefined ? aggregates : [average, ...(dice.chance(0.5) ? [] : aggregates)]
  return `SELECT ${groups.join(", ")}, ${all.join(", ")} ${from} GROUP BY 1`
}
