// Patterns of LIKE, taken apart once, so that they can be written for each database in a form that is never
// an error.

import type { Constant } from "../catalog/constant.ts"

/** One piece of a pattern: any text, any character, or a character itself. */
export type LikeToken =
  | { readonly kind: "any-text" }
  | { readonly kind: "any-character" }
  | { readonly kind: "character"; readonly value: string }

/** The pieces of a pattern as PostgreSQL reads it; "null" if the pattern or its escape is NULL. */
export function likePattern(
  pattern: Constant | undefined,
  escape: Constant | undefined,
): readonly LikeToken[] | "null" | "malformed" {
  if (pattern?.kind === "null" || escape?.kind === "null") return "null"
  if (pattern?.kind !== "text" || (escape !== undefined && escape.kind !== "text")) return "malformed"
  const escaping = escape === undefined ? "\\" : escape.value
  if (Array.from(escaping).length > 1) return "malformed"
  const tokens: LikeToken[] = []
  let isEscaped = false
  for (const value of pattern.value) {
    if (isEscaped) {
      tokens.push({ kind: "character", value })
      isEscaped = false
    } else if (value === escaping) isEscaped = true
    else if (value === "%") tokens.push({ kind: "any-text" })
    else if (value === "_") tokens.push({ kind: "any-character" })
    else tokens.push({ kind: "character", value })
  }
  return isEscaped ? "malformed" : tokens
}

/** A pattern with the escape character `\`, which stands only where it must. */
export function writePattern(tokens: readonly LikeToken[]): string {
  return tokens
    .map((token) => {
      if (token.kind === "any-text") return "%"
      if (token.kind === "any-character") return "_"
      return ["%", "_", "\\"].includes(token.value) ? `\\${token.value}` : token.value
    })
    .join("")
}

/**
 * The most pieces of a pattern, and the most `_` in one with several `%`: an automaton for it may have as many
 * states as there are sets of them.
 */
export const patternMax = { pieces: 1000, anyCharacters: 8 } as const

/**
 * Whether `%` has to be tried at many places for each of its places: somewhere before the end there is a
 * second one. A database that goes back and forth takes time that grows with a power of the text's length.
 */
export function goesBack(tokens: readonly LikeToken[]): boolean {
  const isStar = (index: number): boolean => tokens[index]?.kind === "any-text"
  const starts = tokens.flatMap((_, index) => (isStar(index) && !isStar(index - 1) ? [index] : []))
  const [, second] = starts
  return second !== undefined && tokens.slice(second).some(({ kind }) => kind !== "any-text")
}

/** Whether a pattern takes longer than its text is worth: the work for a text is its length times this. */
export function isTooLong(tokens: readonly LikeToken[]): boolean {
  const any = tokens.filter(({ kind }) => kind === "any-character").length
  return tokens.length > patternMax.pieces || (goesBack(tokens) && any > patternMax.anyCharacters)
}

/** The characters, `.` and `.*` of a regular expression, apart: characters are to be escaped. */
export function expressionParts(
  tokens: readonly LikeToken[],
): readonly { readonly kind: "characters" | "operators"; readonly text: string }[] {
  const parts: { kind: "characters" | "operators"; text: string }[] = []
  for (const token of tokens) {
    const kind = token.kind === "character" ? "characters" : "operators"
    const text = token.kind === "character" ? token.value : token.kind === "any-text" ? ".*" : "."
    const last = parts.at(-1)
    if (last?.kind === kind) last.text += text
    else parts.push({ kind, text })
  }
  return parts
}
