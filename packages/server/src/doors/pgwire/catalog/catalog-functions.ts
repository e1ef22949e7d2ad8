// The functions that questions about catalogs may call, each with its numbers of arguments and its spelling
// in the database that holds the catalogs. There are no others: nothing that reads files or settings, makes
// rows of nothing, or makes texts longer than a limit.

import { notAnswered } from "./not-answered.ts"

/** A function: how many arguments it may have, and its call. */
export interface CatalogFunction {
  readonly counts: readonly number[]
  readonly print: (args: readonly string[]) => string
  /** Over the rows of a group. */
  readonly isAggregate?: true
  /** Numbers rows; called with OVER only. */
  readonly isWindow?: true
  /** Gives rows: may stand in FROM. */
  readonly givesRows?: true
  /** Known to PostgreSQL's catalogs alone: a statement with such a call is about catalogs. */
  readonly isOfCatalogs?: true
  /** Tells which tables there are: only for those who may see them. */
  readonly namesTables?: true
}

/** Texts that are made grow no longer than this. */
const textMax = 10_000

/** A text that may have grown, cut. */
export function cutText(sql: string): string {
  return `left(${sql}, ${textMax})`
}

/** The function of a name in lower case, without its schema. */
export function catalogFunction(name: string, count: number): CatalogFunction {
  const found = functions.get(name)
  if (found === undefined) return notAnswered(`the function ${name.slice(0, 40)}`)
  if (!found.counts.includes(count))
    return notAnswered(`the function ${name.slice(0, 40)} with ${count} arguments`)
  return found
}

/** Whether calling this function makes a statement one about catalogs or the session. */
export function isOfCatalogs(name: string): boolean {
  return functions.get(name)?.isOfCatalogs === true || name === "set_config" || name === "current_setting"
}

const call =
  (name: string) =>
  (args: readonly string[]): string =>
    `${name}(${args.join(", ")})`

/** Functions that are the same in our database. */
const same = (names: string, ...counts: readonly number[]): Entries =>
  names.split(" ").map((name) => [name, { counts, print: call(name) }])

/** Functions whose texts may be longer than their arguments. */
const growing = (names: string, ...counts: readonly number[]): Entries =>
  names.split(" ").map((name) => [name, { counts, print: (args) => cutText(call(name)(args)) }])

/** Macros of the catalogs. */
const macros = (names: string, ...counts: readonly number[]): Entries =>
  names.split(" ").map((name) => [name, { counts, print: call(`pg.${name}`), isOfCatalogs: true }])

/** Macros by which tables could be found. */
const tableMacros = (names: string, ...counts: readonly number[]): Entries =>
  macros(names, ...counts).map(([name, one]) => [name, { ...one, namesTables: true }])

/** What has one answer here, whatever it is asked about. */
const fixed = (names: string, value: string, ...counts: readonly number[]): Entries =>
  names.split(" ").map((name) => [name, { counts, print: () => value, isOfCatalogs: true }])

/** Privileges: everything here may be read, and nothing else. */
const privileges = (names: string, ...counts: readonly number[]): Entries =>
  names.split(" ").map((name) => {
    const print = (args: readonly string[]): string => `pg.may_read(${args.at(-1) ?? "NULL"})`
    return [name, { counts, print, isOfCatalogs: true }]
  })

const aggregates = (names: string, ...counts: readonly number[]): Entries =>
  names.split(" ").map((name) => [name, { counts, print: call(name), isAggregate: true }])

type Entries = readonly (readonly [name: string, definition: CatalogFunction])[]

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, index) => index + 1)
const nullText = "CAST(NULL AS VARCHAR)"
const nullNumber = "CAST(NULL AS INTEGER)"

const functions: ReadonlyMap<string, CatalogFunction> = new Map<string, CatalogFunction>([
  ...same("lower upper length ltrim rtrim", 1),
  ...same("ltrim rtrim strpos", 1, 2),
  ...same("char_length character_length", 1).map(
    ([name, one]) => [name, { ...one, print: call("length") }] as const,
  ),
  ["btrim", { counts: [1, 2], print: call("trim") }],
  ["substring", { counts: [2, 3], print: call("substring") }],
  ["substr", { counts: [2, 3], print: call("substring") }],
  ["position", { counts: [2], print: ([text = "", part = ""]) => `strpos(${text}, ${part})` }],
  ...same("left right starts_with", 2),
  ["split_part", { counts: [3], print: call("split_part") }],
  ...growing("replace", 3),
  ...growing("concat", ...upTo(20)),
  ...growing("concat_ws", ...upTo(20)),
  [
    "array_to_string",
    { counts: [2, 3], print: ([list = "", sign = ""]) => cutText(`array_to_string(${list}, ${sign})`) },
  ],
  ["string_to_array", { counts: [2], print: call("string_split") }],
  ["array_length", { counts: [2], print: ([list = ""]) => `nullif(len(${list}), 0)` }],
  ["array_upper", { counts: [2], print: ([list = ""]) => `nullif(len(${list}), 0)` }],
  ["array_lower", { counts: [2], print: () => "1" }],
  ["cardinality", { counts: [1], print: ([list = ""]) => `len(${list})` }],
  ["unnest", { counts: [1], print: call("unnest"), givesRows: true }],
  [
    "generate_subscripts",
    { counts: [2], print: ([list = ""]) => `unnest(generate_series(1, len(${list})))`, givesRows: true },
  ],
  [
    // As psql uses it: over the columns of a table, of which there are few.
    "generate_series",
    {
      counts: [2],
      print: ([from = "", to = ""]) => `unnest(generate_series(greatest(${from}, 0), least(${to}, 1600)))`,
      givesRows: true,
    },
  ],
  ["quote_ident", { counts: [1], print: call("pg.quote_ident"), isOfCatalogs: true }],
  [
    "quote_literal",
    { counts: [1], print: ([text = ""]) => `'''' || replace(${text}, '''', '''''') || ''''` },
  ],
  ["abs", { counts: [1], print: call("abs") }],
  ["mod", { counts: [2], print: ([a = "", b = ""]) => `(${a} % ${b})` }],
  ...aggregates("count sum min max bool_and bool_or array_agg", 1),
  ["every", { counts: [1], print: call("bool_and"), isAggregate: true }],
  ["string_agg", { counts: [2], print: call("string_agg"), isAggregate: true }],
  ...(["row_number", "rank", "dense_rank"] as const).map(
    (name) => [name, { counts: [0], print: call(name), isWindow: true }] as const,
  ),
  ...macros("format_type", 2),
  ...tableMacros("obj_description", 1, 2),
  ...macros("current_schemas", 1),
  ...tableMacros("to_regclass to_regtype to_regnamespace", 1),
  ...fixed("current_database current_catalog", "pg.database_name()", 0),
  ...fixed("current_schema", "'public'", 0),
  ...fixed("version", "pg.server_version()", 0),
  ...fixed("pg_get_userbyid", "pg.role_name(10)", 1),
  ...fixed("pg_encoding_to_char", "'UTF8'", 1),
  ...fixed("pg_char_to_encoding", "6", 1),
  ...fixed("getdatabaseencoding pg_client_encoding", "'UTF8'", 0),
  ...fixed("pg_is_in_recovery pg_is_wal_replay_paused", "false", 0),
  ...fixed("pg_relation_is_publishable pg_is_other_temp_schema row_security_active", "false", 1),
  ...fixed("pg_my_temp_schema", "0", 0),
  ...fixed("pg_advisory_unlock_all", nullText, 0),
  ...fixed("pg_postmaster_start_time pg_conf_load_time", "TIMESTAMP '2000-01-01'", 0),
  ...fixed("pg_backend_pid", "1", 0),
  ...fixed("txid_current pg_current_xact_id", "1", 0),
  ...fixed("inet_server_addr inet_client_addr", nullText, 0),
  ...fixed("inet_server_port inet_client_port", nullNumber, 0),
  ...fixed(
    "pg_table_is_visible pg_type_is_visible pg_function_is_visible pg_opclass_is_visible pg_operator_is_visible " +
      "pg_collation_is_visible pg_conversion_is_visible pg_opfamily_is_visible pg_ts_config_is_visible pg_statistics_obj_is_visible",
    "true",
    1,
  ),
  ...privileges("has_table_privilege has_schema_privilege has_database_privilege", 2, 3),
  ...privileges("has_column_privilege", 3, 4),
  ...privileges("has_any_column_privilege has_type_privilege has_language_privilege", 2, 3),
  ...fixed("has_function_privilege has_sequence_privilege has_tablespace_privilege", "false", 2, 3),
  ...fixed("pg_has_role", "true", 2, 3),
  ...fixed("pg_get_expr", nullText, 2, 3),
  ...fixed("pg_get_indexdef", nullText, 1, 3),
  ...fixed("pg_get_viewdef pg_get_constraintdef pg_get_ruledef pg_get_triggerdef", nullText, 1, 2),
  ...fixed(
    "pg_get_partkeydef pg_get_function_result pg_get_function_arguments pg_get_function_identity_arguments " +
      "pg_get_functiondef pg_get_function_sqlbody pg_get_statisticsobjdef pg_get_statisticsobjdef_columns pg_tablespace_location " +
      "pg_size_pretty",
    nullText,
    1,
  ),
  ...fixed("pg_get_serial_sequence col_description shobj_description pg_describe_object", nullText, 2, 3),
  ...fixed("pg_relation_size", nullNumber, 1, 2),
  ...fixed(
    "pg_total_relation_size pg_table_size pg_indexes_size pg_database_size pg_tablespace_size",
    nullNumber,
    1,
  ),
  ...fixed("pg_stat_get_numscans pg_relation_filenode", nullNumber, 1),
  ...fixed("pg_partition_ancestors pg_partition_root", nullNumber, 1),
  ...fixed("pg_sequence_last_value", nullNumber, 1),
])
