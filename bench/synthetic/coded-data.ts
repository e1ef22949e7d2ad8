// Tables that synthetic data is made of: one that is made up with known dependencies, and real ones from a
// folder, each column as codes of its values or bins.

import { DuckDBInstance } from "@duckdb/node-api"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { binEdges, binOf } from "@dosimeter/ml/synthetic/number-bins"
import { SeededNumbers } from "@dosimeter/ml/synthetic/seeded-numbers"
import type { Attribute } from "@dosimeter/ml/synthetic/rounds"

/** A table as codes. */
export interface CodedData {
  readonly name: string
  readonly attributes: readonly Attribute[]
  readonly columns: readonly Int32Array[]
  /** What a model is to tell: an attribute of two values. */
  readonly target: number
}

/** A survey that is made up: age, income and illness hang together as in people, more or less. */
export function madeUp(rows: number, seed: string): CodedData {
  const random = new SeededNumbers(seed)
  const draw = (weights: readonly number[]): number => {
    let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0)
    return Math.max(
      0,
      weights.findIndex((weight) => (left -= weight) < 0),
    )
  }
  const around = (centre: number, width: number, size: number): number => {
    const normal = Array.from({ length: 6 }, () => random.next()).reduce((sum, one) => sum + one - 0.5, 0)
    return Math.min(size - 1, Math.max(0, Math.round(centre + normal * width)))
  }
  const sizes = [64, 2, 8, 6, 5, 12, 30, 4, 3, 20, 2, 2]
  const columns = sizes.map(() => new Int32Array(rows))
  for (let row = 0; row < rows; row += 1) {
    const age = around(28, 24, 64)
    const sex = draw([1, 1])
    const school = around(3 + (age > 10 ? 1 : -2), 3, 8)
    const marital = age < 12 ? draw([9, 1, 0.1, 0.1, 0.1, 0.1]) : draw([2, 6, 2, age / 20, 0.5, 0.3])
    const region = draw([5, 4, 3, 2, 1])
    const work = draw(Array.from({ length: 12 }, (_, at) => 0.2 + Math.exp(-((at - school * 1.4) ** 2) / 6)))
    const income = around(school * 2.4 + work * 0.5 + (sex === 1 ? 2 : 0), 7, 30)
    const smoker = draw([6 - school * 0.4, 1, 1 + school * 0.05, 0.7])
    const weight = draw([2, 3, 1 + age / 30])
    const pressure = around(6 + age / 8 + weight * 1.5, 5, 20)
    const risk = -4.5 + age / 18 + (smoker === 1 ? 1 : 0) + pressure / 8 - income / 20
    const ill = random.next() < 1 / (1 + Math.exp(-risk)) ? 1 : 0
    const insured = random.next() < 1 / (1 + Math.exp(-(income - 8) / 4 - region / 3)) ? 1 : 0
    const values = [age, sex, school, marital, region, work, income, smoker, weight, pressure, insured, ill]
    for (const [place, value] of values.entries()) {
      const column = columns[place]
      if (column !== undefined) column[row] = value
    }
  }
  const names = "age sex school marital region work income smoker weight pressure insured ill".split(" ")
  const ordered = new Set(["age", "school", "income", "pressure", "weight"])
  return {
    name: `made up, ${rows.toLocaleString("en")} people`,
    attributes: names.map((name, place) => ({
      name,
      size: sizes[place] ?? 1,
      isOrdered: ordered.has(name),
      hasMissing: false,
    })),
    columns,
    target: names.length - 1,
  }
}

const adultNumbers: ReadonlyMap<string, readonly [number, number]> = new Map([
  ["age", [17, 90]],
  ["fnlwgt", [0, 1_500_000]],
  ["education_num", [1, 16]],
  ["capital_gain", [0, 99_999]],
  ["capital_loss", [0, 4500]],
  ["hours_per_week", [1, 99]],
])

/** The census table Adult from a folder of real data; undefined where it is not there. */
export async function adult(folder: string): Promise<CodedData | undefined> {
  const file = join(folder, "adult", "adult.parquet")
  if (!existsSync(file)) return undefined
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  const read = await connection.runAndReadAll(`SELECT * FROM '${file.replaceAll("'", "''")}'`)
  const names = read.columnNames()
  const rows = read.getRows()
  const coded = names.map((name, place) => {
    const range = adultNumbers.get(name)
    if (range !== undefined) {
      const edges = binEdges({ min: range[0], max: range[1], step: 1 })
      const codes = Int32Array.from(rows, (row) => binOf(edges, Number(row[place])))
      return { attribute: { name, size: edges.length - 1, isOrdered: true, hasMissing: false }, codes }
    }
    // The lists of values are published with the data.
    const values = [...new Set(rows.map((row) => String(row[place])))].toSorted()
    const codes = Int32Array.from(rows, (row) => values.indexOf(String(row[place])))
    return { attribute: { name, size: values.length, isOrdered: false, hasMissing: false }, codes }
  })
  connection.closeSync()
  return {
    name: `Adult, ${rows.length.toLocaleString("en")} people`,
    attributes: coded.map(({ attribute }) => attribute),
    columns: coded.map(({ codes }) => codes),
    target: names.indexOf("income"),
  }
}

/** Some rows of a table, by their numbers. */
export function rowsOf(data: CodedData, rows: readonly number[]): CodedData {
  const columns = data.columns.map((column) => Int32Array.from(rows, (row) => column[row] ?? 0))
  return { ...data, columns }
}
