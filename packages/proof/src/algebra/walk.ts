// Walking over relations and expressions: the parts of a node, the conjuncts of a condition.

import { unreachable } from "@dosimeter/core/errors"
import type { Constant } from "../catalog/constant.ts"
import { isExactType, sameType, type SqlType } from "../catalog/sql-type.ts"
import type { CallExpr, ColumnId, Expr } from "./expr.ts"
import type { BoundaryAggregate, Rel, Scan } from "./rel.ts"

/** The relations right below a node. */
export function inputsOf(rel: Rel): readonly Rel[] {
  switch (rel.kind) {
    case "scan":
    case "values":
    case "released":
      return []
    case "filter":
    case "project":
    case "aggregate":
    case "window":
    case "sort":
    case "boundary":
      return [rel.input]
    case "join":
    case "mark":
      return [rel.left, rel.right]
    case "union":
      return rel.inputs
    default:
      return unreachable(rel)
  }
}

/** The table that a node reads by itself, if it does. */
export function ownScan(rel: Rel): Scan | undefined {
  switch (rel.kind) {
    case "scan":
      return rel
    case "values":
    case "filter":
    case "project":
    case "join":
    case "mark":
    case "aggregate":
    case "window":
    case "union":
    case "sort":
    case "boundary":
    case "released":
      return undefined
    default:
      return unreachable(rel)
  }
}

/** The expressions of a node itself, over the columns of its inputs. */
export function expressionsOf(rel: Rel): readonly Expr[] {
  switch (rel.kind) {
    case "scan":
    case "values":
    case "union":
    case "released":
      return []
    case "filter":
      return [rel.condition]
    case "project":
      return rel.items
    case "join":
    case "mark":
      return rel.condition === undefined ? [] : [rel.condition]
    case "aggregate":
      return rel.items.flatMap(({ argument }) => argument ?? [])
    case "window":
      return rel.items.flatMap(({ args, partitionBy, orderBy }) => [
        ...args,
        ...partitionBy,
        ...orderBy.map(({ value }) => value),
      ])
    case "sort":
      return rel.orderBy.map(({ value }) => value)
    case "boundary":
      return rel.aggregates.flatMap(expressionsOfAggregate)
    default:
      return unreachable(rel)
  }
}

/** The expressions that an aggregate is computed from. */
export function expressionsOfAggregate(aggregate: BoundaryAggregate): readonly Expr[] {
  const value = "value" in aggregate ? [aggregate.value] : []
  return aggregate.where === undefined ? value : [...value, aggregate.where]
}

/** The expressions right below an expression. */
export function partsOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "column":
    case "literal":
      return []
    case "call":
    case "keyed-hash":
      return expr.args
    case "case":
      return [...expr.branches.flatMap(({ when, result }) => [when, result]), expr.otherwise]
    case "steps":
      return [expr.operand]
    case "share":
      return [expr.sum, expr.count]
    case "weight":
      return [expr.total]
    default:
      return unreachable(expr)
  }
}

/** The columns that an expression reads. */
export function columnsIn(expr: Expr, found: Set<ColumnId> = new Set()): Set<ColumnId> {
  if (expr.kind === "column") found.add(expr.id)
  for (const part of partsOf(expr)) columnsIn(part, found)
  return found
}

/** The conditions that must all be true for the whole to be true. */
export function conjunctsOf(condition: Expr | undefined): readonly Expr[] {
  if (condition === undefined) return []
  if (condition.kind === "call" && condition.name === "and") return condition.args.flatMap(conjunctsOf)
  return [condition]
}

/** Pairs of columns that hold the same value, not NULL, whenever the condition is true. */
export function equalColumns(condition: Expr | undefined): readonly (readonly [ColumnId, ColumnId])[] {
  return conjunctsOf(condition).flatMap((part) => {
    if (part.kind !== "call" || part.name !== "equal") return []
    const [a, b] = part.args
    if (a?.kind !== "column" || b?.kind !== "column") return []
    return isIdentity(a.domain.type, b.domain.type) ? [[a.id, b.id] as const] : []
  })
}

/** Columns that have one constant value whenever the condition is true. */
export function constantColumns(condition: Expr | undefined): readonly ColumnId[] {
  return conjunctsOf(condition).flatMap((part) => {
    if (part.kind !== "call" || part.name !== "equal") return []
    const [a, b] = part.args
    const [column, literal] = a?.kind === "column" ? [a, b] : [b, a]
    if (column?.kind !== "column" || literal?.kind !== "literal") return []
    const { type } = column.domain
    return isIdentity(type, literal.domain.type) && isOfType(literal.value, type) ? [column.id] : []
  })
}

/** `column <= literal` as a conjunct, both integers: the column and its bound. */
export function upperBounds(condition: Expr): readonly { readonly id: ColumnId; readonly most: bigint }[] {
  return conjunctsOf(condition).flatMap((part) => {
    if (part.kind !== "call" || part.name !== "less-or-equal") return []
    const [a, b] = part.args
    if (a?.kind !== "column" || b?.kind !== "literal" || b.value.kind !== "number") return []
    if (a.domain.type.kind !== "integer" || b.domain.type.kind !== "integer") return []
    const { numerator, denominator } = b.value.value
    return denominator === 1n ? [{ id: a.id, most: numerator }] : []
  })
}

// Whether a printed `a = b` is true of one and the same value only. Both sides are written in one stored type
// that holds both (spell-logic.ts), so for one exact type no cast rounds: not so for a whole number and a
// float, which the database compares as doubles, where many whole numbers are equal to one.
function isIdentity(a: SqlType, b: SqlType): boolean {
  return sameType(a, b) && isExactType(a)
}

// Whether a constant is a value of an exact type as it stands: no rounding, and not NULL.
function isOfType(value: Constant, type: SqlType): boolean {
  switch (type.kind) {
    case "integer":
    case "decimal": {
      const scale = type.kind === "decimal" ? 10n ** BigInt(type.scale) : 1n
      return value.kind === "number" && scale % value.value.denominator === 0n
    }
    case "boolean":
    case "text":
    case "date":
    case "timestamp":
      return value.kind === type.kind
    case "float":
    case "interval":
    case "null":
      return false
    default:
      return unreachable(type)
  }
}

/** Whether an expression is a call of a function. */
export function isCall(expr: Expr, name: CallExpr["name"]): expr is CallExpr {
  return expr.kind === "call" && expr.name === name
}
