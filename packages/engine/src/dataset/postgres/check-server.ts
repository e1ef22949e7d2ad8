// A server, and a role, that data is read from: refused where something is not as it must be.

import { fail } from "../../errors.ts"
import type { Ask } from "./discover.ts"

/** The oldest version that is served. */
const oldest = 13

/** Refuses what is too old, what is not in UTF-8, and a role that may do more than to read. */
export async function checkServer(
  ask: Ask,
  { schemas, copies }: { readonly schemas: readonly string[]; readonly copies?: string | undefined },
): Promise<void> {
  const [server = []] = await ask(
    "SELECT current_setting('server_version_num'), current_setting('server_encoding'), current_user",
    [],
  )
  const [version = "", encoding = "", role = ""] = server.map((one) => one ?? "")
  if (!(Number(version) >= oldest * 10_000)) {
    fail("dataset/unsafe-server", { what: `it is older than PostgreSQL ${oldest}` })
  }
  if (encoding !== "UTF8") fail("dataset/unsafe-server", { what: `its encoding is ${encoding}` })
  await checkRole(ask, role, schemas)
  if (copies !== undefined) await checkCopies(ask, role, { schemas, copies })
}

/** Refuses a server, or a role, where lists of people cannot be made: they are temporary tables. */
export async function checkLists(ask: Ask): Promise<void> {
  const [row] = await ask(
    "SELECT pg_is_in_recovery(), has_database_privilege(current_database(), 'TEMPORARY'), current_user",
    [],
  )
  const [isStandby, mayMake, role] = row ?? []
  const what = "lists of the people who agreed"
  if (isStandby !== "f") fail("dataset/unsafe-server", { what: `it is a standby, which can hold no ${what}` })
  if (mayMake !== "t") fail("dataset/unsafe-role", { role: role ?? "", what: `may not make ${what}` })
}

async function checkRole(ask: Ask, role: string, schemas: readonly string[]): Promise<void> {
  const [found] = await ask(rightsSql, [schemas])
  const [isSuper, right, table] = found ?? []
  if (isSuper !== "f") fail("dataset/unsafe-role", { role, what: "is a superuser" })
  if (right !== null) fail("dataset/unsafe-role", { role, what: right ?? "may do what is not known" })
  if (table !== null) fail("dataset/unsafe-role", { role, what: `may change ${table ?? "tables"}` })
}

/** Rows about people are in there, and what is listed there is read: it is the role's, and nobody else's. */
async function checkCopies(
  ask: Ask,
  role: string,
  { schemas, copies }: { readonly schemas: readonly string[]; readonly copies: string },
): Promise<void> {
  const wrong = (what: string): never => fail("dataset/unsafe-role", { role, what })
  if (schemas.includes(copies)) wrong(`would write copies into ${copies}, where the data is`)
  const [schema] = await ask(copiesSql, [copies])
  const [isOwn, isShared] = schema ?? []
  if (isOwn !== "t") wrong(`cannot keep copies in ${copies}, which is not there or not its own`)
  if (isShared !== "f") wrong(`cannot keep copies in ${copies}, where others may go or have made something`)
}

/**
 * Whether the role is a superuser, something else that it may do, and a table of the schemas that it may
 * change: by itself, or as a role that it can become. Who owns a table can give itself every right, who owns
 * its schema or database can drop it, and what a trigger does is done by whoever writes.
 */
const rightsSql = `WITH own AS (SELECT * FROM pg_roles AS r WHERE pg_has_role(current_user, r.oid, 'MEMBER'))
  SELECT (SELECT bool_or(rolsuper) FROM own),
    CASE WHEN (SELECT bool_or(rolcreaterole) FROM own) THEN 'may make roles'
      WHEN EXISTS (SELECT 1 FROM own WHERE rolname IN
        ('pg_execute_server_program', 'pg_read_server_files', 'pg_write_server_files'))
      THEN 'may use files and programs of the server'
      WHEN (SELECT bool_or(rolreplication) FROM own) THEN 'may copy the whole server'
      WHEN EXISTS (SELECT 1 FROM own JOIN pg_database AS d ON d.datdba = own.oid
        WHERE d.datname = current_database()) THEN 'owns the database'
      WHEN EXISTS (SELECT 1 FROM own JOIN pg_namespace AS n ON n.nspowner = own.oid
        WHERE n.nspname = ANY($1::text[])) THEN 'owns a schema that the data is in' END,
    (SELECT min(n.nspname || '.' || c.relname)
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = ANY($1::text[]) AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND EXISTS (
        SELECT 1 FROM own WHERE own.oid = c.relowner
          OR has_table_privilege(own.oid, c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
          OR has_any_column_privilege(own.oid, c.oid, 'INSERT, UPDATE')))`

/** Whether a schema is the role's, and whether anybody else may use it or has made something in it. */
const copiesSql = `SELECT pg_get_userbyid(n.nspowner) = current_user,
    EXISTS (SELECT 1 FROM aclexplode(n.nspacl) AS a WHERE a.grantee <> n.nspowner)
      OR EXISTS (SELECT 1 FROM pg_class AS c WHERE c.relnamespace = n.oid AND c.relowner <> n.nspowner)
  FROM pg_namespace AS n WHERE n.nspname = $1`
