// Expressions as SQL. What is written for an expression has the stored type of its domain (stored.ts),
// stands by itself, and has a value or NULL for every row: never an error.

import { rational } from "@dosimeter/core"
import { assert, unreachable } from "@dosimeter/core/errors"
import type { Domain } from "../catalog/domain.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import type { Argument } from "../functions/definition.ts"
import { writeConstant } from "../spell/literal.ts"
import { toText } from "../spell/spell-cast.ts"
import { spellings } from "../spell/spellings.ts"
import { coerce, storedType } from "../spell/stored.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import { fail } from "../errors.ts"
import type { CallExpr, CaseExpr, ColumnId, Expr, KeyedHashExpr } from "../algebra/expr.ts"
import { isCall } from "../algebra/walk.ts"
import { guarded } from "./guard.ts"
import { printStoredSteps, type StoredOperand } from "./print-stored-steps.ts"
import { printShare, printSteps, printStepsOr } from "./print-steps.ts"
import { printWeight } from "./print-weight.ts"

/** Where an expression stands. */
export interface Place {
  readonly spelling: DialectSpelling
  /** The columns in reach. */
  readonly columns: ReadonlyMap<ColumnId, PlacedColumn>
  /** Called for each use of the secret; gives its SQL. */
  readonly secret: () => string
}

/** A column in reach: how it is written here, and what it holds. */
export interface PlacedColumn {
  readonly text: string
  readonly domain: Domain
  /** The stored column that it is read from, where that is in reach too. */
  readonly stored?: string
  /** Counts how often the text is written. */
  readonly uses?: { count: number }
}

/** What a column in reach is written as. */
export function writeColumn({ text, uses }: PlacedColumn): string {
  if (uses !== undefined) uses.count += 1
  return text
}

/** Longer SQL is refused: a few functions write an argument twice, and nesting would multiply that. */
const textMax = 1_000_000

/** Writes an expression, guarded against failures. */
export function printExpr(expr: Expr, place: Place): string {
  const text = guarded(written(expr, place), expr, place.spelling)
  if (text.length > textMax) {
    fail("sql/too-many", {
      what: "characters once it is written out for the database",
      limit: `${textMax}`,
      remedy: "nest fewer functions in one another, or name inner results in WITH",
    })
  }
  return text
}

/** Writes an expression in the stored type of a domain that holds it. */
export function printAs(expr: Expr, to: Domain, place: Place): string {
  return coerce(printExpr(expr, place), { from: expr.domain, to }, place.spelling)
}

/** Writes a condition. */
export function printCondition(expr: Expr, place: Place): string {
  const { kind } = expr.domain.type
  assert(kind === "boolean" || kind === "null", "a condition is true, false or NULL")
  return printAs(expr, { type: { kind: "boolean" }, nullable: true }, place)
}

function written(expr: Expr, place: Place): string {
  const dialect = place.spelling
  switch (expr.kind) {
    case "column": {
      const column = place.columns.get(expr.id)
      assert(column !== undefined, `column ${expr.id} is in reach`)
      assert(
        column.domain.type.kind === expr.domain.type.kind,
        `column ${expr.id} has the type it is used with`,
      )
      return coerce(writeColumn(column), { from: column.domain, to: expr.domain }, dialect)
    }
    case "literal": {
      // An interval has no SQL of its own; the function that adds it looks at the constant.
      if (expr.value.kind === "interval") return ""
      const text = writeConstant(expr.value, expr.domain.type, dialect)
      return expr.value.kind === "null"
        ? text
        : coerce(text, { from: literalDomain(expr.value, expr.domain.type), to: expr.domain }, dialect)
    }
    case "call": {
      const inOneGo = listedOrNull(expr, place) ?? stepsOrElse(expr, place)
      if (inOneGo !== undefined) return inOneGo
      return spellings[expr.name]({
        args: expr.args.map((arg) => printExpr(arg, place)),
        arguments: expr.args.map(argumentOf),
        domains: expr.args.map(({ domain }) => domain),
        result: expr.domain,
        dialect,
      })
    }
    case "case":
      return printCase(expr, place)
    case "steps":
      return (
        printStoredSteps(expr, storedOf(expr.operand, place), place.spelling) ??
        printSteps(expr, printExpr(expr.operand, place), place.spelling)
      )
    case "share":
      return printShare(
        expr,
        { sum: printExpr(expr.sum, place), count: printExpr(expr.count, place) },
        dialect,
      )
    case "weight":
      return printWeight(expr, printExpr(expr.total, place), dialect)
    case "keyed-hash":
      return printKeyedHash(expr, place)
    default:
      return unreachable(expr)
  }
}

/**
 * COALESCE(text IN (...), TRUE) as a function of one column, if the database asks it once for each text that
 * is stored: there is no branch for each row after it.
 */
function listedOrNull({ name, args }: CallExpr, place: Place): string | undefined {
  const [asked, otherwise] = args
  const { lists } = place.spelling.texts
  if (
    lists === undefined ||
    name !== "coalesce" ||
    args.length !== 2 ||
    asked === undefined ||
    !isCall(asked, "in-list")
  )
    return undefined
  const isTrue = otherwise?.kind === "literal" && otherwise.value.kind === "boolean" && otherwise.value.value
  const [value, ...items] = asked.args
  const areTexts = items.every((item) => item.kind === "literal" && item.value.kind === "text")
  if (!isTrue || !areTexts || value?.domain.type.kind !== "text" || items.length > listMax) return undefined
  const written = items.map((item) => printExpr(item, place))
  return lists.containsOrNull(written, printExpr(value, place))
}

/** COALESCE(steps, a literal) in one CASE, where both are stored alike: one pass over the rows less. */
function stepsOrElse({ name, args, domain }: CallExpr, place: Place): string | undefined {
  const [steps, otherwise, ...more] = args
  if (name !== "coalesce" || steps?.kind !== "steps" || otherwise?.kind !== "literal" || more.length > 0)
    return undefined
  const { spelling } = place
  const isAlike = storedType(steps.domain, spelling) === storedType(domain, spelling)
  const isStored = printStoredSteps(steps, storedOf(steps.operand, place), spelling) !== undefined
  if (!isAlike || isStored) return undefined
  const texts = { text: printExpr(steps.operand, place), otherwise: printAs(otherwise, domain, place) }
  return printStepsOr(steps, texts, spelling)
}

/** Longer lists are better looked up by hash. */
const listMax = 16

// The stored column behind an operand that is read from it, and nothing else.
function storedOf(expr: Expr, { columns }: Place): StoredOperand | undefined {
  const column = expr.kind === "column" ? columns.get(expr.id) : undefined
  return column?.stored === undefined ? undefined : { source: column.stored, domain: column.domain }
}

function argumentOf(expr: Expr): Argument {
  return expr.kind === "literal" ? { domain: expr.domain, literal: expr.value } : { domain: expr.domain }
}

function printCase({ branches, otherwise, domain }: CaseExpr, place: Place): string {
  if (branches.length === 0) return printAs(otherwise, domain, place)
  const cases = branches.map(
    ({ when, result }) => `WHEN ${printCondition(when, place)} THEN ${printAs(result, domain, place)}`,
  )
  return `CASE ${cases.join(" ")} ELSE ${printAs(otherwise, domain, place)} END`
}

/**
 * SHA-256 of the secret and the arguments. Each argument ends with a bar, begins with v or is n for NULL, and
 * its own bars and tildes are escaped: no two lists of values have the same text.
 */
function printKeyedHash({ args }: KeyedHashExpr, place: Place): string {
  assert(args.length > 0, "a hash is of something")
  const parts = args.map((arg) => {
    const text = printExpr(arg, place)
    return arg.domain.type.kind === "null"
      ? "'n|'"
      : `COALESCE('v' || ${hashed(text, arg.domain, place)}, 'n') || '|'`
  })
  return place.spelling.secrets.hash(`${place.secret()} || '|' || ${parts.join(" || ")}`)
}

/**
 * A hash that orders the rows of one unit, and nothing else. Privacy does not rest on it: for every secret
 * the order is a function of the unit's own rows, and values themselves follow where hashes are equal. It
 * only has to spread what is kept, and to be nobody's choice, which the secret sees to. Undefined where the
 * database has none that is cheaper.
 */
export function hashOrder(expr: KeyedHashExpr, place: Place): string | undefined {
  const { orderHash } = place.spelling.secrets
  if (orderHash === undefined) return undefined
  assert(expr.args.length > 0, "a hash is of something")
  const values = expr.args.map((arg) => withOneZero(printExpr(arg, place), arg.domain, place.spelling))
  return orderHash([place.secret(), ...values])
}

function hashed(text: string, domain: Domain, { spelling: dialect }: Place): string {
  const { kind } = domain.type
  assert(kind !== "interval", "an interval has no hash")
  if (kind === "text") return `replace(replace(${text}, '~', '~~'), '|', '~|')`
  const value = withOneZero(text, domain, dialect)
  return kind === "float"
    ? `CAST(${value} AS ${storedType({ type: { kind: "text" } }, dialect)})`
    : toText(value, domain, dialect)
}

// 0 and -0 are equal, and so are their hashes.
function withOneZero(text: string, { type: { kind } }: Domain, dialect: DialectSpelling): string {
  if (kind !== "float") return text
  const zero = writeConstant({ kind: "number", value: rational(0n) }, { kind: "float" }, dialect)
  return `CASE WHEN ${text} = ${zero} THEN ${zero} ELSE ${text} END`
}
