// Ten two-way margins of five attributes, as measured and as shown: `npm run bench -- accuracy --only margins`.
// On the Adult census data where it is given by --data, else on made-up people whose attributes go together
// as theirs do, so that many cells are empty.

import { DuckDBInstance } from "@duckdb/node-api"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Lab, type Value } from "../../packages/engine/src/testing/lab.ts"

const attributes = ["workclass", "marital_status", "relationship", "race", "sex"]
const pairs = attributes.flatMap((first, place) =>
  attributes.slice(place + 1).map((second) => [first, second]),
)
const accountings = ["zcdp", "gdp"] as const

/** A number in [0, 1) for each person p. */
function uniform(purpose: number): string {
  return `((hash(16 * p + ${purpose}) >> 11) + 0.5) / 9007199254740992.0 AS u${purpose}`
}

/** Made up: 9, 7, 6, 5 and 2 values; who is married is a husband or a wife. */
const madeUp = `SELECT CAST(floor(9 * pow(u1, 3)) AS INTEGER) AS workclass,
    CAST(floor(7 * pow(u2, 2)) AS INTEGER) AS marital_status,
    CASE WHEN u2 < 0.4 THEN wife ELSE 2 + CAST(floor(4 * u4) AS INTEGER) END AS relationship,
    CAST(floor(5 * pow(u5, 6)) AS INTEGER) AS race,
    CASE WHEN u2 < 0.4 THEN wife ELSE CAST(floor(2 * u6) AS INTEGER) END AS sex
  FROM (SELECT *, CAST(u3 > 0.9 AS INTEGER) AS wife
    FROM (SELECT ${[1, 2, 3, 4, 5, 6].map(uniform).join(", ")} FROM range(32561) r(p)))`

/** The root mean square errors over all cells, and the time of an answer. */
export async function benchMargins({
  data,
  runs = 20,
}: {
  readonly data?: string | undefined
  readonly runs?: number | undefined
}): Promise<Readonly<Record<string, number>>> {
  const folder = mkdtempSync(join(tmpdir(), "bench-margins-"))
  try {
    const file = data === undefined ? "" : join(data, "adult", "adult.parquet")
    const isReal = existsSync(file)
    await writePeople(folder, isReal ? `SELECT ${attributes.join(", ")} FROM '${file}'` : madeUp)
    const lab = await Lab.open(await policyOf(folder), folder)
    const found = await measured(lab, runs)
    await lab.close()
    console.log(`margins of ${isReal ? "Adult" : "made-up people"}, epsilon 1, delta 1e-6, ${runs} runs`)
    for (const [name, value] of Object.entries(found)) console.log(`${name.padEnd(24)} ${value.toFixed(2)}`)
    return found
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measured(lab: Lab, runs: number): Promise<Readonly<Record<string, number>>> {
  const list = attributes.join(", ")
  const sets = pairs.map((pair) => `(${pair.join(", ")})`).join(", ")
  const grouped = `FROM people GROUP BY GROUPING SETS (${sets})`
  const truth = new Map(
    (await lab.truth(`SELECT ${list}, count(*) ${grouped}`)).map((row) => [nameOf(row), Number(row.at(-1))]),
  )
  const found: Record<string, number> = {}
  for (const accounting of accountings) {
    for (const nonNegative of [false, true]) {
      const terms = { epsilon: "1", delta: "1e-6", accounting, groups: 1, quantileIntervals: false }
      // Whole numbers would be another task: the default is asked for by leaving it out.
      const question = await lab.ask(
        `SELECT ${list}, COUNT(*) ${grouped}`,
        nonNegative ? terms : { ...terms, nonNegative },
      )
      if (typeof question === "string") throw new Error(question)
      let [squares, cells] = [0, 0]
      const start = performance.now()
      for (let run = 0; run < runs; run += 1) {
        for (const row of question.release()) {
          squares += (Number(row.at(-1)) - (truth.get(nameOf(row)) ?? 0)) ** 2
          cells += 1
        }
      }
      const name = `${accounting} ${nonNegative ? "shown" : "measured"}`
      found[name] = Math.sqrt(squares / cells)
      found[`${name}, seconds`] = (performance.now() - start) / 1000 / runs
    }
  }
  return found
}

/** A group by its keys. */
function nameOf(row: readonly Value[]): string {
  return JSON.stringify(row.slice(0, attributes.length))
}

async function writePeople(folder: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, "people.duckdb"))
  const connection = await instance.connect()
  const texts = attributes.map((name) => `CAST(${name} AS VARCHAR) AS ${name}`).join(", ")
  await connection.run(`CREATE TABLE people AS SELECT ${texts} FROM (${sql})`)
  connection.closeSync()
  instance.closeSync()
}

async function policyOf(folder: string): Promise<string> {
  const instance = await DuckDBInstance.create(join(folder, "people.duckdb"))
  const connection = await instance.connect()
  const lines: string[] = []
  for (const name of attributes) {
    const rows = await connection.runAndReadAll(`SELECT DISTINCT ${name} FROM people ORDER BY 1`)
    const values = rows.getRows().map(([value]) => JSON.stringify(String(value)))
    lines.push(`      ${name}: { values: [${values.join(", ")}], nullable: false }`)
  }
  connection.closeSync()
  instance.closeSync()
  return `dataset: people
source: { duckdb: people.duckdb }
neighbours: add-or-remove
budget: { epsilon: 1000, delta: 1e-3, accounting: zcdp }
question: { epsilon: { default: 1, max: 1000 }, delta: 1e-6, confidence: 0.95 }
bounding: { groups_per_unit: 1, rows_per_group: 1, norm: fixed }
tables:
  people:
    unit: row
    columns:
${lines.join("\n")}
`
}
