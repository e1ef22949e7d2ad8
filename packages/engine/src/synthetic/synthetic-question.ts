// What somebody wants synthetic rows of, and the SQL of it: one row for each unit, whatever the tables look
// like.

import { writeName } from "@dosimeter/proof/spell/literal"
import type { Catalog, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { QuestionOptions } from "../ask/ask-question.ts"
import { fail } from "../errors.ts"

/** Synthetic rows that somebody wants. */
export interface SyntheticQuestion extends Omit<QuestionOptions, "parameters" | "reuse" | "norms"> {
  /** Either a SELECT of rows, one for each unit, or a table of the policy. */
  readonly sql?: string | undefined
  readonly table?: string | undefined
  /** Of the table: all that can be made, if left out. */
  readonly columns?: readonly string[] | undefined
  /** A second table, of which units have several rows. */
  readonly rowsOf?: RowsOf | undefined
  /** Rules that all rows keep, such as "age < 16 => employed = no". */
  readonly rules?: readonly string[] | undefined
  /** The column that matters most: its pairs are measured first. */
  readonly target?: string | undefined
  readonly onProgress?: (step: string) => void
}

/** Rows of a second table. */
export interface RowsOf {
  readonly table: string
  readonly columns?: readonly string[] | undefined
  /** The column that puts a unit's rows in order. */
  readonly order: string
  /** More rows of a unit than this count as so many. */
  readonly most: number
}

/** The rows that are measured, and what their columns are. */
export interface RecordSql {
  readonly sql: string
  readonly rows: RowColumns | undefined
}

/** Which columns of a record are of rows of the second table. */
export interface RowColumns {
  readonly table: string
  /** Says how many rows a unit has; what is more than the most counts as that. */
  readonly count: string
  readonly most: number
  /** Names in the second table, and those of the first and the second row of a unit. */
  readonly columns: readonly { readonly name: string; readonly first: string; readonly second: string }[]
}

/** The SQL of the records. */
export function recordSql(question: SyntheticQuestion, catalog: Catalog): RecordSql {
  const { sql, table: named, columns, rowsOf } = question
  if ((sql === undefined) === (named === undefined)) {
    return fail("synthetic/what", { what: "give either a SELECT or a table" })
  }
  if (sql !== undefined) {
    if (rowsOf !== undefined || columns !== undefined) {
      return fail("synthetic/what", {
        what: "columns and rows of a second table are of a table, not of a SELECT",
      })
    }
    // What ends a statement would end the question that it becomes a part of.
    return { sql: sql.replace(/[\s;]+$/, ""), rows: undefined }
  }
  const table = tableOf(named ?? "", catalog)
  const own = chosenColumns(table, columns)
  if (rowsOf === undefined) {
    return {
      sql: `SELECT ${own.map(writeName).join(", ")} FROM ${writeName(table.name)}`,
      rows: undefined,
    }
  }
  return joined(table, own, { ...rowsOf, catalog })
}

// One row for each unit: its own columns, how many rows it has, the first of them and the second.
function joined(
  persons: CatalogTable,
  chosen: readonly string[],
  { table: named, columns, order, most, catalog }: RowsOf & { readonly catalog: Catalog },
): RecordSql {
  const table = tableOf(named, catalog)
  const [person, unit] = [unitColumn(persons), unitColumn(table)]
  if (!persons.keys.some((key) => key.length === 1 && key[0] === person)) {
    return fail("synthetic/several-rows", { table: persons.name })
  }
  if (!Number.isInteger(most) || most < 2 || most > 1000) {
    return fail("synthetic/what", { what: `a unit has 2 to 1000 rows at most, not ${most}` })
  }
  const names = chosenColumns(table, columns)
  if (!table.columns.some(({ name }) => name === order)) {
    return fail("synthetic/what", { what: `${named} has no column ${order} to put rows in order by` })
  }
  const rows: RowColumns = {
    table: named,
    count: `rows_of_${named}`,
    most,
    columns: names.map((name) => ({ name, first: `${name}_of_first`, second: `${name}_of_second` })),
  }
  const id = writeName(unit)
  const source = writeName(table.name)
  const orders = [order, ...names.filter((name) => name !== order)].map(writeName).join(", ")
  const list = names.map(writeName).join(", ")
  const place = `ROW_NUMBER() OVER (PARTITION BY ${id} ORDER BY ${orders}) AS place`
  const placed = `SELECT ${id} AS unit_id, ${list}, ${place} FROM ${source}`
  const own = chosen.map((name) => `p.${writeName(name)}`)
  const ofRows = rows.columns.flatMap(({ name, first, second }) => [
    { alias: writeName(first), sql: `MIN(CASE WHEN place = 1 THEN ${writeName(name)} END)` },
    { alias: writeName(second), sql: `MIN(CASE WHEN place = 2 THEN ${writeName(name)} END)` },
  ])
  const inner = ["COUNT(*) AS n", ...ofRows.map(({ alias, sql }) => `${sql} AS ${alias}`)]
  const outer = [
    ...own,
    `COALESCE(r.n, 0) AS ${writeName(rows.count)}`,
    ...ofRows.map(({ alias }) => `r.${alias}`),
  ]
  return {
    sql: [
      `SELECT ${outer.join(", ")} FROM ${writeName(persons.name)} AS p LEFT JOIN`,
      ` (SELECT unit_id, ${inner.join(", ")} FROM (${placed}) AS placed GROUP BY unit_id) AS r`,
      ` ON r.unit_id = p.${writeName(person)}`,
    ].join(""),
    rows,
  }
}

function tableOf(name: string, { tables }: Catalog): CatalogTable {
  const found = tables.find((table) => table.name === name)
  if (found === undefined) return fail("synthetic/what", { what: `the policy has no table ${name}` })
  if (found.unit.kind === "public")
    return fail("synthetic/what", { what: `${name} is public: it needs no synthetic rows` })
  return found
}

function unitColumn({ name, unit }: CatalogTable): string {
  if (unit.kind === "path" && unit.hops.length === 0) return unit.column
  return fail("synthetic/what", {
    what: `${name} does not name its unit in a column of its own; write a SELECT`,
  })
}

// What is asked for, or all that has declared values: never the unit's id, nor a key.
function chosenColumns(table: CatalogTable, wanted: readonly string[] | undefined): readonly string[] {
  if (wanted !== undefined) {
    for (const name of wanted) {
      if (!table.columns.some((column) => column.name === name && column.access === "allowed")) {
        return fail("synthetic/what", { what: `${table.name} has no column ${name} that may be asked` })
      }
    }
    return wanted
  }
  const ids = new Set([
    ...(table.unit.kind === "path"
      ? [table.unit.column, ...table.unit.hops.map(({ column }) => column)]
      : []),
    ...table.keys.flat(),
  ])
  return table.columns
    .filter(({ name, domain, access }) => {
      const { type, values, range } = domain
      const isDeclared =
        values !== undefined ||
        type.kind === "boolean" ||
        (["integer", "decimal", "float", "date"].includes(type.kind) &&
          range?.min.declared === true &&
          range.max.declared)
      return access === "allowed" && isDeclared && !ids.has(name)
    })
    .map(({ name }) => name)
}
