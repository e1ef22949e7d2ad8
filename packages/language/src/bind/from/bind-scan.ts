// Tables: public ones as they are, private ones with the way to their unit. A table whose unit is some hops
// away is joined with the tables on the path, so that every relation begins with its unit column.

import { assert, type Span } from "@dosimeter/core/errors"
import type { CatalogTable, Hop } from "@dosimeter/proof/catalog/catalog"
import { fail } from "../../errors.ts"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import { columnExpr } from "@dosimeter/proof/algebra/make"
import type { Join, Rel, RelColumn, Scan } from "@dosimeter/proof/algebra/rel"
import { makeCall } from "../exprs/build.ts"
import type { BindContext } from "../scope/context.ts"
import type { NamedTable } from "../scope/names.ts"
import type { Relation } from "../scope/relation.ts"

/** A table of the catalog: its rows, and the names of its columns. */
export function bindScan(
  context: BindContext,
  table: CatalogTable,
  at: Span,
): { readonly relation: Relation; readonly named: NamedTable } {
  const { unit } = table
  const needed = unit.kind === "path" ? [unit.hops[0]?.column ?? unit.column] : []
  const scan = scanOf(context, table, { needed, at })
  const named: NamedTable = {
    name: table.name,
    table: table.name,
    columns: table.columns.map(({ name, access }) => ({
      name,
      column: access === "denied" ? undefined : columnOf(scan, name),
    })),
  }
  if (unit.kind === "public") return { relation: { rel: scan, zone: { kind: "public" } }, named }
  if (unit.kind === "row") {
    const zone = {
      kind: "private",
      unit: undefined,
      equal: new Set<ColumnId>(),
      maybe: new Set<ColumnId>(),
      telling: [],
    } as const
    return { relation: { rel: scan, zone }, named }
  }
  const { rel, id } = followPath(context, scan, { hops: unit.hops, column: unit.column, at })
  const equal = new Set([id])
  const telling = tellingSets(context, scan)
  return { relation: { rel, zone: { kind: "private", unit: id, equal, maybe: new Set(), telling } }, named }
}

/** Reads the columns that may be used, and those that lead to the unit. */
function scanOf(
  context: BindContext,
  table: CatalogTable,
  { needed, at }: { readonly needed: readonly string[]; readonly at: Span },
): Scan {
  const sources = table.columns.filter(({ name, access }) => access === "allowed" || needed.includes(name))
  const columns = sources.map(({ name, domain }) => context.column(name, domain))
  return { kind: "scan", table, sources, columns, at }
}

function columnOf(scan: Scan, name: string): RelColumn | undefined {
  return scan.columns[scan.sources.findIndex((source) => source.name === name)]
}

interface Path {
  readonly hops: readonly Hop[]
  readonly column: string
  readonly at: Span
}

function followPath(
  context: BindContext,
  start: Scan,
  { hops, column, at }: Path,
): { readonly rel: Rel; readonly id: ColumnId } {
  let rel: Rel = start
  let last = start
  for (const [index, hop] of hops.entries()) {
    const target = context.tables.get(hop.table)
    if (target === undefined) return fail("sql/unknown-table", { name: hop.table, near: "" }, at)
    const next = hops[index + 1]?.column ?? column
    const scan = narrowScan(context, target, { wanted: [hop.key, next], at })
    const [from, to] = [columnOf(last, hop.column), columnOf(scan, hop.key)]
    assert(from !== undefined && to !== undefined, "the columns of a path exist")
    const condition = makeCall("equal", [columnExpr(from), columnExpr(to)], at)
    const joined: Join = {
      kind: "join",
      type: "inner",
      left: rel,
      right: scan,
      condition,
      columns: [...rel.columns, ...scan.columns],
      at,
    }
    rel = joined
    last = scan
  }
  const id = columnOf(last, column)?.id
  assert(id !== undefined, "the unit's column exists")
  return { rel, id }
}

/** Reads nothing but what a path needs. */
function narrowScan(
  context: BindContext,
  table: CatalogTable,
  { wanted, at }: { readonly wanted: readonly string[]; readonly at: Span },
): Scan {
  const unit = table.unit.kind === "path" ? (table.unit.hops[0]?.column ?? table.unit.column) : undefined
  const sources = table.columns.filter(({ name }) => wanted.includes(name) || name === unit)
  const columns = sources.map(({ name, domain }) => context.column(name, domain))
  return { kind: "scan", table, sources, columns, at }
}

/** Declared keys, references to keys of private tables, and the first step of a path. */
function tellingSets(context: BindContext, scan: Scan): readonly (readonly ColumnId[])[] {
  const { table } = scan
  const keys = table.keys.flatMap((key) => {
    const ids = key.flatMap((name) => columnOf(scan, name)?.id ?? [])
    return ids.length === key.length && ids.length > 0 ? [ids] : []
  })
  const references = scan.sources.flatMap(({ references: reference }, index) => {
    const id = scan.columns[index]?.id
    const target = reference === undefined ? undefined : context.tables.get(reference.table)
    const isKey = target?.keys.some((key) => key.length === 1 && key[0] === reference?.column) === true
    return id !== undefined && target?.unit.kind === "path" && isKey ? [[id]] : []
  })
  const hop = table.unit.kind === "path" ? table.unit.hops[0] : undefined
  const first = hop === undefined ? undefined : columnOf(scan, hop.column)?.id
  return [...keys, ...references, ...(first === undefined ? [] : [[first]])]
}
