// What the tables that a SELECT names are in the database, for the hash of a question that is no plan: the
// same SQL over others is another question.

import type { Name } from "@dosimeter/language/parse/ast"
import { parse } from "@dosimeter/language/parse/parse"
import type { CompileOptions } from "@dosimeter/planner/compile"

/** As plain data. A WITH query that has the name of a table makes no difference, or counts it in vain. */
export function tablesNamed(
  sql: string,
  { catalog, grammar }: Pick<CompileOptions, "catalog" | "grammar">,
): unknown {
  const named = new Set(namesOfTables(parse(sql, grammar).query).map((name) => name.toLowerCase()))
  return catalog.tables
    .filter(({ name }) => named.has(name.toLowerCase()))
    .map(({ name, path, unit, keys, columns }) => {
      const sources = columns.map((column) => [column.name, column.source])
      return { name, path, unit: { ...unit }, keys, sources }
    })
}

function namesOfTables(node: unknown): readonly string[] {
  if (typeof node !== "object" || node === null) return []
  const below = Object.values(node).flatMap(namesOfTables)
  if (!("kind" in node) || node.kind !== "table" || !("path" in node)) return below
  const path = Array.isArray(node.path) ? node.path.map((part: Partial<Name>) => part.text ?? "") : []
  return [path.join("."), path.at(-1) ?? "", ...below]
}
