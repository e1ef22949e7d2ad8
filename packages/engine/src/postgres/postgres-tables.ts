// The schema of a dataset in a shared store: made once, by one process, and recorded with its text, so that a
// role that may not make tables can use those that are there.

import { createHash } from "node:crypto"
import type { PostgresConnection } from "./postgres-connection.ts"

/** The schema of a dataset, quoted: everything of it is in there. */
export function schemaOf(dataset: string): string {
  // A name of PostgreSQL has 63 bytes, and what is longer loses its end.
  const isShort = /^[A-Za-z][A-Za-z0-9_-]{0,51}$/.test(dataset)
  const hash = createHash("sha256").update(dataset, "utf8").digest("hex").slice(0, 32)
  return `"dosimeter_${isShort ? dataset : hash}"`
}

/** Tables that belong together. */
export interface TablePart {
  readonly name: string
  /** Statements; the schema is the first in the search path. */
  readonly sql: string
}

/** Makes the tables of a part where they are missing. A part of another text is made too: it adds. */
export async function makeTables(
  connection: PostgresConnection,
  schema: string,
  part: TablePart,
): Promise<void> {
  const hash = createHash("sha256").update(part.sql, "utf8").digest("hex")
  if (await isMade(connection, schema, { part: part.name, hash })) return
  await connection.begin()
  try {
    if (!(await isMade(connection, schema, { part: part.name, hash }))) {
      await make(connection, schema, part)
      await connection.change(`INSERT INTO ${schema}.made (part, hash) VALUES ($1, $2)`, [part.name, hash])
    }
    await connection.commit()
  } finally {
    await connection.rollback()
  }
}

async function isMade(
  connection: PostgresConnection,
  schema: string,
  { part, hash }: { readonly part: string; readonly hash: string },
): Promise<boolean> {
  // Not to_regclass, which may remember what was before the lock was taken.
  const there = `SELECT 1 AS yes FROM pg_class WHERE relname = 'made' AND relnamespace =
    (SELECT oid FROM pg_namespace WHERE '"' || nspname || '"' = $1)`
  if ((await connection.query(there, [schema])).length === 0) return false
  const sql = `SELECT 1 AS yes FROM ${schema}.made WHERE part = $1 AND hash = $2`
  return (await connection.query(sql, [part, hash])).length > 0
}

async function make(connection: PostgresConnection, schema: string, { sql }: TablePart): Promise<void> {
  const there = `SELECT 1 AS yes FROM pg_namespace WHERE '"' || nspname || '"' = $1`
  const known = await connection.query(there, [schema])
  if (known.length === 0) await connection.execute(`CREATE SCHEMA ${schema}`)
  await connection.execute(`SET LOCAL search_path = ${schema}, pg_catalog`)
  await connection.execute(
    "CREATE TABLE IF NOT EXISTS made (part text NOT NULL, hash text NOT NULL, PRIMARY KEY (part, hash))",
  )
  await connection.execute(sql)
}

/** Statements that let rows of a table be added, and never be changed or removed, not even by its owner. */
export function appendOnly(table: string, what: string): string {
  return `
CREATE OR REPLACE FUNCTION ${table}_stays() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION '${what} are never changed or removed'; END $$;
DROP TRIGGER IF EXISTS ${table}_stays ON ${table};
CREATE TRIGGER ${table}_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON ${table}
  FOR EACH STATEMENT EXECUTE FUNCTION ${table}_stays();
ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_stays;
REVOKE ALL ON ${table} FROM PUBLIC;
REVOKE UPDATE, DELETE, TRUNCATE ON ${table} FROM CURRENT_USER;
`
}
