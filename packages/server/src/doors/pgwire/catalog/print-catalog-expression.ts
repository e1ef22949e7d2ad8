// The values in a question about catalogs as SQL of our own: columns, constants, operators, CASE, casts,
// subqueries. Every operator and every kind of node is on a list.

import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { PgFields, PgNode } from "@dosimeter/language/parse/pg-node"
import {
  countCharacters,
  nameSql,
  readNode,
  required,
  type CatalogContext,
  type Printed,
} from "./catalog-context.ts"
import { cutText } from "./catalog-functions.ts"
import { quote } from "./catalog-names.ts"
import { isObjectType, listItems, nullOf, printCast, printItem } from "./catalog-types.ts"
import { notAnswered } from "./not-answered.ts"

/** A value as SQL. */
export function printExpression(context: CatalogContext, node: PgNode): string {
  return printValue({ ...context, isAlone: false }, node).sql
}

/** A value with its name, and its text if it is a constant. */
export function printValue(context: CatalogContext, node: PgNode): Printed {
  const print = Object.hasOwn(kinds, node.kind) ? kinds[node.kind] : undefined
  if (print === undefined) return notAnswered(node.kind === "" ? "an empty value" : node.kind)
  return node.kind === "FuncCall"
    ? context.print.call(context, node, "value")
    : readNode(context, node, (fields) => print(context, fields))
}

type Print = (context: CatalogContext, fields: PgFields) => Printed

const kinds: Readonly<Record<string, Print>> = {
  FuncCall: () => notAnswered("FuncCall"),
  ColumnRef: (context, fields) => printColumn(context, fields),
  A_Const: (context, fields) => printConstant(context, fields),
  ParamRef: (context, fields) => printParameter(context, fields.integer("number")),
  A_Expr: (context, fields) => ({ sql: printOperation(context, fields) }),
  BoolExpr: (context, fields) => ({ sql: printLogic(context, fields) }),
  NullTest: (context, fields) => {
    const value = part(context, fields, "arg")
    const test = oneOf(fields.text("nulltesttype"), { IS_NULL: "IS NULL", IS_NOT_NULL: "IS NOT NULL" })
    return { sql: `(${value} ${test})` }
  },
  BooleanTest: (context, fields) => {
    const value = part(context, fields, "arg")
    return { sql: `(${value} ${oneOf(fields.text("booltesttype"), truthTests)})` }
  },
  CaseExpr: (context, fields) => printCase(context, fields),
  CoalesceExpr: (context, fields) => ({
    sql: `coalesce(${parts(context, fields, "args").join(", ")})`,
    name: "coalesce",
  }),
  MinMaxExpr: (context, fields) => {
    const name = oneOf(fields.text("op"), { "": "greatest", IS_GREATEST: "greatest", IS_LEAST: "least" })
    return { sql: `${name}(${parts(context, fields, "args").join(", ")})`, name }
  },
  TypeCast: (context, fields) => printTypeCast(context, fields),
  CollateClause: (context, fields) => {
    // Texts are compared by their bytes here, whatever the collation.
    const value = printValue({ ...context, isAlone: false }, required(fields.node("arg")))
    fields.names("collname")
    return { sql: value.sql, name: value.name }
  },
  SubLink: (context, fields) => printSubquery(context, fields),
  A_ArrayExpr: (context, fields) => {
    for (const place of ["list_start", "list_end"]) fields.integer(place)
    return { sql: `[${parts(context, fields, "elements").join(", ")}]`, name: "array" }
  },
  RowExpr: (context, fields) => {
    fields.text("row_format")
    return { sql: `row(${parts(context, fields, "args").join(", ")})`, name: "row" }
  },
  A_Indirection: (context, fields) => printPart(context, fields),
  SQLValueFunction: (_context, fields) => {
    fields.integer("typmod")
    return printSession(fields.text("op"))
  },
}

const truthTests = {
  IS_TRUE: "IS NOT DISTINCT FROM true",
  IS_NOT_TRUE: "IS DISTINCT FROM true",
  IS_FALSE: "IS NOT DISTINCT FROM false",
  IS_NOT_FALSE: "IS DISTINCT FROM false",
  IS_UNKNOWN: "IS NULL",
  IS_NOT_UNKNOWN: "IS NOT NULL",
}

function part(context: CatalogContext, fields: PgFields, field: string): string {
  return printExpression(context, required(fields.node(field)))
}

function parts(context: CatalogContext, fields: PgFields, field: string): readonly string[] {
  return fields.nodes(field).map((node) => printExpression(context, node))
}

/** What a word of the grammar stands for, if it is on the list. */
function oneOf<T>(word: string, list: Readonly<Record<string, T>>): T {
  const found = Object.hasOwn(list, word) ? list[word] : undefined
  return found ?? notAnswered(word === "" ? "something unknown" : word)
}

function printColumn(context: CatalogContext, fields: PgFields): Printed {
  const names = fields.names("fields")
  if (names !== undefined) {
    if (names.length > 3) notAnswered("a name of more than three parts")
    // Tables stand by their names alone here.
    const own = names.length === 3 ? names.slice(1) : names
    return { sql: own.map(nameSql).join("."), name: names.at(-1) }
  }
  const nodes = fields.nodes("fields")
  const sql = nodes.map((node, index) => {
    if (node.kind === "A_Star" && index === nodes.length - 1) return readNode(context, node, () => "*")
    if (node.kind !== "String" || nodes.length > 2) return notAnswered(node.kind)
    return readNode(context, node, (own) => nameSql(own.text("sval")))
  })
  return { sql: sql.join("."), isStar: true }
}

function printConstant(context: CatalogContext, fields: PgFields): Printed {
  if (fields.flag("isnull")) return { sql: "NULL", text: null }
  for (const [field, kind] of [
    ["ival", "Integer"],
    ["fval", "Float"],
    ["boolval", "Boolean"],
    ["sval", "String"],
  ] as const) {
    const node = fields.part(field, kind)
    if (node !== undefined) return readNode(context, node, (own) => constantOf(context, kind, own))
  }
  return notAnswered("such a constant")
}

function constantOf(
  context: CatalogContext,
  kind: "Integer" | "Float" | "Boolean" | "String",
  own: PgFields,
): Printed {
  switch (kind) {
    case "Integer":
      return { sql: `${own.integer("ival")}` }
    case "Boolean": {
      const value = own.flag("boolval")
      return { sql: `${value}`, text: `${value}`, name: "bool" }
    }
    case "Float": {
      const digits = own.text("fval")
      return /^\d{1,18}(\.\d{1,18})?$/.test(digits) ? { sql: digits } : notAnswered("such a number")
    }
    case "String":
      return textConstant(context, own.text("sval"))
    default:
      return kind satisfies never
  }
}

function textConstant(context: CatalogContext, text: string): Printed {
  return { sql: quote(countCharacters(context, text)), text }
}

function printParameter(context: CatalogContext, number: number): Printed {
  const value: Constant | undefined = context.parameters[number - 1]
  if (value === undefined) return { sql: "NULL", text: null }
  switch (value.kind) {
    case "text":
      return textConstant(context, value.value)
    case "number":
      return value.value.denominator === 1n &&
        value.value.numerator < 2n ** 63n &&
        value.value.numerator >= -(2n ** 63n)
        ? { sql: `(${value.value.numerator})`, text: `${value.value.numerator}` }
        : notAnswered("such a number")
    case "boolean":
      return { sql: `${value.value}`, text: `${value.value}` }
    case "null":
      return { sql: "NULL", text: null }
    default:
      return notAnswered(`a parameter that is a ${value.kind}`)
  }
}

/** Plain operators, spelled as in our database. */
const plain = new Set(["=", "<>", "<", ">", "<=", ">=", "+", "-", "*", "/", "%"])

function printOperation(context: CatalogContext, fields: PgFields): string {
  const names = fields.names("name") ?? []
  const operator = names.at(-1) ?? ""
  if (names.length > 2 || (names.length === 2 && names[0] !== "pg_catalog")) notAnswered("such an operator")
  const kind = fields.text("kind")
  const right = required(fields.node("rexpr"))
  const leftNode = fields.node("lexpr")
  if (leftNode === undefined) {
    if (kind !== "AEXPR_OP" || (operator !== "-" && operator !== "+"))
      return notAnswered(`the operator ${operator}`)
    return `(${operator} ${printExpression(context, right)})`
  }
  const left = printExpression(context, leftNode)
  const list = (): readonly string[] => {
    if (right.kind !== "List") return notAnswered(right.kind)
    return readNode(context, right, (own) => parts(context, own, "items"))
  }
  for (const place of ["rexpr_list_start", "rexpr_list_end"]) fields.integer(place)
  switch (kind) {
    case "AEXPR_OP":
      return binary(operator, left, printExpression(context, right))
    case "AEXPR_OP_ANY":
    case "AEXPR_OP_ALL": {
      const word = kind === "AEXPR_OP_ANY" ? "ANY" : "ALL"
      if (!plain.has(operator)) return notAnswered(`${operator.slice(0, 10)} ${word}`)
      return `(${left} ${operator} ${word}(SELECT unnest(${printList(context, right)})))`
    }
    case "AEXPR_IN":
      return `(${left} ${operator === "<>" ? "NOT IN" : "IN"} (${list().join(", ")}))`
    case "AEXPR_DISTINCT":
      return `(${left} IS DISTINCT FROM ${printExpression(context, right)})`
    case "AEXPR_NOT_DISTINCT":
      return `(${left} IS NOT DISTINCT FROM ${printExpression(context, right)})`
    case "AEXPR_NULLIF":
      return `nullif(${left}, ${printExpression(context, right)})`
    case "AEXPR_LIKE":
    case "AEXPR_ILIKE":
      return binary(operator, left, printExpression(context, right))
    case "AEXPR_BETWEEN":
    case "AEXPR_NOT_BETWEEN": {
      const [low = "", high = "", ...more] = list()
      if (more.length > 0) return notAnswered("such a BETWEEN")
      return `(${left} ${kind === "AEXPR_BETWEEN" ? "" : "NOT "}BETWEEN ${low} AND ${high})`
    }
    default:
      return notAnswered(kind)
  }
}

const patterns: Readonly<Record<string, (text: string, pattern: string) => string>> = {
  "~": (text, pattern) => `regexp_matches(CAST(${text} AS VARCHAR), ${pattern})`,
  "!~": (text, pattern) => `(NOT regexp_matches(CAST(${text} AS VARCHAR), ${pattern}))`,
  "~*": (text, pattern) => `regexp_matches(CAST(${text} AS VARCHAR), ${pattern}, 'i')`,
  "!~*": (text, pattern) => `(NOT regexp_matches(CAST(${text} AS VARCHAR), ${pattern}, 'i'))`,
  "~~": (text, pattern) => `(${text} LIKE ${pattern} ESCAPE '\\')`,
  "!~~": (text, pattern) => `(${text} NOT LIKE ${pattern} ESCAPE '\\')`,
  "~~*": (text, pattern) => `(${text} ILIKE ${pattern} ESCAPE '\\')`,
  "!~~*": (text, pattern) => `(${text} NOT ILIKE ${pattern} ESCAPE '\\')`,
}

function binary(operator: string, left: string, right: string): string {
  if (plain.has(operator)) return `(${left} ${operator} ${right})`
  if (operator === "||") return cutText(`(CAST(${left} AS VARCHAR) || CAST(${right} AS VARCHAR))`)
  const pattern = Object.hasOwn(patterns, operator) ? patterns[operator] : undefined
  return pattern === undefined ? notAnswered(`the operator ${operator.slice(0, 10)}`) : pattern(left, right)
}

/** A list of values: an array, or one that is written as text. */
function printList(context: CatalogContext, node: PgNode): string {
  const { sql, text } = printValue({ ...context, isAlone: false }, node)
  const items = typeof text === "string" ? listItems(text) : undefined
  if (text === null) return "[NULL]"
  if (typeof text === "string" && items === undefined) return notAnswered("a text in the place of a list")
  if (items === undefined) return sql
  // Without a type of its own: numbers, if they all are.
  const areNumbers = items.every((item) => item !== undefined && /^\d{1,9}$/.test(item))
  return `[${areNumbers ? items.join(", ") : items.map(printItem).join(", ")}]`
}

function printLogic(context: CatalogContext, fields: PgFields): string {
  const operator = oneOf(fields.text("boolop"), { AND_EXPR: " AND ", OR_EXPR: " OR ", NOT_EXPR: "NOT " })
  const values = parts(context, fields, "args")
  return operator === "NOT " ? `(NOT ${values.join("")})` : `(${values.join(operator)})`
}

function printCase(context: CatalogContext, fields: PgFields): Printed {
  const subject = fields.node("arg")
  const of = subject === undefined ? "" : `${printExpression(context, subject)} `
  const branches = fields.nodes("args").map((branch) => {
    if (branch.kind !== "CaseWhen") return notAnswered(branch.kind)
    return readNode(context, branch, (own) => {
      const [when, then] = [part(context, own, "expr"), part(context, own, "result")]
      return `WHEN ${when} THEN ${then}`
    })
  })
  const other = fields.node("defresult")
  const value = other === undefined ? undefined : printValue({ ...context, isAlone: false }, other)
  const rest = value === undefined ? "" : ` ELSE ${value.sql}`
  return { sql: `CASE ${of}${branches.join(" ")}${rest} END`, name: value?.name ?? "case" }
}

function printTypeCast(context: CatalogContext, fields: PgFields): Printed {
  const operand = printValue({ ...context, isAlone: false }, required(fields.node("arg")))
  const type = fields.part("typeName", "TypeName")
  return readNode(context, required(type), (own) => {
    const names = own.names("names") ?? []
    const schemas = ["pg_catalog", "information_schema"]
    const name = names.at(-1) ?? ""
    if (names.length > 2 || (names.length === 2 && !schemas.includes(names[0] ?? "")))
      notAnswered("such a type")
    if (isObjectType(name)) context.used.hasTables = true
    own.integer("typemod")
    // Lengths of texts, as in varchar(63), cut nothing that is in a catalog.
    for (const node of own.nodes("typmods")) printExpression(context, node)
    const bounds = own.nodes("arrayBounds").map((node) => printIgnored(context, node)).length
    const text = operand.text ?? undefined
    const sql =
      operand.text === null && bounds === 0
        ? nullOf(name)
        : printCast({ sql: operand.sql, text }, name, bounds > 0)
    return {
      sql,
      name: operand.name ?? name,
      ...(text !== undefined && isText(name) && bounds === 0 ? { text } : {}),
    }
  })
}

function isText(type: string): boolean {
  return type === "text" || type === "varchar" || type === "name"
}

/** The bound of an array's type, which says nothing. */
function printIgnored(context: CatalogContext, node: PgNode): string {
  if (node.kind !== "Integer") return notAnswered(node.kind)
  return readNode(context, node, (own) => `${own.integer("ival")}`)
}

function printSubquery(context: CatalogContext, fields: PgFields): Printed {
  const inside = { ...context, isAlone: false }
  const kind = fields.text("subLinkType")
  const query = inside.print.query(inside, required(fields.node("subselect")))
  const test = fields.node("testexpr")
  const names = fields.names("operName") ?? []
  switch (kind) {
    case "EXISTS_SUBLINK":
      return { sql: `EXISTS (${query})`, name: "exists" }
    case "EXPR_SUBLINK":
      return { sql: `(${query})` }
    case "ARRAY_SUBLINK":
      return { sql: `ARRAY(${query})`, name: "array" }
    case "ANY_SUBLINK":
    case "ALL_SUBLINK": {
      const operator = names.at(-1) ?? "="
      if (!plain.has(operator) || names.length > 1)
        return notAnswered(`the operator ${operator.slice(0, 10)}`)
      const word = kind === "ANY_SUBLINK" ? "ANY" : "ALL"
      return { sql: `(${printExpression(inside, required(test))} ${operator} ${word}(${query}))` }
    }
    default:
      return notAnswered(kind)
  }
}

/** An element of a list. */
function printPart(context: CatalogContext, fields: PgFields): Printed {
  const value = printValue({ ...context, isAlone: false }, required(fields.node("arg")))
  const steps = fields.nodes("indirection").map((node) => {
    if (node.kind !== "A_Indices") return notAnswered("a part of a row")
    return readNode(context, node, (own) => {
      if (own.flag("is_slice")) return notAnswered("a part of a list")
      return `[${part(context, own, "uidx")}]`
    })
  })
  return { sql: `(${value.sql})${steps.join("")}`, name: value.name }
}

const aboutSession: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_USER: "pg.role_name(10)",
  SVFOP_USER: "pg.role_name(10)",
  SVFOP_SESSION_USER: "pg.role_name(10)",
  SVFOP_CURRENT_ROLE: "pg.role_name(10)",
  SVFOP_CURRENT_CATALOG: "pg.database_name()",
  SVFOP_CURRENT_SCHEMA: "'public'",
}

function printSession(op: string): Printed {
  return { sql: oneOf(op, aboutSession), name: op.replace("SVFOP_", "").toLowerCase() }
}

/** What ORDER BY holds; NULL is greater than everything. */
export function printOrder(context: CatalogContext, nodes: readonly PgNode[]): string {
  const items = nodes.map((node) => {
    if (node.kind !== "SortBy") return notAnswered(node.kind)
    return readNode(context, node, (fields) => {
      const value = part(context, fields, "node")
      const isDown = fields.text("sortby_dir") === "SORTBY_DESC"
      if (fields.text("sortby_dir") === "SORTBY_USING") notAnswered("ORDER BY ... USING")
      const nulls = { SORTBY_NULLS_FIRST: "FIRST", SORTBY_NULLS_LAST: "LAST" }
      const nullsWord = fields.text("sortby_nulls")
      const place =
        nullsWord === "" || nullsWord === "SORTBY_NULLS_DEFAULT"
          ? isDown
            ? "FIRST"
            : "LAST"
          : oneOf(nullsWord, nulls)
      return `${value} ${isDown ? "DESC" : "ASC"} NULLS ${place}`
    })
  })
  return items.join(", ")
}
