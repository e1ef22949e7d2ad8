// What PostgreSQL says about the tables of some schemas: names, types, NULLs and keys. No row is asked for.
// Only what the role may read is there: a column that was not granted is as if it did not exist.

import type { ColumnFacts, SourceFacts, TableFacts } from "@dosimeter/policy/file/source-facts"
import { postgresType } from "./postgres-type.ts"
import type { Sent } from "./read-value.ts"
import { isColumn, isServed } from "./relations.ts"

/** Asks a query of ours, with texts as parameters. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<readonly (readonly Sent[])[]>

const tables = `pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1::text[]) AND ${isServed}`

/**
 * A domain is the type below it. NOT NULL that was not looked at in the rows that were there says nothing,
 * nor does what holds for a table alone while others inherit from it.
 */
const columnsSql = `WITH RECURSIVE
  known AS (SELECT c.oid, n.nspname, c.relname, c.relkind, c.relhassubclass FROM ${tables}),
  base AS (
    SELECT a.attrelid, a.attnum, a.atttypid AS type, a.atttypmod AS modifier
    FROM pg_attribute AS a JOIN known AS k ON k.oid = a.attrelid
    UNION ALL
    SELECT b.attrelid, b.attnum, t.typbasetype, CASE WHEN b.modifier = -1 THEN t.typtypmod ELSE b.modifier END
    FROM base AS b JOIN pg_type AS t ON t.oid = b.type WHERE t.typtype = 'd'
  )
  SELECT k.nspname, k.relname, a.attname, t.typname, t.typtype, b.modifier, s.nspname = 'pg_catalog',
    a.attnotnull AND k.relkind IN ('r', 'p') AND NOT (k.relkind = 'r' AND k.relhassubclass)
      AND NOT EXISTS (SELECT 1 FROM pg_constraint AS o
        WHERE o.conrelid = a.attrelid AND o.contype = 'n' AND NOT o.convalidated AND a.attnum = ANY(o.conkey)),
    x.extname IS NOT NULL
  FROM known AS k
  JOIN pg_attribute AS a ON a.attrelid = k.oid
  JOIN base AS b ON b.attrelid = a.attrelid AND b.attnum = a.attnum
  JOIN pg_type AS t ON t.oid = b.type AND t.typtype <> 'd'
  JOIN pg_namespace AS s ON s.oid = t.typnamespace
  LEFT JOIN pg_depend AS d ON d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e'
  LEFT JOIN pg_extension AS x ON x.oid = d.refobjid AND x.extname = 'citext'
  WHERE ${isColumn} AND has_column_privilege(k.oid, a.attnum, 'SELECT')
    AND has_schema_privilege(k.nspname, 'USAGE')
  ORDER BY k.nspname COLLATE "C", k.relname COLLATE "C", a.attnum`

/**
 * A row for each column of a key. Of a table that others inherit from, no key is unique: their rows are read
 * with it.
 */
const keysSql = `SELECT n.nspname, c.relname, o.oid, o.contype, o.convalidated, a.attname,
    f.relname, b.attname
  FROM pg_constraint AS o
  JOIN pg_class AS c ON c.oid = o.conrelid
  JOIN pg_namespace AS n ON n.oid = c.relnamespace
  CROSS JOIN generate_series(1, cardinality(o.conkey)) AS place
  JOIN pg_attribute AS a ON a.attrelid = o.conrelid AND a.attnum = o.conkey[place]
  LEFT JOIN pg_class AS f ON f.oid = o.confrelid
  LEFT JOIN pg_attribute AS b ON b.attrelid = o.confrelid AND b.attnum = o.confkey[place]
  WHERE n.nspname = ANY($1::text[]) AND o.contype IN ('p', 'u', 'f')
    AND NOT (c.relkind = 'r' AND c.relhassubclass)
  ORDER BY o.contype, o.oid, place`

/** The tables and views of some schemas. */
export async function discover(ask: Ask, schemas: readonly string[]): Promise<SourceFacts> {
  const columns = await ask(columnsSql, [schemas])
  const keys = readConstraints(await ask(keysSql, [schemas]))
  const found = new Map<string, TableFacts>()
  for (const row of columns) {
    const [schema = "", table = ""] = row.map((one) => one ?? "")
    const place = JSON.stringify([schema, table])
    const own = keys.filter((key) => key.place === place)
    const known = found.get(place) ?? { name: table, path: [schema, table], columns: [], keys: [] }
    found.set(place, { ...known, columns: [...known.columns, readColumn(row, own)] })
  }
  return {
    tables: [...found].map(([place, table]) => ({
      ...table,
      keys: keysOf(
        table,
        keys.filter((key) => key.place === place),
      ),
    })),
  }
}

interface Constraint {
  readonly place: string
  readonly kind: string
  readonly isValid: boolean
  readonly columns: readonly string[]
  readonly target: { readonly table: string; readonly columns: readonly string[] }
}

/** The constraints whose columns come one by one. */
function readConstraints(rows: readonly (readonly Sent[])[]): readonly Constraint[] {
  const found = new Map<string, Constraint>()
  for (const row of rows) {
    const [schema = "", table = "", id = "", kind = "", valid = "", column = "", target = "", to = ""] =
      row.map((one) => one ?? "")
    const known = found.get(id)
    found.set(id, {
      place: JSON.stringify([schema, table]),
      kind,
      isValid: valid === "t",
      columns: [...(known?.columns ?? []), column],
      target: { table: target, columns: [...(known?.target.columns ?? []), to] },
    })
  }
  return [...found.values()]
}

function readColumn(row: readonly Sent[], constraints: readonly Constraint[]): ColumnFacts {
  const [, , name = "", typeName = "", kind = "", modifier = "", builtIn = "", notNull = "", known = ""] =
    row.map((one) => one ?? "")
  const stored = { name: typeName, kind, modifier: Number(modifier), isBuiltIn: builtIn === "t" }
  // A type of that name that is not the extension's may be anything.
  const facts =
    typeName === "citext" && known !== "t"
      ? { type: undefined, typeName: "a type of its own" }
      : postgresType(stored)
  const reference = constraints.find(
    (one) => one.kind === "f" && one.isValid && one.columns.length === 1 && one.columns[0] === name,
  )
  const [key] = reference?.target.columns ?? []
  return {
    name,
    ...facts,
    // A numeric may be NaN, however many digits it has, and NaN is read as NULL.
    nullable: notNull !== "t" || typeName === "numeric",
    ...(reference === undefined || key === undefined
      ? {}
      : { references: { table: reference.target.table, column: key } }),
  }
}

/** Keys that hold NULL too: UNIQUE lets several NULLs stand beside each other. */
function keysOf(table: TableFacts, constraints: readonly Constraint[]): readonly (readonly string[])[] {
  const isNeverNull = (name: string): boolean =>
    table.columns.find((column) => column.name === name)?.nullable === false
  return constraints
    .filter(({ kind, columns }) => kind !== "f" && columns.every(isNeverNull))
    .map(({ columns }) => columns)
}
