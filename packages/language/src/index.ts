// The main door of @dosimeter/language: from SQL text to a statement, and errors with their place in it.
// Packages of this repository import files by name instead, so that nobody loads more than is used.

export { languageErrors } from "./errors.ts"
export { loadGrammar, type Grammar, type GrammarLocation } from "./parse/grammar.ts"
export { parse, sqlLengthMax } from "./parse/parse.ts"
export { show } from "./parse/show.ts"
export type { ExplainStatement, QueryStatement, Statement } from "./parse/ast.ts"
export { bind } from "./bind/bind.ts"
export { drawError, drawIssue } from "./text/caret.ts"
export { sourceText, type Position, type SourceText } from "./text/source.ts"
