// What the database that holds the catalogs answers for functions that clients call, as macros without
// subqueries: an argument could be taken for a column of a table inside. The others are in
// catalog-functions.ts.

import type { CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { describeTable, quote, typeRows } from "./catalog-names.ts"

/** The statements that make the macros; `asker` is who asks, as SQL. */
export function catalogMacros(
  database: string,
  asker: string,
  tables: ReadonlyMap<number, CatalogTable>,
): readonly string[] {
  const names = [...tables].map(([oid, { name }]) => [oid, name] as const)
  const classes = [...systemClasses, ...names]
  const plainName = `regexp_replace(replace(t, '"', ''), '^.*[.]', '')`
  const types = typeRows.map(({ oid, name }) => [oid, sqlNames[name] ?? name] as const)
  const typeNumbers = [
    ...typeRows.map(({ oid, name }) => [name, oid] as const),
    ...types
      .filter(([, name]) => typeRows.every((row) => row.name !== name))
      .map(([oid, name]) => [name, oid] as const),
  ]
  const described = [...tables].map(([oid, table]) => [oid, describeTable(table)] as const)
  const turned = (list: readonly (readonly [number, string])[]) =>
    list.map(([oid, name]) => [name, oid] as const)
  return [
    `CREATE MACRO pg.format_type(o, m) AS ${choice("o", types)}`,
    `CREATE MACRO pg.type_name(o) AS ${choice("o", types, "CAST(o AS VARCHAR)")}`,
    `CREATE MACRO pg.type_named(t) AS ${choice("replace(replace(t, '\"', ''), 'pg_catalog.', '')", typeNumbers)}`,
    `CREATE MACRO pg.obj_description(o) AS ${choice("o", described)}, (o, c) AS ${choice("o", described)}`,
    `CREATE MACRO pg.class_name(o) AS ${choice("o", classes, "CAST(o AS VARCHAR)")}`,
    `CREATE MACRO pg.class_named(t) AS ${choice(plainName, turned(classes))}`,
    `CREATE MACRO pg.schema_name(o) AS ${choice("o", schemas, "CAST(o AS VARCHAR)")}`,
    `CREATE MACRO pg.schema_named(t) AS ${choice(`replace(t, '"', '')`, turned(schemas))}`,
    "CREATE MACRO pg.to_regclass(t) AS pg.class_named(t)",
    "CREATE MACRO pg.to_regtype(t) AS pg.type_named(t)",
    "CREATE MACRO pg.to_regnamespace(t) AS pg.schema_named(t)",
    "CREATE MACRO pg.nothing_named(t) AS CAST(NULL AS INTEGER)",
    "CREATE MACRO pg.number_text(o) AS CAST(o AS VARCHAR)",
    `CREATE MACRO pg.role_named(t) AS CASE WHEN t = ${asker} THEN 10 END`,
    `CREATE MACRO pg.role_name(o) AS ${asker}`,
    `CREATE MACRO pg.database_name() AS ${quote(database)}`,
    "CREATE MACRO pg.server_version() AS 'PostgreSQL 15.0 (Dosimeter: answers about groups, with noise)'",
    "CREATE MACRO pg.may_read(p) AS upper(p) IN ('SELECT', 'USAGE', 'CONNECT')",
    `CREATE MACRO pg.quote_ident(t) AS CASE WHEN regexp_full_match(t, '[a-z_][a-z0-9_$]*') THEN t ELSE
      '"' || replace(t, '"', '""') || '"' END`,
    "CREATE MACRO pg.current_schemas(i) AS CASE WHEN i THEN ['pg_catalog', 'public'] ELSE ['public'] END",
  ]
}

/** One of some values, by another. */
function choice(
  of: string,
  pairs: readonly (readonly [number | string, number | string])[],
  otherwise = "NULL",
): string {
  const literal = (value: number | string): string => (typeof value === "number" ? `${value}` : quote(value))
  const branches = pairs.map(([key, value]) => `WHEN ${literal(key)} THEN ${literal(value)}`)
  return branches.length === 0
    ? "CAST(NULL AS VARCHAR)"
    : `CASE ${of} ${branches.join(" ")} ELSE ${otherwise} END`
}

const schemas: readonly (readonly [number, string])[] = [
  [11, "pg_catalog"],
  [2200, "public"],
  [13000, "information_schema"],
]

const systemClasses: readonly (readonly [number, string])[] = [
  [1247, "pg_type"],
  [1249, "pg_attribute"],
  [1255, "pg_proc"],
  [1259, "pg_class"],
  [1213, "pg_tablespace"],
  [1260, "pg_authid"],
  [1262, "pg_database"],
  [2606, "pg_constraint"],
  [2615, "pg_namespace"],
  [2618, "pg_rewrite"],
  [2620, "pg_trigger"],
  [3079, "pg_extension"],
]

/** As SQL spells types whose names in the catalog are others. */
const sqlNames: Readonly<Record<string, string>> = {
  bool: "boolean",
  int8: "bigint",
  int2: "smallint",
  int4: "integer",
  float4: "real",
  float8: "double precision",
  varchar: "character varying",
  timestamp: "timestamp without time zone",
}
