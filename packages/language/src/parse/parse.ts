// Text -> Statement: what can be said about a query before any table is known.

import { fail } from "../errors.ts"
import { sourceText, utf8Length, type SourceText } from "../text/source.ts"
import type { Statement } from "./ast.ts"
import { fromPg } from "./from-pg.ts"
import type { Grammar } from "./grammar.ts"
import type { Tokens } from "./tokens.ts"

/** The longest SQL that is looked at, in bytes of UTF-8. */
export const sqlLengthMax = 100_000
/** The longest name, in bytes: PostgreSQL cuts longer ones, so that two names may become one. */
const nameLengthMax = 63

/**
 * Parses one statement. Throws a DosimeterError for everything else: text that is no SQL (`sql/syntax`), SQL
 * that is no query, and what a query may hold that we have no proof for (`sql/unsupported-syntax`).
 */
export function parse(sql: string | SourceText, grammar: Grammar): Statement {
  const text = typeof sql === "string" ? sql : sql.text
  // A UTF-16 unit is at least one byte: the cheap test comes before anything that walks the text.
  const bytes = text.length > sqlLengthMax ? text.length : utf8Length(text)
  if (bytes > sqlLengthMax) {
    fail("sql/too-long", { got: String(bytes), limit: String(sqlLengthMax) })
  }
  checkCharacters(text)
  const source = typeof sql === "string" ? sourceText(sql) : sql
  const parsed = grammar.parse(source)
  checkNames(parsed.tokens, text)
  return fromPg(parsed, source)
}

/**
 * A NUL would end the text early in the grammar, and half of a surrogate pair would become another character:
 * in both cases something else would be parsed than what was sent.
 */
function checkCharacters(text: string): void {
  const found = /\0|\p{Surrogate}/u.exec(text)
  if (found === null) return
  const character = found[0] === "\0" ? "a NUL character" : "half of a surrogate pair"
  fail("sql/bad-character", { character }, { start: found.index, end: found.index + 1 })
}

function checkNames({ list }: Tokens, text: string): void {
  for (const { type, start, end } of list) {
    if (type !== "name" || end - start <= nameLengthMax / 3) continue
    const written = text
      .slice(start, end)
      .replace(/^"([^]*)"$/, (_, inner: string) => inner.replaceAll('""', '"'))
    const bytes = utf8Length(written)
    if (bytes > nameLengthMax) {
      fail("sql/name-too-long", { got: String(bytes), limit: String(nameLengthMax) }, { start, end })
    }
  }
}
