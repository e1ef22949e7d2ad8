// Calls of functions and aggregates with all that may follow them, ORDER BY, and windows.

import type { Span } from "@dosimeter/core"
import type { Call, Expression, Frame, FrameBound, OrderItem, Window, WindowName } from "./ast.ts"
import {
  bracketed,
  choose,
  cover,
  nameAt,
  open,
  refuse,
  refuseNode,
  refuseWord,
  spanOfIndex,
  tokenSpan,
  type Context,
} from "./from-pg-context.ts"
import { plainName } from "./from-pg-type.ts"
import { PgNode, type PgFields } from "./pg-node.ts"

/** A call with nothing but arguments: what COALESCE and its kin become. */
export function plainCall(name: string, args: readonly Expression[], at: Span): Call {
  return {
    kind: "call",
    name,
    argument: "list",
    args,
    values: "all",
    orderBy: [],
    orderPlace: "none",
    filter: undefined,
    over: undefined,
    at,
  }
}

/** Translates a call. */
export function callOf(context: Context, node: PgNode): Call {
  return open(context, node, (fields) => {
    const args = fields.nodes("args").map(context.expression)
    const at = callSpan(context, node.location, args)
    const name = plainName(fields.names("funcname"), { what: "a function of another schema", at })
    const syntax = choose(
      context,
      { "": "call", COERCE_EXPLICIT_CALL: "call", COERCE_SQL_SYNTAX: "special" },
      { word: fields.text("funcformat"), place: node.location },
    )
    if (syntax === "special" && name === "timezone" && args.length === 1) {
      refuseWord(context, { what: "AT LOCAL", remedy: "name the zone: AT TIME ZONE 'UTC'", word: "local" })
    }
    const star = fields.flag("agg_star")
    const distinct = fields.flag("agg_distinct")
    const orderBy = orderItems(context, fields.nodes("agg_order"))
    const within = fields.flag("agg_within_group")
    const filterNode = fields.node("agg_filter")
    const overNode = fields.part("over", "WindowDef")
    return {
      ...plainCall(name, args, at),
      argument: star ? "star" : "list",
      values: distinct ? "distinct" : "all",
      orderBy,
      orderPlace: within ? "within-group" : orderBy.length > 0 ? "arguments" : "none",
      filter: filterNode === undefined ? undefined : context.expression(filterNode),
      over: overNode === undefined ? undefined : overOf(context, overNode),
    }
  })
}

/** From the name, over the arguments, to the end of WITHIN GROUP, FILTER and OVER. */
function callSpan(context: Context, place: number, args: readonly Expression[]): Span {
  const { tokens } = context
  const spans = args.map(({ at }) => at)
  if (place < 0) return cover(context, spans)
  const first = tokens.indexFrom(place)
  let last = first
  while (tokens.word(last + 1) === ".") last += 2
  if (tokens.word(last + 1) !== "(") return cover(context, [tokenSpan(context, place), ...spans])
  last = tokens.partner(last + 1)
  for (;;) {
    const word = tokens.word(last + 1)
    const words = word === "within" ? 2 : word === "filter" || word === "over" ? 1 : 0
    if (words === 0) break
    const next = last + words + 1
    last = tokens.word(next) === "(" ? tokens.partner(next) : next
  }
  return { start: spanOfIndex(context, first).start, end: spanOfIndex(context, last).end }
}

const directions: Readonly<Record<string, OrderItem["direction"]>> = {
  "": "ascending",
  SORTBY_DEFAULT: "ascending",
  SORTBY_ASC: "ascending",
  SORTBY_DESC: "descending",
  // ORDER BY ... USING is refused: its operator is a field that no translator reads.
  SORTBY_USING: "ascending",
}

/** Translates ORDER BY; where nothing is said of NULLs, PostgreSQL's rule is written out. */
export function orderItems(context: Context, nodes: readonly PgNode[]): readonly OrderItem[] {
  return nodes.map((node) => {
    if (node.kind !== "SortBy") refuseNode(context, node)
    return open(context, node, (fields) => {
      const place = node.firstPlace
      const value = context.expression(fields.node("node") ?? PgNode.ofKind("", {}))
      const word = fields.text("sortby_dir")
      const direction = choose(context, directions, { word, place })
      const byDefault = direction === "ascending" ? "last" : "first"
      const nulls = choose<OrderItem["nulls"]>(
        context,
        {
          "": byDefault,
          SORTBY_NULLS_DEFAULT: byDefault,
          SORTBY_NULLS_FIRST: "first",
          SORTBY_NULLS_LAST: "last",
        },
        { word: fields.text("sortby_nulls"), place },
      )
      return { kind: "order-item", value, direction, nulls, at: orderSpan(context, value.at) }
    })
  })
}

const orderWords = new Set(["asc", "desc", "nulls", "first", "last"])

/** A value with the words after it: ASC, DESC, NULLS FIRST, NULLS LAST. */
function orderSpan(context: Context, value: Span): Span {
  const { tokens } = context
  let next = tokens.indexFrom(value.end)
  while (tokens.word(next) === ")") next += 1
  const isNulls = tokens.word(next) === "nulls" && ["first", "last"].includes(tokens.word(next + 1))
  if (!isNulls && !["asc", "desc"].includes(tokens.word(next))) return value
  while (orderWords.has(tokens.word(next + 1))) next += 1
  return cover(context, [value, spanOfIndex(context, next)])
}

/** OVER name, or OVER (...). */
function overOf(context: Context, node: PgNode): Window | WindowName {
  return open(context, node, (fields) => {
    if (!fields.has("name")) return windowOf(context, fields, node.location)
    const name = nameAt(context, fields.text("name"), context.tokens.indexFrom(node.location))
    // The parser fills in the default frame even for OVER w.
    if (fields.integer("frameOptions") !== frameDefault) refuseNode(context, node)
    return { kind: "window-name", name, at: name.at }
  })
}

/** What stands in the brackets of a window; `place` is that of the opening one. */
export function windowOf(context: Context, fields: PgFields, place: number): Window {
  const baseText = fields.text("refname")
  const bracket = context.tokens.indexFrom(place)
  const base = baseText === "" ? undefined : nameAt(context, baseText, bracket + 1)
  const partitionBy = fields.nodes("partitionClause").map(context.expression)
  const orderBy = orderItems(context, fields.nodes("orderClause"))
  const at = bracketed(context, place)
  const ends = [...partitionBy, ...orderBy].map((part) => part.at.end)
  const frame = frameOf(context, fields, { start: Math.max(place, ...ends.slice(-1)), end: at.end })
  return { kind: "window", base, partitionBy, orderBy, frame, at }
}

const frameDefault = 0x422
const frameBits = {
  given: 0x1,
  between: 0x10,
  modes: { 0x2: "range", 0x4: "rows", 0x8: "groups" },
  starts: {
    0x20: "unbounded-preceding",
    0x80: "unbounded-following",
    0x200: "current-row",
    0x800: "preceding",
    0x2000: "following",
  },
  ends: {
    0x40: "unbounded-preceding",
    0x100: "unbounded-following",
    0x400: "current-row",
    0x1000: "preceding",
    0x4000: "following",
  },
  exclusions: 0x8000 | 0x10000 | 0x20000,
} as const

/** The frame, from the bits of PostgreSQL's parsenodes.h; a bit that is not known is refused. */
function frameOf(context: Context, fields: PgFields, within: Span): Frame | undefined {
  const bits = fields.integer("frameOptions")
  const startNode = fields.node("startOffset")
  const endNode = fields.node("endOffset")
  const at = frameSpan(context, within)
  if ((bits & frameBits.exclusions) !== 0) {
    refuse({ what: "EXCLUDE in a window frame", remedy: "drop it, or subtract what is excluded" }, at)
  }
  if (bits === frameDefault && startNode === undefined && endNode === undefined) return undefined
  const mode = pick<Frame["mode"]>(frameBits.modes, bits)
  const start = pick<FrameBound["bound"]>(frameBits.starts, bits)
  const end = pick<FrameBound["bound"]>(frameBits.ends, bits)
  const rest = bits & ~(frameBits.given | frameBits.between)
  if (mode === undefined || start === undefined || end === undefined) return unknownFrame(at)
  if ((mode.bit | start.bit | end.bit) !== rest) return unknownFrame(at)
  return {
    kind: "frame",
    mode: mode.value,
    start: boundOf(context, start.value, { node: startNode, at }),
    end: boundOf(context, end.value, { node: endNode, at }),
    at,
  }
}

function unknownFrame(at: Span): never {
  return refuse({ what: "this window frame", remedy: "write ROWS BETWEEN ... AND ..." }, at)
}

/** The one entry of a table whose bit is set. */
function pick<T>(
  table: Readonly<Record<number, T>>,
  bits: number,
): { readonly bit: number; readonly value: T } | undefined {
  const found = Object.entries(table).filter(([bit]) => (bits & Number(bit)) !== 0)
  const [entry] = found
  return entry === undefined || found.length > 1 ? undefined : { bit: Number(entry[0]), value: entry[1] }
}

function boundOf(
  context: Context,
  bound: FrameBound["bound"],
  { node, at }: { readonly node: PgNode | undefined; readonly at: Span },
): FrameBound {
  const offset = node === undefined ? undefined : context.expression(node)
  const needsOffset = bound === "preceding" || bound === "following"
  if (needsOffset !== (offset !== undefined)) unknownFrame(at)
  return { kind: "frame-bound", bound, offset, at: offset?.at ?? at }
}

const frameWords = new Set(["rows", "range", "groups"])

/** From ROWS, RANGE or GROUPS to the closing bracket. */
function frameSpan(context: Context, within: Span): Span {
  const { tokens } = context
  let index = tokens.indexFrom(within.start)
  while (index < tokens.list.length && !frameWords.has(tokens.word(index))) {
    if (spanOfIndex(context, index).start >= within.end) return within
    index += 1
  }
  const last = tokens.indexFrom(within.end) - 2
  return { start: spanOfIndex(context, index).start, end: spanOfIndex(context, Math.max(index, last)).end }
}
