// The system catalogs as clients of PostgreSQL ask for them, over what a policy allows: its tables, its
// columns, their types. No row of the data is ever in here.

import type { Catalog, CatalogColumn, CatalogTable } from "@dosimeter/sql"
import { wireTypeOf } from "../wire-types.ts"

/** Whose catalogs they are. */
export interface CatalogOf {
  readonly database: string
  readonly user: string
  readonly catalog: Catalog
}

/** The statements that make the catalogs in a database of their own, in the schema `pg`. */
export function catalogStatements({ database, user, catalog }: CatalogOf): readonly string[] {
  const tables = catalog.tables.map((table, index) => ({ table, oid: firstOid + index }))
  const rows = {
    pg_class: tables.map(({ table, oid }) => classRow(table, oid)),
    pg_attribute: tables.flatMap(({ table, oid }) =>
      columnsOf(table).map((column, place) => attributeRow(column, oid, place)),
    ),
    pg_description: tables.map(({ table, oid }) => `(${oid}, 1259, 0, ${quote(describe(table))})`),
  }
  return [
    "CREATE SCHEMA pg",
    ...Object.entries(definitions).map(([name, columns]) => `CREATE TABLE pg.${name} (${columns})`),
    `INSERT INTO pg.pg_namespace VALUES (11, 'pg_catalog', 10, NULL), (2200, 'public', 10, NULL),
      (13000, 'information_schema', 10, NULL)`,
    `INSERT INTO pg.pg_database (oid, datname, datdba, encoding, datlocprovider, datistemplate,
      datallowconn, datconnlimit, datcollate, datctype) VALUES (16384, ${quote(database)}, 10, 6,
      'c', false, true, -1, 'C', 'C')`,
    `INSERT INTO pg.pg_roles VALUES (${quote(user)}, false, true, false, false, true, false, -1,
      NULL, NULL, false, NULL, 10)`,
    "INSERT INTO pg.pg_am VALUES (2, 'heap', 3, 't')",
    "INSERT INTO pg.pg_tablespace VALUES (1663, 'pg_default', 10, NULL, NULL)",
    ...typeRows.map(
      (row) =>
        `INSERT INTO pg.pg_type (oid, typname, typlen, typcategory, typarray, typelem) VALUES (${row})`,
    ),
    ...Object.entries(rows).flatMap(([name, values]) =>
      values.length === 0
        ? []
        : [`INSERT INTO pg.${name} (${inserted[name] ?? ""}) VALUES ${values.join(", ")}`],
    ),
    ...macros(database, user),
    ...views(database, user),
  ]
}

const firstOid = 16_400

function columnsOf({ columns }: CatalogTable): readonly CatalogColumn[] {
  return columns.filter(({ access }) => access === "allowed")
}

function classRow(table: CatalogTable, oid: number): string {
  return `(${oid}, ${quote(table.name)}, 2200, 10, 'r', ${columnsOf(table).length})`
}

function attributeRow({ name, domain }: CatalogColumn, table: number, place: number): string {
  const { oid, size } = wireTypeOf(domain.type.kind)
  return `(${table}, ${quote(name)}, ${oid}, ${size}, ${place + 1}, ${!domain.nullable})`
}

function describe({ unit }: CatalogTable): string {
  switch (unit.kind) {
    case "public":
      return "public: nobody's data"
    case "row":
      return "private: every row is a unit"
    case "path":
      return "private: answers about groups only"
    default:
      return unit satisfies never
  }
}

/** A text constant of SQL. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const inserted: Readonly<Record<string, string>> = {
  pg_class: "oid, relname, relnamespace, relowner, relkind, relnatts",
  pg_attribute: "attrelid, attname, atttypid, attlen, attnum, attnotnull",
  pg_description: "objoid, classoid, objsubid, description",
}

/** Columns of tables, as far as clients ask for them; those that are always empty last. */
const definitions: Readonly<Record<string, string>> = {
  pg_namespace: "oid INTEGER, nspname VARCHAR, nspowner INTEGER, nspacl VARCHAR[]",
  pg_class: `oid INTEGER, relname VARCHAR, relnamespace INTEGER, reltype INTEGER DEFAULT 0, reloftype
      INTEGER DEFAULT 0, relowner INTEGER, relam INTEGER DEFAULT 2, relfilenode INTEGER DEFAULT 0,
      reltablespace INTEGER DEFAULT 0, relpages INTEGER DEFAULT 0, reltuples FLOAT DEFAULT -1,
      relallvisible INTEGER DEFAULT 0, reltoastrelid INTEGER DEFAULT 0, relhasindex BOOLEAN
      DEFAULT false, relisshared BOOLEAN DEFAULT false, relpersistence VARCHAR DEFAULT 'p',
      relkind VARCHAR, relnatts SMALLINT, relchecks SMALLINT DEFAULT 0, relhasrules BOOLEAN
      DEFAULT false, relhastriggers BOOLEAN DEFAULT false, relhassubclass BOOLEAN DEFAULT false,
      relrowsecurity BOOLEAN DEFAULT false, relforcerowsecurity BOOLEAN DEFAULT false,
      relispopulated BOOLEAN DEFAULT true, relreplident VARCHAR DEFAULT 'd', relispartition
      BOOLEAN DEFAULT false, relrewrite INTEGER DEFAULT 0, relacl VARCHAR[], reloptions VARCHAR[],
      relpartbound VARCHAR`,
  pg_attribute: `attrelid INTEGER, attname VARCHAR, atttypid INTEGER, attstattarget INTEGER DEFAULT -1,
      attlen SMALLINT, attnum SMALLINT, attndims INTEGER DEFAULT 0, attcacheoff INTEGER DEFAULT
      -1, atttypmod INTEGER DEFAULT -1, attbyval BOOLEAN DEFAULT true, attalign VARCHAR DEFAULT
      'i', attstorage VARCHAR DEFAULT 'p', attcompression VARCHAR DEFAULT '', attnotnull BOOLEAN,
      atthasdef BOOLEAN DEFAULT false, atthasmissing BOOLEAN DEFAULT false, attidentity VARCHAR
      DEFAULT '', attgenerated VARCHAR DEFAULT '', attisdropped BOOLEAN DEFAULT false, attislocal
      BOOLEAN DEFAULT true, attinhcount INTEGER DEFAULT 0, attcollation INTEGER DEFAULT 0, attacl
      VARCHAR[], attoptions VARCHAR[], attfdwoptions VARCHAR[], attmissingval VARCHAR`,
  pg_type: `oid INTEGER, typname VARCHAR, typnamespace INTEGER DEFAULT 11, typowner INTEGER DEFAULT 10,
      typlen SMALLINT, typbyval BOOLEAN DEFAULT true, typtype VARCHAR DEFAULT 'b', typcategory
      VARCHAR, typispreferred BOOLEAN DEFAULT false, typisdefined BOOLEAN DEFAULT true, typdelim
      VARCHAR DEFAULT ',', typrelid INTEGER DEFAULT 0, typsubscript VARCHAR DEFAULT '-', typelem
      INTEGER, typarray INTEGER, typinput VARCHAR DEFAULT '', typoutput VARCHAR DEFAULT '',
      typreceive VARCHAR DEFAULT '', typnotnull BOOLEAN DEFAULT false, typbasetype INTEGER DEFAULT
      0, typtypmod INTEGER DEFAULT -1, typndims INTEGER DEFAULT 0, typcollation INTEGER DEFAULT 0,
      typdefault VARCHAR, typacl VARCHAR[]`,
  pg_description: "objoid INTEGER, classoid INTEGER, objsubid INTEGER, description VARCHAR",
  pg_database: `oid INTEGER, datname VARCHAR, datdba INTEGER, encoding INTEGER, datlocprovider VARCHAR,
      datistemplate BOOLEAN, datallowconn BOOLEAN, datconnlimit INTEGER, dattablespace INTEGER
      DEFAULT 1663, datcollate VARCHAR, datctype VARCHAR, daticulocale VARCHAR, daticurules
      VARCHAR, datlocale VARCHAR, datcollversion VARCHAR, datacl VARCHAR[]`,
  pg_roles: `rolname VARCHAR, rolsuper BOOLEAN, rolinherit BOOLEAN, rolcreaterole BOOLEAN, rolcreatedb
      BOOLEAN, rolcanlogin BOOLEAN, rolreplication BOOLEAN, rolconnlimit INTEGER, rolpassword
      VARCHAR, rolvaliduntil TIMESTAMP, rolbypassrls BOOLEAN, rolconfig VARCHAR[], oid INTEGER`,
  pg_am: "oid INTEGER, amname VARCHAR, amhandler INTEGER, amtype VARCHAR",
  pg_tablespace: `oid INTEGER, spcname VARCHAR, spcowner INTEGER, spcacl VARCHAR[], spcoptions VARCHAR[]`,
  pg_index: `indexrelid INTEGER, indrelid INTEGER, indnatts SMALLINT, indnkeyatts SMALLINT, indisunique
      BOOLEAN, indisprimary BOOLEAN, indisexclusion BOOLEAN, indimmediate BOOLEAN, indisclustered
      BOOLEAN, indisvalid BOOLEAN, indisready BOOLEAN, indislive BOOLEAN, indisreplident BOOLEAN,
      indnullsnotdistinct BOOLEAN, indkey SMALLINT[], indcollation INTEGER[], indclass INTEGER[],
      indoption SMALLINT[], indexprs VARCHAR, indpred VARCHAR`,
  pg_constraint: `oid INTEGER, conname VARCHAR, connamespace INTEGER, contype VARCHAR, condeferrable BOOLEAN,
      condeferred BOOLEAN, convalidated BOOLEAN, conrelid INTEGER, contypid INTEGER, conindid
      INTEGER, conparentid INTEGER, confrelid INTEGER, confupdtype VARCHAR, confdeltype VARCHAR,
      confmatchtype VARCHAR, conislocal BOOLEAN, coninhcount INTEGER, connoinherit BOOLEAN, conkey
      SMALLINT[], confkey SMALLINT[], conpfeqop INTEGER[], conbin VARCHAR`,
  pg_attrdef: "oid INTEGER, adrelid INTEGER, adnum SMALLINT, adbin VARCHAR",
  pg_inherits: "inhrelid INTEGER, inhparent INTEGER, inhseqno INTEGER, inhdetachpending BOOLEAN",
  pg_collation: `oid INTEGER, collname VARCHAR, collnamespace INTEGER, collowner INTEGER, collprovider
      VARCHAR, collencoding INTEGER, collcollate VARCHAR`,
  pg_proc: `oid INTEGER, proname VARCHAR, pronamespace INTEGER, proowner INTEGER, prolang INTEGER,
      prokind VARCHAR, prosecdef BOOLEAN, proretset BOOLEAN, provolatile VARCHAR, pronargs
      SMALLINT, prorettype INTEGER, proargtypes INTEGER[], proallargtypes INTEGER[], proargmodes
      VARCHAR[], proargnames VARCHAR[], prosrc VARCHAR, proacl VARCHAR[], proisstrict BOOLEAN`,
  pg_policy: `oid INTEGER, polname VARCHAR, polrelid INTEGER, polcmd VARCHAR, polpermissive BOOLEAN,
      polroles INTEGER[], polqual VARCHAR, polwithcheck VARCHAR`,
  pg_statistic_ext: `oid INTEGER, stxrelid INTEGER, stxname VARCHAR, stxnamespace INTEGER, stxowner INTEGER,
      stxstattarget INTEGER, stxkeys SMALLINT[], stxkind VARCHAR[], stxexprs VARCHAR`,
  pg_publication: `oid INTEGER, pubname VARCHAR, pubowner INTEGER, puballtables BOOLEAN, pubinsert BOOLEAN,
      pubupdate BOOLEAN, pubdelete BOOLEAN, pubtruncate BOOLEAN, pubviaroot BOOLEAN`,
  pg_publication_rel: `oid INTEGER, prpubid INTEGER, prrelid INTEGER, prqual VARCHAR, prattrs SMALLINT[]`,
  pg_publication_namespace: "oid INTEGER, pnpubid INTEGER, pnnspid INTEGER",
  pg_trigger: `oid INTEGER, tgrelid INTEGER, tgparentid INTEGER, tgname VARCHAR, tgfoid INTEGER, tgtype
      SMALLINT, tgenabled VARCHAR, tgisinternal BOOLEAN, tgconstraint INTEGER, tgdeferrable
      BOOLEAN`,
  pg_rewrite: `oid INTEGER, rulename VARCHAR, ev_class INTEGER, ev_type VARCHAR, ev_enabled VARCHAR,
      is_instead BOOLEAN`,
  pg_foreign_table: "ftrelid INTEGER, ftserver INTEGER, ftoptions VARCHAR[]",
  pg_foreign_server: `oid INTEGER, srvname VARCHAR, srvowner INTEGER, srvfdw INTEGER, srvtype VARCHAR,
       srvversion VARCHAR, srvacl VARCHAR[], srvoptions VARCHAR[]`,
  pg_auth_members: "roleid INTEGER, member INTEGER, grantor INTEGER, admin_option BOOLEAN",
  pg_enum: "oid INTEGER, enumtypid INTEGER, enumsortorder FLOAT, enumlabel VARCHAR",
  pg_range: "rngtypid INTEGER, rngsubtype INTEGER, rngmultitypid INTEGER",
  pg_extension: `oid INTEGER, extname VARCHAR, extowner INTEGER, extnamespace INTEGER, extrelocatable
      BOOLEAN, extversion VARCHAR`,
  pg_language: "oid INTEGER, lanname VARCHAR, lanowner INTEGER, lanispl BOOLEAN, lanpltrusted BOOLEAN",
  pg_depend: `classid INTEGER, objid INTEGER, objsubid INTEGER, refclassid INTEGER, refobjid INTEGER,
      refobjsubid INTEGER, deptype VARCHAR`,
  pg_sequence: `seqrelid INTEGER, seqtypid INTEGER, seqstart BIGINT, seqincrement BIGINT, seqmax BIGINT,
      seqmin BIGINT, seqcache BIGINT, seqcycle BOOLEAN`,
  pg_partitioned_table: `partrelid INTEGER, partstrat VARCHAR, partnatts SMALLINT,
       partdefid INTEGER, partattrs SMALLINT[]`,
  pg_shdescription: "objoid INTEGER, classoid INTEGER, description VARCHAR",
  pg_settings: "name VARCHAR, setting VARCHAR, unit VARCHAR, category VARCHAR, short_desc VARCHAR",
}

/** oid, name, size, category, type of the array, type of the element. */
const typeRows: readonly string[] = [
  ["16, 'bool', 1, 'B'", 1000],
  ["18, 'char', 1, 'Z'", 1002],
  ["19, 'name', 64, 'S'", 1003],
  ["20, 'int8', 8, 'N'", 1016],
  ["21, 'int2', 2, 'N'", 1005],
  ["23, 'int4', 4, 'N'", 1007],
  ["25, 'text', -1, 'S'", 1009],
  ["26, 'oid', 4, 'N'", 1028],
  ["700, 'float4', 4, 'N'", 1021],
  ["701, 'float8', 8, 'N'", 1022],
  ["1043, 'varchar', -1, 'S'", 1015],
  ["1082, 'date', 4, 'D'", 1182],
  ["1114, 'timestamp', 8, 'D'", 1115],
  ["1700, 'numeric', -1, 'N'", 1231],
].flatMap(([type, array]) => {
  const [oid = "", name = ""] = `${type}`.split(", ")
  return [`${type}, ${array}, 0`, `${array}, ${name.replace("'", "'_")}, -1, 'A', 0, ${oid}`]
})

function views(database: string, user: string): readonly string[] {
  const own = "n.nspname = 'public'"
  return [
    `CREATE VIEW pg.pg_tables AS SELECT n.nspname AS schemaname, c.relname AS tablename,
      ${quote(user)} AS tableowner, CAST(NULL AS VARCHAR) AS tablespace, false AS hasindexes,
      false AS hasrules, false AS hastriggers, false AS rowsecurity FROM pg.pg_class c JOIN
      pg.pg_namespace n ON n.oid = c.relnamespace`,
    `CREATE VIEW pg.pg_user AS SELECT rolname AS usename, oid AS usesysid, rolcreatedb AS
      usecreatedb, rolsuper AS usesuper FROM pg.pg_roles`,
    "CREATE VIEW pg.pg_authid AS SELECT * FROM pg.pg_roles",
    `CREATE VIEW pg.pg_views AS SELECT schemaname, tablename AS viewname, tableowner AS
      viewowner, '' AS definition FROM pg.pg_tables WHERE false`,
    `CREATE VIEW pg.pg_matviews AS SELECT schemaname, tablename AS matviewname, tableowner AS
      matviewowner FROM pg.pg_tables WHERE false`,
    "CREATE SCHEMA info",
    `CREATE VIEW info.schemata AS SELECT ${quote(database)} AS catalog_name, nspname AS
      schema_name, ${quote(user)} AS schema_owner FROM pg.pg_namespace`,
    `CREATE VIEW info.tables AS SELECT ${quote(database)} AS table_catalog, n.nspname AS
      table_schema, c.relname AS table_name, 'BASE TABLE' AS table_type, 'NO' AS
      is_insertable_into, 'NO' AS is_typed FROM pg.pg_class c JOIN pg.pg_namespace n ON n.oid =
      c.relnamespace WHERE ${own}`,
    `CREATE VIEW info.columns AS SELECT ${quote(database)} AS table_catalog, n.nspname AS
      table_schema, c.relname AS table_name, a.attname AS column_name, CAST(a.attnum AS INTEGER)
      AS ordinal_position, CAST(NULL AS VARCHAR) AS column_default, CASE WHEN a.attnotnull THEN
      'NO' ELSE 'YES' END AS is_nullable, pg.format_type(a.atttypid, -1) AS data_type, CAST(NULL
      AS INTEGER) AS character_maximum_length, CAST(NULL AS INTEGER) AS numeric_precision,
      CAST(NULL AS INTEGER) AS numeric_scale, CAST(NULL AS INTEGER) AS datetime_precision,
      ${quote(database)} AS udt_catalog, 'pg_catalog' AS udt_schema, t.typname AS udt_name, 'NO'
      AS is_identity, 'NEVER' AS is_generated, 'NO' AS is_updatable FROM pg.pg_attribute a JOIN
      pg.pg_class c ON c.oid = a.attrelid JOIN pg.pg_namespace n ON n.oid = c.relnamespace JOIN
      pg.pg_type t ON t.oid = a.atttypid WHERE ${own}`,
    `CREATE VIEW info.views AS SELECT table_catalog, table_schema, table_name, '' AS
      view_definition FROM info.tables WHERE false`,
    `CREATE VIEW info.table_constraints AS SELECT table_catalog, table_schema, table_name, '' AS
      constraint_name, '' AS constraint_type FROM info.tables WHERE false`,
    `CREATE VIEW info.key_column_usage AS SELECT table_catalog, table_schema, table_name, '' AS
      column_name, '' AS constraint_name, 1 AS ordinal_position FROM info.tables WHERE false`,
    `CREATE VIEW info.routines AS SELECT table_catalog AS routine_catalog, table_schema AS
      routine_schema, table_name AS routine_name FROM info.tables WHERE false`,
  ]
}

const typeNames = `CASE o WHEN 16 THEN 'boolean' WHEN 20 THEN 'bigint' WHEN 21 THEN 'smallint' WHEN 23 THEN
      'integer' WHEN 25 THEN 'text' WHEN 700 THEN 'real' WHEN 701 THEN 'double precision' WHEN
      1043 THEN 'character varying' WHEN 1082 THEN 'date' WHEN 1114 THEN 'timestamp without time
      zone' WHEN 1700 THEN 'numeric' ELSE (SELECT typname FROM pg.pg_type WHERE oid = o) END`

const letters = ["a", "b", "c"]

/** Functions that clients call; most have nothing to say about tables that nobody can change. */
function macros(database: string, user: string): readonly string[] {
  const yes = [
    "pg_table_is_visible",
    "pg_type_is_visible",
    "pg_function_is_visible",
    "pg_opclass_is_visible",
    "pg_collation_is_visible",
  ]
  // How many arguments each may have.
  const none: Readonly<Record<string, readonly number[]>> = {
    pg_get_expr: [2, 3],
    pg_get_viewdef: [1, 2],
    pg_get_indexdef: [1, 3],
    pg_get_constraintdef: [1, 2],
    pg_get_partkeydef: [1],
    pg_get_ruledef: [1, 2],
    pg_get_triggerdef: [1, 2],
    pg_get_statisticsobjdef_columns: [1],
    pg_get_function_result: [1],
    pg_get_function_arguments: [1],
    pg_get_function_identity_arguments: [1],
    pg_get_serial_sequence: [2],
    col_description: [2],
    shobj_description: [2],
    pg_tablespace_location: [1],
    pg_relation_size: [1, 2],
    pg_total_relation_size: [1],
    pg_table_size: [1],
    pg_size_pretty: [1],
  }
  return [
    `CREATE MACRO pg.format_type(o, m) AS ${typeNames}`,
    `CREATE MACRO pg.pg_get_userbyid(o) AS ${quote(user)}`,
    `CREATE MACRO pg.obj_description(o, c) AS (SELECT description FROM pg.pg_description WHERE
      objoid = o)`,
    "CREATE MACRO pg.pg_encoding_to_char(e) AS 'UTF8'",
    "CREATE MACRO pg.array_to_string(a, s) AS list_aggregate(a, 'string_agg', s)",
    `CREATE MACRO pg.pg_database_name() AS ${quote(database)}`,
    `CREATE MACRO pg.pg_user_name() AS ${quote(user)}`,
    "CREATE MACRO pg.pg_schema_name() AS 'public'",
    `CREATE MACRO pg.pg_version() AS 'PostgreSQL 15.0 (Dosimeter: answers about groups, with
      noise)'`,
    "CREATE MACRO pg.pg_backend_pid() AS 1",
    "CREATE MACRO pg.pg_is_in_recovery() AS false",
    "CREATE MACRO pg.pg_relation_is_publishable(o) AS false",
    "CREATE MACRO pg.pg_my_temp_schema() AS 0",
    "CREATE MACRO pg.has_table_privilege(a, b) AS true, (a, b, c) AS true",
    "CREATE MACRO pg.has_schema_privilege(a, b) AS true, (a, b, c) AS true",
    "CREATE MACRO pg.has_database_privilege(a, b) AS true, (a, b, c) AS true",
    "CREATE MACRO pg.quote_ident(t) AS t",
    `CREATE MACRO pg.class_named(t) AS CASE regexp_replace(t, '^.*[.]', '') WHEN 'pg_class' THEN
      1259 WHEN 'pg_type' THEN 1247 WHEN 'pg_namespace' THEN 2615 WHEN 'pg_proc' THEN 1255 WHEN
      'pg_database' THEN 1262 ELSE (SELECT oid FROM pg.pg_class WHERE relname =
      regexp_replace(replace(t, '"', ''), '^.*[.]', '')) END`,
    "CREATE MACRO pg.array_upper(a, n) AS len(a)",
    "CREATE MACRO pg.array_lower(a, n) AS 1",
    "CREATE MACRO pg.current_schemas(i) AS ['pg_catalog', 'public']",
    "CREATE MACRO pg.current_setting(n) AS '', (n, m) AS ''",
    "CREATE MACRO pg.set_config(n, v, l) AS v",
    "CREATE MACRO pg.txid_current() AS 1",
    ...yes.map((name) => `CREATE MACRO pg.${name}(o) AS true`),
    ...Object.entries(none).map(([name, counts]) => {
      const forms = counts.map((count) => `(${letters.slice(0, count).join(", ")}) AS CAST(NULL AS VARCHAR)`)
      return `CREATE MACRO pg.${name}${forms.join(", ")}`
    }),
  ]
}

/** Everything in the schema of the catalogs, by name; other functions are those of any database. */
export const catalogNames: ReadonlySet<string> = new Set(
  [...Object.keys(definitions), ...views("", ""), ...macros("", "")].flatMap((text) => {
    const [, name] = /^(?:CREATE (?:VIEW|MACRO) pg\.)?(\w+)/.exec(text) ?? []
    return name === undefined || name === "CREATE" ? [] : [name]
  }),
)
