// Walking over relations and expressions: the parts of a node, the conjuncts of a condition.

import type { CallExpr, ColumnId, Expr } from "./expr.ts"
import type { Rel } from "./rel.ts"

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
      return rel satisfies never
  }
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
    default:
      return expr satisfies never
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

/** Pairs of columns that are equal, and not NULL, whenever the condition is true. */
export function equalColumns(condition: Expr | undefined): readonly (readonly [ColumnId, ColumnId])[] {
  return conjunctsOf(condition).flatMap((part) => {
    if (part.kind !== "call" || part.name !== "equal") return []
    const [a, b] = part.args
    if (a?.kind !== "column" || b?.kind !== "column") return []
    return isPlainlyComparable(a.domain.type.kind, b.domain.type.kind) ? [[a.id, b.id] as const] : []
  })
}

/** Columns that have one constant value whenever the condition is true. */
export function constantColumns(condition: Expr | undefined): readonly ColumnId[] {
  return conjunctsOf(condition).flatMap((part) => {
    if (part.kind !== "call" || part.name !== "equal") return []
    const [a, b] = part.args
    const [column, literal] = a?.kind === "column" ? [a, b] : [b, a]
    return column?.kind === "column" && literal?.kind === "literal" ? [column.id] : []
  })
}

/** `column <= literal` as a conjunct: the column and its whole-number bound. */
export function upperBounds(condition: Expr): readonly { readonly id: ColumnId; readonly most: bigint }[] {
  return conjunctsOf(condition).flatMap((part) => {
    if (part.kind !== "call" || part.name !== "less-or-equal") return []
    const [a, b] = part.args
    if (a?.kind !== "column" || b?.kind !== "literal" || b.value.kind !== "number") return []
    const { numerator, denominator } = b.value.value
    return denominator === 1n ? [{ id: a.id, most: numerator }] : []
  })
}

// Equality that is the same thing as being the same value: no casts, no collations, no roundings between.
function isPlainlyComparable(a: string, b: string): boolean {
  return a === b && a !== "float"
}

/** Whether an expression is a call of a function. */
export function isCall(expr: Expr, name: CallExpr["name"]): expr is CallExpr {
  return expr.kind === "call" && expr.name === name
}
