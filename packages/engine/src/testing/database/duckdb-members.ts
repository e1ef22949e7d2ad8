// DuckDB as a member of the suite: over a file of its own, over Parquet files, and over CSV files.

import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api"
import { writeName } from "@dosimeter/proof/spell/literal"
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { duckdb } from "../../dataset/duckdb/duckdb-database.ts"
import type { DuckDBSource } from "../../dataset/duckdb/source-files.ts"
import type { Cell, CellType, MadeTable, Member } from "./member.ts"

/** All kinds of sources that DuckDB serves and that hold types. */
export const duckdbMembers: readonly Member[] = [
  memberOf("DuckDB over a file of its own", {
    source: { kind: "duckdb", file: "made.duckdb" },
    lacks: [],
    write: async (tables, folder) => {
      const file = join(folder, "made.duckdb")
      await inDuckDB(file, tables, async () => undefined)
      return ["made.duckdb"]
    },
  }),
  memberOf("DuckDB over Parquet files", {
    source: { kind: "parquet", globs: ["*.parquet"] },
    lacks: [],
    write: async (tables, folder) => {
      await inDuckDB(":memory:", tables, async (connection) => {
        for (const { name } of tables) {
          const path = join(folder, `${name}.parquet`).replaceAll("'", "''")
          await connection.run(`COPY ${writeName(name)} TO '${path}' (FORMAT parquet)`)
        }
      })
      return tables.map(({ name }) => `${name}.parquet`)
    },
  }),
  memberOf("DuckDB over CSV files", {
    source: { kind: "csv", globs: ["*.csv"] },
    lacks: ["empty texts", "NUL in texts", "empty tables"],
    write: async (tables, folder) => {
      for (const table of tables) writeFileSync(join(folder, `${table.name}.csv`), csvOf(table))
      return tables.map(({ name }) => `${name}.csv`)
    },
  }),
]

interface Kind {
  readonly source: DuckDBSource
  readonly lacks: Member["lacks"]
  /** Writes the files of the tables and gives their names. */
  readonly write: (tables: readonly MadeTable[], folder: string) => Promise<readonly string[]>
}

function memberOf(name: string, { source, lacks, write }: Kind): Member {
  return {
    name,
    lacks,
    make: async (tables) => {
      const folder = mkdtempSync(join(tmpdir(), "dosimeter-member-"))
      await write(tables, folder)
      return {
        database: duckdb(source),
        written:
          source.kind === "duckdb" ? `{ duckdb: ${source.file} }` : `{ ${source.kind}: "*.${source.kind}" }`,
        folder,
        named: writeName,
        // Written beside and renamed: nobody ever reads half of a file.
        replace: async (others) => {
          const next = join(folder, "next")
          mkdirSync(next)
          for (const file of await write(others, next)) renameSync(join(next, file), join(folder, file))
          rmSync(next, { recursive: true })
        },
        remove: async () => rmSync(folder, { recursive: true }),
      }
    },
  }
}

async function inDuckDB(
  file: string,
  tables: readonly MadeTable[],
  work: (connection: DuckDBConnection) => Promise<void>,
): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  for (const { name, columns, rows } of tables) {
    const types = columns.map(([column, type]) => `${writeName(column)} ${typeNames[type]}`)
    await connection.run(`CREATE TABLE ${writeName(name)} (${types.join(", ")})`)
    if (rows.length === 0) continue
    const values = rows.map((row) => `(${row.map((cell, at) => literal(cell, columns[at]?.[1])).join(", ")})`)
    await connection.run(`INSERT INTO ${writeName(name)} VALUES ${values.join(", ")}`)
  }
  await work(connection)
  connection.closeSync()
  instance.closeSync()
}

const typeNames: Readonly<Record<CellType, string>> = {
  integer: "BIGINT",
  float: "DOUBLE",
  text: "VARCHAR",
  date: "DATE",
  timestamp: "TIMESTAMP",
  boolean: "BOOLEAN",
}

function literal(cell: Cell, type: CellType | undefined): string {
  if (cell === null) return "NULL"
  if (typeof cell !== "string") return `${cell}`
  const text = `'${cell.replaceAll("'", "''").replaceAll("\0", "' || chr(0) || '")}'`
  return type === "text" ? text : `CAST(${text} AS ${typeNames[type ?? "text"]})`
}

function csvOf({ columns, rows }: MadeTable): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`
  const lines = rows.map((row) =>
    row.map((cell, at) => {
      if (cell === null) return ""
      return columns[at]?.[1] === "text" ? quoted(`${cell}`) : `${cell}`
    }),
  )
  return [columns.map(([name]) => quoted(name)), ...lines].map((line) => `${line.join(",")}\n`).join("")
}
