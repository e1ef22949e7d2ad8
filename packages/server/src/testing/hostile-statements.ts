// Statements that try to reach more than the catalogs, for tests: functions, files, settings, several
// statements in every quoting, things that grow.

/** Functions of databases that must not be called, each where a value stands and where rows come from. */
const functions =
  "range generate_series repeat read_csv read_csv_auto read_text read_blob read_parquet read_json glob sniff_csv " +
  "parquet_scan parquet_metadata duckdb_settings duckdb_tables duckdb_secrets duckdb_functions duckdb_databases " +
  "pragma_table_info pragma_version query query_table getenv getvariable nextval currval sleep pg_sleep " +
  "pg_read_file pg_ls_dir pg_terminate_backend pg_cancel_backend lo_import lo_export dblink copy_from system " +
  "iceberg_scan sqlite_scan postgres_scan postgres_query mysql_query st_read load_aws_credentials which_secret " +
  "current_query random uuid gen_random_uuid list_transform list_reduce array_fill lpad rpad md5 sha256 format " +
  "printf regexp_replace regexp_split_to_table json_each unnest_json to_json row_to_json xmlelement " +
  "pg_logical_emit_message pg_create_restore_point pg_reload_conf set_bit error enable_logging checkpoint " +
  "force_checkpoint export_database import_database summary histogram quantile list json_build_object"

const quotings: readonly ((text: string) => string)[] = [
  (text) => `SELECT E'\\'' FROM pg_class; ${text} --'`,
  (text) => `SELECT E'\\'' /* ' */ FROM pg_class; ${text} --'`,
  (text) => `SELECT 'a' FROM pg_class;${text}`,
  (text) => `SELECT $a$ ' $a$ FROM pg_class; ${text}`,
  (text) => `SELECT U&'\\0027' FROM pg_class; ${text}; --'`,
  (text) => `SELECT "a""; " FROM pg_class; ${text}`,
  (text) => `SELECT 1 FROM pg_class /* /* */ ; */ ; ${text}`,
  (text) => `SELECT 1 FROM pg_class -- \r; ${text}`,
  (text) => `SELECT E'a'\n'\\'' FROM pg_class; ${text}; --'`,
  (text) => `SELECT N'\\' FROM pg_class; ${text} --'`,
]

const smuggled = [
  "CREATE TABLE pg_evil AS SELECT 42 AS x",
  "DROP TABLE pg.pg_class",
  "ATTACH '/etc/passwd' AS p",
  "COPY (SELECT 1) TO '/tmp/evil'",
  "SET VARIABLE asker = 'owner'",
  "INSTALL httpfs",
  "LOAD httpfs",
  "PRAGMA database_list",
  "CALL pragma_version()",
  "DELETE FROM pg.pg_class",
  "INSERT INTO pg.pg_class SELECT * FROM pg.pg_class",
  "EXPORT DATABASE '/tmp/evil'",
]

const forms = [
  "SELECT * FROM '/etc/passwd', pg_class",
  'SELECT * FROM "/etc/passwd", pg_class',
  'SELECT * FROM "/etc/passwd.csv" AS pg_class, pg_class c',
  "SELECT * FROM pg.pg_class, pg_type",
  "SELECT * FROM main.pg_class, pg_type",
  "SELECT * FROM duckdb_settings, pg_class",
  "SELECT * FROM sqlite_master, pg_class",
  "SELECT * FROM pg_catalog.duckdb_settings",
  "SELECT * FROM information_schema.character_sets",
  "SELECT * FROM other.pg_catalog.pg_class",
  "SELECT * FROM ONLY pg_class",
  "SELECT * FROM pg_class TABLESAMPLE SYSTEM (10)",
  "SELECT * FROM pg_class FOR UPDATE",
  "SELECT * INTO pg_evil FROM pg_class",
  "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT * FROM r, pg_class",
  "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r) SELECT n FROM r, pg_class",
  "WITH x AS (DELETE FROM pg_class RETURNING *) SELECT * FROM x",
  "WITH x AS (INSERT INTO pg_class VALUES (1) RETURNING *) SELECT * FROM x, pg_type",
  "SELECT * FROM ROWS FROM (unnest(ARRAY[1]), unnest(ARRAY[2])) AS pg_x, pg_class",
  "SELECT pg_catalog.pg_class.x.y.z FROM pg_class",
  "SELECT (c).oid FROM pg_class c",
  "SELECT (pg_catalog.current_schemas(true))[1:2]",
  "SELECT x'ff' FROM pg_class",
  "SELECT 1e308 FROM pg_class",
  "SELECT 99999999999999999999999999999999 FROM pg_class",
  "SELECT interval '1 day' FROM pg_class",
  "SELECT '{}'::json FROM pg_class",
  "SELECT 'x'::xml FROM pg_class",
  "SELECT relname::pg_evil FROM pg_class",
  "SELECT relname::other.text FROM pg_class",
  "SELECT relname OPERATOR(other.=) 'x' FROM pg_class",
  "SELECT relname @@ 'x' FROM pg_class",
  "SELECT oid & 1 FROM pg_class",
  "SELECT 2 ^ 1000 FROM pg_class",
  "SELECT other.lower(relname) FROM pg_class",
  "SELECT sum(oid) OVER (ORDER BY oid ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM pg_class",
  "SELECT row_number() FROM pg_class",
  "SELECT count(*) OVER () FROM pg_class",
  "SELECT lower(*) FROM pg_class",
  "SELECT string_agg(relname, ',') WITHIN GROUP (ORDER BY oid) FROM pg_class",
  "SELECT concat(VARIADIC ARRAY['a']) FROM pg_class",
  "SELECT lower(a => relname) FROM pg_class",
  "SELECT relname FROM pg_class GROUP BY ROLLUP (relname)",
  "SELECT relname FROM pg_class GROUP BY GROUPING SETS ((relname), ())",
  "SELECT GROUPING(relname) FROM pg_class GROUP BY relname",
  "SELECT relname FROM pg_class ORDER BY relname USING <",
  "SELECT relname FROM pg_class ORDER BY relname FETCH FIRST 1 ROW WITH TIES",
  "SELECT relname FROM pg_class WINDOW w AS (ORDER BY oid)",
  "SELECT relname SIMILAR TO 'x' FROM pg_class",
  "SELECT CURRENT_TIMESTAMP, pg_backend_pid()",
  "SELECT CURRENT_DATE FROM pg_class",
  "SELECT XMLPARSE(CONTENT 'x') FROM pg_class",
  "SELECT JSON_OBJECT() FROM pg_class",
  "SELECT COLLATION FOR (relname) FROM pg_class",
  'SELECT relname COLLATE "x"(1) FROM pg_class',
  "SELECT set_config('dosimeter.epsilon', '0.2', false) FROM pg_class",
  "SELECT set_config('dosimeter.epsilon', relname, false) FROM pg_class",
  "SELECT set_config('dosimeter.epsilon', '0.2', false) WHERE false",
  "SELECT CASE WHEN false THEN set_config('dosimeter.epsilon', '0.2', false) END",
  "SELECT lower(set_config('dosimeter.epsilon', '0.2', false))",
  "SELECT 1 UNION SELECT set_config('dosimeter.epsilon', '0.2', false)",
  "SELECT (SELECT set_config('dosimeter.epsilon', '0.2', false))",
  "SELECT set_config('dosimeter.epsilon', '0.2', false) LIMIT 0",
  "SELECT set_config('dosimeter.epsilon')",
  "SELECT set_config(NULL, '1', false)",
  "SELECT current_setting(relname) FROM pg_class",
  "SELECT current_setting('dosimeter.budget')",
  "SELECT * FROM person, pg_class",
  "SELECT COUNT(*) FROM person WHERE gender = current_user",
  "SELECT * FROM LATERAL (SELECT * FROM person) p, pg_class",
  "SELECT (SELECT gender FROM person LIMIT 1) FROM pg_class",
  "TABLE pg_evil, pg_class",
  "VALUES (pg_read_file('/etc/passwd'))",
]

/** All of them. None may be sent to the database, in whole or in part. */
export const hostileStatements: readonly string[] = [
  ...functions
    .split(" ")
    .flatMap((name) => [
      `SELECT ${name}(relname) FROM pg_class`,
      `SELECT * FROM ${name}('/etc/passwd') AS pg_x, pg_class`,
      `SELECT pg_catalog."${name}"(1, 2, 3, 4, 5) FROM pg_class`,
    ]),
  ...quotings.flatMap((quoting) => smuggled.map(quoting)),
  ...forms,
]

const everything = Array.from({ length: 6 }, (_, index) => `pg_attribute a${index}, pg_type t${index}`).join(
  ", ",
)

/** Questions that are allowed and would never end, or never fit. */
export const endless: readonly (readonly [name: string, sql: string])[] = [
  ["a join of everything", `SELECT a0.attname FROM ${everything}`],
  ["its rows counted", `SELECT count(*) FROM ${everything} WHERE a0.attname || t5.typname <> ''`],
  ["its texts collected", `SELECT string_agg(a0.attname, '') FROM ${everything}`],
  ["its values collected", `SELECT array_agg(a0.attname || t3.typname) FROM ${everything}`],
  [
    "its order",
    `SELECT a0.attname FROM ${everything} ORDER BY a0.attname || t1.typname, t5.typname DESC LIMIT 1`,
  ],
  [
    "its differences",
    `SELECT DISTINCT a0.attname || t1.typname || t2.typname || a2.attname FROM ${everything}`,
  ],
  ["lists of lists", `SELECT unnest(array_agg(a0.attname)) FROM ${everything}`],
  [
    "numbers of numbers",
    "SELECT count(*) FROM generate_series(0, 1000000000) a, generate_series(0, 1600) b, generate_series(0, 1600) c, pg_type",
  ],
  [
    "a pattern that goes back",
    `SELECT count(*) FROM pg_type WHERE concat(${Array.from({ length: 20 }, () => "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'").join(", ")}) LIKE '${"%a".repeat(40)}%b'`,
  ],
]
