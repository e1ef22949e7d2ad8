// The table of a report, and a second file beside it: found by name, read before the door is shut.

import type { Source } from "@dosimeter/policy/file/policy"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { ExactRows } from "../../dataset/duckdb/exact-rows.ts"
import type { DuckDBSource } from "../../dataset/duckdb/source-files.ts"
import { fail } from "../../errors.ts"
import type { Cells } from "./cells.ts"
import { namedColumn } from "./choose-columns.ts"
import type { RiskColumn } from "./column-profiles.ts"
import { commonColumns, linkWith, type SecondFile } from "./linkage.ts"
import type { Linkage } from "./risk-report.ts"

/** A second file, and columns of it by the names of quasi-identifiers that say the same. */
export interface LinkOptions {
  readonly source: Source
  readonly folder: string
  readonly on: Readonly<Record<string, string>>
}

/** A source of files; tables of a PostgreSQL are copied before. */
export function fileSource(source: Source): DuckDBSource {
  if (source.kind === "postgres" || source.kind === "trino") fail("risk/other-source", { kind: source.kind })
  return source
}

/** A table by its name; the only one, if there is one. */
export function tableOf(
  tables: ReadonlyMap<string, string>,
  wanted: string | undefined,
): { readonly name: string; readonly from: string } {
  const names = [...tables.keys()]
  const found = wanted ?? (names.length === 1 ? names[0] : undefined)
  if (found === undefined) fail("risk/which-table", { tables: names.join(", ") })
  const from = tables.get(found)
  if (from === undefined) fail("risk/no-table", { table: found, tables: names.join(", ") })
  return { name: found, from }
}

/** Columns of a table, a call that reads a file, or the like. */
export async function columnsOf(rows: ExactRows, from: string): Promise<readonly RiskColumn[]> {
  const found = await rows.ask(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${from})`)
  return found.map(([name, type]) => ({ name: `${name ?? ""}`, type: `${type ?? ""}` }))
}

/** A second file that was read. */
export type Second = Omit<SecondFile, "on"> & {
  readonly columns: readonly string[]
  readonly pairs: Readonly<Record<string, string>>
}

/**
 * Read before the door is shut, for it is another file. A database is open by then, and is read behind the
 * door: whoever made it may have put a view into it, of any file here.
 */
export async function secondFile(
  rows: ExactRows,
  link: LinkOptions | undefined,
): Promise<Second | undefined> {
  if (link === undefined) return undefined
  const source = fileSource(link.source)
  const { name, from } = tableOf(await rows.besides(source, link.folder), undefined)
  if (source.kind === "duckdb") await rows.shut()
  const columns = (await columnsOf(rows, from)).map((column) => column.name)
  await rows.ask(
    `CREATE TEMP TABLE second AS SELECT ${columns.map((column) => writeName(column)).join(", ")} FROM ${from}`,
  )
  return { name, from: "second", columns, pairs: link.on }
}

/** What the second file adds. */
export async function linked(cells: Cells, { columns, pairs, ...file }: Second): Promise<Linkage> {
  const quasi = cells.columns.quasi.map(({ name }) => name)
  for (const [own, theirs] of Object.entries(pairs)) {
    namedColumn({ table: "the table", columns: quasi }, own)
    namedColumn({ table: file.name, columns }, theirs)
  }
  const on = commonColumns(quasi, columns, pairs)
  if (on.length === 0) fail("risk/no-common-columns", { file: file.name, quasi: quasi.join(", ") })
  return linkWith(cells, { ...file, on })
}
