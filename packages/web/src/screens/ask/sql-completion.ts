// Completion while a question is typed: columns of the tables that it names, tables, and keywords of SQL.

import type { KnownTable } from "../../workers/price.ts"

/** One suggestion. */
export interface Suggestion {
  readonly label: string
  readonly type: "property" | "class" | "keyword"
  readonly detail?: string
  /** Suggestions with a higher number come first. */
  readonly boost: number
}

/** The suggestions at a position, and the start of the word that they replace. */
export interface Suggestions {
  readonly from: number
  readonly options: readonly Suggestion[]
}

const words =
  "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT JOIN LEFT ON USING AS AND OR NOT IN IS NULL BETWEEN LIKE CASE WHEN THEN ELSE END DISTINCT ASC DESC WITH FILTER OVER PARTITION ROLLUP CUBE COUNT SUM AVG MEDIAN STDDEV VARIANCE CLAMP COALESCE CAST EXTRACT DATE_TRUNC ROUND TRUE FALSE INTERVAL DATE EXPLAIN".split(
    " ",
  )

const placeOfWord = /([A-Za-z_]\w*)?$/
const qualifier = /([A-Za-z_]\w*)\.([A-Za-z_]\w*)?$/

/**
 * The suggestions at the cursor. Undefined inside strings and comments, and without the beginning of a word
 * before the cursor unless suggestions were asked for.
 */
export function suggestionsAt(
  text: string,
  cursor: number,
  tables: readonly KnownTable[],
  isAsked = false,
): Suggestions | undefined {
  const before = text.slice(0, cursor)
  if (isQuoted(before)) return undefined
  const scope = tablesIn(withoutQuotes(text), tables)
  const qualified = qualifier.exec(before)
  if (qualified !== null) {
    const [, name = "", word = ""] = qualified
    const table = scope.find(({ names }) => names.includes(name.toLowerCase()))?.table
    const known = table ?? tables.find((one) => one.name.toLowerCase() === name.toLowerCase())
    return known === undefined ? undefined : { from: cursor - word.length, options: columnsOf([known], 3) }
  }
  const word = placeOfWord.exec(before)?.[1] ?? ""
  if (word === "" && !isAsked) return undefined
  const isTable = /\b(from|join)\s+\w*$/i.test(before)
  const named = scope.map(({ table }) => table)
  const columns = isTable ? [] : columnsOf(named.length === 0 ? tables : named, named.length === 0 ? 0 : 3)
  const options: readonly Suggestion[] = [
    ...columns,
    ...tables.map(({ name, kind }) => ({
      label: name,
      type: "class" as const,
      detail: kind,
      boost: isTable ? 3 : 1,
    })),
    ...words.map((label) => ({ label, type: "keyword" as const, boost: -1 })),
  ]
  return { from: cursor - word.length, options }
}

interface InScope {
  readonly table: KnownTable
  /** Its name and its alias, in lower case. */
  readonly names: readonly string[]
}

/** The tables that a question names after FROM and JOIN. */
function tablesIn(text: string, tables: readonly KnownTable[]): readonly InScope[] {
  const places = text.matchAll(/(?:\b(?:from|join)\s+|,\s*)([a-z_][\w.]*)(?:\s+(?:as\s+)?([a-z_]\w*))?/gi)
  return [...places].flatMap(([, path = "", alias = ""]) => {
    const name = path.split(".").at(-1)?.toLowerCase()
    const table = tables.find((one) => one.name.toLowerCase() === name)
    return table === undefined ? [] : [{ table, names: [table.name.toLowerCase(), alias.toLowerCase()] }]
  })
}

/** The columns of some tables, each name once. */
function columnsOf(tables: readonly KnownTable[], boost: number): readonly Suggestion[] {
  const found = new Map<string, Suggestion>()
  for (const { columns } of tables) {
    for (const { name, type } of columns) {
      if (!found.has(name)) found.set(name, { label: name, type: "property", detail: type, boost })
    }
  }
  return [...found.values()]
}

function isQuoted(before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1)
  return before.split("'").length % 2 === 0 || line.includes("--")
}

function withoutQuotes(text: string): string {
  return text.replaceAll(/'[^']*'/g, "''").replaceAll(/--.*$/gm, "")
}
