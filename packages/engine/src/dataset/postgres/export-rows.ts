// A table of a PostgreSQL as a file, for its owner's risk report alone: exact, and without a charge. Nothing
// that answers questions has a way to this file (tools/rules/import-policy.ts).

import { DosimeterError } from "@dosimeter/core"
import type { PostgresSource } from "@dosimeter/policy/file/policy"
import type { TableFacts } from "@dosimeter/policy/file/source-facts"
import { writeName } from "@dosimeter/proof/spell/literal"
import { closeSync, openSync, writeSync } from "node:fs"
import { errorOf, fail } from "../../errors.ts"
import { asking, connectionOf } from "./connect.ts"
import { discover, type Ask } from "./discover.ts"
import type { Sent } from "./read-value.ts"
import { Sessions } from "./sessions.ts"

/** So many rows are held at a time. */
const rowsAtOnce = 10_000

/** Which table, and where its rows go. */
export interface ExportOptions {
  /** Where relative paths of the source begin. */
  readonly folder: string
  /** With its schema or without; may be left out where there is one. */
  readonly table: string | undefined
  /** A new file, which the account of this process alone may read. */
  readonly to: string
}

/** What was written. */
export interface ExportedTable {
  /** With its schema. */
  readonly name: string
  readonly columns: TableFacts["columns"]
}

/**
 * Writes all rows as CSV without a head, as they are at one moment: texts in quotes, and nothing between two
 * commas for NULL.
 */
export async function exportRows(
  source: PostgresSource,
  { folder, table, to }: ExportOptions,
): Promise<ExportedTable> {
  const sessions = new Sessions(connectionOf(source, folder))
  try {
    return await asking(sessions)(async (ask) => {
      const { tables } = await discover(ask, source.schemas)
      const found = tableNamed(tables, table)
      // Made anew if the server gave the transaction up half way.
      const file = openSync(to, "w", 0o600)
      try {
        for await (const rows of rowsOf(ask, found)) write(file, rows.map(lineOf).join(""))
      } finally {
        closeSync(file)
      }
      return { name: shownName(found), columns: found.columns }
    })
  } catch (error) {
    // What speaks of a charge elsewhere: here is none.
    throw error instanceof DosimeterError && error.code === "backend/failed"
      ? errorOf("risk/failed", {})
      : error
  } finally {
    sessions.close()
  }
}

/** A full disk says so without the path. */
function write(file: number, lines: string): void {
  try {
    writeSync(file, lines)
  } catch {
    fail("risk/failed", {})
  }
}

async function* rowsOf(
  ask: Ask,
  { path, columns }: TableFacts,
): AsyncGenerator<readonly (readonly Sent[])[]> {
  const names = columns.map(({ name }) => writeName(name)).join(", ")
  await ask(
    `DECLARE exported NO SCROLL CURSOR FOR SELECT ${names} FROM ${path.map((part) => writeName(part)).join(".")}`,
    [],
  )
  for (;;) {
    const rows = await ask(`FETCH ${rowsAtOnce} FROM exported`, [])
    if (rows.length === 0) return
    yield rows
  }
}

function tableNamed(tables: readonly TableFacts[], wanted: string | undefined): TableFacts {
  const names = tables.map(shownName).join(", ")
  const fitting =
    wanted === undefined ? tables : tables.filter((one) => [one.name, shownName(one)].includes(wanted))
  const [found, another] = fitting
  if (found !== undefined && another === undefined && found.columns.length > 0) return found
  return wanted === undefined || another !== undefined
    ? fail("risk/which-table", { tables: names })
    : fail("risk/no-table", { table: wanted, tables: names })
}

function shownName({ path }: TableFacts): string {
  return path.join(".")
}

function lineOf(row: readonly Sent[]): string {
  return `${row.map((value) => (value === null ? "" : `"${value.replaceAll('"', '""')}"`)).join(",")}\n`
}
