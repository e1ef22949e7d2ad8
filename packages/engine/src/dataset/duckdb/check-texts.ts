// Texts of files are looked at whenever a dataset is opened. DuckDB stops where a Parquet file holds bytes in
// a column of texts that are no UTF-8: no expression can catch that, since it happens while the file is read.
// A question would fail if one person's row is there, so such a column is refused by name before any.

import { DosimeterError, type Issue } from "@dosimeter/core"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Policy } from "@dosimeter/policy/file/policy"
import { errorOf, fail } from "../../errors.ts"
import type { OpenSource } from "./open-source.ts"

/** Refuses a dataset whose files hold texts that cannot be read. DuckDB's own files hold none. */
export async function checkTexts(opened: OpenSource, { catalog, source }: Policy): Promise<void> {
  if (source.kind === "duckdb") return
  const issues: Issue[] = []
  for (const table of catalog.tables) {
    const texts = table.columns.filter(
      (column) => isRead(column, table) && column.domain.type.kind === "text",
    )
    if (texts.length === 0 || (await canBeRead(opened, table, texts))) continue
    const broken: string[] = []
    for (const column of texts) if (!(await canBeRead(opened, table, [column]))) broken.push(column.name)
    if (broken.length === 0) fail("dataset/unreadable", { file: table.name, format: source.kind })
    issues.push(...errorOf("dataset/not-text", { table: table.name, columns: broken.join(", ") }).issues)
  }
  const [first, ...others] = issues
  if (first !== undefined) throw new DosimeterError("refused", [first, ...others])
}

// What names a unit or a row is read whether or not analysts may ask for it.
function isRead({ name, access }: CatalogColumn, { unit, keys }: CatalogTable): boolean {
  const path = unit.kind === "path" ? [unit.column, ...unit.hops.map(({ column }) => column)] : []
  return access === "allowed" || path.includes(name) || keys.some((key) => key.includes(name))
}

async function canBeRead(
  { connection }: OpenSource,
  { path }: CatalogTable,
  columns: readonly CatalogColumn[],
): Promise<boolean> {
  const sizes = columns.map(({ source }) => `max(strlen(CAST(${writeName(source)} AS VARCHAR)))`)
  // Nothing of the driver's message goes on: it quotes what it read.
  return connection.run(`SELECT ${sizes.join(", ")} FROM ${path.map(writeName).join(".")}`).then(
    () => true,
    () => false,
  )
}
