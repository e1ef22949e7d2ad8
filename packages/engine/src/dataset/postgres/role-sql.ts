// The statements that make a role for Dosimeter: it reads the tables of some schemas, may write a schema of
// its own for prepared copies where the owner wants them, and may do nothing else.

import { writeName } from "@dosimeter/proof/spell/literal"
import type { PostgresSource } from "@dosimeter/policy/file/policy"

/** Whom the role is for. */
export interface RoleOptions {
  readonly source: Pick<PostgresSource, "schemas" | "version" | "copies">
  readonly role: string
  readonly database: string
}

/** Statements for an owner of the tables. The password is set apart, so that no file holds it. */
export function roleSql({ source, role, database }: RoleOptions): readonly string[] {
  const { schemas, version, copies } = source
  const name = writeName(role)
  return [
    `CREATE ROLE ${name} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 40`,
    `ALTER ROLE ${name} SET default_transaction_read_only = on`,
    `GRANT CONNECT, TEMPORARY ON DATABASE ${writeName(database)} TO ${name}`,
    ...schemas.flatMap((schema) => [
      `GRANT USAGE ON SCHEMA ${writeName(schema)} TO ${name}`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA ${writeName(schema)} TO ${name}`,
    ]),
    ...(version.by === "table" ? tableGrants(version.path, name) : []),
    ...(copies === undefined ? [] : [`CREATE SCHEMA ${writeName(copies)} AUTHORIZATION ${name}`]),
    // The secret of the data version is a parameter. Last, since a superuser is needed for it alone.
    `ALTER ROLE ${name} SET log_parameter_max_length = 0`,
  ]
}

function tableGrants(path: readonly string[], role: string): readonly string[] {
  const [schema = ""] = path
  return [
    `GRANT USAGE ON SCHEMA ${writeName(schema)} TO ${role}`,
    `GRANT SELECT ON ${path.map(writeName).join(".")} TO ${role}`,
  ]
}
