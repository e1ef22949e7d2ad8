// Trino as a member of the suite: over Iceberg tables of the server that DOSIMETER_TEST_TRINO names, each
// source in a schema of its own.

import type { TrinoSource } from "@dosimeter/policy/file/policy"
import { writeName } from "@dosimeter/proof/spell/literal"
import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { trinoAddress } from "../../dataset/trino/trino-address.ts"
import { TrinoClient } from "../../dataset/trino/trino-client.ts"
import { trino } from "../../dataset/trino/trino-database.ts"
import type { Cell, CellType, MadeTable, Member } from "./member.ts"

const catalog = "lake"

/** Iceberg tables of a Trino. */
export function trinoMember(url: string): Member {
  return {
    name: "Trino over Iceberg",
    lacks: ["upper case in names", "quotes in names of tables"],
    make: async (tables) => {
      const name = randomBytes(6).toString("hex")
      const [schema, own] = [`made_${name}`, `own_${name}`]
      const folder = mkdtempSync(join(tmpdir(), "dosimeter-member-"))
      const source: TrinoSource = {
        kind: "trino",
        url,
        catalog,
        schema,
        version: { by: "snapshots" },
        copies: [catalog, own],
      }
      const client = new TrinoClient(trinoAddress(source, folder))
      await client.run(`CREATE SCHEMA ${catalog}.${schema}`)
      await client.run(`CREATE SCHEMA ${catalog}.${own}`)
      await fill(client, tables)
      return {
        database: trino(source),
        written: `{ trino: "${url}", catalog: ${catalog}, schema: ${schema}, copies: ${catalog}.${own} }`,
        folder,
        named: writeName,
        replace: (others) => fill(client, others),
        remove: async () => {
          await client.run(`DROP SCHEMA ${catalog}.${schema} CASCADE`)
          await client.run(`DROP SCHEMA ${catalog}.${own} CASCADE`)
          client.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  }
}

// A table is put in its place by one statement: nobody ever reads half of it.
async function fill(client: TrinoClient, tables: readonly MadeTable[]): Promise<void> {
  for (const { name, columns, rows } of tables) {
    const typed = columns.map(
      ([column, type], at) => `CAST(c${at} AS ${typeNames[type]}) AS ${writeName(column)}`,
    )
    const nothing = `(${columns.map(() => "NULL").join(", ")})`
    const lines = rows.map((row) => `(${row.map(literal).join(", ")})`)
    const names = columns.map((_, at) => `c${at}`).join(", ")
    const made = `(VALUES ${rows.length === 0 ? nothing : lines.join(", ")}) AS v (${names})`
    const some = rows.length === 0 ? " WHERE false" : ""
    await client.run(
      `CREATE OR REPLACE TABLE ${writeName(name)} AS SELECT ${typed.join(", ")} FROM ${made}${some}`,
    )
  }
}

const typeNames: Readonly<Record<CellType, string>> = {
  integer: "BIGINT",
  float: "DOUBLE",
  text: "VARCHAR",
  date: "DATE",
  timestamp: "TIMESTAMP(6)",
  boolean: "BOOLEAN",
}

function literal(cell: Cell): string {
  if (cell === null) return "NULL"
  if (typeof cell === "bigint") return cell === -(2n ** 63n) ? `BIGINT '${cell}'` : `${cell}`
  if (typeof cell === "number") return `DOUBLE '${cell}'`
  return typeof cell === "boolean" ? `${cell}` : `'${cell.replaceAll("'", "''")}'`
}
