// Whether a remedy is something to type, and not a sentence.

const signs = [
  /\b(SELECT|GROUP BY|WHERE|FROM|CLAMP|SET|CAST|COUNT|SUM|AVG|DISTINCT)\b/,
  /\bdosimeter [a-z]|--[a-z]/,
  /[\w"]+\([^)]*\)|^\w+:\s|[{}=]/,
]

/** Whether a text is SQL, a command or a line of a policy. */
export function isCode(text: string): boolean {
  return signs.some((sign) => sign.test(text))
}
