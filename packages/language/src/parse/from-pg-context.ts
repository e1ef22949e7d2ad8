// What every translator of the grammar's tree needs: the text, its tokens, the way back to queries and
// expressions (they hold each other), refusals, and the spans that the tree does not record.

import type { Span } from "@dosimeter/core"
import { fail } from "../errors.ts"
import type { SourceText } from "../text/source.ts"
import type { Expression, Name, Query } from "./ast.ts"
import type { PgFields, PgNode } from "./pg-node.ts"
import type { Tokens } from "./tokens.ts"
import { unsupportedFields, unsupportedNodes, type Unsupported } from "./unsupported.ts"

/** Handed through the translation. */
export interface Context {
  readonly source: SourceText
  readonly tokens: Tokens
  readonly expression: (node: PgNode) => Expression
  readonly query: (node: PgNode) => Query
}

/** Reads a node; whatever `body` leaves in it is refused. */
export function open<T>(context: Context, node: PgNode, body: (fields: PgFields) => T): T {
  return node.read((field, place) => refuseField(context, { node, field, place }), body)
}

/** Refuses a piece of syntax with its place. */
export function refuse({ what, remedy }: Unsupported, at: Span): never {
  return fail("sql/unsupported-syntax", { what, remedy }, at)
}

/** Refuses a piece of syntax at the last place of its keyword. */
export function refuseWord(context: Context, words: Unsupported): never {
  return refuse(words, placeOf(context, words, 0))
}

/** Refuses a node that has no translation, under the best name for it. */
export function refuseNode(context: Context, node: PgNode): never {
  const words = unsupportedNodes[node.kind] ?? unnamed(node.kind === "" ? "an empty node" : node.kind)
  return refuse(words, placeOf(context, words, node.firstPlace))
}

function refuseField(
  context: Context,
  { node, field, place }: { readonly node: PgNode; readonly field: string; readonly place: number },
): never {
  const words = unsupportedFields[`${node.kind}.${field}`] ?? unnamed(`${node.kind}.${field}`)
  return refuse(words, placeOf(context, words, place < 0 ? node.firstPlace : place))
}

function unnamed(name: string): Unsupported {
  return {
    what: `this syntax (${name} of the PostgreSQL grammar)`,
    remedy: "write the query without it, or ask us to support it",
  }
}

/** The last place of the keyword that marks the syntax, or else the place that the tree gives. */
function placeOf({ tokens, source }: Context, { word }: Unsupported, place: number): Span {
  const marked = word === undefined ? undefined : tokens.list.findLast((token) => token.word === word)
  const token = marked ?? tokens.list[tokens.indexFrom(Math.max(0, place))]
  return token === undefined ? { start: 0, end: source.text.length } : { start: token.start, end: token.end }
}

/** The value that a table gives for a word of the grammar; a word that it does not have is refused. */
export function choose<T>(
  context: Context,
  table: Readonly<Record<string, T>>,
  choice: { readonly word: string; readonly place: number },
): T {
  const value = Object.hasOwn(table, choice.word) ? table[choice.word] : undefined
  return value ?? refuse(unnamed(choice.word), placeOf(context, unnamed(""), choice.place))
}

/** The span of the token at a place. */
export function tokenSpan({ tokens }: Context, place: number): Span {
  const token = tokens.list[tokens.indexFrom(Math.max(0, place))]
  return token === undefined
    ? { start: Math.max(0, place), end: Math.max(0, place) }
    : { start: token.start, end: token.end }
}

/** The span of the token with an index; an empty one at the end if there is none. */
export function spanOfIndex({ tokens, source }: Context, index: number): Span {
  const { start, end } = tokens.list[index] ?? { start: source.text.length, end: source.text.length }
  return { start, end }
}

/** Where the grammar made a node up (the 1 of FETCH FIRST ROW ONLY), it stands nowhere: an empty span. */
export const nowhere: Span = { start: 0, end: 0 }

/** From the first to the last of some spans, with whole pairs of brackets; empty ones do not count. */
export function cover({ tokens }: Context, spans: readonly (Span | undefined)[]): Span {
  let start = Infinity
  let end = 0
  for (const span of spans) {
    if (span === undefined || span.end <= span.start) continue
    start = Math.min(start, span.start)
    end = Math.max(end, span.end)
  }
  return tokens.balanced(start === Infinity ? nowhere : { start, end })
}

/** The span from the token at a place to what closes the first bracket (or CASE) at or after it. */
export function bracketed(context: Context, place: number): Span {
  const { tokens } = context
  const first = tokens.indexFrom(Math.max(0, place))
  let index = first
  while (index < tokens.list.length && tokens.partner(index) <= index) index += 1
  const last = tokens.partner(index)
  return { start: spanOfIndex(context, first).start, end: spanOfIndex(context, last).end }
}

/**
 * A query in brackets, and the span of the brackets. The words at the end of a query (ASC, ONLY, ALL) are
 * not in the tree, so that its end is where the bracket closes.
 */
export function queryInBrackets(
  context: Context,
  node: PgNode,
): { readonly query: Query; readonly at: Span } {
  const { tokens } = context
  const query = context.query(node)
  let open = tokens.indexFrom(query.at.start) - 1
  let close = tokens.partner(open)
  if (tokens.word(open) !== "(" || spanOfIndex(context, close).start < query.at.end) {
    return { query, at: query.at }
  }
  const inside = { start: query.at.start, end: spanOfIndex(context, close - 1).end }
  while (tokens.word(open - 1) === "(" && tokens.partner(open - 1) === close + 1) {
    open -= 1
    close += 1
  }
  const at = { start: spanOfIndex(context, open).start, end: spanOfIndex(context, close).end }
  return { query: { ...query, at: inside }, at }
}

/** The names of a path such as schema.table, whose first token stands at a place. */
export function pathAt(context: Context, texts: readonly string[], place: number): readonly Name[] {
  const first = context.tokens.indexFrom(Math.max(0, place))
  return texts.map((text, index) => nameAt(context, text, first + 2 * index))
}

/** A name at the token with an index. */
export function nameAt(context: Context, text: string, index: number): Name {
  return { kind: "name", text, at: spanOfIndex(context, index) }
}

/** The index of the name that follows an item: after closing brackets and AS. */
export function aliasIndex({ tokens }: Context, end: number): number {
  let index = tokens.indexFrom(end)
  while (tokens.word(index) === ")") index += 1
  return tokens.word(index) === "as" ? index + 1 : index
}

/** Names in brackets, separated by commas, where the bracket has an index. */
export function listedNames(context: Context, texts: readonly string[], bracket: number): readonly Name[] {
  return texts.map((text, index) => nameAt(context, text, bracket + 1 + 2 * index))
}

/** The start of the last of some keywords before a place, brackets that are closed by then left out. */
export function keywordBefore(context: Context, words: readonly string[], place: number): number {
  const { tokens } = context
  let index = tokens.indexFrom(place) - 1
  while (index >= 0 && !words.includes(tokens.word(index))) {
    index = Math.min(tokens.partner(index), index) - 1
  }
  return index < 0 ? place : spanOfIndex(context, index).start
}
