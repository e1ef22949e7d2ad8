// Totals over the rows of a unit, worked out once for each unit and joined to its rows, in place of a window:
// for databases that group and join by hashing but sort for every window. What is computed from such totals
// alone, as weights are, is computed once for each unit as well.

import { isExactType } from "../catalog/sql-type.ts"
import { mapInputs } from "../algebra/change.ts"
import type { ColumnExpr, ColumnId, Expr } from "../algebra/expr.ts"
import { callExpr, columnExpr, columnIdsAfter, columnIn, type ColumnIds } from "../algebra/make.ts"
import {
  type Aggregate,
  type AggregateItem,
  type Join,
  type Project,
  type Rel,
  type RelColumn,
  type WindowRel,
} from "../algebra/rel.ts"
import { columnsIn } from "../algebra/walk.ts"

/** How rows that are read twice are the same both times: they are kept, or stored and cannot change. */
export type ReadTwice = "kept" | "stored"

/** A relation to print, and which of its parts are read twice. */
export interface JoinedTotals {
  readonly rel: Rel
  readonly readTwice: ReadonlyMap<Rel, ReadTwice>
}

/**
 * The relation with joins in place of windows that only add up whole partitions.
 *
 * Guarantee: the same columns and, on every data, the same rows as `rel`, if each part that
 *   is to be "kept" is computed once.
 * Needs: prepared copies do not change while they are read.
 * Proof: groups of GROUP BY are the partitions, and each row is joined to the one group that it is in:
 *   join-totals.proof.md.
 * Numerics: whole numbers.
 * Source: this file; run against windows in join-totals.node.test.ts.
 */
export function joinTotals(rel: Rel): JoinedTotals {
  const ids = columnIdsAfter(rel)
  const readTwice = new Map<Rel, ReadTwice>()
  const known = new Map<Rel, Rel>()
  const change = (one: Rel): Rel => {
    const before = known.get(one)
    if (before !== undefined) return before
    const changed = changedNode(one, change, { ids, readTwice })
    known.set(one, changed)
    return changed
  }
  return { rel: change(rel), readTwice }
}

interface Changing {
  readonly ids: ColumnIds
  readonly readTwice: Map<Rel, ReadTwice>
}

function changedNode(rel: Rel, change: (input: Rel) => Rel, { ids, readTwice }: Changing): Rel {
  const window = rel.kind === "project" && rel.input.kind === "window" ? rel.input : rel
  const parts = window.kind === "window" ? totalsOf(window) : undefined
  if (window.kind !== "window" || parts === undefined) return mapInputs(rel, change)
  const rows = change(window.input)
  readTwice.set(rows, isStored(rows) ? "stored" : "kept")
  const items = rel.kind === "project" ? rel.items : rel.columns.map(columnExpr)
  return joined({ window, rows, ...parts }, { items, columns: rel.columns }, ids)
}

// Rows of a prepared copy: to read them again is cheaper than to keep what was read.
function isStored(rel: Rel): boolean {
  if (rel.kind === "scan") return rel.table.prepared !== undefined
  return (rel.kind === "project" || rel.kind === "filter") && isStored(rel.input)
}

/** What a window that adds up whole partitions is made of. */
interface Totals {
  readonly partition: readonly RelColumn[]
  readonly items: readonly AggregateItem[]
}

function totalsOf({ input, items }: WindowRel): Totals | undefined {
  const [first] = items
  const keys = (first?.partitionBy ?? []).flatMap((expr) => (expr.kind === "column" ? [expr.id] : []))
  const partition = [...new Set(keys)].map((id) => columnIn(input, id))
  if (first === undefined || keys.length === 0 || keys.length < first.partitionBy.length) return undefined
  if (!partition.every(({ domain }) => isExactType(domain.type))) return undefined
  const added = items.flatMap((item): readonly AggregateItem[] => {
    const { function: name, args, partitionBy, orderBy, frame } = item
    if (orderBy.length > 0 || frame !== undefined || !isSameList(partitionBy, keys)) return []
    switch (name) {
      case "rows":
      case "count":
      case "sum":
      case "min":
      case "max":
      case "every":
      case "some":
        return [{ function: name, argument: args[0] }]
      default:
        return []
    }
  })
  return added.length === items.length ? { partition, items: added } : undefined
}

function isSameList(exprs: readonly Expr[], ids: readonly ColumnId[]): boolean {
  return exprs.length === ids.length && exprs.every((expr, i) => expr.kind === "column" && expr.id === ids[i])
}

interface Parts extends Totals {
  readonly window: WindowRel
  /** The rows below the window, changed themselves. */
  readonly rows: Rel
}

function joined(
  { window, rows, partition, items }: Parts,
  wanted: { readonly items: readonly Expr[]; readonly columns: readonly RelColumn[] },
  ids: ColumnIds,
): Project {
  const totals = window.columns.slice(window.input.columns.length)
  const groups: Aggregate = {
    kind: "aggregate",
    input: rows,
    keys: partition.map(({ id }) => id),
    items,
    columns: [...partition, ...totals],
  }
  const within = new Set([...partition, ...totals].map(({ id }) => id))
  const isTotal = new Set(totals.map(({ id }) => id))
  // Computed once for each group: what looks at totals, and at nothing else but what groups are made by.
  const early = new Map<Expr, RelColumn>()
  for (const [index, item] of wanted.items.entries()) {
    const read = [...columnsIn(item)]
    const isOfGroup = read.some((id) => isTotal.has(id)) && read.every((id) => within.has(id))
    const column = wanted.columns[index]
    if (item.kind === "column" || !isOfGroup || column === undefined) continue
    early.set(item, { id: ids.next(), name: column.name, domain: column.domain })
  }
  const late = wanted.items.flatMap((item) => (early.has(item) ? [] : [...columnsIn(item)]))
  const carried = totals.filter(({ id }) => late.includes(id))
  const keys = partition.map((column): RelColumn => ({ ...column, id: ids.next() }))
  const right: Project = {
    kind: "project",
    input: groups,
    items: [...partition, ...carried].map((column): Expr => columnExpr(column)).concat([...early.keys()]),
    columns: [...keys, ...carried, ...early.values()],
  }
  const join: Join = {
    kind: "join",
    type: "inner",
    left: rows,
    right,
    condition: sameColumns(partition.map(columnExpr), keys.map(columnExpr)),
    columns: [...rows.columns, ...right.columns],
  }
  const above = wanted.items.map((item) => {
    const column = early.get(item)
    return column === undefined ? item : columnExpr(column)
  })
  return { kind: "project", input: join, items: above, columns: wanted.columns }
}

function sameColumns(left: readonly ColumnExpr[], right: readonly ColumnExpr[]): Expr {
  const [first, ...others] = left.map((a, index) => {
    const b = right[index] ?? a
    return a.domain.nullable
      ? callExpr("not", [callExpr("distinct-from", [a, b])])
      : callExpr("equal", [a, b])
  })
  if (first === undefined) return callExpr("equal", [...left])
  return others.length === 0 ? first : callExpr("and", [first, ...others])
}
