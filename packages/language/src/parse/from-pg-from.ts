// What stands in FROM: tables, subqueries and joins.

import type { Span } from "@dosimeter/core"
import type { DerivedTable, FromItem, Join, JoinOn, JoinUsing, Table, TableAlias } from "./ast.ts"
import {
  aliasIndex,
  choose,
  cover,
  listedNames,
  nameAt,
  open,
  pathAt,
  queryInBrackets,
  refuse,
  refuseNode,
  refuseWord,
  spanOfIndex,
  type Context,
} from "./from-pg-context.ts"
import { PgNode, type PgFields } from "./pg-node.ts"

/** Translates one item of FROM. */
export function fromItem(context: Context, node: PgNode): FromItem {
  switch (node.kind) {
    case "RangeVar":
      return tableOf(context, node)
    case "RangeSubselect":
      return derivedTable(context, node)
    case "JoinExpr":
      return joinOf(context, node)
    default:
      return refuseNode(context, node)
  }
}

function tableOf(context: Context, node: PgNode): Table {
  return open(context, node, (fields) => {
    const texts = [fields.text("schemaname"), fields.text("relname")].filter((text) => text !== "")
    const path = pathAt(context, texts, node.location)
    const own = cover(
      context,
      path.map(({ at }) => at),
    )
    // The grammar says "with inheritance" of every table, and is silent where ONLY was written.
    if (!fields.flag("inh")) {
      refuseWord(context, { what: "ONLY", remedy: "name the table without ONLY", word: "only" })
    }
    if (fields.text("relpersistence") !== "p") {
      refuse({ what: "a temporary table", remedy: "name a table of the dataset" }, own)
    }
    // An asterisk after the table says again that heirs are included.
    const next = context.tokens.indexFrom(own.end)
    const end = context.tokens.word(next) === "*" ? spanOfIndex(context, next).end : own.end
    const alias = aliasOf(context, fields, end)
    return { kind: "table", path, alias, at: cover(context, [own, alias?.at]) }
  })
}

function derivedTable(context: Context, node: PgNode): DerivedTable {
  return open(context, node, (fields) => {
    const inner = queryInBrackets(context, fields.node("subquery") ?? PgNode.ofKind("", {}))
    const alias = aliasOf(context, fields, inner.at.end)
    return { kind: "derived-table", query: inner.query, alias, at: cover(context, [inner.at, alias?.at]) }
  })
}

function aliasOf(context: Context, fields: PgFields, end: number): TableAlias | undefined {
  const node = fields.part("alias", "Alias")
  if (node === undefined) return undefined
  return open(context, node, (alias) => {
    const index = aliasIndex(context, end)
    const name = nameAt(context, alias.text("aliasname"), index)
    const columns = listedNames(context, alias.names("colnames") ?? [], index + 1)
    return {
      kind: "table-alias",
      name,
      columns,
      at: cover(context, [name.at, ...columns.map(({ at }) => at)]),
    }
  })
}

const joinTypes: Readonly<Record<string, Join["type"]>> = {
  JOIN_INNER: "inner",
  JOIN_LEFT: "left",
  JOIN_RIGHT: "right",
  JOIN_FULL: "full",
}

function joinOf(context: Context, node: PgNode): Join {
  return open(context, node, (fields) => {
    const type = choose(context, joinTypes, { word: fields.text("jointype"), place: node.firstPlace })
    const left = fromItem(context, fields.node("larg") ?? PgNode.ofKind("", {}))
    const right = fromItem(context, fields.node("rarg") ?? PgNode.ofKind("", {}))
    const condition = conditionOf(context, fields, right.at.end)
    const keyword = joinWords(context, right.at.start)
    const at = cover(context, [left.at, right.at, condition?.at])
    return { kind: "join", type, left, right, condition, keyword, at }
  })
}

function conditionOf(context: Context, fields: PgFields, end: number): JoinOn | JoinUsing | undefined {
  const quals = fields.node("quals")
  if (quals !== undefined) {
    const value = context.expression(quals)
    return { kind: "on", value, at: value.at }
  }
  const texts = fields.names("usingClause") ?? []
  if (texts.length === 0) return undefined
  let index = context.tokens.indexFrom(end)
  while (context.tokens.word(index) === ")") index += 1
  const columns = listedNames(context, texts, index + 1)
  const at = cover(context, [spanOfIndex(context, index), ...columns.map((name) => name.at)])
  return { kind: "using", columns, at }
}

const joinModifiers = new Set(["inner", "left", "right", "full", "outer", "cross", "natural"])

/** The words of a join, from its right side backwards: LEFT OUTER JOIN. */
function joinWords(context: Context, rightStart: number): Span {
  const { tokens } = context
  let last = tokens.indexFrom(rightStart) - 1
  while (last > 0 && tokens.word(last) !== "join") last -= 1
  let first = last
  while (joinModifiers.has(tokens.word(first - 1))) first -= 1
  return { start: spanOfIndex(context, first).start, end: spanOfIndex(context, last).end }
}
