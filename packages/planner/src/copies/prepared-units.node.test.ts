import { isLongForm, sampleOf } from "@dosimeter/core/testing"
import { DosimeterError } from "@dosimeter/core/errors"
import { divide, multiply, numberNear, one, rational } from "@dosimeter/core/exact"
import { hasChoice, hasStrategy, type Measurement } from "@dosimeter/proof/algebra/measurement"
import { beforeAll, expect, test } from "vitest"
import { compile, type Compiled } from "../compile.ts"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { printRel } from "@dosimeter/proof/print/print"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { Dice } from "@dosimeter/proof/testing/dice"
import { randomQuestion } from "../testing/random/random-question.ts"
import { randomDataset, type TestDataset, type TestTable } from "../testing/random/random-tables.ts"
import { closeDataset, loadDataset, removeEachUnit } from "../testing/units/remove-each-unit.ts"
import { everyone, type Cell, type TestDatabase } from "../testing/units/test-database.ts"
import { testGrammar } from "@dosimeter/language/testing/test-grammar"
import { keysOf, makeCopies } from "../testing/units/prepared-copies.ts"
import { designCopies } from "./design-copies.ts"

type ReleasePlan = Compiled["plan"]
type PreparedTable = ReturnType<typeof designCopies>[number]

const schemas = Array.from({ length: isLongForm ? 20 : 1 }, (_, index) => `prepared ${index}`)
const questionsPerSchema = isLongForm ? 60 : 24

let grammar: Grammar
const found = { prepared: 0, compared: 0, reached: new Set<string>(), forms: new Set<string>() }

beforeAll(async () => {
  grammar = await testGrammar()
})

test.each(schemas)("nobody changes more of a prepared form than is claimed: %s", async (seed) => {
  const dataset = randomDataset(seed)
  const { catalog, terms } = readPolicy(dataset.policy)
  // Copies of rows: pair-units.node.test.ts has those of pairs.
  const all = designCopies(catalog, { schema: [], keys: keysOf(dataset) })
  const copies = all.filter(({ totals }) => totals === undefined)
  const loaded = await loadDataset(dataset)
  const made = new Set<string>()
  const makeNeeded = async ({ releases }: ReleasePlan): Promise<void> => {
    const needed = new Set(releases.flatMap(({ prepared }) => prepared))
    const missing = copies.filter(({ label }) => needed.has(label) && !made.has(label))
    await makeCopies(loaded, missing)
    for (const { label } of missing) made.add(label)
  }
  const problems: string[] = []
  try {
    for (let place = 0; place < questionsPerSchema; place += 1) {
      const sql = preparedQuestion(dataset, `${seed}, ${place}`)
      const plan = planOf(sql, { catalog, terms, prepared: copies })
      if (plan === undefined || plan.releases.every(({ prepared }) => prepared.length === 0)) continue
      found.prepared += 1
      for (const release of plan.releases) cover(release.prepared, plan)
      await makeNeeded(plan)
      const { broken, reached } = await removeEachUnit(plan, loaded)
      for (const what of reached) found.reached.add(what)
      const { copied, raw } = unbounded(sql, { catalog, terms, prepared: copies })
      if (copied !== undefined) await makeNeeded(copied)
      const other = await difference(copied, raw, loaded.ordered)
      if (other !== "") problems.push(`${place}: ${other}\n  ${sql}`)
      if (broken.length > 0) problems.push(`${place}: ${broken.slice(0, 3).join("; ")}\n  ${sql}`)
    }
  } finally {
    closeDataset(loaded)
  }
  expect(problems.join("\n")).toBe("")
})

test("many questions have a prepared form, of every kind", () => {
  expect(found.prepared).toBeGreaterThan(schemas.length * 6)
  expect(found.compared).toBeGreaterThan(schemas.length * 6)
  const wanted = isLongForm
    ? [
        "layers",
        "key",
        "month",
        "several rows",
        "join",
        "private keys",
        "histogram",
        "stored numbers of rows",
      ]
    : ["key"]
  expect(wanted.filter((form) => !found.forms.has(form))).toEqual([])
})

test("claims are reached exactly, so that a smaller one would have been refuted", () => {
  const all = ["groups", "amount", "L1", "L2 squared", "quantiles: rows", "keys: groups", "keys: units"]
  const wanted = isLongForm ? all : ["groups", "amount"]
  expect(wanted.filter((what) => !found.reached.has(what))).toEqual([])
})

const counted = "COUNT(*)"
/** Of values that are never missing, so that stored numbers of rows tell what each weighs. */
const weighed = "MEDIAN(CASE WHEN visit_id IS NULL THEN 0 ELSE 1 END)"

const planted: readonly {
  readonly name: string
  readonly change: (text: string) => string
  readonly of?: string
}[] = [
  {
    name: "every row is the only one of its unit in its group",
    change: (text: string) => text.replace(/count\(\*\) OVER \(PARTITION BY [^)]*\)/, "1"),
    of: weighed,
  },
  {
    name: "groups are ranked among everyone's",
    change: (text: string) =>
      text.replace(/dense_rank\(\) OVER \(PARTITION BY "c\d+" /, "dense_rank() OVER ("),
  },
  {
    name: "rows are ranked among everyone's with the same key",
    change: (text: string) =>
      text.replace(/row_number\(\) OVER \(PARTITION BY "c\d+", /, "row_number() OVER (PARTITION BY "),
  },
  {
    name: "every row is the first of its group",
    change: (text: string) => text.replace(/CAST\(least\(row_number[^;]*?, 65535\) AS INTEGER\)/, "1"),
  },
  {
    name: "every group is the first of its unit",
    change: (text: string) => text.replace(/CAST\(least\(dense_rank[^;]*?, 65535\) AS INTEGER\)/, "1"),
  },
  {
    name: "every unit is in one group",
    change: (text: string) => text.replace(/max\("_+g"\) OVER \(PARTITION BY [^)]*\)/, "1"),
  },
  {
    name: "groups are ranked within groups",
    change: (text: string) =>
      text.replace(
        /dense_rank\(\) OVER \(PARTITION BY ("c\d+") ORDER BY ([^;]*?), ("c\d+")\), 65535/,
        "dense_rank() OVER (PARTITION BY $1, $3 ORDER BY $2, $3), 65535",
      ),
  },
]

test.each(sampleOf(planted, 2))("a planted bug is caught: $name", async ({ change, of = counted }) => {
  const caught: string[] = []
  for (const seed of ["schema 0", "schema 1", "schema 2", "schema 3"]) {
    const { dataset, forms } = await provenForms(seed, of)
    const bad = await loadDataset(dataset)
    try {
      for (const { plan, copy } of caught.length > 0 ? [] : forms) {
        await makeCopies(bad, [copy], change)
        caught.push(...(await removeEachUnit(plan, bad)).broken)
      }
    } finally {
      closeDataset(bad)
    }
    if (caught.length > 0) break
  }
  expect(caught).not.toEqual([])
})

interface ProvenForms {
  readonly dataset: TestDataset
  readonly forms: readonly { readonly plan: ReleasePlan; readonly copy: PreparedTable }[]
}

const proven = new Map<string, ProvenForms>()

/** Visits by four columns, in prepared forms that nobody changes by more than is claimed. */
async function provenForms(seed: string, of: string): Promise<ProvenForms> {
  const known = proven.get(`${seed} ${of}`)
  if (known !== undefined) return known
  const dataset = randomDataset(seed)
  const { catalog, terms } = readPolicy(dataset.policy)
  const visits = dataset.tables.find(({ name }) => name === "visits")
  const columns = (visits?.columns ?? []).filter(({ role }) => role === "data").slice(0, 4)
  const keys = { visits: columns.map(({ name: column }) => [{ column }]) }
  // Without copies of pairs, which such counts would read.
  const prepared = designCopies(catalog, { schema: [], keys }).filter(({ totals }) => totals === undefined)
  const forms = columns.flatMap(({ name }) => {
    const plan = planOf(`SELECT ${name}, ${of} FROM visits GROUP BY 1`, { catalog, terms, prepared })
    const copy = prepared.find(({ label }) => label === `visits by ${name}`)
    if (plan === undefined || copy === undefined) return []
    expect(plan.releases[0]?.prepared).toEqual([copy.label])
    return [{ plan, copy }]
  })
  const loaded = await loadDataset(dataset)
  try {
    await makeCopies(
      loaded,
      forms.map(({ copy }) => copy),
    )
    for (const { plan } of forms) expect((await removeEachUnit(plan, loaded)).broken).toEqual([])
  } finally {
    closeDataset(loaded)
  }
  const found = { dataset, forms }
  proven.set(`${seed} ${of}`, found)
  return found
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

/** A question with bounds so wide that nobody is cut, in its prepared form and as it is. */
function unbounded(sql: string, options: Omit<Parameters<typeof compile>[1], "grammar">) {
  const ask = { groupsPerUnit: 100n, rowsPerGroup: 100n }
  return { copied: planOf(sql, { ...options, ask }), raw: planOf(sql, { ...options, ask, prepared: [] }) }
}

async function difference(
  copied: ReleasePlan | undefined,
  raw: ReleasePlan | undefined,
  database: TestDatabase,
): Promise<string> {
  if (copied === undefined || raw === undefined) return copied === raw ? "" : "one is refused"
  // Averages have other coordinates where units are scaled: pair-units.node.test.ts compares those.
  if (hasCoordinates(copied) !== hasCoordinates(raw)) return ""
  const [a, b] = [await valuesOf(copied, database), await valuesOf(raw, database)]
  found.compared += 1
  return isAlike(a, b) ? "" : `without bounds\n${a}\nand not\n${b}`
}

function hasCoordinates({ releases }: ReleasePlan): boolean {
  const all = releases.flatMap(({ measurements }) => measurements)
  return all.some((one) => hasStrategy(one, "scaled") && one.strategy.moments !== undefined)
}

// Norms are rounded down, so that who is just within the bounds counts for up to a thousandth less.
function isAlike(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => text.split(/\s/))
  return (
    left?.length === right?.length &&
    left?.every((word, at) => {
      const [x, y] = [Number(word), Number(right?.[at])]
      return word === right?.[at] || Math.abs(x - y) <= Math.max(Math.abs(x), 1) / 1000
    }) === true
  )
}

/** What each aggregate gives in each group; groups of nothing are left out. */
async function valuesOf({ releases }: ReleasePlan, database: TestDatabase): Promise<string> {
  const lines: string[] = []
  for (const { extracts, measurements, readings, keys } of releases) {
    const tables = []
    for (const { rel } of extracts) tables.push(await database.run(printRel(rel, "duckdb"), everyone))
    for (const [which, reading] of readings.entries()) {
      const source = "measurement" in reading ? measurements[reading.measurement] : undefined
      const read =
        source?.kind === "linear"
          ? { extract: source.extract, columns: source.columns.slice(0, 2).map(({ id }) => id) }
          : source?.kind === "choice"
            ? { extract: source.extract, columns: [source.cell, source.count] }
            : { extract: 0, columns: keys.kind === "private" ? [keys.units] : [] }
      const { keys: ids = [], values = [] } = extracts[read.extract] ?? {}
      const scaled = hasStrategy(source, "scaled") && reading.kind === "linear" ? reading.column : undefined
      const all = source?.kind === "linear" ? source.columns.map(({ id }) => id) : []
      const columns = scaled === undefined ? read.columns : all.slice(scaled, scaled + 1)
      const places = columns.map((id) => ids.length + values.indexOf(id))
      for (const row of tables[read.extract]?.rows ?? []) {
        const cells = places.map((place, at) =>
          at === 1 ? inRows(row[place] ?? 0n, source) : inSteps(row[place] ?? 0n, source, scaled),
        )
        if (cells.at(-1) !== 0n) lines.push(`${which}: ${[...row.slice(0, ids.length), ...cells].join(" ")}`)
      }
    }
  }
  return lines.toSorted().join("\n")
}

/** What a number of a column of weighed amounts stands for, in steps; others as they are. */
function inSteps(cell: Cell, source: Measurement | undefined, column: number | undefined): Cell {
  if (!hasStrategy(source, "scaled") || column === undefined) return cell
  if (typeof cell !== "bigint" || cell === 0n) return cell
  const [worth = one, step = one] = [source.strategy.worths[column], source.strategy.steps[column]]
  return `${numberNear(divide(multiply(rational(cell), worth), step))}`
}

/** How many rows of full weight a number of a histogram stands for; others as they are. */
function inRows(cell: Cell, source: Measurement | undefined): Cell {
  const full = hasChoice(source, "quantiles") ? source.choice.spec.full : undefined
  return full === undefined || typeof cell !== "bigint" ? cell : `${numberNear(rational(cell, full))}`
}

/** Mostly questions that have a prepared form; some of all kinds. */
function preparedQuestion(dataset: TestDataset, seed: string): string {
  const dice = new Dice(seed)
  const people = dataset.tables.filter(({ unit }) => unit === "person" || unit === "row")
  if (people.length === 0 || dice.chance(0.2)) return randomQuestion(dataset, seed)
  const table = dice.pick(people)
  const data = table.columns.filter(({ role }) => role === "data" || role === "code")
  const joins = joinOf(dataset, table, dice)
  const key = dice.pick(data)
  const shown =
    key.kind === "date" && dice.chance(0.8) ? `DATE_TRUNC('month', a.${key.name})` : `a.${key.name}`
  const condition = dice.chance(0.25)
    ? ` WHERE ${dice.chance(0.5) ? `a.${key.name} IS NOT NULL` : joins.condition}`
    : ""
  const aggregates = Array.from({ length: 1 + dice.below(3) }, () => aggregateOf(table, dice)).join(", ")
  const from = `FROM ${table.name} AS a${joins.text}${condition}`
  return dice.chance(0.6)
    ? `SELECT ${shown} AS k, ${aggregates} ${from} GROUP BY 1`
    : `SELECT ${aggregates} ${from}`
}

function joinOf(
  dataset: TestDataset,
  table: TestTable,
  dice: Dice,
): { readonly text: string; readonly condition: string } {
  const other = dataset.tables.find(
    ({ name, keys }) => name === "person" && name !== table.name && keys.length > 0,
  )
  if (other === undefined || table.unit !== "person" || dice.chance(0.6))
    return { text: "", condition: "TRUE" }
  const data = dice.pick(other.columns.filter(({ role }) => role === "data"))
  const type = dice.pick(["JOIN", "LEFT JOIN"])
  return {
    text: ` ${type} person AS p ON p.person_id = a.person_id`,
    condition: `p.${data.name} IS NOT NULL`,
  }
}

function aggregateOf(table: TestTable, dice: Dice): string {
  const numbers = table.columns.filter(
    ({ role, kind }) => role === "data" && (kind === "integer" || kind === "float" || kind === "decimal"),
  )
  const unit = table.columns.find(({ role }) => role === "unit")?.name
  const [low, high] = dice.pick([
    [0, 5],
    [-3, 3],
    [2, 9],
  ] as const)
  const column = numbers.length === 0 ? undefined : `a.${dice.pick(numbers).name}`
  const clamped = column === undefined ? "1" : dice.chance(0.7) ? `CLAMP(${column}, ${low}, ${high})` : column
  return dice.pick([
    "COUNT(*)",
    unit === undefined ? "COUNT(*)" : `COUNT(DISTINCT a.${unit})`,
    `SUM(${clamped})`,
    `AVG(${clamped})`,
    ...(column === undefined
      ? []
      : [
          `MEDIAN(CLAMP(${column}, ${low}, ${high}))`,
          `MEDIAN(COALESCE(CLAMP(${column}, ${low}, ${high}), ${low}))`,
          `COUNT(${column})`,
        ]),
  ])
}

function cover(labels: readonly string[], plan: ReleasePlan): void {
  if (labels.some((label) => / by /.test(label))) found.forms.add("key")
  if (labels.some((label) => /month/.test(label))) found.forms.add("month")
  const printed = plan.releases.flatMap(({ extracts }) =>
    extracts.map(({ rel }) => printRel(rel, "duckdb").text),
  )
  if (printed.some((text) => /"_+m"/.test(text))) found.forms.add("stored numbers of rows")
  if (labels.some((label) => !/ by /.test(label))) found.forms.add("layers")
  if (labels.length > 1) found.forms.add("join")
  for (const { keys, bounds, measurements } of plan.releases) {
    if (bounds.rowsPerGroup > 1n && bounds.rowsProof === undefined) found.forms.add("several rows")
    if (keys.kind === "private") found.forms.add("private keys")
    if (measurements.some((one) => hasChoice(one, "quantiles"))) found.forms.add("histogram")
  }
}
