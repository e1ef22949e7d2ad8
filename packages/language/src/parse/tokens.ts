// The tokens of a text. The grammar's tree knows where a node begins; where it ends is read from the tokens:
// brackets and CASE ... END are matched here, and the depth of the tree is bounded before there is a tree.

import type { Span } from "@dosimeter/core"
import type { SourceText } from "../text/source.ts"

/** A token as the grammar's scanner gives it, in UTF-8 bytes. */
export interface RawToken {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly keywordKind: number
}

/** A token of the SQL; comments are none. */
export interface Token extends Span {
  /** A keyword in lower case, or the symbol; empty for names and constants. */
  readonly word: string
  readonly type: "keyword" | "name" | "constant" | "symbol"
}

/** All tokens of a text, in order. */
export interface Tokens {
  readonly list: readonly Token[]
  /** No node of the tree lies deeper than this; and the token where the bound is reached. */
  readonly depthBound: number
  readonly deepest: Span | undefined
  /** The index of the first token that starts at or after an offset. */
  indexFrom(offset: number): number
  /** The token that starts at an offset. */
  tokenAt(offset: number): Token | undefined
  /** For an opening bracket (or CASE) its closing one, for a closing one its opening; otherwise itself. */
  partner(index: number): number
  /** The words of tokens in a row, from an index on. */
  word(index: number): string
  /** The smallest span with whole pairs of brackets that holds a span. */
  balanced(span: Span): Span
}

/** Reads what the scanner found. */
export function tokensOf(raw: readonly RawToken[], source: SourceText): Tokens {
  const list = raw
    .filter(({ text }) => !text.startsWith("--") && !text.startsWith("/*"))
    .map((token): Token => {
      const type = typeOf(token)
      const word = type === "keyword" ? token.text.toLowerCase() : type === "symbol" ? token.text : ""
      return { start: source.fromByte(token.start), end: source.fromByte(token.end), word, type }
    })
  const partners = partnersOf(list)
  const { bound, deepest } = depthBoundOf(list)
  const indexFrom = (offset: number): number => firstFrom(list, offset)
  const tokenAt = (offset: number): Token | undefined => {
    const token = list[indexFrom(offset)]
    return token?.start === offset ? token : undefined
  }
  const partner = (index: number): number => partners[index] ?? index
  const balanced = (span: Span): Span => {
    let { start, end } = span
    for (let index = indexFrom(start); (list[index]?.start ?? Infinity) < end; index += 1) {
      const other = list[partner(index)]
      if (other !== undefined) {
        start = Math.min(start, other.start)
        end = Math.max(end, other.end)
      }
    }
    return { start, end }
  }
  const word = (index: number): string => list[index]?.word ?? ""
  return { list, depthBound: bound, deepest, indexFrom, tokenAt, partner, word, balanced }
}

function typeOf({ text, keywordKind }: RawToken): Token["type"] {
  if (keywordKind > 0) return "keyword"
  if (/^(\d|\.\d|\$|'|[ebxn]'|u&')/i.test(text)) return "constant"
  return /^[\p{L}\p{M}_"\u0080-\u{10ffff}]/u.test(text) ? "name" : "symbol"
}

const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", case: "end" }
const closing = new Set(Object.values(closers))

function partnersOf(list: readonly Token[]): Int32Array {
  const partners = Int32Array.from(list, (_, index) => index)
  const open: { readonly index: number; readonly closer: string }[] = []
  for (const [index, { word }] of list.entries()) {
    const closer = closers[word]
    if (closer !== undefined) open.push({ index, closer })
    else if (closing.has(word) && open.at(-1)?.closer === word) {
      const first = open.pop()?.index ?? index
      partners[first] = index
      partners[index] = first
    }
  }
  return partners
}

/** Words after which an expression begins anew: it is a sibling, not a child, of what came before. */
const restarts = new Set(
  ", or when then else select from where group having order limit offset window on using values by ;".split(
    " ",
  ),
)
/** Words that make the tree deeper to the left, however far apart they stand. */
const chains = new Set(["join", "union", "intersect", "except"])

/**
 * An upper bound of the depth of the tree. A node is as deep as the brackets around it, and in each of them
 * at most as deep as there are operators and keywords since the expression began. AND ends an expression,
 * unless it may belong to a BETWEEN.
 */
function depthBoundOf(list: readonly Token[]): {
  readonly bound: number
  readonly deepest: Span | undefined
} {
  const levels = [{ steps: 0, betweens: 0 }]
  let depth = 0
  let bound = 0
  let deepest: Span | undefined
  for (const token of list) {
    const { word } = token
    const level = levels.at(-1) ?? { steps: 0, betweens: 0 }
    const restart = restarts.has(word) || (word === "and" && level.betweens === 0)
    if (restart) {
      depth -= level.steps
      level.steps = 0
      level.betweens = 0
    } else if (closers[word] !== undefined) {
      levels.push({ steps: 0, betweens: 0 })
      depth += 1
    } else if (closing.has(word)) {
      if (levels.length > 1) depth -= (levels.pop()?.steps ?? 0) + 1
    } else if (chains.has(word)) {
      depth += 1 // Stays with the brackets around it, and with everything after them: a little too much.
    } else if (word !== "" && word !== ".") {
      level.steps += 1
      depth += 1
      if (word === "between") level.betweens += 1
      if (word === "and") level.betweens -= 1
    }
    if (depth > bound) {
      bound = depth
      deepest = token
    }
  }
  return { bound, deepest: deepest === undefined ? undefined : { start: deepest.start, end: deepest.end } }
}

function firstFrom(list: readonly Token[], offset: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.start ?? Infinity) < offset) low = middle + 1
    else high = middle
  }
  return low
}
