// Values: literals, columns, operators, conditions, CASE, casts and subqueries.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { CaseBranch, Column, Expression, Is, Like, Not, Star } from "./ast.ts"
import { callOf, plainCall } from "./from-pg-call.ts"
import {
  bracketed,
  choose,
  cover,
  nowhere,
  open,
  pathAt,
  queryInBrackets,
  refuse,
  refuseNode,
  refuseWord,
  spanOfIndex,
  tokenSpan,
  type Context,
} from "./from-pg-context.ts"
import { typeName } from "./from-pg-type.ts"
import { PgNode, type PgFields } from "./pg-node.ts"

/** Translates a value. */
export function translateExpression(context: Context, node: PgNode): Expression {
  const translate = Object.hasOwn(translators, node.kind) ? translators[node.kind] : undefined
  return translate === undefined ? refuseNode(context, node) : translate(context, node)
}

const translators: Readonly<Record<string, (context: Context, node: PgNode) => Expression>> = {
  A_Const: literalOf,
  ColumnRef: columnOf,
  ParamRef: parameterOf,
  A_Expr: operatorOf,
  BoolExpr: logicalOf,
  NullTest: nullTest,
  BooleanTest: booleanTest,
  CaseExpr: caseOf,
  TypeCast: castOf,
  FuncCall: callOf,
  CoalesceExpr: (context, node) => keywordCall(context, node, () => "coalesce"),
  MinMaxExpr: (context, node) =>
    keywordCall(context, node, (fields) =>
      choose(
        context,
        { IS_GREATEST: "greatest", IS_LEAST: "least" },
        { word: fields.text("op"), place: node.location },
      ),
    ),
  GroupingFunc: (context, node) => keywordCall(context, node, () => "grouping"),
  SQLValueFunction: currentOf,
  SubLink: subquery,
  RowExpr: rowOf,
}

function needed(context: Context, node: PgNode | undefined): Expression {
  return context.expression(node ?? PgNode.ofKind("", {}))
}

function literalOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields): Expression => {
    const at = literalSpan(context, node.location)
    const part = <T>(field: string, kind: string, body: (inner: PgFields) => T): T =>
      open(context, fields.part(field, kind) ?? PgNode.ofKind("", {}), body)
    if (fields.flag("isnull")) return { kind: "null", at }
    if (fields.has("ival")) {
      return { kind: "integer", value: BigInt(part("ival", "Integer", (p) => p.integer("ival"))), at }
    }
    if (fields.has("fval"))
      return numberOf(
        part("fval", "Float", (p) => p.text("fval")),
        at,
      )
    if (fields.has("boolval")) {
      return { kind: "boolean", value: part("boolval", "Boolean", (p) => p.flag("boolval")), at }
    }
    if (fields.has("sval"))
      return { kind: "string", value: part("sval", "String", (p) => p.text("sval")), at }
    return refuse({ what: "a bit string", remedy: "write a number, or text in quotes" }, at)
  })
}

/** The grammar folds a minus sign into the number after it, also across brackets. */
function literalSpan(context: Context, place: number): Span {
  const { tokens } = context
  if (place < 0) return nowhere
  let last = tokens.indexFrom(place)
  const start = spanOfIndex(context, last)
  while (["-", "(", "+"].includes(tokens.word(last))) last += 1
  return tokens.balanced({ start: start.start, end: spanOfIndex(context, last).end })
}

function numberOf(written: string, at: Span): Expression {
  const text = written.replaceAll("_", "")
  const [, sign = "", digits = ""] = /^(-?)(\d+|0[xob][\da-f]+)$/i.exec(text) ?? []
  if (digits === "") return { kind: "decimal", text, at }
  // A leading zero is decimal in PostgreSQL, and so it is in BigInt.
  const value = BigInt(digits)
  return { kind: "integer", value: sign === "" ? value : -value, at }
}

/** A column, or a star: `*`, `t.*`. */
export function columnOrStar(context: Context, node: PgNode): Column | Star {
  return open(context, node, (fields): Column | Star => {
    const names = fields.names("fields")
    if (names !== undefined) {
      const path = pathAt(context, names, node.location)
      return {
        kind: "column",
        path,
        at: cover(
          context,
          path.map(({ at }) => at),
        ),
      }
    }
    if (node.location < 0) {
      refuseWord(context, { what: "TABLE name", remedy: "write SELECT * FROM name", word: "table" })
    }
    const parts = fields.nodes("fields")
    const texts = parts.slice(0, -1).map((part) => stringOf(context, part))
    const star = parts.at(-1)
    if (star?.kind !== "A_Star") refuseNode(context, node)
    open(context, star, () => undefined)
    const table = pathAt(context, texts, node.location)
    const last = context.tokens.indexFrom(node.location) + 2 * texts.length
    const at = cover(context, [...table.map((name) => name.at), spanOfIndex(context, last)])
    return { kind: "star", table, at }
  })
}

function stringOf(context: Context, node: PgNode): string {
  if (node.kind !== "String") refuseNode(context, node)
  return open(context, node, (fields) => fields.text("sval"))
}

function columnOf(context: Context, node: PgNode): Column {
  const found = columnOrStar(context, node)
  if (found.kind === "column") return found
  return refuse({ what: "* here", remedy: "name the column; COUNT(*) counts rows" }, found.at)
}

function parameterOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const at = tokenSpan(context, node.location)
    const index = fields.integer("number")
    if (index < 1) fail("sql/syntax", { reason: "parameters are counted from $1" }, at)
    return { kind: "parameter", index, at }
  })
}

/** The one name of an operator. */
function operatorName(fields: PgFields, field: string, at: Span): string {
  const [name, ...others] = fields.names(field) ?? []
  if (name !== undefined && others.length === 0) return name
  return refuse({ what: "OPERATOR(schema.name)", remedy: "write the operator by itself" }, at)
}

const aExprKinds = {
  AEXPR_OP: plainOperator,
  AEXPR_OP_ANY: overArray,
  AEXPR_OP_ALL: overArray,
  AEXPR_DISTINCT: distinctFrom,
  AEXPR_NOT_DISTINCT: (context, node, fields) => negated(distinctFrom(context, node, fields)),
  AEXPR_NULLIF: nullIf,
  AEXPR_IN: inList,
  AEXPR_LIKE: (context, node, fields) => likeOf(context, node, { fields, letters: "exact" }),
  AEXPR_ILIKE: (context, node, fields) => likeOf(context, node, { fields, letters: "any-case" }),
  AEXPR_SIMILAR: (context, node) =>
    refuse(
      { what: "SIMILAR TO", remedy: "write LIKE, several of them with OR, or a list with IN" },
      tokenSpan(context, node.location),
    ),
  AEXPR_BETWEEN: (context, node, fields) => betweenOf(context, node, { fields, order: "given" }),
  AEXPR_NOT_BETWEEN: (context, node, fields) => negated(betweenOf(context, node, { fields, order: "given" })),
  AEXPR_BETWEEN_SYM: (context, node, fields) => betweenOf(context, node, { fields, order: "symmetric" }),
  AEXPR_NOT_BETWEEN_SYM: (context, node, fields) =>
    negated(betweenOf(context, node, { fields, order: "symmetric" })),
} satisfies Record<string, OperatorTranslator>

type OperatorTranslator = (context: Context, node: PgNode, fields: PgFields) => Expression

function operatorOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const word = fields.text("kind")
    const translate = choose<OperatorTranslator>(context, aExprKinds, { word, place: node.location })
    return translate(context, node, fields)
  })
}

/** The exact opposite, NULL included: each of these conditions is NOT of its positive form. */
function negated(operand: Expression): Not {
  return { kind: "not", operand, at: operand.at }
}

function plainOperator(context: Context, node: PgNode, fields: PgFields): Expression {
  const place = tokenSpan(context, node.location)
  const operator = operatorName(fields, "name", place)
  const leftNode = fields.node("lexpr")
  const left = leftNode === undefined ? undefined : context.expression(leftNode)
  const right = needed(context, fields.node("rexpr"))
  const at = cover(context, [place, left?.at, right.at])
  return left === undefined
    ? { kind: "unary", operator, operand: right, at }
    : { kind: "binary", operator, left, right, at }
}

function overArray(context: Context, node: PgNode): never {
  const words = { what: "ANY or ALL over an array", remedy: "write x IN (a, b, c), or x = ANY (SELECT ...)" }
  return refuse(words, bracketed(context, node.location))
}

function distinctFrom(context: Context, node: PgNode, fields: PgFields): Expression {
  operatorName(fields, "name", tokenSpan(context, node.location))
  const left = needed(context, fields.node("lexpr"))
  const right = needed(context, fields.node("rexpr"))
  return { kind: "distinct-from", left, right, at: cover(context, [left.at, right.at]) }
}

function nullIf(context: Context, node: PgNode, fields: PgFields): Expression {
  operatorName(fields, "name", tokenSpan(context, node.location))
  const args = [needed(context, fields.node("lexpr")), needed(context, fields.node("rexpr"))]
  return plainCall("nullif", args, bracketed(context, node.location))
}

/** The items of the List on the right of IN and BETWEEN. */
function listOf(context: Context, node: PgNode | undefined): readonly Expression[] {
  if (node?.kind !== "List") return refuseNode(context, node ?? PgNode.ofKind("", {}))
  return open(context, node, (fields) => fields.nodes("items").map(context.expression))
}

function inList(context: Context, node: PgNode, fields: PgFields): Expression {
  const place = tokenSpan(context, node.location)
  const words = { "=": "in", "<>": "not in" }
  const name = operatorName(fields, "name", place)
  const form = choose(context, words, { word: name, place: node.location })
  const operand = needed(context, fields.node("lexpr"))
  const items = listOf(context, fields.node("rexpr"))
  fields.integer("rexpr_list_start")
  fields.integer("rexpr_list_end")
  const at = cover(context, [operand.at, bracketed(context, node.location)])
  const positive: Expression = { kind: "in-list", operand, items, at }
  return form === "in" ? positive : negated(positive)
}

function betweenOf(
  context: Context,
  node: PgNode,
  { fields, order }: { readonly fields: PgFields; readonly order: "given" | "symmetric" },
): Expression {
  operatorName(fields, "name", tokenSpan(context, node.location))
  const operand = needed(context, fields.node("lexpr"))
  const [low, high, ...others] = listOf(context, fields.node("rexpr"))
  if (low === undefined || high === undefined || others.length > 0) return refuseNode(context, node)
  return { kind: "between", operand, low, high, order, at: cover(context, [operand.at, high.at]) }
}

function likeOf(
  context: Context,
  node: PgNode,
  { fields, letters }: { readonly fields: PgFields; readonly letters: Like["letters"] },
): Expression {
  const name = operatorName(fields, "name", tokenSpan(context, node.location))
  const forms = { "~~": "like", "~~*": "like", "!~~": "not like", "!~~*": "not like" }
  const form = choose(context, forms, { word: name, place: node.location })
  const operand = needed(context, fields.node("lexpr"))
  const right = needed(context, fields.node("rexpr"))
  // ESCAPE comes as a call around the pattern.
  const [pattern = right, escape] =
    right.kind === "call" && right.name === "like_escape" && right.args.length === 2 ? right.args : [right]
  const at = cover(context, [operand.at, pattern.at, escape?.at])
  const positive: Like = { kind: "like", operand, pattern, escape, letters, at }
  return form === "like" ? positive : negated(positive)
}

function logicalOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields): Expression => {
    const operators = { AND_EXPR: "and", OR_EXPR: "or", NOT_EXPR: "not" } as const
    const operator = choose(context, operators, { word: fields.text("boolop"), place: node.location })
    const operands = fields.nodes("args").map(context.expression)
    const [first, ...others] = operands
    if (first === undefined) return refuseNode(context, node)
    const at = cover(context, [tokenSpan(context, node.location), ...operands.map((operand) => operand.at)])
    if (operator !== "not") return { kind: "logical", operator, operands, at }
    return others.length > 0 ? refuseNode(context, node) : { kind: "not", operand: first, at }
  })
}

function nullTest(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const word = fields.text("nulltesttype")
    const form = choose(context, { IS_NULL: "is", IS_NOT_NULL: "is not" }, { word, place: node.location })
    return isTest(context, node, { fields, test: "null", form })
  })
}

const booleanTests: Readonly<Record<string, readonly [Is["test"], string]>> = {
  IS_TRUE: ["true", "is"],
  IS_NOT_TRUE: ["true", "is not"],
  IS_FALSE: ["false", "is"],
  IS_NOT_FALSE: ["false", "is not"],
  IS_UNKNOWN: ["unknown", "is"],
  IS_NOT_UNKNOWN: ["unknown", "is not"],
}

function booleanTest(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const word = fields.text("booltesttype")
    const [test, form] = choose(context, booleanTests, { word, place: node.location })
    return isTest(context, node, { fields, test, form })
  })
}

const wordsOfIs = new Set(["is", "not", "null", "true", "false", "unknown", "isnull", "notnull"])

function isTest(
  context: Context,
  node: PgNode,
  { fields, test, form }: { readonly fields: PgFields; readonly test: Is["test"]; readonly form: string },
): Expression {
  const operand = needed(context, fields.node("arg"))
  let last = context.tokens.indexFrom(node.location)
  while (wordsOfIs.has(context.tokens.word(last + 1))) last += 1
  const at = cover(context, [operand.at, spanOfIndex(context, last)])
  const positive: Is = { kind: "is", operand, test, at }
  return form === "is" ? positive : negated(positive)
}

function caseOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const operandNode = fields.node("arg")
    const operand = operandNode === undefined ? undefined : context.expression(operandNode)
    const branches = fields.nodes("args").map((branch) => branchOf(context, branch))
    const otherwiseNode = fields.node("defresult")
    const otherwise = otherwiseNode === undefined ? undefined : context.expression(otherwiseNode)
    return { kind: "case", operand, branches, otherwise, at: bracketed(context, node.location) }
  })
}

function branchOf(context: Context, node: PgNode): CaseBranch {
  if (node.kind !== "CaseWhen") refuseNode(context, node)
  return open(context, node, (fields) => {
    const when = needed(context, fields.node("expr"))
    const result = needed(context, fields.node("result"))
    const at = cover(context, [tokenSpan(context, node.location), when.at, result.at])
    return { kind: "case-branch", when, result, at }
  })
}

function castOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const operand = needed(context, fields.node("arg"))
    const type = typeName(context, fields.part("typeName", "TypeName") ?? PgNode.ofKind("", {}))
    const { location } = node
    const isCall = location >= 0 && context.tokens.tokenAt(location)?.word === "cast"
    const at = isCall ? bracketed(context, location) : cover(context, [operand.at, type.at])
    return { kind: "cast", operand, type, at }
  })
}

function keywordCall(context: Context, node: PgNode, nameOf: (fields: PgFields) => string): Expression {
  return open(context, node, (fields) => {
    const name = nameOf(fields)
    const args = fields.nodes("args").map(context.expression)
    return plainCall(name, args, bracketed(context, node.location))
  })
}

const currentNames: Readonly<Record<string, string>> = {
  SVFOP_CURRENT_DATE: "current_date",
  SVFOP_CURRENT_TIME: "current_time",
  SVFOP_CURRENT_TIMESTAMP: "current_timestamp",
  SVFOP_LOCALTIME: "localtime",
  SVFOP_LOCALTIMESTAMP: "localtimestamp",
}

function currentOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const at = tokenSpan(context, node.location)
    const word = fields.text("op")
    const name = currentNames[word]
    if (fields.integer("typmod") !== -1 || word.endsWith("_N")) {
      refuse({ what: "a precision of the current time", remedy: "drop the number in brackets" }, at)
    }
    if (name === undefined) {
      const what = context.source.text.slice(at.start, at.end).toUpperCase()
      refuse({ what, remedy: "drop it: an answer does not depend on who asks" }, at)
    }
    return plainCall(name, [], at)
  })
}

const subqueryTypes = {
  EXISTS_SUBLINK: "exists",
  EXPR_SUBLINK: "scalar",
  ANY_SUBLINK: "any",
  ALL_SUBLINK: "all",
  ARRAY_SUBLINK: "array",
} as const

function subquery(context: Context, node: PgNode): Expression {
  return open(context, node, (fields): Expression => {
    const inner = bracketed(context, node.location)
    const type = choose(context, subqueryTypes, {
      word: fields.text("subLinkType"),
      place: node.location,
    })
    if (type === "array") {
      refuse({ what: "an array", remedy: "use the query itself, in FROM or after IN" }, inner)
    }
    const { query } = queryInBrackets(context, fields.node("subselect") ?? PgNode.ofKind("", {}))
    if (type === "exists") return { kind: "exists", query, at: inner }
    if (type === "scalar") return { kind: "scalar-query", query, at: inner }
    const operand = needed(context, fields.node("testexpr"))
    const at = cover(context, [operand.at, inner])
    if (type === "any" && !fields.has("operName")) return { kind: "in-query", operand, query, at }
    const operator = operatorName(fields, "operName", at)
    return { kind: "quantified", operator, quantifier: type, operand, query, at }
  })
}

function rowOf(context: Context, node: PgNode): Expression {
  return open(context, node, (fields) => {
    const forms = { COERCE_EXPLICIT_CALL: true, COERCE_IMPLICIT_CAST: true }
    choose(context, forms, { word: fields.text("row_format"), place: node.location })
    const items = fields.nodes("args").map(context.expression)
    return { kind: "row", items, at: bracketed(context, node.location) }
  })
}
