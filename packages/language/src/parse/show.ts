// The AST as text, for golden files and EXPLAIN. The printer walks whatever fields a node has, so that a
// field added to the AST cannot be missing from the text.

import type { Expression, Statement } from "./ast.ts"

const widthMax = 100

/** Prints a statement: (kind field:value ...), short pieces on one line, long ones indented. */
export function show(statement: Statement | Expression): string {
  return showValue(statement, 0)
}

function showValue(value: unknown, indent: number): string {
  if (Array.isArray(value))
    return showList(
      "[",
      value.map((item) => ["", item] as const),
      "]",
      indent,
    )
  if (typeof value === "object" && value !== null) return showNode(value, indent)
  return String(value)
}

function showNode(node: object, indent: number): string {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(node)
  const fields = new Map(entries)
  const kind = String(fields.get("kind"))
  const short = shortForms[kind]
  if (short !== undefined) return short(fields)
  if (operators.has(kind)) return showOperator(kind, fields, indent)
  const shown = entries.filter(([name, value]) => !isSilent(name, value))
  return showList(`(${kind}`, shown, ")", indent)
}

const operators = new Set(["unary", "binary", "logical", "not"])

/** Operators as in Lisp: (= a b), (and a b c), (not a); a prefix operator is (prefix - a). */
function showOperator(kind: string, fields: ReadonlyMap<string, unknown>, indent: number): string {
  const { operator = "not", operand, left, right, operands } = Object.fromEntries(fields)
  const values: readonly unknown[] = Array.isArray(operands) ? operands : [operand, left, right]
  const given = values.filter((value) => value !== undefined)
  const head = kind === "unary" ? `(prefix ${String(operator)}` : `(${String(operator)}`
  return showList(
    head,
    given.map((value) => ["", value] as const),
    ")",
    indent,
  )
}

/** Absent parts, empty lists, spans, and the values that most calls and columns have. */
function isSilent(name: string, value: unknown): boolean {
  const usual = usualValues[name]
  return (
    name === "kind" ||
    name === "at" ||
    name === "keyword" ||
    value === undefined ||
    (Array.isArray(value) && value.length === 0) ||
    (usual !== undefined && usual === value)
  )
}

const usualValues: Readonly<Record<string, string>> = {
  argument: "list",
  values: "all",
  orderPlace: "none",
  order: "given",
  letters: "exact",
}

const shortForms: Readonly<Record<string, (fields: ReadonlyMap<string, unknown>) => string>> = {
  name: (fields) => showName(String(fields.get("text"))),
  column: (fields) => showPath(fields.get("path")),
  parameter: (fields) => `$${String(fields.get("index"))}`,
  integer: (fields) => String(fields.get("value")),
  decimal: (fields) => `decimal ${String(fields.get("text"))}`,
  string: (fields) => `'${escapeText(String(fields.get("value")))}'`,
  boolean: (fields) => String(fields.get("value")),
  null: () => "null",
}

function showPath(path: unknown): string {
  return Array.isArray(path) ? path.map((name) => showValue(name, 0)).join(".") : String(path)
}

function showName(text: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(text) ? text : `"${escapeText(text).replaceAll('"', '""')}"`
}

function escapeText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("'", "''")
}

function showList(
  head: string,
  entries: readonly (readonly [string, unknown])[],
  tail: string,
  indent: number,
): string {
  const inner = indent + 2
  const items = entries.map(([name, value]) => `${name === "" ? "" : `${name}:`}${showValue(value, inner)}`)
  const space = head === "[" || items.length === 0 ? "" : " "
  const line = `${head}${space}${items.join(" ")}${tail}`
  if (indent + line.length <= widthMax && !line.includes("\n")) return line
  return `${head}\n${items.map((item) => " ".repeat(inner) + item).join("\n")}${tail}`
}
