// PostgreSQL as a member of the suite: read by a role that may do nothing else, with versions by the rows
// themselves and no copies, and with versions by a table of the owner and copies in a schema of ours.

import { writeName } from "@dosimeter/proof/spell/literal"
import type { PostgresSource, SourceVersion } from "@dosimeter/policy/file/policy"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { postgres } from "../../dataset/postgres/postgres-database.ts"
import { roleSql } from "../../dataset/postgres/role-sql.ts"
import type { PostgresCluster } from "../postgres-cluster.ts"
import type { Cell, CellType, MadeTable, Member } from "./member.ts"

/** The schema that tables are in. Its name needs quotes. */
const schema = "Ward 9"
const versions = "loads"

/** The ways in which PostgreSQL is a source. The server is started when the first test asks for it. */
export function postgresMembers(cluster: () => PostgresCluster): readonly Member[] {
  return [
    memberOf("PostgreSQL, versions by all rows", cluster, {
      lacks: ["NUL in texts", "copies"],
      version: { by: "content" },
      written: "version: auto",
    }),
    memberOf("PostgreSQL, versions by a table, with copies", cluster, {
      lacks: ["NUL in texts"],
      version: { by: "table", path: [versions, "load"] },
      written: `version_table: [${versions}, load], copies: Copies 1`,
      copies: "Copies 1",
    }),
  ]
}

interface Way {
  readonly lacks: Member["lacks"]
  readonly version: SourceVersion
  readonly written: string
  readonly copies?: string
}

function memberOf(name: string, cluster: () => PostgresCluster, way: Way): Member {
  const { lacks, version, written, copies } = way
  return {
    name,
    lacks,
    make: async (tables) => {
      const owner = await cluster().database()
      const url = new URL(owner)
      const database = url.pathname.slice(1)
      const role = `reader_${database}`
      url.username = role
      const source: PostgresSource = {
        kind: "postgres",
        url: url.href,
        schemas: [schema],
        version,
        ...(copies === undefined ? {} : { copies }),
      }
      await execute(owner, [
        `CREATE SCHEMA ${writeName(schema)}`,
        `CREATE SCHEMA ${versions}`,
        `CREATE TABLE ${versions}.load (number bigint)`,
        ...tables.flatMap(tableSql),
        ...roleSql({ source, role, database }),
      ])
      const folder = mkdtempSync(join(tmpdir(), "dosimeter-member-"))
      return {
        database: postgres(source),
        written: `{ postgres: ${JSON.stringify(source.url)}, schemas: ${schema}, ${written} }`,
        folder,
        named: (table) => `${writeName(schema)}.${writeName(table)}`,
        // In one transaction: nobody ever sees half of it.
        replace: (others) =>
          execute(owner, [
            "BEGIN",
            ...others.flatMap(({ name: table, ...rest }) => [
              `DELETE FROM ${writeName(schema)}.${writeName(table)}`,
              ...rowsSql({ name: table, ...rest }),
            ]),
            `INSERT INTO ${versions}.load SELECT count(*) FROM ${versions}.load`,
            "COMMIT",
          ]),
        // The database goes with its server.
        remove: async () => rmSync(folder, { recursive: true }),
      }
    },
  }
}

/** Has changes counted at once, as far as the server can: versions by a word look at its statistics. */
const countedSql = `DO $$ BEGIN PERFORM pg_stat_force_next_flush();
  EXCEPTION WHEN undefined_function THEN PERFORM pg_sleep(1.2); END $$`

/** Runs statements as the owner of a database. */
export async function execute(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const sql of [...statements, countedSql]) await client.query(sql)
  } finally {
    await client.end()
  }
}

function tableSql(table: MadeTable): readonly string[] {
  const types = table.columns.map(([column, type]) => `${writeName(column)} ${typeNames[type]}`)
  const path = `${writeName(schema)}.${writeName(table.name)}`
  return [`CREATE TABLE ${path} (${types.join(", ")})`, ...rowsSql(table)]
}

function rowsSql({ name, columns, rows }: MadeTable): readonly string[] {
  if (rows.length === 0) return []
  const values = rows.map((row) => `(${row.map((cell, at) => literal(cell, columns[at]?.[1])).join(", ")})`)
  return [`INSERT INTO ${writeName(schema)}.${writeName(name)} VALUES ${values.join(", ")}`]
}

const typeNames: Readonly<Record<CellType, string>> = {
  integer: "BIGINT",
  float: "DOUBLE PRECISION",
  text: "TEXT",
  date: "DATE",
  timestamp: "TIMESTAMP",
  boolean: "BOOLEAN",
}

function literal(cell: Cell, type: CellType | undefined): string {
  if (cell === null) return "NULL"
  if (typeof cell === "boolean") return `${cell}`
  return `CAST(${pg.escapeLiteral(`${cell}`)} AS ${typeNames[type ?? "text"]})`
}
