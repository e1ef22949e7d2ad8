// Aggregates and window functions. What a window function gives is a function of the rows alone: where equal
// order keys would leave a choice, all other columns decide.

import { assert, unreachable } from "@dosimeter/core/errors"
import type { Domain } from "../catalog/domain.ts"
import type { DialectSpelling } from "../dialects/dialect.ts"
import { literalDomain } from "../catalog/literal-domain.ts"
import { writeNumber } from "../spell/literal.ts"
import { ordered } from "../spell/spell.ts"
import { coerce, settled, storedType } from "../spell/stored.ts"
import type { ColumnId, Expr } from "../algebra/expr.ts"
import { spreadMax } from "../algebra/item-domain.ts"
import { keyedHash } from "../algebra/make.ts"
import {
  isInOrder,
  type AggregateItem,
  type Frame,
  type FrameBound,
  type Rel,
  type SortKey,
  type WindowItem,
} from "../algebra/rel.ts"
import { columnsIn } from "../algebra/walk.ts"
import { hashOrder, printAs, printExpr, type Place } from "./print-expression.ts"

/** An aggregate in the stored type of its column. */
export function printAggregate(item: AggregateItem, to: Domain, place: Place): string {
  const text = aggregateCall(item, to, place)
  return isPlain(item.function) && to.type.kind !== "text" ? ownType(text, item.function, to, place) : text
}

/** Counts and sums come in types of the database's choice. */
function isPlain(name: AggregateItem["function"]): boolean {
  return name === "rows" || name === "count" || name === "count-distinct" || name === "sum"
}

/**
 * In the column's own type. A sum that does not fit it, because a range was false, is NULL: TRY takes no
 * aggregate, but this cast gives NULL by itself.
 */
function ownType(text: string, name: AggregateItem["function"], to: Domain, place: Place): string {
  const dialect = place.spelling
  const { tryCast } = dialect.casts
  if (name !== "sum" || tryCast === undefined) return castAlways(text, to, dialect)
  return tryCast(text, storedType(to, dialect))
}

function castAlways(text: string, to: Domain, dialect: DialectSpelling): string {
  return settled(text, "", { to, dialect })
}

function aggregateCall({ function: name, argument }: AggregateItem, to: Domain, place: Place): string {
  if (name === "rows") return "COUNT(*)"
  assert(argument !== undefined, `${name} is of something`)
  const dialect = place.spelling
  const { type } = argument.domain
  const text = type.kind === "null" ? printAs(argument, to, place) : printExpr(argument, place)
  switch (name) {
    case "count":
      return `COUNT(${text})`
    case "count-distinct":
      return `COUNT(DISTINCT ${text})`
    case "sum":
      assert(type.kind === "integer" || type.kind === "decimal", "a sum is of integers or decimals")
      return `SUM(${summand(text, { argument: argument.domain, to, dialect })})`
    case "min":
    case "max":
      // PostgreSQL has no least boolean; AND and OR are the same thing.
      if (type.kind === "boolean") return `${name === "min" ? "BOOL_AND" : "BOOL_OR"}(${text})`
      return `${name.toUpperCase()}(${ordered(coerce(text, { from: argument.domain, to }, dialect), type, dialect)})`
    case "every":
      return `BOOL_AND(${text})`
    case "some":
      return `BOOL_OR(${text})`
    case "standardised-rate":
    case "log-rank":
    case "log-rank-p":
    case "hazard-ratio":
      return assertReleased()
    default:
      return unreachable(name)
  }
}

/** Estimates are computed after the release; the planner refuses them here. */
function assertReleased(): string {
  assert(false, "an estimate is computed after the release")
  return ""
}

/**
 * In the type of the sum, unless the database adds up in wider types by itself. Numbers of the widest types
 * have none above them, so what is not inside their range, because it was false, is left out: no sum can
 * overflow.
 */
function summand(
  text: string,
  {
    argument,
    to,
    dialect,
  }: { readonly argument: Domain; readonly to: Domain; readonly dialect: DialectSpelling },
): string {
  const { type, range } = argument
  const stored = storedType(argument, dialect)
  if (range !== undefined && dialect.numbers.sumMayFail(stored)) {
    const [low, high] = [range.min, range.max].map(({ value }) =>
      coerce(
        writeNumber(value, type, dialect),
        { from: literalDomain({ kind: "number", value }, type), to: argument },
        dialect,
      ),
    )
    return `CASE WHEN ${text} BETWEEN ${low} AND ${high} THEN ${text} END`
  }
  if (dialect.numbers.sumWidens || argument.type.kind === "decimal") return text
  return coerce(text, { from: argument, to: storedType(to, dialect) === "INTEGER" ? argument : to }, dialect)
}

/** A window function in the stored type of its column. */
export function printWindow(item: WindowItem, to: Domain, place: WindowPlace): string {
  const dialect = place.spelling
  switch (item.function) {
    case "row-number": {
      const peers = sameOrder(item, place)
      if (peers !== undefined) return castAlways(placeAmongPeers(peers, place), to, dialect)
      return castAlways(`ROW_NUMBER() ${over(item, { ties: "broken", frame: "" }, place)}`, to, dialect)
    }
    case "rank":
    case "dense-rank": {
      const name = item.function === "rank" ? "RANK()" : "DENSE_RANK()"
      return castAlways(`${name} ${over(item, { ties: "kept", frame: "" }, place)}`, to, dialect)
    }
    case "spread-place":
      return castAlways(spreadPlace(item, place), to, dialect)
    case "lag":
    case "lead":
      return `${item.function.toUpperCase()}(${shiftArguments(item, to, place)}) ${over(item, { ties: "broken", frame: "" }, place)}`
    case "first-value":
    case "last-value":
      return endValue(item, to, place)
    case "kaplan-meier":
    case "at-risk":
      return assertReleased()
    default: {
      assert(item.function !== "count-distinct", "no database counts distinct values over windows")
      const [argument] = item.args
      const call = aggregateCall({ function: item.function, argument }, to, place)
      // Rows of equal keys are one step of a RANGE frame: there is no choice to be made.
      const isRows = item.frame?.mode === "rows"
      const frame = item.frame === undefined ? "" : frameText(item.frame)
      const text = `${call} ${over(item, { ties: isRows ? "broken" : "kept", frame }, place)}`
      return isPlain(item.function) ? ownType(text, item.function, to, place) : text
    }
  }
}

/**
 * 1 + ((i s + h) mod n). There is a row, so n is not 0; i and s are below 2^40 and 2^22, and h below 2^32, so
 * 64 bits hold the sum.
 */
function spreadPlace(item: WindowItem, place: WindowPlace): string {
  const [step] = item.args
  assert(step?.kind === "literal" && step.value.kind === "number", "the step of a place is a constant")
  const { numerator, denominator } = step.value.value
  assert(denominator === 1n && numerator > 0n && numerator <= spreadMax, "a step is a small whole number")
  const hashed = keyedHash(item.partitionBy)
  const hash = place.spelling.secrets.hashNumber(hashOrder(hashed, place) ?? printExpr(hashed, place))
  const row = `ROW_NUMBER() ${over(item, { ties: "broken", frame: "" }, place)}`
  const all = `COUNT(*) ${over({ ...item, orderBy: [] }, { ties: "kept", frame: "" }, place)}`
  return `(1 + ((${row} - 1) * ${numerator} + ${hash}) % ${all})`
}

/** Where a window function stands: also, over which columns. */
export interface WindowPlace extends Place {
  readonly input: Rel
  /** The window functions that stand beside it. */
  readonly items: readonly WindowItem[]
}

/**
 * A window beside it whose partition and order keys are just the columns that rows are numbered within: rows
 * that are equal there are those that are equal here, so that one sort serves both. Only where these are all
 * columns: then such rows are the same, and it does not matter which comes first.
 */
function sameOrder(
  { partitionBy, orderBy }: WindowItem,
  { input, items }: WindowPlace,
): WindowItem | undefined {
  const within = new Set(partitionBy.flatMap(columnOf))
  if (orderBy.length > 0 || input.columns.some(({ id }) => !within.has(id))) return undefined
  return items.find((other) => {
    if (other.function !== "dense-rank" || other.partitionBy.length === 0) return false
    const keys = [...other.partitionBy, ...other.orderBy.map(({ value }) => value)]
    const plain = new Set(keys.flatMap(columnOf))
    return [...within].every((id) => plain.has(id)) && keys.every((key) => reads(key, within))
  })
}

function reads(expr: Expr, columns: ReadonlySet<ColumnId>): boolean {
  return [...columnsIn(expr)].every((id) => columns.has(id))
}

/** The number of a row among those with equal keys: how far it is behind the first of them. */
function placeAmongPeers(item: WindowItem, place: WindowPlace): string {
  const [row, first] = ["ROW_NUMBER()", "RANK()"].map(
    (name) => `${name} ${over(item, { ties: "kept", frame: "" }, place)}`,
  )
  return `(${row} - ${first} + 1)`
}

/** The value, how many rows away, and what stands in for a row that is not there. */
function shiftArguments({ args }: WindowItem, to: Domain, place: WindowPlace): string {
  const [value, offset, otherwise] = args
  assert(value !== undefined && args.length <= 3, "LAG and LEAD have one to three arguments")
  const parts = [typedValue(value, to, place)]
  if (offset !== undefined) {
    assert(
      offset.kind === "literal" && offset.value.kind === "number",
      "the offset of LAG and LEAD is a constant",
    )
    const { numerator, denominator } = offset.value.value
    assert(
      denominator === 1n && numerator >= 0n && numerator <= 1_000_000n,
      "the offset is a small whole number",
    )
    parts.push(`${numerator}`)
  }
  if (otherwise !== undefined) parts.push(printAs(otherwise, to, place))
  return parts.join(", ")
}

/** These functions take values of any type, and a bare text may be of none yet. */
function typedValue(value: Expr, to: Domain, place: WindowPlace): string {
  const text = printAs(value, to, place)
  const isBare = value.kind === "literal" && to.type.kind === "text"
  return isBare ? place.spelling.constants.typedText(text) : text
}

/**
 * FIRST_VALUE and LAST_VALUE look at one end of a frame. Where that end is the row itself, with RANGE it is
 * the first or last of the rows with equal keys: these are a partition of their own, ordered by all the rest.
 */
function endValue(item: WindowItem, to: Domain, place: WindowPlace): string {
  const [value] = item.args
  assert(value !== undefined && item.args.length === 1, "FIRST_VALUE and LAST_VALUE have one argument")
  const name = item.function === "first-value" ? "FIRST_VALUE" : "LAST_VALUE"
  const call = `${name}(${typedValue(value, to, place)})`
  if (item.frame?.mode === "rows")
    return `${call} ${over(item, { ties: "broken", frame: frameText(item.frame) }, place)}`
  const end =
    item.function === "first-value"
      ? (item.frame?.start.kind ?? "unbounded-preceding")
      : (item.frame?.end.kind ?? "current-row")
  const whole = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
  if (end !== "current-row") return `${call} ${over(item, { ties: "broken", frame: whole }, place)}`
  const peers = {
    ...item,
    partitionBy: [...item.partitionBy, ...item.orderBy.map(({ value: key }) => key)],
    orderBy: [],
  }
  return `${call} ${over(peers, { ties: "broken", frame: whole }, place)}`
}

interface Ordering {
  readonly ties: "broken" | "kept"
  readonly frame: string
}

function over({ partitionBy, orderBy }: WindowItem, { ties, frame }: Ordering, place: WindowPlace): string {
  const used = new Set([...partitionBy, ...orderBy.map(({ value }) => value)].flatMap(columnOf))
  const rest: readonly SortKey[] =
    ties === "kept" || tellsApart(place.input, used)
      ? []
      : place.input.columns
          .filter(({ id }) => !used.has(id))
          .map(({ id, domain }) => ({
            value: { kind: "column", id, domain },
            direction: "ascending",
            nulls: "last",
          }))
  const keys = varying([...orderBy, ...rest])
  const parts = [
    ...(partitionBy.length === 0
      ? []
      : [`PARTITION BY ${partitionBy.map((key) => printExpr(key, place)).join(", ")}`]),
    ...(keys.length === 0 ? [] : [`ORDER BY ${printOrder(keys, place)}`]),
    ...(frame === "" ? [] : [frame]),
  ]
  return `OVER (${parts.join(" ")})`
}

/** Whether no two rows agree in these columns, because the rows are groups and these their keys. */
function tellsApart(rel: Rel, columns: ReadonlySet<ColumnId>): boolean {
  switch (rel.kind) {
    case "aggregate":
      return rel.keys.every((key) => columns.has(key))
    // A number means one thing: what is above has the groups' rows, or fewer, and their keys as they are.
    case "filter":
    case "project":
    case "window":
      return tellsApart(rel.input, columns)
    case "scan":
    case "values":
    case "join":
    case "mark":
    case "union":
    case "sort":
    case "boundary":
    case "released":
      return false
    default:
      return unreachable(rel)
  }
}

function columnOf(expr: Expr): readonly ColumnId[] {
  return expr.kind === "column" ? [expr.id] : []
}

/** Keys that are not constant. A constant orders nothing, and a bare number would be a column's place. */
export function varying(keys: readonly SortKey[]): readonly SortKey[] {
  return keys.filter(({ value }) => value.kind !== "literal")
}

/** Keys of an order. NULLs are always told where to go, texts go by code points. */
export function printOrder(keys: readonly SortKey[], place: Place): string {
  const dialect = place.spelling
  return keys
    .map(({ value, direction, nulls }) => {
      const hash = value.kind === "keyed-hash" ? hashOrder(value, place) : undefined
      const text = hash ?? ordered(printExpr(value, place), value.domain.type, dialect)
      return `${text} ${direction === "ascending" ? "ASC" : "DESC"} NULLS ${nulls === "first" ? "FIRST" : "LAST"}`
    })
    .join(", ")
}

/** DuckDB's COUNT(*) is negative in a frame that ends before it starts, so none is written. */
function frameText(frame: Frame): string {
  assert(isInOrder(frame), "a frame ends no earlier than it starts")
  const { mode, start, end } = frame
  return `${mode === "rows" ? "ROWS" : "RANGE"} BETWEEN ${boundText(start, mode)} AND ${boundText(end, mode)}`
}

function boundText(bound: FrameBound, mode: Frame["mode"]): string {
  switch (bound.kind) {
    case "unbounded-preceding":
      return "UNBOUNDED PRECEDING"
    case "unbounded-following":
      return "UNBOUNDED FOLLOWING"
    case "current-row":
      return "CURRENT ROW"
    case "preceding":
    case "following":
      assert(
        mode === "rows" && bound.offset >= 0n && bound.offset < 2n ** 31n,
        "an offset is a number of rows",
      )
      return `${bound.offset} ${bound.kind === "preceding" ? "PRECEDING" : "FOLLOWING"}`
    default:
      return unreachable(bound)
  }
}

/** A NULL of the type that a column has. */
export function nullOf(to: Domain, dialect: DialectSpelling): string {
  return coerce("NULL", { from: literalDomain({ kind: "null" }, { kind: "null" }), to }, dialect)
}
