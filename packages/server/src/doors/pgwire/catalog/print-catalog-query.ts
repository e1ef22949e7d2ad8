// A question about catalogs as SQL of our own, clause by clause: WITH, SELECT, VALUES, set operations, FROM.
// It is printed from the grammar's tree over a closed list of tables; nothing of the text that came is in it,
// but for names in quotes and constants as literals.

import type { PgFields, PgNode } from "@dosimeter/language/parse/pg-node"
import {
  countCharacters,
  countTable,
  nameSql,
  readNode,
  required,
  type CatalogContext,
} from "./catalog-context.ts"
import { quote } from "./catalog-names.ts"
import { catalogTables, informationTables } from "./catalog-tables.ts"
import { notAnswered } from "./not-answered.ts"
import { printExpression, printOrder, printValue } from "./print-catalog-expression.ts"

/** A query, without parentheses. */
export function printQuery(context: CatalogContext, node: PgNode): string {
  if (node.kind !== "SelectStmt") return notAnswered(node.kind)
  return readNode(context, node, (fields) => {
    const outer = fields.part("withClause", "WithClause")
    const { text, inside } = outer === undefined ? { text: "", inside: context } : printWith(context, outer)
    const parts = [text, printBody(inside, fields)]
    const order = fields.nodes("sortClause")
    if (order.length > 0) parts.push(`ORDER BY ${printOrder(inside, order)}`)
    const [count, offset] = [fields.node("limitCount"), fields.node("limitOffset")]
    const option = fields.text("limitOption")
    if (option === "LIMIT_OPTION_WITH_TIES") notAnswered("WITH TIES")
    if (count !== undefined) parts.push(`LIMIT ${printExpression(inside, count)}`)
    if (offset !== undefined) parts.push(`OFFSET ${printExpression(inside, offset)}`)
    return parts.filter((part) => part !== "").join(" ")
  })
}

function printWith(
  context: CatalogContext,
  node: PgNode,
): { readonly text: string; readonly inside: CatalogContext } {
  let inside = { ...context, isAlone: false }
  const text = readNode(context, node, (fields) => {
    if (fields.flag("recursive")) notAnswered("WITH RECURSIVE")
    const parts = fields.nodes("ctes").map((cte) => {
      if (cte.kind !== "CommonTableExpr") return notAnswered(cte.kind)
      return readNode(inside, cte, (own) => {
        const name = own.text("ctename")
        if (own.has("aliascolnames")) notAnswered("names of columns in WITH")
        own.text("ctematerialized")
        const query = printQuery(inside, required(own.node("ctequery")))
        inside = { ...inside, named: new Set([...inside.named, name]) }
        return `${nameSql(name)} AS (${query})`
      })
    })
    return `WITH ${parts.join(", ")}`
  })
  return { text, inside }
}

const setOperators: Readonly<Record<string, string>> = {
  SETOP_UNION: "UNION",
  SETOP_INTERSECT: "INTERSECT",
  SETOP_EXCEPT: "EXCEPT",
}

function printBody(context: CatalogContext, fields: PgFields): string {
  const operator = fields.text("op")
  if (operator === "" || operator === "SETOP_NONE") {
    return fields.has("valuesLists") ? printValues(context, fields) : printSelect(context, fields)
  }
  const inside = { ...context, isAlone: false }
  const [left, right] = [fields.part("larg", "SelectStmt"), fields.part("rarg", "SelectStmt")]
  const word = setOperators[operator] ?? notAnswered(operator)
  const all = fields.flag("all") ? " ALL" : ""
  return `(${printQuery(inside, required(left))}) ${word}${all} (${printQuery(inside, required(right))})`
}

function printValues(context: CatalogContext, fields: PgFields): string {
  const rows = fields.nodes("valuesLists").map((row) => {
    if (row.kind !== "List") return notAnswered(row.kind)
    return readNode(context, row, (own) => {
      const values = own.nodes("items").map((value) => printExpression(context, value))
      return `(${values.join(", ")})`
    })
  })
  return `VALUES ${rows.join(", ")}`
}

/** What may stand beside a list of outputs. */
const clauses =
  "fromClause whereClause groupClause havingClause distinctClause sortClause limitCount limitOffset".split(
    " ",
  )

function printSelect(context: CatalogContext, fields: PgFields): string {
  const isAlone = context.isAlone && !clauses.some((clause) => fields.has(clause))
  const below = { ...context, isAlone: false }
  const targets = fields.nodes("targetList").map((target) => printTarget({ ...context, isAlone }, target))
  if (targets.length === 0) notAnswered("a SELECT without outputs")
  const parts = [`SELECT ${printDistinct(below, fields)}${targets.join(", ")}`]
  const from = fields.nodes("fromClause").map((item) => printFrom(below, item))
  if (from.length > 0) parts.push(`FROM ${from.join(", ")}`)
  const where = fields.node("whereClause")
  if (where !== undefined) parts.push(`WHERE ${printExpression(below, where)}`)
  const groups = fields.nodes("groupClause").map((group) => printExpression(below, group))
  if (groups.length > 0) parts.push(`GROUP BY ${groups.join(", ")}`)
  if (fields.flag("groupDistinct")) notAnswered("GROUP BY DISTINCT")
  const having = fields.node("havingClause")
  if (having !== undefined) parts.push(`HAVING ${printExpression(below, having)}`)
  return parts.join(" ")
}

/** DISTINCT is a list of one empty node; DISTINCT ON one of values. */
function printDistinct(context: CatalogContext, fields: PgFields): string {
  const nodes = fields.nodes("distinctClause")
  if (nodes.length === 0) return ""
  const [first] = nodes
  if (nodes.length === 1 && first !== undefined && first.kind === "") {
    readNode(context, first, () => "")
    return "DISTINCT "
  }
  return `DISTINCT ON (${nodes.map((node) => printExpression(context, node)).join(", ")}) `
}

function printTarget(context: CatalogContext, node: PgNode): string {
  if (node.kind !== "ResTarget") return notAnswered(node.kind)
  return readNode(context, node, (fields) => {
    const value = printValue(context, required(fields.node("val")))
    const name = fields.text("name")
    if (value.isStar === true) return value.sql
    return `${value.sql} AS ${nameSql(name === "" ? (value.name ?? "?column?") : name)}`
  })
}

/** One item of FROM. */
function printFrom(context: CatalogContext, node: PgNode): string {
  switch (node.kind) {
    case "RangeVar":
      return printTable(context, node)
    case "RangeSubselect":
      return readNode(context, node, (fields) => {
        const lateral = fields.flag("lateral") ? "LATERAL " : ""
        const query = printQuery(context, required(fields.node("subquery")))
        return `${lateral}(${query})${printAlias(context, fields)}`
      })
    case "RangeFunction":
      return printRows(context, node)
    case "JoinExpr":
      return printJoin(context, node)
    default:
      return notAnswered(node.kind)
  }
}

function printTable(context: CatalogContext, node: PgNode): string {
  countTable(context)
  return readNode(context, node, (fields) => {
    const [schema, name] = [fields.text("schemaname"), fields.text("relname")]
    if (!fields.flag("inh")) notAnswered("ONLY")
    if (fields.text("relpersistence") !== "p") notAnswered("a temporary table")
    return `${tableSql(context, schema, name)}${printAlias(context, fields) || ` AS ${nameSql(name)}`}`
  })
}

function tableSql(context: CatalogContext, schema: string, name: string): string {
  if (schema === "" && context.named.has(name)) return nameSql(name)
  context.used.hasTables = true
  if (schema === "information_schema" && informationTables.has(name)) return `info.${nameSql(name)}`
  if ((schema === "" || schema === "pg_catalog") && catalogTables.has(name)) {
    return name === "pg_settings" ? settingsSql(context) : `pg.${nameSql(name)}`
  }
  const shown = schema === "" ? name : `${schema}.${name}`
  return notAnswered(`the table ${shown.slice(0, 80)}`)
}

/** The settings of the session as a table. */
function settingsSql(context: CatalogContext): string {
  const constant = (text: string): string => quote(countCharacters(context, text))
  const rows = context.facts.settings.map(([name, value]) => `(${constant(name)}, ${constant(value)})`)
  return `(SELECT name, setting, CAST(NULL AS VARCHAR) AS unit, '' AS category, '' AS short_desc, 'user' AS context, 'string' AS vartype, 'session' AS source FROM (VALUES ${rows.join(", ")}) AS s(name, setting))`
}

/** A function in FROM. */
function printRows(context: CatalogContext, node: PgNode): string {
  countTable(context)
  return readNode(context, node, (fields) => {
    fields.flag("lateral")
    if (fields.flag("is_rowsfrom")) notAnswered("ROWS FROM")
    const [list, ...others] = fields.nodes("functions")
    if (list?.kind !== "List" || others.length > 0) return notAnswered("several functions in FROM")
    const call = readNode(context, list, (own) => {
      const [first, second, ...more] = own.nodes("items")
      if (first === undefined || more.length > 0 || (second !== undefined && second.kind !== ""))
        return notAnswered("columns of a function")
      if (second !== undefined) readNode(context, second, () => "")
      return first.kind === "FuncCall"
        ? context.print.call(context, first, "rows").sql
        : notAnswered(first.kind)
    })
    const isNumbered = fields.flag("ordinality")
    return `${call}${isNumbered ? " WITH ORDINALITY" : ""}${printAlias(context, fields, isNumbered ? ["ordinality"] : [])}`
  })
}

const joins: Readonly<Record<string, string>> = {
  JOIN_INNER: "JOIN",
  JOIN_LEFT: "LEFT JOIN",
  JOIN_RIGHT: "RIGHT JOIN",
  JOIN_FULL: "FULL JOIN",
}

function printJoin(context: CatalogContext, node: PgNode): string {
  return readNode(context, node, (fields) => {
    const word = joins[fields.text("jointype")] ?? notAnswered("such a join")
    const natural = fields.flag("isNatural") ? "NATURAL " : ""
    const left = printFrom(context, required(fields.node("larg")))
    const right = printFrom(context, required(fields.node("rarg")))
    const condition = fields.node("quals")
    const using = fields.names("usingClause") ?? []
    const alias = printAlias(context, fields)
    if (alias !== "") notAnswered("a name for a join")
    if (condition !== undefined) return `(${left} ${word} ${right} ON ${printExpression(context, condition)})`
    if (using.length > 0) return `(${left} ${word} ${right} USING (${using.map(nameSql).join(", ")}))`
    return `(${left} ${natural === "" ? "CROSS JOIN" : `${natural}${word}`} ${right})`
  })
}

/** The name after AS. A function's only column has that name too, with those that stand beside it. */
function printAlias(context: CatalogContext, fields: PgFields, beside?: readonly string[]): string {
  const node = fields.part("alias", "Alias")
  if (node === undefined) return ""
  return readNode(context, node, (own) => {
    const name = own.text("aliasname")
    const written = own.names("colnames") ?? []
    const columns = written.length === 0 && beside !== undefined ? [name, ...beside] : written
    return ` AS ${nameSql(name)}${columnList(columns)}`
  })
}

function columnList(names: readonly string[] | undefined): string {
  return names === undefined || names.length === 0 ? "" : `(${names.map(nameSql).join(", ")})`
}
