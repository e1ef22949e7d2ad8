// The same relation over a copy of pairs: columns that a pair does not have are left out as long as nobody
// needs them, and what the copy holds is read in place of being computed.

import type { PreparedTable } from "@dosimeter/proof/units/prepared-table"
import { columnNamed } from "@dosimeter/proof/catalog/catalog"
import { mapParts } from "@dosimeter/proof/algebra/change"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import { columnExpr, type ColumnIds } from "@dosimeter/proof/algebra/make"
import type { Join, Project, Rel, RelColumn, Scan } from "@dosimeter/proof/algebra/rel"
import { columnsIn } from "@dosimeter/proof/algebra/walk"
import { isSameExpression, type Matching } from "../aggregates/same-expression.ts"
import { matchingOf, numbered } from "./over-copies.ts"

/**
 * Exchanges one scan for a copy of pairs. Columns keep their numbers; those of the copy are carried to the
 * top.
 */
export class OverPairs {
  /** Columns of the copy that the table does not have, by name. */
  readonly added: ReadonlyMap<string, ColumnId>
  /** The scan of the copy. */
  readonly rows: Scan
  readonly #main: Scan
  readonly #copy: PreparedTable
  readonly #matching: Matching
  readonly #carried: ReadonlyMap<ColumnId, RelColumn>

  constructor(
    main: Scan,
    copy: PreparedTable,
    { definitions, ids }: { readonly definitions: ReadonlyMap<ColumnId, Expr>; readonly ids: ColumnIds },
  ) {
    this.#main = main
    this.#copy = copy
    this.#matching = matchingOf(main, copy, definitions)
    const computed = [...copy.derived, ...(copy.totals ?? [])].map(({ name }) => name)
    this.added = numbered(computed, ids)
    const own = main.columns.flatMap((column, index) => {
      const source = columnNamed(copy.table, main.sources[index]?.name ?? "")
      return source === undefined ? [] : [{ column, source }]
    })
    const more = [...this.added].flatMap(([name, id]) => {
      const source = columnNamed(copy.table, name)
      return source === undefined ? [] : [{ column: { id, name, domain: source.domain }, source }]
    })
    const all = [...own, ...more]
    this.#carried = new Map(more.map(({ column }) => [column.id, column]))
    this.rows = {
      ...main,
      table: copy.table,
      sources: all.map(({ source }) => source),
      columns: all.map(({ column }) => column),
    }
  }

  /** The relation over pairs; undefined if it needs what a pair does not have. */
  rebuild(rel: Rel): Rel | undefined {
    switch (rel.kind) {
      case "scan":
        return rel === this.#main ? this.rows : rel
      case "values":
        return rel
      case "filter": {
        const input = this.rebuild(rel.input)
        const condition = this.stored(rel.condition)
        if (input === undefined || !isHeld(condition, input)) return undefined
        return { ...rel, input, condition, columns: input.columns.map((column) => ownColumn(rel, column)) }
      }
      case "project": {
        const input = this.rebuild(rel.input)
        return input === undefined ? undefined : this.#project(rel, input)
      }
      case "join":
        return this.#join(rel)
      default:
        return undefined
    }
  }

  /** The expression with what the copy holds in place of what is computed. */
  stored(expr: Expr): Expr {
    for (const { name, value } of expr.kind === "literal" ? [] : this.#copy.derived) {
      const id = this.added.get(name)
      const column = id === undefined ? undefined : this.#carried.get(id)
      if (column !== undefined && isSameExpression(value, expr, this.#matching)) return columnExpr(column)
    }
    return mapParts(expr, (part) => this.stored(part))
  }

  #project(rel: Project, input: Rel): Project {
    const kept = rel.items.flatMap((item, index) => {
      const column = rel.columns[index]
      const stored = this.stored(item)
      return column !== undefined && isHeld(stored, input) ? [{ item: stored, column }] : []
    })
    const known = new Set(kept.map(({ column }) => column.id))
    const carried = input.columns.filter(({ id }) => this.#carried.has(id) && !known.has(id))
    return {
      ...rel,
      input,
      items: [...kept.map(({ item }) => item), ...carried.map(columnExpr)],
      columns: [...kept.map(({ column }) => column), ...carried],
    }
  }

  #join(rel: Join): Join | undefined {
    const [left, right] = [this.rebuild(rel.left), this.rebuild(rel.right)]
    if (left === undefined || right === undefined) return undefined
    const condition = rel.condition === undefined ? undefined : this.stored(rel.condition)
    const both = [...left.columns, ...right.columns]
    const held = new Set(both.map(({ id }) => id))
    // Rows of pairs must not be made up: a pair that is missing has no total.
    if (rel.type !== "inner" && rel.type !== "left") return undefined
    if (rel.type === "left" && right.columns.some(({ id }) => this.#carried.has(id))) return undefined
    if (condition !== undefined && ![...columnsIn(condition)].every((id) => held.has(id))) return undefined
    return { ...rel, left, right, condition, columns: both.map((column) => ownColumn(rel, column)) }
  }
}

function isHeld(expr: Expr, { columns }: Rel): boolean {
  const held = new Set(columns.map(({ id }) => id))
  return [...columnsIn(expr)].every((id) => held.has(id))
}

// The column as the node had it before, if it had it.
function ownColumn(rel: Rel, column: RelColumn): RelColumn {
  return rel.columns.find(({ id }) => id === column.id) ?? column
}
