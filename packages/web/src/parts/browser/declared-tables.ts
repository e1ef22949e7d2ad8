// What a dataset declares that values can be made of, or learnt from.

import type { Dataset } from "./session.tsx"

type Table = Dataset["tables"][number]

/** The tables of people with declared columns. */
export function tablesOf({ tables }: Dataset): readonly Table[] {
  return tables.filter((table) => table.kind === "private" && columnsOf(table).length > 0)
}

/** Declared columns that are neither ids nor keys. */
export function columnsOf({ columns, keys, unit }: Table): readonly string[] {
  const ids = new Set([...keys.flat(), ...(unit ?? "").split(" → ")])
  return columns
    .filter(({ name, type, min, max, values }) => {
      const isDeclared = values !== null || type === "boolean" || (min !== null && max !== null)
      return isDeclared && !type.startsWith("timestamp") && !ids.has(name)
    })
    .map(({ name }) => name)
}
