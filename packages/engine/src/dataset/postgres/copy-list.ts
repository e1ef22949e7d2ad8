// The table that lists the copies in a schema of ours.

import { writeName } from "@dosimeter/proof/spell/literal"

/** Its name. Copies are named after tables of the catalog, with a number: none is named so. */
export const listTable = "dosimeter_copies"

/** A table of the schema, as SQL names it. */
export function quotedIn(schema: string, table: string): string {
  return `${writeName(schema)}.${writeName(table)}`
}

/** Makes the list where there is none. */
export function listSql(schema: string): string {
  return `CREATE TABLE IF NOT EXISTS ${quotedIn(schema, listTable)} (
    dataset text NOT NULL, head text NOT NULL, label text NOT NULL, name text PRIMARY KEY,
    digest text NOT NULL, made oid NOT NULL)`
}
