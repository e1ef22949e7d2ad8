// Which data a PostgreSQL holds. What can be told is told: by the rows of all tables, or of one that the
// owner keeps for it. Otherwise the owner's word counts, and what contradicts it is looked for all the same.

import { writeName } from "@dosimeter/proof/spell/literal"
import type { PostgresSource } from "@dosimeter/policy/file/policy"
import { createHash } from "node:crypto"
import { fail } from "../../errors.ts"
import type { SeenData } from "../data-version.ts"
import type { Ask } from "./discover.ts"
import type { Sent } from "./read-value.ts"
import { isColumn, isServed } from "./relations.ts"

/** Runs some questions in one transaction: they see one state of the data. */
export type AskTogether = <Result>(work: (ask: Ask) => Promise<Result>) => Promise<Result>

/** The data of a source, which may also be compared inside of a transaction that goes on to read it. */
export interface SeenRows extends SeenData {
  /**
   * Whether the state that a transaction sees is the one that was opened. Asked before and after only, data
   * that was changed and changed back would pass for data that never was another.
   */
  isSameIn(ask: Ask): Promise<boolean>
}

/** What was seen of a source. */
interface Sight {
  readonly shape: string
  readonly data: string
  readonly traces: string
  /** The transactions that were over; undefined where that does not tell whether rows are the same. */
  readonly quiet: string | undefined
}

/** Looks which data a source holds. */
export async function seeData(
  source: Pick<PostgresSource, "schemas" | "version">,
  together: AskTogether,
): Promise<SeenRows> {
  let last = await together((ask) => look(source, ask))
  const isSameIn = async (ask: Ask): Promise<boolean> => {
    const { quiet } = last
    // Where no transaction has been given a number since, nobody has changed anything.
    if (quiet !== undefined && (await quietSince(ask)) === quiet) return true
    const now = await look(source, ask)
    if (now.shape !== last.shape || now.data !== last.data || now.traces !== last.traces) return false
    last = now
    return true
  }
  return {
    print: JSON.stringify([source.version.by, last.data]),
    isSame: () => together(isSameIn),
    isSameIn,
  }
}

async function look(
  { schemas, version }: Pick<PostgresSource, "schemas" | "version">,
  ask: Ask,
): Promise<Sight> {
  const quiet = await quietSince(ask)
  const shape = digest(await ask(shapeSql, [schemas]))
  switch (version.by) {
    case "word":
      return { quiet, shape, data: version.word, traces: digest(await ask(tracesSql, [schemas])) }
    case "table": {
      const [schema = "", table = ""] = version.path
      const tables = await columnsOf(ask, [schema])
      const columns = tables.get(JSON.stringify([schema, table]))?.columns ?? []
      if (columns.length === 0) fail("dataset/unreadable", { file: `${schema}.${table}`, format: "a table" })
      return { quiet, shape, data: digest(await ask(sumSql([schema, table], columns), [])), traces: "" }
    }
    case "content": {
      const sums: unknown[] = []
      for (const { path, columns } of (await columnsOf(ask, schemas)).values()) {
        sums.push([path, columns, await ask(sumSql(path, columns), [])])
      }
      const [row] = await ask(restlessSql, [schemas])
      return { quiet: row?.[0] === "f" ? quiet : undefined, shape, data: digest(sums), traces: "" }
    }
    default:
      return version satisfies never
  }
}

/**
 * The number that the next transaction gets, if none is under way, and since when the server runs: one that
 * was started anew, or took the place of another, may give numbers a second time.
 */
async function quietSince(ask: Ask): Promise<string | undefined> {
  const [row] = await ask("SELECT pg_current_snapshot(), extract(epoch FROM pg_postmaster_start_time())", [])
  const [, first, next] = /^(\d+):(\d+):$/.exec(row?.[0] ?? "") ?? []
  return first !== undefined && first === next ? `${first} ${row?.[1] ?? ""}` : undefined
}

/** A table that may be read. */
interface Read {
  readonly path: readonly string[]
  readonly columns: readonly string[]
}

/** The tables that may be read, each with its columns. */
async function columnsOf(ask: Ask, schemas: readonly string[]): Promise<ReadonlyMap<string, Read>> {
  const rows = await ask(
    `SELECT n.nspname, c.relname, a.attname FROM ${relations}
      AND ${isColumn} AND has_column_privilege(c.oid, a.attnum, 'SELECT')
      AND has_schema_privilege(n.oid, 'USAGE')
    ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", a.attnum`,
    [schemas],
  )
  const tables = new Map<string, Read>()
  for (const row of rows) {
    const [schema = "", table = "", column = ""] = row.map((one) => one ?? "")
    const path = [schema, table]
    const place = JSON.stringify(path)
    tables.set(place, { path, columns: [...(tables.get(place)?.columns ?? []), column] })
  }
  return tables
}

const relations = `pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    JOIN pg_attribute AS a ON a.attrelid = c.oid
    WHERE n.nspname = ANY($1::text[]) AND ${isServed}`

/**
 * Whether rows may become others while nobody writes: a view, and a policy of rows, may ask for the time, for
 * another server, or for anything else.
 */
const restlessSql = `SELECT count(*) > 0 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1::text[]) AND ${isServed} AND (c.relkind = 'v' OR c.relrowsecurity)
    AND has_any_column_privilege(c.oid, 'SELECT')`

/**
 * A number of rows, and two sums of 60 bits each of the SHA-256 of every row: whichever order they are in.
 * Nobody who does not look for it finds other rows with the same sums.
 */
function sumSql(path: readonly string[], columns: readonly string[]): string {
  const row = `ROW(${columns.map((column) => `t.${writeName(column)}`).join(", ")})::text`
  const part = (from: number): string =>
    `sum(CAST(CAST('x' || substr(h.x, ${from}, 15) AS BIT(60)) AS BIGINT))`
  return `SELECT count(*), ${part(1)}, ${part(16)}
    FROM (SELECT encode(sha256(convert_to(${row}, 'UTF8')), 'hex') AS x
      FROM ${path.map(writeName).join(".")} AS t) AS h`
}

/** Names, types, keys and the texts of views: cheap, and asked whoever says which data it is. */
const shapeSql = `SELECT n.nspname, c.relname, c.relkind, c.relrowsecurity, c.relhassubclass, a.attname,
    a.atttypid, a.atttypmod, a.attnotnull, has_column_privilege(c.oid, a.attnum, 'SELECT'),
    CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END,
    (SELECT string_agg(pg_get_constraintdef(o.oid), '; ' ORDER BY o.oid) FROM pg_constraint AS o
      WHERE o.conrelid = c.oid AND a.attnum = 1)
  FROM ${relations} AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY n.nspname COLLATE "C", c.relname COLLATE "C", a.attnum`

/**
 * Traces of changes: the files of tables, and how many rows were ever written. The server counts them a
 * moment later and may forget them: where they differ something was
 * changed, where they do not nothing is proven.
 */
const tracesSql = `SELECT n.nspname, c.relname, c.oid, c.relfilenode, pg_stat_get_tuples_inserted(c.oid),
    pg_stat_get_tuples_updated(c.oid), pg_stat_get_tuples_deleted(c.oid)
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1::text[]) AND c.relkind IN ('r', 'p', 'm') ORDER BY c.oid`

function digest(rows: readonly (readonly Sent[])[] | readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(rows)).digest("hex")
}
