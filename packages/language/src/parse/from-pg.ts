// PostgreSQL's tree -> our AST: the entry. Clauses are in from-pg-query.ts and from-pg-from.ts, values in
// from-pg-expression.ts, from-pg-call.ts and from-pg-type.ts. What is not translated is refused: pg-node.ts.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { SourceText } from "../text/source.ts"
import type { Statement } from "./ast.ts"
import { open, type Context } from "./from-pg-context.ts"
import { translateExpression } from "./from-pg-expression.ts"
import { translateQuery } from "./from-pg-query.ts"
import type { Parsed } from "./grammar.ts"
import { PgNode } from "./pg-node.ts"
import { isObject, type Json } from "./tree.ts"

/** Translates what the grammar made of a text; refuses anything but one query. */
export function fromPg({ tokens, statements }: Parsed, source: SourceText): Statement {
  const context: Context = {
    source,
    tokens,
    expression: (node) => translateExpression(context, node),
    query: (node) => translateQuery(context, node),
  }
  const [first, second] = statements
  if (first === undefined) fail("sql/no-statement", {})
  if (second !== undefined) {
    fail("sql/several-statements", { count: String(statements.length) }, statementSpan(context, second))
  }
  return open(context, PgNode.ofKind("RawStmt", first), (fields) => {
    fields.integer("stmt_location")
    fields.integer("stmt_len")
    const node = fields.node("stmt") ?? PgNode.ofKind("", {})
    return statementOf(context, node, statementSpan(context, first))
  })
}

function statementOf(context: Context, node: PgNode, at: Span): Statement {
  switch (node.kind) {
    case "SelectStmt":
      return { kind: "query-statement", query: context.query(node), at }
    case "ExplainStmt":
      return open(context, node, (fields) => {
        const inner = fields.node("query") ?? PgNode.ofKind("", {})
        if (inner.kind !== "SelectStmt") notAQuery(context, inner, at)
        return { kind: "explain", query: context.query(inner), at }
      })
    default:
      return notAQuery(context, node, at)
  }
}

const changes: Readonly<Record<string, string>> = {
  InsertStmt: "INSERT",
  UpdateStmt: "UPDATE",
  DeleteStmt: "DELETE",
  MergeStmt: "MERGE",
}
/** Commands that are known by two words. */
const twoWords = new Set(["create", "alter", "drop", "explain", "set", "declare", "refresh"])

function notAQuery({ tokens, source }: Context, node: PgNode, at: Span): never {
  const index = tokens.indexFrom(at.start)
  const [first, second] = [tokens.list[index], tokens.list[index + 1]]
  const last = twoWords.has(first?.word ?? "") && second?.type === "keyword" ? second : first
  const words = source.text
    .slice(at.start, last?.end ?? at.end)
    .toUpperCase()
    .replace(/\s+/g, " ")
  const span = { start: at.start, end: last?.end ?? at.end }
  return fail("sql/not-a-query", { statement: changes[node.kind] ?? words }, span)
}

/** From the first token of a statement to its last. */
function statementSpan({ tokens, source }: Context, statement: Json): Span {
  const from = isObject(statement) ? statement["stmt_location"] : 0
  const index = tokens.indexFrom(typeof from === "number" ? from : 0)
  const semicolon = tokens.list.findIndex(({ word }, at) => at >= index && word === ";")
  const last = tokens.list[semicolon < 0 ? tokens.list.length - 1 : Math.max(index, semicolon - 1)]
  return { start: tokens.list[index]?.start ?? 0, end: last?.end ?? source.text.length }
}
