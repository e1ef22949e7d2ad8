// Statements in a text: where one ends, whether there is one, its parameters, its first word.

import { piecesOf, type Piece } from "./scan.ts"

/** The longest text that any door takes for one question, in characters. */
export const questionLengthMax = 60_000

/** The most parameters that any door takes for one question. */
export const parametersMax = 100

/** A statement without the space around it, and where it stands in the text. */
export interface SplitStatement {
  readonly sql: string
  readonly start: number
}

/** The statements that a semicolon ends, and what is left of the text. */
export function splitStatements(text: string): {
  readonly statements: readonly string[]
  readonly rest: string
} {
  const { statements, rest } = locateStatements(text)
  return { statements: statements.map(({ sql }) => sql), rest }
}

/** As splitStatements, with the places. */
export function locateStatements(text: string): {
  readonly statements: readonly SplitStatement[]
  readonly rest: string
} {
  const statements: SplitStatement[] = []
  let start = 0
  let [first, last] = [-1, -1]
  let hasWord = false
  for (const piece of piecesOf(text)) {
    const isEnd = isMark(text, piece, ";")
    if (isEnd) {
      if (hasWord) statements.push({ sql: text.slice(first, last), start: first })
      start = piece.end
      first = -1
      hasWord = false
    } else if (piece.kind !== "space") {
      if (first < 0) first = piece.start
      last = piece.end
      hasWord ||= piece.kind !== "comment"
    }
  }
  return { statements, rest: text.slice(start) }
}

/** Whether there is more in a text than space and comments. */
export function hasWords(text: string): boolean {
  for (const { kind } of piecesOf(text)) if (kind !== "space" && kind !== "comment") return true
  return false
}

/** A statement on one line: comments go, spaces shrink, strings and names stay as they are. */
export function onOneLine(text: string): string {
  const parts: string[] = []
  let isSpace = true
  for (const { kind, start, end } of piecesOf(text)) {
    if (kind !== "space" && kind !== "comment") {
      parts.push(text.slice(start, end))
      isSpace = false
    } else if (!isSpace) {
      parts.push(" ")
      isSpace = true
    }
  }
  return parts.join("").replaceAll("\n", " ").trim()
}

/** The first word of a statement in lower case; empty if it begins with something else. */
export function firstWord(text: string): string {
  for (const { kind, start, end } of piecesOf(text)) {
    if (kind === "space" || kind === "comment") continue
    return kind === "word" ? text.slice(start, end).toLowerCase() : ""
  }
  return ""
}

/** How many parameters a statement has: the highest $n outside strings, names and comments. */
export function parameterCount(text: string): number {
  let most = 0
  for (const { kind, start, end } of piecesOf(text)) {
    if (kind === "parameter") most = Math.max(most, Number(text.slice(start + 1, end)))
  }
  return most
}

function isMark(text: string, { kind, start }: Piece, mark: string): boolean {
  return kind === "mark" && text[start] === mark
}
