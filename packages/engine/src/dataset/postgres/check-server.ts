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
  const [found] = await ask(rightsSql, [schemas])
  const [isSuper, writes] = found ?? []
  if (isSuper !== "f") fail("dataset/unsafe-role", { role, what: "is a superuser" })
  if (writes !== null) fail("dataset/unsafe-role", { role, what: `may change ${writes ?? "tables"}` })
  if (copies === undefined) return
  if (schemas.includes(copies)) {
    fail("dataset/unsafe-role", { role, what: `would write copies into ${copies}, where the data is` })
  }
  const [schema] = await ask(
    "SELECT has_schema_privilege(oid, 'CREATE, USAGE') FROM pg_namespace WHERE nspname = $1",
    [copies],
  )
  if (schema?.[0] !== "t") {
    fail("dataset/unsafe-role", {
      role,
      what: `cannot keep copies in ${copies}, which is not there or not its own`,
    })
  }
}

/** Whether the role is a superuser, and a table of the schemas that it may change. */
const rightsSql = `SELECT
  (SELECT bool_or(r.rolsuper) FROM pg_roles AS r WHERE pg_has_role(current_user, r.oid, 'MEMBER')),
  (SELECT min(n.nspname || '.' || c.relname)
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = ANY($1::text[]) AND c.relkind IN ('r', 'p', 'v', 'f')
      AND has_schema_privilege(n.oid, 'USAGE')
      AND (has_table_privilege(c.oid, 'INSERT') OR has_table_privilege(c.oid, 'UPDATE')
        OR has_table_privilege(c.oid, 'DELETE') OR has_table_privilege(c.oid, 'TRUNCATE')))`
