// Where a statement ends: at a semicolon that is in no string, no quoted name and no comment.

/** The statements that are complete, and what is left of the text. */
export function splitStatements(text: string): {
  readonly statements: readonly string[]
  readonly rest: string
} {
  const statements: string[] = []
  let start = 0
  for (const { 0: found, index } of text.matchAll(pieces)) {
    if (found !== ";") continue
    const statement = text.slice(start, index)
    if (hasWords(statement)) statements.push(statement.trim())
    start = index + 1
  }
  return { statements, rest: text.slice(start) }
}

/** Whether there is more in a text than space and comments. */
export function hasWords(text: string): boolean {
  return text.replace(/--[^\n]*|\/\*[^]*?\*\//g, "").trim() !== ""
}

/** A statement on one line: comments go, spaces shrink, strings and names stay as they are. */
export function onOneLine(text: string): string {
  const shorter = text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|(?:\s|--[^\n]*|\/\*[^]*?\*\/)+/g, (piece) =>
    /^['"]/.test(piece) ? piece : " ",
  )
  return shorter.replaceAll("\n", " ").trim()
}

/** Strings, quoted names, comments (open ones reach to the end), and what is left: semicolons. */
const pieces = /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)|;/g
