// Constructors of IR nodes that fill in what follows: domains, output columns.

import { rational, type Rational } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import type { Norm } from "@dosimeter/core/mechanisms"
import type { FunctionName } from "../functions/function-name.ts"
import { resultOf } from "../functions/results.ts"
import type {
  CallExpr,
  ColumnExpr,
  ColumnId,
  Expr,
  KeyedHashExpr,
  LiteralExpr,
  ShareExpr,
  StepsExpr,
  WeightExpr,
} from "./expr.ts"
import { aggregateDomain, shareDomain, stepsDomain, windowDomain } from "./item-domain.ts"
import type {
  Aggregate,
  AggregateItem,
  Filter,
  Project,
  Rel,
  RelColumn,
  WindowItem,
  WindowRel,
} from "./rel.ts"
import { inputsOf } from "./walk.ts"

/** Gives out column numbers that no other column of the statement has. */
export class ColumnIds {
  #last: ColumnId

  constructor(last: ColumnId) {
    this.#last = last
  }

  /** A new number. */
  next(): ColumnId {
    this.#last += 1
    return this.#last
  }
}

/** A column as an expression. */
export function columnExpr({ id, domain }: RelColumn): ColumnExpr {
  return { kind: "column", id, domain }
}

/** The column of a number in a relation. */
export function columnIn(rel: Rel, id: ColumnId): RelColumn {
  const column = rel.columns.find((one) => one.id === id)
  assert(column !== undefined, `the relation has column ${id}`)
  return column
}

/** A whole number. */
export function integerLiteral(value: bigint): LiteralExpr {
  return {
    kind: "literal",
    value: { kind: "number", value: rational(value) },
    domain: stepsDomain(value, value, false),
  }
}

/** A call whose arguments are known to fit. */
export function callExpr(name: FunctionName, args: readonly Expr[]): CallExpr {
  const domain = resultOf(
    name,
    args.map((arg) => ({ domain: arg.domain, ...(arg.kind === "literal" ? { literal: arg.value } : {}) })),
  )
  assert(!("kind" in domain), `${name} has a result for these arguments`)
  return { kind: "call", name, args, domain }
}

/** Whole steps of a grid between two bounds. */
export function stepsExpr(
  operand: Expr,
  grid: Rational,
  bounds: { readonly lower: bigint; readonly upper: bigint },
): StepsExpr {
  const { lower, upper } = bounds
  const domain = stepsDomain(lower, upper, operand.domain.nullable)
  return { kind: "steps", operand, grid, lower, upper, domain }
}

/** A sum over too many rows, scaled down to `most` of them. */
export function shareExpr(sum: Expr, count: Expr, most: bigint): ShareExpr {
  return { kind: "share", sum, count, most, domain: shareDomain(sum.domain) }
}

/** The weight of a unit by the norm of what it adds. */
export function weightExpr(total: Expr, norm: Norm, { bound, full }: NormBound): WeightExpr {
  return { kind: "weight", norm, total, bound, full, domain: stepsDomain(0n, full, false) }
}

/** The most of a norm, and the weight of those within it. */
export interface NormBound {
  readonly bound: bigint
  readonly full: bigint
}

/** The pseudo-random order of some values. */
export function keyedHash(args: readonly Expr[]): KeyedHashExpr {
  return { kind: "keyed-hash", args, domain: { type: { kind: "text" }, nullable: false } }
}

/** Rows that meet a condition. */
export function filterRel(input: Rel, condition: Expr): Filter {
  return { kind: "filter", input, condition, columns: input.columns }
}

/** Expressions as columns; a bare column keeps its number. */
export function projectRel(
  input: Rel,
  items: readonly { readonly name: string; readonly value: Expr }[],
  ids: ColumnIds,
): Project {
  const columns = items.map(({ name, value }) => ({
    id: value.kind === "column" ? value.id : ids.next(),
    name,
    domain: value.domain,
  }))
  return { kind: "project", input, items: items.map(({ value }) => value), columns }
}

/** Groups; the keys keep their numbers. */
export function aggregateRel(
  input: Rel,
  keys: readonly ColumnId[],
  items: readonly (AggregateItem & { readonly name: string })[],
  ids: ColumnIds,
): Aggregate {
  const added = items.map((item) => ({ id: ids.next(), name: item.name, domain: aggregateDomain(item) }))
  return {
    kind: "aggregate",
    input,
    keys,
    items: items.map(({ function: name, argument }) => ({ function: name, argument })),
    columns: [...keys.map((key) => columnIn(input, key)), ...added],
  }
}

/** One more column, a window function. */
export function windowRel(input: Rel, item: WindowItem, name: string, ids: ColumnIds): WindowRel {
  const added = { id: ids.next(), name, domain: windowDomain(item) }
  return { kind: "window", input, items: [item], columns: [...input.columns, added] }
}

/** New numbers for the columns that are added to a relation. */
export function columnIdsAfter(rel: Rel): ColumnIds {
  return new ColumnIds(lastColumn(rel))
}

function lastColumn(rel: Rel): number {
  const own = rel.columns.reduce((most, { id }) => Math.max(most, id), 0)
  return inputsOf(rel).reduce((most, input) => Math.max(most, lastColumn(input)), own)
}
