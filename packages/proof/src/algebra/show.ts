// A relation as text for golden files and EXPLAIN: one node a line, inputs indented below it, columns as
// name#number, and what is known of a column's values where it is made.

import { unreachable } from "@dosimeter/core/errors"
import { columnCount } from "./boundary-columns.ts"
import { showParameter, type Rational } from "@dosimeter/core/exact"
import { showDay, showMicros } from "../catalog/civil-date.ts"
import type { Constant } from "../catalog/constant.ts"
import type { Domain, RangeEnd } from "../catalog/domain.ts"
import type { FunctionName } from "../functions/function-name.ts"
import { showType } from "../catalog/sql-type.ts"
import type { CallExpr, ColumnId, Expr } from "./expr.ts"
import type {
  AggregateItem,
  Frame,
  FrameBound,
  BoundaryAggregate,
  Rel,
  RelColumn,
  SortKey,
  WindowItem,
} from "./rel.ts"
import { inputsOf } from "./walk.ts"

/** A relation as text. A node that is used a second time is shown as a reference to its first place. */
export function showRel(rel: Rel): string {
  return new Shower().show(rel)
}

/** An expression as text, with the names of the columns in reach. */
export function showExpr(expr: Expr, names: ReadonlyMap<ColumnId, string> = new Map()): string {
  return write(expr, names)
}

class Shower {
  readonly #names = new Map<ColumnId, string>()
  readonly #shared = new Map<Rel, number>()
  readonly #shown = new Set<Rel>()

  show(rel: Rel): string {
    this.#prepare(rel, new Set())
    const lines: string[] = []
    this.#write(rel, 0, lines)
    return lines.join("\n")
  }

  // Names are those of the place where a column is made: the lowest.
  #prepare(rel: Rel, seen: Set<Rel>): void {
    if (seen.has(rel)) {
      if (!this.#shared.has(rel) && rel.kind !== "scan") this.#shared.set(rel, this.#shared.size + 1)
      return
    }
    seen.add(rel)
    for (const input of inputsOf(rel)) this.#prepare(input, seen)
    for (const { id, name } of rel.columns) {
      if (!this.#names.has(id)) this.#names.set(id, name)
    }
  }

  #write(rel: Rel, depth: number, lines: string[]): void {
    const indent = "  ".repeat(depth)
    const number = this.#shared.get(rel)
    if (number !== undefined && this.#shown.has(rel)) {
      lines.push(`${indent}again @${number}`)
      return
    }
    this.#shown.add(rel)
    const mark = number === undefined ? "" : `@${number} `
    lines.push(`${indent}${mark}${this.#line(rel)}`)
    for (const input of inputsOf(rel)) this.#write(input, depth + 1, lines)
  }

  #line(rel: Rel): string {
    switch (rel.kind) {
      case "scan":
        return `scan ${rel.table.name}: ${this.#made(rel.columns)}`
      case "values":
        return `values ${rel.rows.length} x (${this.#made(rel.columns)})`
      case "filter":
        return `filter ${this.#expr(rel.condition)}`
      case "project": {
        const items = rel.items.map((item, index) => this.#item(item, rel.columns[index]))
        return `project ${items.join(", ")}`
      }
      case "join":
        return `${rel.type} join${rel.condition === undefined ? "" : ` on ${this.#expr(rel.condition)}`}`
      case "mark": {
        const column = rel.columns.at(-1)
        const name = column === undefined ? "" : this.#name(column.id)
        return `mark ${name}${rel.condition === undefined ? "" : ` where ${this.#expr(rel.condition)}`}`
      }
      case "aggregate":
        return `aggregate ${this.#keys(rel.keys)}${rel.items
          .map(
            (item, index) =>
              ` ${this.#aggregate(item)} as ${this.#makes(rel.columns[rel.keys.length + index])}`,
          )
          .join(",")}`
      case "window": {
        const first = rel.columns.length - rel.items.length
        const items = rel.items.map(
          (item, index) => `${this.#window(item)} as ${this.#makes(rel.columns[first + index])}`,
        )
        return `window ${items.join(", ")}`
      }
      case "union":
        return `union ${this.#made(rel.columns)}`
      case "sort":
        return `sort${rel.orderBy.length === 0 ? "" : ` by ${rel.orderBy.map((key) => this.#sortKey(key)).join(", ")}`}${
          rel.limit === undefined ? "" : ` limit ${rel.limit}`
        }${rel.offset === undefined ? "" : ` offset ${rel.offset}`}`
      case "boundary":
        return `BOUNDARY ${this.#keys(rel.keys)}${this.#boundaryAggregates(rel.aggregates, rel.columns.slice(rel.keys.length))}`
      case "released":
        return `released ${rel.release}: ${this.#made(rel.columns)}`
      default:
        return unreachable(rel)
    }
  }

  #keys(keys: readonly ColumnId[]): string {
    return keys.length === 0 ? "all:" : `by ${keys.map((id) => this.#name(id)).join(", ")}:`
  }

  #item(item: Expr, column: RelColumn | undefined): string {
    if (column === undefined || (item.kind === "column" && item.id === column.id)) return this.#expr(item)
    return `${this.#expr(item)} as ${this.#makes(column)}`
  }

  #boundaryAggregates(aggregates: readonly BoundaryAggregate[], columns: readonly RelColumn[]): string {
    let next = 0
    return aggregates
      .map((aggregate) => {
        const count = columnCount(aggregate)
        const own = columns.slice(next, next + count)
        next += count
        return ` ${this.#boundaryAggregate(aggregate)} as ${own.map((column) => this.#name(column.id)).join(", ")}`
      })
      .join(",")
  }

  #boundaryAggregate(aggregate: BoundaryAggregate): string {
    const where = aggregate.where === undefined ? "" : ` where ${this.#expr(aggregate.where)}`
    switch (aggregate.kind) {
      case "persons":
      case "rows":
        return `${aggregate.kind}${where}`
      case "sum": {
        const { manner, value, grid, lower, upper, squaredFrom } = aggregate
        const name = squaredFrom === undefined ? `sum-${manner}` : `squares-from ${squaredFrom}`
        return `${name}(${this.#expr(value)}: ${lower}..${upper} x ${showParameter(grid)})${where}`
      }
      case "distinct":
        return `distinct(${this.#expr(aggregate.value)})${where}`
      case "quantile": {
        const { value, fractions, from, width, cells, cellValue } = aggregate
        const shown = fractions.map(showParameter).join(" ")
        const grid = `${cells} cells of ${showParameter(width)} from ${showParameter(from)}, ${cellValue}`
        return `quantile(${this.#expr(value)} at ${shown}; ${grid})${where}`
      }
      case "mode":
        return `mode(${this.#expr(aggregate.value)} of ${aggregate.values.map(showConstant).join(" ")})${where}`
      default:
        return unreachable(aggregate)
    }
  }

  #aggregate({ function: name, argument }: AggregateItem): string {
    return `${name}(${argument === undefined ? "" : this.#expr(argument)})`
  }

  #window({ function: name, args, partitionBy, orderBy, frame }: WindowItem): string {
    const parts = [
      ...(partitionBy.length === 0
        ? []
        : [`partition by ${partitionBy.map((part) => this.#expr(part)).join(", ")}`]),
      ...(orderBy.length === 0 ? [] : [`order by ${orderBy.map((key) => this.#sortKey(key)).join(", ")}`]),
      ...(frame === undefined ? [] : [showFrame(frame)]),
    ]
    return `${name}(${args.map((arg) => this.#expr(arg)).join(", ")}) over (${parts.join(" ")})`
  }

  #sortKey({ value, direction, nulls }: SortKey): string {
    const byDefault = direction === "ascending" ? "last" : "first"
    return `${this.#expr(value)}${direction === "ascending" ? "" : " desc"}${nulls === byDefault ? "" : ` nulls ${nulls}`}`
  }

  #made(columns: readonly RelColumn[]): string {
    return columns.map((column) => this.#makes(column)).join(", ")
  }

  #makes(column: RelColumn | undefined): string {
    return column === undefined ? "?" : `${this.#name(column.id)} ${showDomain(column.domain)}`
  }

  #name(id: ColumnId): string {
    return `${this.#names.get(id) ?? ""}#${id}`
  }

  #expr(expr: Expr): string {
    return write(expr, this.#names)
  }
}

function showFrame({ mode, start, end }: Frame): string {
  return `${mode} ${showBound(start)} to ${showBound(end)}`
}

function showBound(bound: FrameBound): string {
  return "offset" in bound ? `${bound.offset} ${bound.kind}` : bound.kind
}

/**
 * A domain in short: int[0..5], text{a b}?, with ? where it may be NULL and ~ at ends that nobody
 * declared.
 */
export function showDomain({ type, nullable, range, values, calendar, freeText, grid }: Domain): string {
  const end = ({ value, declared }: RangeEnd): string => `${declared ? "" : "~"}${showEnd(value, type.kind)}`
  const isPlain = range === undefined || (!range.min.declared && !range.max.declared)
  const parts = [
    type.kind === "integer" ? "int" : showType(type),
    values === undefined ? "" : showValues(values),
    isPlain || values !== undefined ? "" : `[${end(range.min)}..${end(range.max)}]`,
    grid === undefined ? "" : `/${showParameter(grid)}`,
    calendar === undefined ? "" : `:${calendar}`,
    freeText === true ? ":free" : "",
    nullable ? "?" : "",
  ]
  return parts.join("")
}

const valuesShown = 6

function showValues(values: readonly Constant[]): string {
  const shown = values.slice(0, valuesShown).map(showConstant).join(" ")
  return `{${shown}${values.length > valuesShown ? ` +${values.length - valuesShown}` : ""}}`
}

function showEnd(value: Rational, kind: string): string {
  if (kind === "date" && value.denominator === 1n) return showDay(value.numerator)
  if (kind === "timestamp" && value.denominator === 1n) return showMicros(value.numerator)
  return showParameter(value)
}

/** A constant as SQL writes it. */
export function showConstant(value: Constant): string {
  switch (value.kind) {
    case "null":
      return "NULL"
    case "boolean":
      return value.value ? "TRUE" : "FALSE"
    case "number":
      return showParameter(value.value)
    case "text":
      return `'${value.value.replaceAll("'", "''")}'`
    case "date":
      return showDay(value.day)
    case "timestamp":
      return showMicros(value.micros)
    case "interval":
      return `interval(${value.months} months ${value.days} days ${value.micros} us)`
    default:
      return unreachable(value)
  }
}

const infix: Readonly<Partial<Record<FunctionName, string>>> = {
  and: "and",
  or: "or",
  equal: "=",
  "not-equal": "<>",
  less: "<",
  "less-or-equal": "<=",
  greater: ">",
  "greater-or-equal": ">=",
  "distinct-from": "is distinct from",
  add: "+",
  subtract: "-",
  multiply: "*",
  divide: "/",
  modulo: "%",
  concat: "||",
  "days-between": "-days",
  "add-days": "+days",
  "add-interval": "+",
  like: "like",
}

function write(expr: Expr, names: ReadonlyMap<ColumnId, string>): string {
  const inner = (part: Expr): string => bracketed(part, names)
  switch (expr.kind) {
    case "column":
      return `${names.get(expr.id) ?? ""}#${expr.id}`
    case "literal":
      return showLiteral(expr.value, expr.domain)
    case "call":
      return writeCall(expr, names, inner)
    case "case": {
      const arms = expr.branches.map(
        ({ when, result }) => `when ${write(when, names)} then ${write(result, names)}`,
      )
      return `case ${arms.join(" ")} else ${write(expr.otherwise, names)} end`
    }
    case "steps":
      return `steps(${write(expr.operand, names)} / ${showParameter(expr.grid)}: ${expr.lower}..${expr.upper})`
    case "share":
      return `share(${write(expr.sum, names)} of ${write(expr.count, names)}: ${expr.most})`
    case "weight":
      return `weight(${expr.norm} ${write(expr.total, names)}: ${expr.full} up to ${expr.bound})`
    case "keyed-hash":
      return `hash(${expr.args.map((arg) => write(arg, names)).join(", ")})`
    default:
      return unreachable(expr)
  }
}

/** Decimals and floats say what they are where their digits do not. */
function showLiteral(value: Constant, { type }: Domain): string {
  const text = showConstant(value)
  if (value.kind !== "number" || type.kind === "integer") return text
  return type.kind === "float" ? `${text}f` : `${text}d${type.kind === "decimal" ? type.scale : ""}`
}

function writeCall(
  expr: CallExpr,
  names: ReadonlyMap<ColumnId, string>,
  inner: (part: Expr) => string,
): string {
  const { name, args, domain } = expr
  const operator = infix[name]
  const [first] = args
  if (operator !== undefined && args.length > 1) return args.map(inner).join(` ${operator} `)
  if (first !== undefined && name === "not") return `not ${inner(first)}`
  if (first !== undefined && name === "is-null") return `${inner(first)} is null`
  if (first !== undefined && name === "negate") return `-${inner(first)}`
  const written = args.map((arg) => write(arg, names)).join(", ")
  return name === "cast" ? `cast(${written} as ${showType(domain.type)})` : `${name}(${written})`
}

function bracketed(expr: Expr, names: ReadonlyMap<ColumnId, string>): string {
  const text = write(expr, names)
  const isOperator =
    expr.kind === "call" && (infix[expr.name] !== undefined || ["not", "is-null"].includes(expr.name))
  return isOperator ? `(${text})` : text
}
