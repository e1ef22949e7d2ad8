// SELECT, set operations, VALUES and WITH: PostgreSQL's SelectStmt -> Query.

import type { Span } from "@dosimeter/core"
import type {
  Body,
  Cte,
  Distinct,
  Expression,
  GroupingSet,
  GroupItem,
  NamedWindow,
  Query,
  Select,
  SelectItem,
  SetOperation,
  Values,
  ValuesRow,
} from "./ast.ts"
import { orderItems, windowOf } from "./from-pg-call.ts"
import {
  aliasIndex,
  bracketed,
  choose,
  cover,
  keywordBefore,
  listedNames,
  nameAt,
  open,
  queryInBrackets,
  refuse,
  refuseNode,
  refuseWord,
  spanOfIndex,
  tokenSpan,
  type Context,
} from "./from-pg-context.ts"
import { columnOrStar } from "./from-pg-expression.ts"
import { fromItem } from "./from-pg-from.ts"
import { PgNode, type PgFields } from "./pg-node.ts"

/** Translates a query. */
export function translateQuery(context: Context, node: PgNode): Query {
  if (node.kind !== "SelectStmt") refuseNode(context, node)
  return open(context, node, (fields) => {
    const withPart = fields.part("withClause", "WithClause")
    const ctes = withPart === undefined ? [] : ctesOf(context, withPart)
    const body = bodyOf(context, fields)
    const orderBy = orderItems(context, fields.nodes("sortClause"))
    const limit = limitOf(context, fields)
    const offsetNode = fields.node("limitOffset")
    const offset = offsetNode === undefined ? undefined : context.expression(offsetNode)
    const withWord = withPart === undefined ? undefined : tokenSpan(context, withPart.location)
    const parts = [withWord, body.at, ...orderBy.map(({ at }) => at), limit?.at, offset?.at]
    return { kind: "query", ctes, body, orderBy, limit, offset, at: cover(context, parts) }
  })
}

function limitOf(context: Context, fields: PgFields): Expression | undefined {
  const node = fields.node("limitCount")
  const ties = choose(
    context,
    { "": false, LIMIT_OPTION_DEFAULT: false, LIMIT_OPTION_COUNT: false, LIMIT_OPTION_WITH_TIES: true },
    { word: fields.text("limitOption"), place: node?.firstPlace ?? 0 },
  )
  const limit = node === undefined ? undefined : context.expression(node)
  if (ties) {
    const remedy = "write FETCH FIRST n ROWS ONLY, or LIMIT n"
    refuseWord(context, { what: "FETCH ... WITH TIES", remedy, word: "ties" })
  }
  return limit?.kind === "null" ? undefined : limit
}

function ctesOf(context: Context, node: PgNode): readonly Cte[] {
  const ctes = open(context, node, (fields) => fields.nodes("ctes").map((cte) => cteOf(context, cte)))
  return ctes.length === 0 ? refuseNode(context, node) : ctes
}

/**
 * MATERIALIZED and NOT MATERIALIZED are read and not kept: they choose between ways to compute the same rows,
 * and the SQL that runs is printed anew from the plan.
 */
const materialized = {
  "": true,
  CTEMaterializeDefault: true,
  CTEMaterializeAlways: true,
  CTEMaterializeNever: true,
}

function cteOf(context: Context, node: PgNode): Cte {
  if (node.kind !== "CommonTableExpr") refuseNode(context, node)
  return open(context, node, (fields) => {
    const index = context.tokens.indexFrom(node.location)
    const name = nameAt(context, fields.text("ctename"), index)
    const columns = listedNames(context, fields.names("aliascolnames") ?? [], index + 1)
    choose(context, materialized, { word: fields.text("ctematerialized"), place: node.location })
    const inner = queryInBrackets(context, fields.node("ctequery") ?? PgNode.ofKind("", {}))
    return { kind: "cte", name, columns, query: inner.query, at: cover(context, [name.at, inner.at]) }
  })
}

function bodyOf(context: Context, fields: PgFields): Body {
  const operator = choose(
    context,
    {
      "": "none",
      SETOP_NONE: "none",
      SETOP_UNION: "union",
      SETOP_INTERSECT: "intersect",
      SETOP_EXCEPT: "except",
    } as const,
    { word: fields.text("op"), place: 0 },
  )
  if (operator !== "none") return setOperation(context, operator, fields)
  return fields.has("valuesLists") ? valuesOf(context, fields) : selectOf(context, fields)
}

function setOperation(context: Context, operator: SetOperation["operator"], fields: PgFields): SetOperation {
  const duplicates = fields.flag("all") ? "keep" : "remove"
  const left = context.query(fields.part("larg", "SelectStmt") ?? PgNode.ofKind("", {}))
  const right = context.query(fields.part("rarg", "SelectStmt") ?? PgNode.ofKind("", {}))
  const at = cover(context, [left.at, right.at])
  return { kind: "set-operation", operator, duplicates, left, right, at }
}

function valuesOf(context: Context, fields: PgFields): Values {
  const rows = fields.nodes("valuesLists").map((row) => valuesRow(context, row))
  const first = rows[0]?.at.start ?? 0
  const start = keywordBefore(context, ["values"], first)
  return { kind: "values", rows, at: cover(context, [{ start, end: start }, ...rows.map(({ at }) => at)]) }
}

function valuesRow(context: Context, node: PgNode): ValuesRow {
  if (node.kind !== "List") refuseNode(context, node)
  return open(context, node, (fields) => {
    const items = fields.nodes("items").map(context.expression)
    const inside = cover(
      context,
      items.map(({ at }) => at),
    )
    const bracket = spanOfIndex(context, context.tokens.indexFrom(inside.start) - 1)
    return { kind: "values-row", items, at: cover(context, [bracket, inside]) }
  })
}

function selectOf(context: Context, fields: PgFields): Select {
  const distinctNodes = fields.nodes("distinctClause")
  const items = fields.nodes("targetList").map((node) => selectItem(context, node))
  const from = fields.nodes("fromClause").map((node) => fromItem(context, node))
  const optional = (field: string): Expression | undefined => {
    const node = fields.node(field)
    return node === undefined ? undefined : context.expression(node)
  }
  const where = optional("whereClause")
  const groupBy = fields.nodes("groupClause").map((node) => groupItem(context, node))
  const having = optional("havingClause")
  const windows = fields.nodes("windowClause").map((node) => namedWindow(context, node))
  const parts = [...items, ...from, where, ...groupBy, having, ...windows].map((part) => part?.at)
  const start = selectStart(context, parts[0])
  if (items.length === 0) {
    const words = { what: "a SELECT without columns", remedy: "name at least one output, such as COUNT(*)" }
    refuse(words, tokenSpan(context, start))
  }
  const distinct = distinctOf(context, distinctNodes, start)
  const at = cover(context, [tokenSpan(context, start), ...parts])
  return { kind: "select", distinct, items, from, where, groupBy, having, windows, at }
}

/** Where SELECT stands: before its first output, or before whatever a SELECT without outputs has. */
function selectStart(context: Context, first: Span | undefined): number {
  if (first !== undefined) return keywordBefore(context, ["select"], first.start)
  return context.tokens.list.findLast(({ word }) => word === "select")?.start ?? 0
}

function distinctOf(context: Context, nodes: readonly PgNode[], start: number): Distinct | undefined {
  const [first] = nodes
  if (first === undefined) return undefined
  const word = spanOfIndex(context, context.tokens.indexFrom(start) + 1)
  if (nodes.length === 1 && first.kind === "") {
    return open(context, first, () => ({ kind: "distinct", on: [], at: word }))
  }
  const on = nodes.map(context.expression)
  return { kind: "distinct", on, at: cover(context, [word, bracketed(context, word.start)]) }
}

function selectItem(context: Context, node: PgNode): SelectItem {
  if (node.kind !== "ResTarget") refuseNode(context, node)
  return open(context, node, (fields) => {
    const valueNode = fields.node("val") ?? PgNode.ofKind("", {})
    const value =
      valueNode.kind === "ColumnRef" ? columnOrStar(context, valueNode) : context.expression(valueNode)
    const aliasText = fields.text("name")
    if (value.kind === "star") return value
    if (aliasText === "") return { kind: "output", value, alias: undefined, at: value.at }
    const alias = nameAt(context, aliasText, aliasIndex(context, value.at.end))
    return { kind: "output", value, alias, at: cover(context, [value.at, alias.at]) }
  })
}

function groupItem(context: Context, node: PgNode): GroupItem {
  return node.kind === "GroupingSet" ? groupingSet(context, node) : context.expression(node)
}

const groupingTypes: Readonly<Record<string, GroupingSet["type"]>> = {
  GROUPING_SET_EMPTY: "empty",
  GROUPING_SET_ROLLUP: "rollup",
  GROUPING_SET_CUBE: "cube",
  GROUPING_SET_SETS: "sets",
}

function groupingSet(context: Context, node: PgNode): GroupingSet {
  return open(context, node, (fields) => {
    const type = choose(context, groupingTypes, { word: fields.text("kind"), place: node.location })
    const items = fields.nodes("content").map((item) => groupItem(context, item))
    return { kind: "grouping-set", type, items, at: bracketed(context, node.location) }
  })
}

/** WINDOW name AS (...): the place in the tree is that of the bracket, two tokens after the name. */
function namedWindow(context: Context, node: PgNode): NamedWindow {
  if (node.kind !== "WindowDef") refuseNode(context, node)
  return open(context, node, (fields) => {
    const index = context.tokens.indexFrom(node.location)
    const name = nameAt(context, fields.text("name"), index - 2)
    const window = windowOf(context, fields, node.location)
    return { kind: "named-window", name, window, at: cover(context, [name.at, window.at]) }
  })
}
