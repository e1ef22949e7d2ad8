// Questions for tests of prepared forms: mostly ones that have such a form, some of all kinds.

import { Dice } from "../testing/dice.ts"
import { randomQuestion } from "../testing/random-question.ts"
import type { TestDataset, TestTable } from "../testing/random-tables.ts"

/** Mostly questions that have a prepared form; some of all kinds. */
export function preparedQuestion(dataset: TestDataset, seed: string): string {
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
  const measures = Array.from({ length: 1 + dice.below(3) }, () => measureOf(table, dice)).join(", ")
  const from = `FROM ${table.name} AS a${joins.text}${condition}`
  return dice.chance(0.6)
    ? `SELECT ${shown} AS k, ${measures} ${from} GROUP BY 1`
    : `SELECT ${measures} ${from}`
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

function measureOf(table: TestTable, dice: Dice): string {
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
    ...(column === undefined ? [] : [`MEDIAN(CLAMP(${column}, ${low}, ${high}))`, `COUNT(${column})`]),
  ])
}
