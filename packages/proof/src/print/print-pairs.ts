// The query that makes a copy of pairs: one row for each unit and group, with totals over the
// rows of the unit in the group. Nothing in it is drawn, so it needs no secret.

import { assert } from "@dosimeter/core/errors"
import { rational } from "@dosimeter/core/exact"
import { totalDomain, type PreparedTable, type StoredTotal } from "../units/prepared-table.ts"
import { columnNamed } from "../catalog/catalog.ts"
import type { Dialect } from "../dialects/dialect.ts"
import { writeName } from "../spell/literal.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import { aggregateRel, columnExpr, columnIn, ColumnIds, projectRel, stepsExpr } from "../algebra/make.ts"
import type { Project, Rel, RelColumn, Scan } from "../algebra/rel.ts"
import { columnsIn } from "../algebra/walk.ts"
import { printRel } from "./print.ts"
import { columnName } from "./select.ts"

/**
 * The rows of a copy of pairs, in the order that they are best stored in: a unit's rows together.
 *
 * Guarantee: for each unit and each combination of `by` that it has rows of the base with there is one row,
 *   with what these decide and, as totals, the number of these rows and the sums of steps over them, cut to
 *   totalDomain; a sum of no steps is NULL. There are no other rows.
 * Needs: checkPrepared has passed the copy.
 * Proof: the query is an aggregate by the unit and `by` over a projection of a scan, as printRel writes them:
 *   rows without an owner are not read, columns are read as printScan says. Derived columns are computed from
 *   the keys of the aggregate. A row of the copy is a function of rows of its unit alone.
 * Numerics: sums of up to rowsMax steps of less than 2^62 fit 128 bits; totals are cut before they are
 *   stored.
 * Source: McSherry 2009 (stability of grouping by the unit); checked a second way when a copy is made
 *   (printPairsCheck).
 */
export function printPairs(copy: PreparedTable, dialect: Dialect): string {
  const { base, table, derived, totals = [] } = copy
  const by = table.prepared?.pairs?.by ?? []
  const ids = new ColumnIds(base.columns.length + derived.length)
  const read = readRows(copy, by)
  const unit = base.unit.kind === "path" ? base.unit.column : ""
  const keys = [unit, ...by].map((name) => columnIdOf(read, name))
  const grouped = aggregateRel(
    read,
    keys,
    totals.map(({ name, of }) =>
      of === undefined
        ? { name, function: "rows" as const, argument: undefined }
        : { name, function: "sum" as const, argument: of },
    ),
    ids,
  )
  const isKey = new Set([unit, ...by])
  const rel = projectRel(
    grouped,
    [
      ...keys.map((id) => {
        const column = columnIn(grouped, id)
        return { name: column.name, value: columnExpr(column) }
      }),
      ...derived.filter(({ name }) => !isKey.has(name)),
      ...totals.map((total, index) => ({
        name: total.name,
        value: cut(total, grouped, keys.length + index),
      })),
    ],
    ids,
  )
  const stored = rel.columns.map(({ id, name }) => `${columnName(id)} AS ${writeName(name)}`)
  const order = [unit, ...by].map(writeName).join(", ")
  return `SELECT ${stored.join(", ")}\nFROM (${printRel(rel, dialect).text}) AS r\nORDER BY ${order}`
}

function cut(total: StoredTotal, grouped: Rel, place: number): Expr {
  const column = grouped.columns[place]
  const { range } = totalDomain(total)
  assert(column !== undefined && range !== undefined, "a copy of pairs has a column for each total")
  const [lower, upper] = [range.min.value.numerator, range.max.value.numerator]
  return stepsExpr(columnExpr(column), rational(1n), { lower, upper })
}

// The columns that groups and totals are made of, and those keys that are computed; numbers are those of the
// stored expressions.
function readRows({ base, derived, totals = [] }: PreparedTable, by: readonly string[]): Project {
  const owner = base.unit.kind === "path" ? base.unit.column : ""
  const computed = derived.flatMap(({ name, value }, index) =>
    by.includes(name) ? [{ id: base.columns.length + index, name, value }] : [],
  )
  const exprs = [...computed.map(({ value }) => value), ...totals.flatMap(({ of }) => of ?? [])]
  const needed = new Set(exprs.flatMap((expr) => [...columnsIn(expr)]))
  const isNeeded = (name: string, id: number): boolean =>
    name === owner || by.includes(name) || needed.has(id)
  const columns = base.columns.flatMap(({ name, domain }, id): readonly RelColumn[] =>
    isNeeded(name, id)
      ? [{ id, name, domain: name === owner ? { ...domain, nullable: false } : domain }]
      : [],
  )
  const sources = columns.map(({ name }) => {
    const source = columnNamed(base, name)
    assert(source !== undefined, `${base.name} has ${name}`)
    return source
  })
  const scan: Scan = { kind: "scan", table: base, sources, columns }
  return {
    kind: "project",
    input: scan,
    items: [...columns.map(columnExpr), ...computed.map(({ value }) => value)],
    columns: [...columns, ...computed.map(({ id, name, value }) => ({ id, name, domain: value.domain }))],
  }
}

function columnIdOf({ columns }: Rel, name: string): ColumnId {
  const column = columns.find((one) => one.name === name)
  assert(column !== undefined, `pairs are by ${name}`)
  return column.id
}
