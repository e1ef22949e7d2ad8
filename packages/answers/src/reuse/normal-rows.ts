// Unit-local rows in a form that does not depend on how a question was written: tables joined, then
// conditions, with projections looked through. Numbers of columns are replaced by names.

import { showRational } from "@dosimeter/core/exact"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import { mapParts } from "@dosimeter/proof/algebra/change"
import type { ColumnId, Expr } from "@dosimeter/proof/algebra/expr"
import type {
  AggregateItem,
  Join,
  Mark,
  Project,
  Rel,
  Scan,
  SortKey,
  WindowItem,
} from "@dosimeter/proof/algebra/rel"
import { conjunctsOf } from "@dosimeter/proof/algebra/walk"

/** Rows: where they come from, what is true of them, and what their columns are. */
export interface Rows {
  readonly from: string
  readonly conditions: readonly Expr[]
  /** Each column over the columns of tables (and of nodes that are not looked into). */
  readonly columns: ReadonlyMap<ColumnId, Expr>
}

/** Texts beyond this are not compared. */
const textMax = 20_000

/** Finds the form, and gives names to columns on the way. */
export class NormalRows {
  readonly names = new Map<ColumnId, string>()
  /** Whether a text was given up: then nothing that was made here may be compared. */
  isTooLong = false
  readonly #texts = new Map<Expr, string>()
  #leaves = 0

  /** The form of a relation. */
  rowsOf(rel: Rel): Rows {
    switch (rel.kind) {
      case "scan":
        return this.#scan(rel)
      case "filter": {
        const { from, conditions, columns } = this.rowsOf(rel.input)
        const added = conjunctsOf(rel.condition).map((part) => this.inline(part, columns))
        return { from, conditions: [...conditions, ...added], columns }
      }
      case "project":
        return this.#project(rel)
      case "join":
        return rel.type === "inner" ? this.#inner(rel) : this.#outer(rel)
      case "mark":
        return this.#outer(rel)
      case "values": {
        const rows = rel.rows.map((row) => row.map((value) => this.constantText(value)).join(" "))
        return this.#leaf(rel, `values(${rows.join("; ")})`)
      }
      case "aggregate": {
        const { columns, text } = this.#whole(rel.input)
        const keys = rel.keys.map((key) => this.#columnText(key, columns))
        const items = rel.items.map((item) => this.#item(item, columns))
        return this.#leaf(rel, `aggregate(${text}; ${keys.join(", ")}; ${items.join(", ")})`)
      }
      case "window": {
        const { columns, text } = this.#whole(rel.input)
        const items = rel.items.map((item) => this.#window(item, columns))
        return this.#leaf(rel, `window(${text}; ${items.join(", ")})`)
      }
      case "union":
        return this.#leaf(rel, `union(${rel.inputs.map((input) => this.#whole(input).text).join("; ")})`)
      case "sort":
      case "boundary":
      case "released":
        // Cannot stand below a boundary; counts as different from everything.
        this.isTooLong = true
        return { from: "", conditions: [], columns: new Map() }
      default:
        return rel satisfies never
    }
  }

  /** An expression over the columns of tables. */
  inline(expr: Expr, columns: ReadonlyMap<ColumnId, Expr>): Expr {
    if (expr.kind === "column") return columns.get(expr.id) ?? expr
    return mapParts(expr, (part) => this.inline(part, columns))
  }

  /** The text of an expression over named columns. */
  textOf(expr: Expr): string {
    const known = this.#texts.get(expr)
    if (known !== undefined) return known
    const text = this.#checked(exprText(expr, (part) => this.textOf(part), this.names))
    this.#texts.set(expr, text)
    return text
  }

  /** The text of a constant; its length is part of it, so that two texts never read like one. */
  constantText(constant: Constant): string {
    return constantText(constant)
  }

  #scan(rel: Scan): Rows {
    const { table, sources, columns } = rel
    const { unit } = table
    const owner =
      unit.kind === "path"
        ? [...unit.hops.map(({ column, table: to, key }) => `${column}>${to}.${key}`), unit.column].join(" ")
        : unit.kind
    // Rows whose key cannot be read are left out where it is read.
    const read = new Set(sources.map(({ name }) => name))
    const keys = table.keys.filter((key) => key.every((name) => read.has(name))).map((key) => key.join(" "))
    this.#leaves += 1
    for (const [index, { id }] of columns.entries()) {
      const source = sources[index]
      if (source !== undefined) {
        const stored = JSON.stringify(source.source)
        this.names.set(id, `${this.#leaves}.${source.name}=${stored}:${domainText(source.domain)}`)
      }
    }
    return {
      from: this.#checked(
        `${this.#leaves}.${table.name}=${JSON.stringify(table.path)}(${owner}; ${keys.join(", ")})`,
      ),
      conditions: [],
      columns: new Map(columns.map(({ id, domain }) => [id, { kind: "column", id, domain }])),
    }
  }

  #project({ input, items, columns }: Project): Rows {
    const below = this.rowsOf(input)
    const own = new Map<ColumnId, Expr>()
    for (const [index, item] of items.entries()) {
      const id = columns[index]?.id
      if (id !== undefined) own.set(id, this.inline(item, below.columns))
    }
    return { ...below, columns: own }
  }

  // A join is the conditions of both sides and its own, over all pairs of rows.
  #inner({ left, right, condition }: Join): Rows {
    const [a, b] = [this.rowsOf(left), this.rowsOf(right)]
    const columns = new Map([...a.columns, ...b.columns])
    const own = conjunctsOf(condition).map((part) => this.inline(part, columns))
    return {
      from: this.#checked(`(${a.from} x ${b.from})`),
      conditions: [...a.conditions, ...b.conditions, ...own],
      columns,
    }
  }

  // Conditions of the left side commute with a left join and with EXISTS. What the right side computes may be
  // NULL instead above the join, so it is not looked through.
  #outer(rel: Join | Mark): Rows {
    const isLeft = rel.kind === "mark" || rel.type === "left"
    const left = isLeft ? this.rowsOf(rel.left) : undefined
    const other = left === undefined ? this.#whole(rel.left) : undefined
    const right = this.#whole(rel.right)
    const leftText = left?.from ?? other?.text ?? ""
    const own = left?.columns ?? other?.columns ?? []
    const inside = new Map<ColumnId, Expr>([...own, ...right.columns])
    const conditions = conjunctsOf(rel.condition).map((part) => this.textOf(this.inline(part, inside)))
    const kind = rel.kind === "mark" ? "mark" : rel.type
    const from = `${kind}(${leftText}; ${right.text}; ${conditions.toSorted().join(" and ")})`
    if (left === undefined) return this.#leaf(rel, from)
    const columns = new Map<ColumnId, Expr>(left.columns)
    this.#leaves += 1
    const added = rel.columns.slice(rel.left.columns.length)
    for (const [index, { id, domain }] of added.entries()) {
      this.names.set(id, `${this.#leaves}.${kind}.${index}:${showType(domain.type)}`)
      columns.set(id, { kind: "column", id, domain })
    }
    return { from: this.#checked(`${this.#leaves}.${from}`), conditions: left.conditions, columns }
  }

  // All of a relation, as one text: the order and the meaning of its columns included.
  #whole(rel: Rel): { readonly text: string; readonly columns: ReadonlyMap<ColumnId, Expr> } {
    const { from, conditions, columns } = this.rowsOf(rel)
    const where = conditions.map((condition) => this.textOf(condition)).toSorted()
    const shown = rel.columns.map(({ id }) => this.#columnText(id, columns))
    const text = this.#checked(`${from} where ${where.join(" and ")} give ${shown.join(", ")}`)
    return { text, columns }
  }

  // A node that is not looked into: its columns are named by their places and types. What is computed from
  // constants of another type is something else: 7 / 4 is 1, and 7 / 4.0 is 1.75.
  #leaf(rel: Rel, from: string): Rows {
    this.#leaves += 1
    for (const [index, { id, domain }] of rel.columns.entries()) {
      this.names.set(id, `${this.#leaves}.${index}:${showType(domain.type)}`)
    }
    return {
      from: this.#checked(`${this.#leaves}.${from}`),
      conditions: [],
      columns: new Map(rel.columns.map(({ id, domain }) => [id, { kind: "column", id, domain }])),
    }
  }

  #columnText(id: ColumnId, columns: ReadonlyMap<ColumnId, Expr>): string {
    const expr = columns.get(id)
    return expr === undefined ? (this.names.get(id) ?? "?") : this.textOf(expr)
  }

  #item({ function: name, argument }: AggregateItem, columns: ReadonlyMap<ColumnId, Expr>): string {
    return `${name}(${argument === undefined ? "" : this.textOf(this.inline(argument, columns))})`
  }

  #window(item: WindowItem, columns: ReadonlyMap<ColumnId, Expr>): string {
    const over = (expr: Expr): string => this.textOf(this.inline(expr, columns))
    const sorted = ({ value, direction, nulls }: SortKey): string => `${over(value)} ${direction} ${nulls}`
    const frame =
      item.frame === undefined
        ? ""
        : [item.frame.mode, boundText(item.frame.start), boundText(item.frame.end)].join(" ")
    const parts = [item.args.map(over), item.partitionBy.map(over), item.orderBy.map(sorted), [frame]]
    return `${item.function}(${parts.map((part) => part.join(", ")).join("; ")})`
  }

  #checked(text: string): string {
    if (text.length <= textMax && !this.isTooLong) return text
    this.isTooLong = true
    return ""
  }
}

/** The text of an expression, given those of its parts and the names of columns. */
export function exprText(
  expr: Expr,
  textOf: (part: Expr) => string,
  names: ReadonlyMap<ColumnId, string>,
): string {
  switch (expr.kind) {
    case "column":
      return `[${names.get(expr.id) ?? `?${expr.id}`}]`
    case "literal":
      return `${showType(expr.domain.type)}:${constantText(expr.value)}`
    case "call": {
      const type = expr.name === "cast" ? `:${showType(expr.domain.type)}` : ""
      return `${expr.name}${type}(${expr.args.map(textOf).join(",")})`
    }
    case "case": {
      const arms = expr.branches.map(({ when, result }) => `${textOf(when)}?${textOf(result)}`)
      return `case(${[...arms, textOf(expr.otherwise)].join(",")})`
    }
    case "steps":
      return `steps(${textOf(expr.operand)},${showRational(expr.grid)},${expr.lower},${expr.upper})`
    case "share":
      return `share(${textOf(expr.sum)},${textOf(expr.count)},${expr.most})`
    case "weight":
      return `weight(${expr.norm},${textOf(expr.total)},${expr.bound},${expr.full})`
    case "keyed-hash":
      return `hash(${expr.args.map(textOf).join(",")})`
    default:
      return expr satisfies never
  }
}

function constantText(constant: Constant): string {
  const text = constantKey(constant)
  return `${text.length}"${text}"`
}

// A column is read inside its domain, so the domain is part of what it means.
function domainText({ type, nullable, range, values, calendar, grid }: Domain): string {
  const ends = range === undefined ? [] : [range.min, range.max].map(({ value }) => showRational(value))
  return [
    showType(type),
    nullable ? "nullable" : "",
    ends.join(".."),
    values?.map(constantText).join(" ") ?? "",
    calendar ?? "",
    grid === undefined ? "" : showRational(grid),
  ].join("/")
}

function boundText(bound: { readonly kind: string; readonly offset?: bigint }): string {
  return bound.offset === undefined ? bound.kind : `${bound.kind} ${bound.offset}`
}
