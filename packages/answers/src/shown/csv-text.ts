// A text as a cell of CSV, as RFC 4180 has it, which programs of tables open without running anything.

/** Quoted where it must be; what begins like a formula, and is no number, is a text for spreadsheets too. */
export function csvText(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)
  const safe = isFormula ? `'${text}` : text
  return /^$|[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
