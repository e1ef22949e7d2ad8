// Walking over what an analyst wrote, and writing it again in short for messages.

import type { Call, Expression } from "../../parse/ast.ts"
import { isAggregateName } from "./sql-names.ts"

/** The values right below a value. Subqueries are worlds of their own: only what stands outside of them. */
export function partsOfExpression(value: Expression): readonly Expression[] {
  switch (value.kind) {
    case "integer":
    case "decimal":
    case "string":
    case "boolean":
    case "null":
    case "column":
    case "parameter":
    case "exists":
    case "scalar-query":
      return []
    case "unary":
    case "not":
    case "is":
    case "cast":
    case "in-query":
    case "quantified":
      return [value.operand]
    case "binary":
    case "distinct-from":
      return [value.left, value.right]
    case "logical":
      return value.operands
    case "between":
      return [value.operand, value.low, value.high]
    case "in-list":
      return [value.operand, ...value.items]
    case "like":
      return [value.operand, value.pattern, ...(value.escape === undefined ? [] : [value.escape])]
    case "case":
      return [
        ...(value.operand === undefined ? [] : [value.operand]),
        ...value.branches.flatMap(({ when, result }) => [when, result]),
        ...(value.otherwise === undefined ? [] : [value.otherwise]),
      ]
    case "call":
      return partsOfCall(value)
    case "row":
      return value.items
    default:
      return value satisfies never
  }
}

function partsOfCall({ args, orderBy, filter, over }: Call): readonly Expression[] {
  const window = over?.kind === "window" ? over : undefined
  return [
    ...args,
    ...orderBy.map(({ value }) => value),
    ...(filter === undefined ? [] : [filter]),
    ...(window?.partitionBy ?? []),
    ...(window?.orderBy.map(({ value }) => value) ?? []),
  ]
}

/** The aggregates of a value that are over groups, not over windows; not those inside of others. */
export function aggregatesIn(value: Expression, found: Call[] = []): readonly Call[] {
  if (value.kind === "call" && value.over === undefined && isAggregateName(value.name)) {
    found.push(value)
    return found
  }
  for (const part of partsOfExpression(value)) aggregatesIn(part, found)
  return found
}

const writtenMax = 60

/** A value in short, as it could have been written. */
export function writtenExpression(value: Expression): string {
  const text = write(value, 0)
  return text.length <= writtenMax ? text : `${text.slice(0, writtenMax - 3)}...`
}

function write(value: Expression, depth: number): string {
  if (depth > 6) return "..."
  const inner = (part: Expression): string => write(part, depth + 1)
  const operand = (part: Expression): string =>
    part.kind === "binary" || part.kind === "logical" ? `(${inner(part)})` : inner(part)
  switch (value.kind) {
    case "integer":
      return String(value.value)
    case "decimal":
      return value.text
    case "string":
      return `'${value.value.replaceAll("'", "''")}'`
    case "boolean":
      return value.value ? "TRUE" : "FALSE"
    case "null":
      return "NULL"
    case "column":
      return value.path.map(({ text }) => text).join(".")
    case "parameter":
      return `$${value.index}`
    case "unary":
      return `${value.operator}${inner(value.operand)}`
    case "binary":
      return `${operand(value.left)} ${value.operator} ${operand(value.right)}`
    case "logical":
      return value.operands.map(inner).join(` ${value.operator.toUpperCase()} `)
    case "not":
      return `NOT ${inner(value.operand)}`
    case "cast":
      return `${inner(value.operand)}::${value.type.name}`
    case "call":
      return writeCall(value, inner)
    case "case":
      return "CASE ... END"
    case "is":
      return `${inner(value.operand)} IS ${value.test.toUpperCase()}`
    case "between":
      return `${inner(value.operand)} BETWEEN ${inner(value.low)} AND ${inner(value.high)}`
    case "in-list":
    case "in-query":
      return `${inner(value.operand)} IN (...)`
    case "like":
      return `${inner(value.operand)} LIKE ${inner(value.pattern)}`
    case "distinct-from":
    case "exists":
    case "scalar-query":
    case "quantified":
    case "row":
      return "(...)"
    default:
      return value satisfies never
  }
}

function writeCall(call: Call, inner: (part: Expression) => string): string {
  if (call.name === "extract") {
    const [field, operand] = call.args
    if (field?.kind === "string" && operand !== undefined)
      return `EXTRACT(${field.value} FROM ${inner(operand)})`
  }
  const args = call.argument === "star" ? "*" : call.args.map(inner).join(", ")
  const distinct = call.values === "distinct" ? "DISTINCT " : ""
  const order = call.orderBy.map(({ value }) => inner(value)).join(", ")
  const within = call.orderPlace === "within-group" ? ` WITHIN GROUP (ORDER BY ${order})` : ""
  const filter = call.filter === undefined ? "" : ` FILTER (WHERE ${inner(call.filter)})`
  const over = call.over === undefined ? "" : " OVER (...)"
  return `${call.name.toUpperCase()}(${distinct}${args})${within}${filter}${over}`
}
