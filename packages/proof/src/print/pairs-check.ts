// A query that says whether a copy of pairs is what it should be, worked out another way than it was made:
// pairs are counted, and what a unit's pairs hold together is compared with what its rows hold.

import { totalMax, type PreparedTable } from "../units/prepared-table.ts"
import { columnNamed } from "../catalog/catalog.ts"
import type { Dialect } from "../dialects/dialect.ts"
import { writeName } from "../spell/literal.ts"
import { aggregateRel, ColumnIds } from "../algebra/make.ts"
import type { Scan } from "../algebra/rel.ts"
import { columnsIn } from "../algebra/walk.ts"
import { printRel } from "./print.ts"
import { columnName } from "./select.ts"

/**
 * Gives a row for each pair that stands in several rows, and for each unit whose pairs do not add up to its
 * rows: none, if the copy may be read. Sums are not compared where a total was cut.
 */
export function printPairsCheck(copy: PreparedTable, dialect: Dialect): string {
  const { base, table, totals = [] } = copy
  const by = table.prepared?.pairs?.by ?? []
  const unit = base.unit.kind === "path" ? base.unit.column : ""
  const from = table.path.map(writeName).join(".")
  const pair = [unit, ...by].map(writeName).join(", ")
  const several = `SELECT 1 AS wrong FROM ${from} GROUP BY ${pair} HAVING count(*) > 1`
  const { text, columns } = rowsOfUnits(copy, unit, dialect)
  const [owner, ...sums] = columns
  const stored = totals.flatMap(({ name }, index) => {
    const column = `p.${writeName(name)}`
    return [`sum(${column}) AS t${index}`, `max(abs(${column})) AS m${index}`]
  })
  const ofPairs = `SELECT p.${writeName(unit)} AS u, ${stored.join(", ")} FROM ${from} AS p GROUP BY 1`
  const differs = totals.map(
    (_, index) =>
      `(r.${sums[index] ?? ""} IS DISTINCT FROM q.t${index} AND coalesce(q.m${index}, 0) < ${totalMax})`,
  )
  const wrong = [`r.${owner ?? ""} IS NULL`, "q.u IS NULL", ...differs].join(" OR ")
  const join = `(${text}) AS r FULL JOIN (${ofPairs}) AS q ON r.${owner ?? ""} = q.u`
  return `${several}\nUNION ALL\nSELECT 1 AS wrong FROM ${join} WHERE ${wrong}`
}

// What the rows of each unit hold, all groups together.
function rowsOfUnits(
  { base, totals = [] }: PreparedTable,
  unit: string,
  dialect: Dialect,
): { readonly text: string; readonly columns: readonly string[] } {
  const needed = new Set(totals.flatMap(({ of }) => (of === undefined ? [] : [...columnsIn(of)])))
  const columns = base.columns.flatMap(({ name, domain }, id) =>
    name === unit || needed.has(id) ? [{ id, name, domain }] : [],
  )
  const sources = columns.flatMap(({ name }) => columnNamed(base, name) ?? [])
  const scan: Scan = { kind: "scan", table: base, sources, columns }
  const keys = columns.filter(({ name }) => name === unit).map(({ id }) => id)
  const items = totals.map(({ name, of }) =>
    of === undefined
      ? { name, function: "rows" as const, argument: undefined }
      : { name, function: "sum" as const, argument: of },
  )
  const rel = aggregateRel(scan, keys, items, new ColumnIds(base.columns.length))
  return { text: printRel(rel, dialect).text, columns: rel.columns.map(({ id }) => columnName(id)) }
}
