// The system catalogs as clients of PostgreSQL ask for them, over what a policy allows: its tables, its
// columns, their types. No row of the data is ever in here.

import type { Catalog, CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { wireTypeOf } from "../wire/wire-types.ts"
import { catalogMacros } from "./catalog-macros.ts"
import { describeTable, quote, typeRows } from "./catalog-names.ts"

/** Which catalogs they are. */
export interface CatalogOf {
  readonly database: string
  readonly catalog: Catalog
}

/** Who asks: set anew for each question. */
const asker = "CAST(getvariable('asker') AS VARCHAR)"

/** The statements that make the catalogs in a database of their own, in the schema `pg`. */
export function catalogStatements({ database, catalog }: CatalogOf): readonly string[] {
  const tables = catalog.tables.map((table, index) => ({ table, oid: firstOid + index }))
  const rows = {
    pg_class: tables.map(({ table, oid }) => classRow(table, oid)),
    pg_attribute: tables.flatMap(({ table, oid }) =>
      columnsOf(table).map((column, place) => attributeRow(column, oid, place)),
    ),
    pg_description: tables.map(({ table, oid }) => `(${oid}, 1259, 0, ${quote(describeTable(table))})`),
  }
  return [
    "CREATE SCHEMA pg",
    ...Object.entries(definitions).map(([name, columns]) => `CREATE TABLE pg.${name} (${columns})`),
    `INSERT INTO pg.pg_namespace VALUES (11, 'pg_catalog', 10, NULL), (2200, 'public', 10, NULL),
      (13000, 'information_schema', 10, NULL)`,
    `INSERT INTO pg.pg_database (oid, datname, datdba, encoding, datlocprovider, datistemplate,
      datallowconn, datconnlimit, datcollate, datctype) VALUES (16384, ${quote(database)}, 10, 6,
      'c', false, true, -1, 'C', 'C')`,
    "INSERT INTO pg.pg_am VALUES (2, 'heap', 3, 't')",
    "INSERT INTO pg.pg_tablespace VALUES (1663, 'pg_default', 10, NULL, NULL)",
    ...typeRows.map(
      ({ oid, name, size, category, list, element }) =>
        `INSERT INTO pg.pg_type (oid, typname, typlen, typcategory, typarray, typelem) VALUES (${oid},
          ${quote(name)}, ${size}, ${quote(category)}, ${list}, ${element})`,
    ),
    ...Object.entries(rows).flatMap(([name, values]) =>
      values.length === 0
        ? []
        : [`INSERT INTO pg.${name} (${inserted[name] ?? ""}) VALUES ${values.join(", ")}`],
    ),
    ...catalogMacros(database, asker, new Map(tables.map(({ table, oid }) => [oid, table]))),
    ...views(database),
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
      INTEGER, typarray INTEGER, typinput INTEGER DEFAULT 0, typoutput INTEGER DEFAULT 0,
      typreceive INTEGER DEFAULT 0, typsend INTEGER DEFAULT 0, typnotnull BOOLEAN DEFAULT false,
      typbasetype INTEGER DEFAULT
      0, typtypmod INTEGER DEFAULT -1, typndims INTEGER DEFAULT 0, typcollation INTEGER DEFAULT 0,
      typdefault VARCHAR, typacl VARCHAR[]`,
  pg_description: "objoid INTEGER, classoid INTEGER, objsubid INTEGER, description VARCHAR",
  pg_database: `oid INTEGER, datname VARCHAR, datdba INTEGER, encoding INTEGER, datlocprovider VARCHAR,
      datistemplate BOOLEAN, datallowconn BOOLEAN, datconnlimit INTEGER, dattablespace INTEGER
      DEFAULT 1663, datcollate VARCHAR, datctype VARCHAR, daticulocale VARCHAR, daticurules
      VARCHAR, datlocale VARCHAR, datcollversion VARCHAR, datacl VARCHAR[]`,
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
      VARCHAR, collencoding INTEGER, collcollate VARCHAR, collctype VARCHAR, colliculocale VARCHAR,
      collisdeterministic BOOLEAN`,
  pg_proc: `oid INTEGER, proname VARCHAR, pronamespace INTEGER, proowner INTEGER, prolang INTEGER,
      prokind VARCHAR, prosecdef BOOLEAN, proretset BOOLEAN, provolatile VARCHAR, pronargs
      SMALLINT, prorettype INTEGER, proargtypes INTEGER[], proallargtypes INTEGER[], proargmodes
      VARCHAR[], proargnames VARCHAR[], proparallel VARCHAR, probin VARCHAR,
      prosrc VARCHAR, proacl VARCHAR[], proisstrict BOOLEAN`,
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
  pg_opfamily: "oid INTEGER, opfmethod INTEGER, opfname VARCHAR, opfnamespace INTEGER, opfowner INTEGER",
  pg_ts_config: "oid INTEGER, cfgname VARCHAR, cfgnamespace INTEGER, cfgowner INTEGER, cfgparser INTEGER",
  pg_db_role_setting: "setdatabase INTEGER, setrole INTEGER, setconfig VARCHAR[]",
  pg_largeobject_metadata: "oid INTEGER, lomowner INTEGER, lomacl VARCHAR[]",
  pg_partitioned_table: `partrelid INTEGER, partstrat VARCHAR, partnatts SMALLINT,
       partdefid INTEGER, partattrs SMALLINT[]`,
  pg_aggregate: "aggfnoid INTEGER, aggkind VARCHAR, aggnumdirectargs SMALLINT",
  pg_cast:
    "oid INTEGER, castsource INTEGER, casttarget INTEGER, castfunc INTEGER, castcontext VARCHAR, castmethod VARCHAR",
  pg_conversion:
    "oid INTEGER, conname VARCHAR, connamespace INTEGER, conforencoding INTEGER, contoencoding INTEGER, condefault BOOLEAN",
  pg_default_acl:
    "oid INTEGER, defaclrole INTEGER, defaclnamespace INTEGER, defaclobjtype VARCHAR, defaclacl VARCHAR[]",
  pg_event_trigger:
    "oid INTEGER, evtname VARCHAR, evtevent VARCHAR, evtowner INTEGER, evtfoid INTEGER, evtenabled VARCHAR, evttags VARCHAR[]",
  pg_foreign_data_wrapper:
    "oid INTEGER, fdwname VARCHAR, fdwowner INTEGER, fdwhandler INTEGER, fdwvalidator INTEGER, fdwacl VARCHAR[], fdwoptions VARCHAR[]",
  pg_indexes:
    "schemaname VARCHAR, tablename VARCHAR, indexname VARCHAR, tablespace VARCHAR, indexdef VARCHAR",
  pg_locks:
    "locktype VARCHAR, database INTEGER, relation INTEGER, pid INTEGER, mode VARCHAR, granted BOOLEAN",
  pg_opclass:
    "oid INTEGER, opcmethod INTEGER, opcname VARCHAR, opcnamespace INTEGER, opcowner INTEGER, opcfamily INTEGER, opcintype INTEGER, opcdefault BOOLEAN, opckeytype INTEGER",
  pg_operator:
    "oid INTEGER, oprname VARCHAR, oprnamespace INTEGER, oprowner INTEGER, oprkind VARCHAR, oprleft INTEGER, oprright INTEGER, oprresult INTEGER, oprcode INTEGER",
  pg_sequences: "schemaname VARCHAR, sequencename VARCHAR, sequenceowner VARCHAR, last_value BIGINT",
  pg_stat_activity:
    "datid INTEGER, datname VARCHAR, pid INTEGER, usesysid INTEGER, usename VARCHAR, application_name VARCHAR, state VARCHAR, query VARCHAR, backend_type VARCHAR",
  pg_stat_user_tables: "relid INTEGER, schemaname VARCHAR, relname VARCHAR, n_live_tup BIGINT",
  pg_statio_user_tables: "relid INTEGER, schemaname VARCHAR, relname VARCHAR",
  pg_subscription:
    "oid INTEGER, subdbid INTEGER, subname VARCHAR, subowner INTEGER, subenabled BOOLEAN, subpublications VARCHAR[]",
  pg_user_mapping: "oid INTEGER, umuser INTEGER, umserver INTEGER, umoptions VARCHAR[]",
  pg_user_mappings:
    "umid INTEGER, srvid INTEGER, srvname VARCHAR, umuser INTEGER, usename VARCHAR, umoptions VARCHAR[]",
  pg_shdescription: "objoid INTEGER, classoid INTEGER, description VARCHAR",
  pg_settings: "name VARCHAR, setting VARCHAR, unit VARCHAR, category VARCHAR, short_desc VARCHAR",
}

function views(database: string): readonly string[] {
  const own = "n.nspname = 'public'"
  return [
    `CREATE VIEW pg.pg_roles AS SELECT ${asker} AS rolname, false AS rolsuper, true AS rolinherit, false AS
      rolcreaterole, false AS rolcreatedb, true AS rolcanlogin, false AS rolreplication, -1 AS rolconnlimit,
      CAST(NULL AS VARCHAR) AS rolpassword, CAST(NULL AS TIMESTAMP) AS rolvaliduntil, false AS rolbypassrls,
      CAST(NULL AS VARCHAR[]) AS rolconfig, 10 AS oid`,
    `CREATE VIEW pg.pg_tables AS SELECT n.nspname AS schemaname, c.relname AS tablename,
      ${asker} AS tableowner, CAST(NULL AS VARCHAR) AS tablespace, false AS hasindexes,
      false AS hasrules, false AS hastriggers, false AS rowsecurity FROM pg.pg_class c JOIN
      pg.pg_namespace n ON n.oid = c.relnamespace`,
    `CREATE VIEW pg.pg_user AS SELECT rolname AS usename, oid AS usesysid, rolcreatedb AS
      usecreatedb, rolsuper AS usesuper FROM pg.pg_roles`,
    "CREATE VIEW pg.pg_authid AS SELECT * FROM pg.pg_roles",
    "CREATE VIEW pg.pg_group AS SELECT '' AS groname, 0 AS grosysid FROM pg.pg_namespace WHERE false",
    `CREATE VIEW pg.pg_views AS SELECT schemaname, tablename AS viewname, tableowner AS
      viewowner, '' AS definition FROM pg.pg_tables WHERE false`,
    `CREATE VIEW pg.pg_matviews AS SELECT schemaname, tablename AS matviewname, tableowner AS
      matviewowner FROM pg.pg_tables WHERE false`,
    "CREATE SCHEMA info",
    `CREATE VIEW info.schemata AS SELECT ${quote(database)} AS catalog_name, nspname AS
      schema_name, ${asker} AS schema_owner FROM pg.pg_namespace`,
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
    `CREATE VIEW info.referential_constraints AS SELECT table_catalog AS constraint_catalog, table_schema AS
      constraint_schema, '' AS constraint_name, '' AS unique_constraint_schema, ''
      AS unique_constraint_name, '' AS
      update_rule, '' AS delete_rule FROM info.tables WHERE false`,
    `CREATE VIEW info.constraint_column_usage AS SELECT table_catalog, table_schema, table_name,
      '' AS column_name,
      '' AS constraint_schema, '' AS constraint_name FROM info.tables WHERE false`,
    `CREATE VIEW info.sequences AS SELECT table_catalog AS sequence_catalog, table_schema AS sequence_schema,
      table_name AS sequence_name FROM info.tables WHERE false`,
    `CREATE VIEW info.table_privileges AS SELECT ${asker} AS grantor, ${asker} AS grantee, table_catalog,
      table_schema, table_name, 'SELECT' AS privilege_type, 'NO' AS is_grantable FROM info.tables`,
    `CREATE VIEW info.routines AS SELECT table_catalog AS routine_catalog, table_schema AS
      routine_schema, table_name AS routine_name FROM info.tables WHERE false`,
  ]
}

/** The tables and views of `pg_catalog` and of `information_schema` that there are, by name. */
export const catalogTables: ReadonlySet<string> = new Set([...Object.keys(definitions), ...viewNames("pg")])

/** As catalogTables, for `information_schema`. */
export const informationTables: ReadonlySet<string> = new Set(viewNames("info"))

function viewNames(schema: string): readonly string[] {
  return views("").flatMap((text) => {
    const [, found, name = ""] = /^CREATE VIEW (\w+)\.(\w+) /.exec(text) ?? []
    return found === schema ? [name] : []
  })
}
