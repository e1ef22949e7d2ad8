// Bytes that are no text. DuckDB stops where a Parquet file holds bytes in a column of texts that are no
// UTF-8: no expression can catch that, since it happens while the file is read.

import { writeName } from "@dosimeter/proof/spell/literal"
import type { CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { fail } from "../../errors.ts"
import type { OpenDuckDB } from "./open-duckdb.ts"
import type { DuckDBSource } from "./source-files.ts"

/** The columns whose texts cannot be read. DuckDB's own files hold none. */
export async function unreadableTexts(
  opened: OpenDuckDB,
  { kind }: DuckDBSource,
  { table, columns }: { readonly table: CatalogTable; readonly columns: readonly CatalogColumn[] },
): Promise<readonly CatalogColumn[]> {
  if (kind === "duckdb" || columns.length === 0 || (await canBeRead(opened, table, columns))) return []
  const broken: CatalogColumn[] = []
  for (const column of columns) if (!(await canBeRead(opened, table, [column]))) broken.push(column)
  return broken.length === 0 ? fail("dataset/unreadable", { file: table.name, format: kind }) : broken
}

async function canBeRead(
  { connection }: OpenDuckDB,
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
