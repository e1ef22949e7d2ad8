// Patterns of LIKE, taken apart once, so that they can be written for each database in a form that is never
// an error.

import type { Constant } from "../constant.ts"

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
