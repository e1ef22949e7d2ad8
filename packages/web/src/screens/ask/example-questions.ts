// A few questions to begin with, made from what the owner declared.

import type { Dataset } from "../../parts/browser/session.tsx"
import type { Strings } from "../../strings/en.ts"

/** A question with a name. */
export interface Example {
  readonly title: string
  readonly sql: string
}

type Tables = Dataset["tables"]
type Column = Tables[number]["columns"][number]
type Texts = Strings["example"]

/** Questions for any dataset, and one more for datasets with OMOP's tables. */
export function exampleQuestions({ tables }: Dataset, texts: Texts): readonly Example[] {
  return [count, groups, mean, diagnoses].flatMap((make) => make(tables, texts) ?? [])
}

function count(tables: Tables, texts: Texts): Example | undefined {
  const table = tables.find(({ kind }) => kind === "private")
  if (table === undefined) return undefined
  return { title: texts.count(table.name), sql: `SELECT COUNT(*) AS n\nFROM ${table.name}` }
}

function groups(tables: Tables, texts: Texts): Example | undefined {
  const found = findColumn(
    tables,
    ({ values }) => values !== null && values.length > 1 && values.length <= 50,
  )
  if (found === undefined) return undefined
  const { table, column } = found
  const sql = `SELECT ${column}, COUNT(*) AS n\nFROM ${table}\nGROUP BY ${column}\nORDER BY ${column}`
  return { title: texts.groups(table, column), sql }
}

function mean(tables: Tables, texts: Texts): Example | undefined {
  const found = findColumn(
    tables,
    ({ type, min, max, values, references }) =>
      /^(integer|decimal|float)/.test(type) &&
      min !== null &&
      max !== null &&
      values === null &&
      references === null,
  )
  if (found === undefined) return undefined
  const { table, column } = found
  return { title: texts.mean(table, column), sql: `SELECT AVG(${column}) AS mean\nFROM ${table}` }
}

function diagnoses(tables: Tables, texts: Texts): Example | undefined {
  const has = (name: string): boolean => tables.some((table) => table.name === name)
  if (!has("condition_occurrence") || !has("concept")) return undefined
  return {
    title: texts.diagnoses,
    sql: `SELECT c.concept_name AS diagnosis, COUNT(DISTINCT o.person_id) AS patients
FROM condition_occurrence o
JOIN concept c ON c.concept_id = o.condition_concept_id
GROUP BY 1
ORDER BY 2 DESC
LIMIT 8`,
  }
}

function findColumn(tables: Tables, fits: (column: Column) => boolean) {
  for (const { name, kind, columns } of tables) {
    const column = kind === "private" ? columns.find(fits) : undefined
    if (column !== undefined) return { table: name, column: column.name }
  }
  return undefined
}
