// The same node over other inputs, expressions or parts. A node that stays as it is is returned itself, so
// that what stands in several places is still one node.

import { unreachable } from "@dosimeter/core/errors"
import type { Expr } from "./expr.ts"
import type { BoundaryAggregate, Rel, SortKey } from "./rel.ts"

/** The node with every relation right below it changed; `index` is its place in `inputsOf`. Columns stay. */
export function mapInputs(rel: Rel, change: (input: Rel, index: number) => Rel): Rel {
  switch (rel.kind) {
    case "scan":
    case "values":
    case "released":
      return rel
    case "filter":
    case "project":
    case "aggregate":
    case "window":
    case "sort":
    case "boundary": {
      const input = change(rel.input, 0)
      return input === rel.input ? rel : { ...rel, input }
    }
    case "join":
    case "mark": {
      const [left, right] = [change(rel.left, 0), change(rel.right, 1)]
      return left === rel.left && right === rel.right ? rel : { ...rel, left, right }
    }
    case "union": {
      const inputs = rel.inputs.map((input, index) => change(input, index))
      return sameItems(inputs, rel.inputs) ? rel : { ...rel, inputs }
    }
    default:
      return unreachable(rel)
  }
}

/** The node with every expression of its own changed; those of relations below it stay. */
export function mapExprs(rel: Rel, change: (expr: Expr) => Expr): Rel {
  const perhaps = (expr: Expr | undefined): Expr | undefined =>
    expr === undefined ? undefined : change(expr)
  const key = (one: SortKey): SortKey => ({ ...one, value: change(one.value) })
  switch (rel.kind) {
    case "scan":
    case "values":
    case "union":
    case "released":
      return rel
    case "filter":
      return { ...rel, condition: change(rel.condition) }
    case "project":
      return { ...rel, items: rel.items.map(change) }
    case "join":
    case "mark":
      return { ...rel, condition: perhaps(rel.condition) }
    case "aggregate":
      return { ...rel, items: rel.items.map((item) => ({ ...item, argument: perhaps(item.argument) })) }
    case "window": {
      const items = rel.items.map((item) => ({
        ...item,
        args: item.args.map(change),
        partitionBy: item.partitionBy.map(change),
        orderBy: item.orderBy.map(key),
      }))
      return { ...rel, items }
    }
    case "sort":
      return { ...rel, orderBy: rel.orderBy.map(key) }
    case "boundary":
      return { ...rel, aggregates: rel.aggregates.map((aggregate) => mapAggregate(aggregate, change)) }
    default:
      return unreachable(rel)
  }
}

function mapAggregate(aggregate: BoundaryAggregate, change: (expr: Expr) => Expr): BoundaryAggregate {
  const where = aggregate.where === undefined ? undefined : change(aggregate.where)
  switch (aggregate.kind) {
    case "persons":
      return { ...aggregate, where }
    case "rows":
      return aggregate.divisorOf === undefined
        ? { ...aggregate, where }
        : { ...aggregate, where, divisorOf: change(aggregate.divisorOf) }
    case "sum": {
      const own = { ...aggregate, where, value: change(aggregate.value) }
      const counted = aggregate.counted?.where
      return counted === undefined ? own : { ...own, counted: { where: change(counted) } }
    }
    case "distinct":
    case "quantile":
    case "mode":
      return { ...aggregate, where, value: change(aggregate.value) }
    default:
      return unreachable(aggregate)
  }
}

/** The expression with every part changed. Its domain stays: parts change their place, not their values. */
export function mapParts(expr: Expr, change: (part: Expr) => Expr): Expr {
  switch (expr.kind) {
    case "column":
    case "literal":
      return expr
    case "call":
    case "keyed-hash": {
      const args = expr.args.map(change)
      return sameItems(args, expr.args) ? expr : { ...expr, args }
    }
    case "case": {
      const branches = expr.branches.map(({ when, result }) => ({
        when: change(when),
        result: change(result),
      }))
      return { ...expr, branches, otherwise: change(expr.otherwise) }
    }
    case "steps":
      return { ...expr, operand: change(expr.operand) }
    case "share":
      return { ...expr, sum: change(expr.sum), count: change(expr.count) }
    case "weight":
      return { ...expr, total: change(expr.total) }
    default:
      return unreachable(expr)
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.every((item, index) => item === b[index])
}
