// Types as they are written: their name, the numbers in brackets, and where they end.

import type { Span } from "@dosimeter/core"
import type { TypeName } from "./ast.ts"
import { choose, nowhere, open, refuse, refuseNode, spanOfIndex, type Context } from "./from-pg-context.ts"
import type { PgNode } from "./pg-node.ts"

const catalog = "pg_catalog"

/** PostgreSQL's masks for the fields of an interval. */
const intervalFields: Readonly<Record<string, string>> = {
  4: "year",
  2: "month",
  8: "day",
  1024: "hour",
  2048: "minute",
  4096: "second",
  6: "year to month",
  1032: "day to hour",
  3080: "day to minute",
  7176: "day to second",
  3072: "hour to minute",
  7168: "hour to second",
  6144: "minute to second",
}

/** Translates a type. */
export function typeName(context: Context, node: PgNode): TypeName {
  return open(context, node, (fields) => {
    const at = typeSpan(context, node.location)
    const name = plainName(fields.names("names"), { what: "a type of another schema", at })
    if (fields.integer("typemod") !== -1) refuse({ what: "this type", remedy: "name another type" }, at)
    const modifiers = fields.nodes("typmods").map((item) => modifierOf(context, item, at))
    if (name !== "interval" || modifiers.length === 0) {
      return { kind: "type", name, modifiers, intervalFields: undefined, at }
    }
    if (modifiers.length > 1) {
      refuse({ what: "a precision of INTERVAL", remedy: "write INTERVAL without a number in brackets" }, at)
    }
    const word = String(modifiers[0])
    const fieldsText = choose(context, intervalFields, { word, place: node.location })
    return { kind: "type", name, modifiers: [], intervalFields: fieldsText, at }
  })
}

/** The last part of a path, if what comes before it is PostgreSQL's own schema or nothing. */
export function plainName(
  path: readonly string[] | undefined,
  otherwise: { readonly what: string; readonly at: Span },
): string {
  const [first, second, ...others] = path ?? []
  if (first !== undefined && second === undefined) return first
  if (first === catalog && second !== undefined && others.length === 0) return second
  return refuse({ what: otherwise.what, remedy: "use one of PostgreSQL's own" }, otherwise.at)
}

function modifierOf(context: Context, node: PgNode, at: Span): number {
  if (node.kind !== "A_Const") refuse({ what: "a modifier of a type", remedy: "write a number" }, at)
  return open(context, node, (fields) => {
    const part = fields.part("ival", "Integer")
    return part === undefined
      ? refuseNode(context, node)
      : open(context, part, (ival) => ival.integer("ival"))
  })
}

const secondWords: Readonly<Record<string, readonly string[]>> = {
  double: ["precision"],
  character: ["varying"],
  char: ["varying"],
  bit: ["varying"],
  national: ["character", "char", "varying"],
  nchar: ["varying"],
  interval: ["year", "month", "day", "hour", "minute", "second", "to"],
  timestamp: ["with", "without", "time", "zone"],
  time: ["with", "without", "time", "zone"],
}

/** From the first word of a type to its last, with numbers in brackets and array bounds. */
function typeSpan(context: Context, place: number): Span {
  const { tokens } = context
  if (place < 0) return nowhere
  const first = tokens.indexFrom(place)
  let last = first
  while (tokens.word(last + 1) === ".") last += 2
  const more = secondWords[tokens.word(first)] ?? []
  for (;;) {
    const word = tokens.word(last + 1)
    if (word === "(" || word === "[") last = tokens.partner(last + 1)
    else if (more.includes(word) && !(word === "with" && tokens.word(last + 2) !== "time")) last += 1
    else break
  }
  return { start: spanOfIndex(context, first).start, end: spanOfIndex(context, last).end }
}
