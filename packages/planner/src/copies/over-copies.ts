// The same relation over prepared copies: scans are exchanged, stored expressions read in place of computed
// ones, and a condition on places put right above the scan whose rows must be bounded.

import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { columnNamed, type CatalogColumn } from "@dosimeter/proof/catalog/catalog"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import {
  callExpr,
  columnExpr,
  filterRel,
  integerLiteral,
  type ColumnIds,
} from "@dosimeter/proof/algebra/make"
import type { Join, Project, Rel, RelColumn, Scan } from "@dosimeter/proof/algebra/rel"
import { isSameExpression, type Matching } from "../aggregates/same-expression.ts"

/** Which copy is read in place of a scan. */
export interface ChosenCopy {
  readonly copy: PreparedTable
  /** Names of columns that are read besides those of the scan, with their numbers. */
  readonly added: ReadonlyMap<string, ColumnId>
  /** Places that rows are kept by: at most so many, by the name of the place's column. */
  readonly limits: readonly { readonly column: string; readonly most: bigint }[]
}

/** Finds the columns of a copy's base in a scan. */
export function matchingOf(
  scan: Scan,
  copy: PreparedTable,
  definitions: ReadonlyMap<ColumnId, Expr>,
): Matching {
  return {
    definitions,
    columnOf: (stored) => {
      const name = copy.base.columns[stored]?.name
      return scan.columns[scan.sources.findIndex((source) => source.name === name)]?.id
    },
  }
}

/** Exchanges scans for copies. Columns keep their numbers; those that were added are carried to the top. */
export class OverCopies {
  readonly #chosen: ReadonlyMap<Scan, ChosenCopy>
  readonly #definitions: ReadonlyMap<ColumnId, Expr>
  readonly #carried: ReadonlySet<ColumnId>

  constructor(chosen: ReadonlyMap<Scan, ChosenCopy>, definitions: ReadonlyMap<ColumnId, Expr>) {
    this.#chosen = chosen
    this.#definitions = definitions
    this.#carried = new Set([...chosen.values()].flatMap(({ added }) => [...added.values()]))
  }

  /** The relation over copies; undefined if some part of it cannot be rebuilt over them. */
  rebuild(rel: Rel): Rel | undefined {
    switch (rel.kind) {
      case "scan":
        return this.#scan(rel)
      case "values":
        return rel
      case "filter": {
        const input = this.rebuild(rel.input)
        if (input === undefined) return undefined
        return { ...rel, input, columns: input.columns.map((column) => ownColumn(rel, column)) }
      }
      case "project": {
        const input = this.rebuild(rel.input)
        return input === undefined ? undefined : this.#project(rel, input)
      }
      case "join": {
        const [left, right] = [this.rebuild(rel.left), this.rebuild(rel.right)]
        return left === undefined || right === undefined ? undefined : joined(rel, left, right)
      }
      default:
        return undefined
    }
  }

  #scan(scan: Scan): Rel | undefined {
    const chosen = this.#chosen.get(scan)
    if (chosen === undefined) return scan
    const { table } = chosen.copy
    const own = scan.sources.map(({ name }) => columnNamed(table, name))
    const more = [...chosen.added].map(([name, id]) => ({ id, source: columnNamed(table, name) }))
    const sources: CatalogColumn[] = []
    for (const source of [...own, ...more.map((one) => one.source)]) {
      if (source === undefined) return undefined
      sources.push(source)
    }
    const columns = sources.map((source, index): RelColumn => {
      const before = scan.columns[index]
      if (before !== undefined) return before
      const id = more[index - scan.columns.length]?.id ?? -1
      return { id, name: source.name, domain: source.domain }
    })
    const copied: Scan = { ...scan, table, sources, columns }
    const conditions = chosen.limits.flatMap(({ column, most }) => {
      const place = columns[sources.findIndex(({ name }) => name === column)]
      return place === undefined ? [] : [callExpr("less-or-equal", [columnExpr(place), integerLiteral(most)])]
    })
    if (conditions.length !== chosen.limits.length) return undefined
    const [first, ...rest] = conditions
    if (first === undefined) return copied
    return filterRel(copied, rest.length === 0 ? first : callExpr("and", conditions))
  }

  #project(rel: Project, input: Rel): Project {
    const items = rel.items.map((item) => this.#stored(item, input) ?? item)
    const known = new Set(rel.columns.map(({ id }) => id))
    const carried = input.columns.filter(({ id }) => this.#carried.has(id) && !known.has(id))
    return {
      ...rel,
      input,
      items: [...items, ...carried.map(columnExpr)],
      columns: [...rel.columns, ...carried],
    }
  }

  // The stored column that holds what an item computes.
  #stored(item: Expr, input: Rel): Expr | undefined {
    if (item.kind === "column") return undefined
    for (const [scan, { copy, added }] of this.#chosen) {
      const matching = matchingOf(scan, copy, this.#definitions)
      for (const { name, value } of copy.derived) {
        const id = added.get(name)
        const column = input.columns.find((one) => one.id === id)
        if (column !== undefined && isSameExpression(value, item, matching)) return columnExpr(column)
      }
    }
    return undefined
  }
}

/** The names of stored columns that an expression computes, wherever it stands in a relation. */
export function storedNames(
  exprs: readonly Expr[],
  copy: PreparedTable,
  matching: Matching,
): readonly string[] {
  return copy.derived
    .filter(({ value }) =>
      exprs.some((expr) => expr.kind !== "column" && isSameExpression(value, expr, matching)),
    )
    .map(({ name }) => name)
}

/** New numbers for added columns. */
export function numbered(names: Iterable<string>, ids: ColumnIds): ReadonlyMap<string, ColumnId> {
  return new Map([...new Set(names)].map((name) => [name, ids.next()]))
}

function joined(rel: Join, left: Rel, right: Rel): Join {
  const columns = (side: Rel, mayMiss: boolean): readonly RelColumn[] =>
    side.columns.map((column) =>
      ownColumn(rel, mayMiss ? { ...column, domain: { ...column.domain, nullable: true } } : column),
    )
  return {
    ...rel,
    left,
    right,
    columns: [
      ...columns(left, rel.type === "right" || rel.type === "full"),
      ...columns(right, rel.type === "left" || rel.type === "full"),
    ],
  }
}

// The column as the node had it before, if it had it.
function ownColumn(rel: Rel, column: RelColumn): RelColumn {
  return rel.columns.find(({ id }) => id === column.id) ?? column
}
