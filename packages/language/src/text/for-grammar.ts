// A text as the grammar may see it. Its lexer looks anew at a run of operator signs for each sign that it
// takes from it, and at a run of comment marks for each comment: a short text would take it minutes. So
// comments become spaces, at the same places, and no run of signs is longer than an operator can be. Only a
// comment keeps two strings apart where a line ends: with spaces for it they would be one to the grammar. No
// statement has two strings side by side, so this is refused.

import type { Span } from "@dosimeter/core"
import { piecesOf } from "./scan.ts"

/** The longest operator of PostgreSQL. */
const operatorMax = 63
const signs = new Set("~!@#^&|`?+-*/%<>=")

/** The same text with spaces for comments, or what is wrong with it. */
export type GrammarText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "wrong"; readonly reason: string; readonly at: Span }

/** Prepares a text; every character that is left stands where it stood. */
export function forGrammar(text: string): GrammarText {
  const parts: string[] = []
  let run = 0
  let isAfterString = false
  for (const { kind, start, end, isOpen } of piecesOf(text)) {
    const isSign = kind === "mark" && signs.has(text[start] ?? "")
    run = isSign ? run + 1 : 0
    if (run > operatorMax) return { kind: "wrong", reason: "an operator is too long", at: { start, end } }
    if (kind === "string" && isAfterString && text[start] === "'")
      return { kind: "wrong", reason: "syntax error: a string stands beside a string", at: { start, end } }
    if (kind !== "space" && kind !== "comment") isAfterString = kind === "string"
    if (kind !== "comment") parts.push(text.slice(start, end))
    else if (isOpen === true)
      return {
        kind: "wrong",
        reason: `unterminated /* comment at or near "${text.slice(start, start + 100)}"`,
        at: { start, end: start + 1 },
      }
    else parts.push(" ".repeat(end - start))
  }
  return { kind: "text", text: parts.join("") }
}
