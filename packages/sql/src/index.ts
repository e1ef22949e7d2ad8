// The public names of @dosimeter/sql.

export { sqlErrors, type SqlErrorCode } from "./errors.ts"
export type * from "./parse/ast.ts"
export { loadGrammar, type Grammar, type GrammarLocation } from "./parse/grammar.ts"
export { parse, sqlLengthMax } from "./parse/parse.ts"
export { show } from "./parse/show.ts"
export { drawError, drawIssue } from "./text/caret.ts"
export { sourceText, type Position, type SourceText } from "./text/source.ts"
