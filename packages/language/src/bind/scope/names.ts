// The names in reach of an expression: tables with their columns, columns that USING has merged, and how a
// written name finds the one column that it means.

import type { Span } from "@dosimeter/core"
import { fail } from "../../errors.ts"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import type { RelColumn } from "@dosimeter/proof/algebra/rel"
import type { Name } from "../../parse/ast.ts"
import { nearNames } from "./near-names.ts"

/** A column that can be named. */
export interface NamedColumn {
  readonly name: string
  /** What it is; none if the owner denies it. */
  readonly column: RelColumn | undefined
}

/** A table, or what has an alias. */
export interface NamedTable {
  readonly name: string
  /** The table of the catalog behind it, if there is one. */
  readonly table: string | undefined
  readonly columns: readonly NamedColumn[]
}

/** All names of one FROM. */
export interface Names {
  readonly tables: readonly NamedTable[]
  /** What * stands for, and what a name without a table may mean: columns merged by USING once and first. */
  readonly columns: readonly NamedColumn[]
}

/** No names at all. */
export const noNames: Names = { tables: [], columns: [] }

/** The names of one table. */
export function namesOf(table: NamedTable): Names {
  return { tables: [table], columns: table.columns }
}

/** The names of both sides of a join. */
export function joinNames(left: Names, right: Names, at: Span): Names {
  const taken = new Set(left.tables.map(({ name }) => name))
  const twice = right.tables.find(({ name }) => taken.has(name))
  if (twice !== undefined) fail("sql/duplicate-alias", { name: twice.name }, at)
  return { tables: [...left.tables, ...right.tables], columns: [...left.columns, ...right.columns] }
}

/** The same names with other columns behind them. */
export function mapNames(names: Names, change: (column: RelColumn) => RelColumn): Names {
  const each = (columns: readonly NamedColumn[]): readonly NamedColumn[] =>
    columns.map(({ name, column }) => ({ name, column: column === undefined ? undefined : change(column) }))
  return {
    tables: names.tables.map((table) => ({ ...table, columns: each(table.columns) })),
    columns: each(names.columns),
  }
}

/** The same names after a join that may miss this side: every column may be NULL. */
export function nullableNames(names: Names): Names {
  return mapNames(names, nullable)
}

/** A column that may be NULL. */
export function nullable(column: RelColumn): RelColumn {
  return column.domain.nullable ? column : { ...column, domain: { ...column.domain, nullable: true } }
}

/**
 * The column of a written name, or undefined if there is none. Fails where the name is not clear, or
 * denied.
 */
export function findColumn(names: Names, path: readonly Name[], at: Span): RelColumn | undefined {
  const written = path.map(({ text }) => text)
  const name = written.at(-1) ?? ""
  if (written.length > 2) {
    const remedy = "write table.column, with the alias of the table"
    fail("sql/unsupported-syntax", { what: "a name of three parts", remedy }, at)
  }
  const table = written.length === 2 ? written[0] : undefined
  const among =
    table === undefined ? names.columns : (names.tables.find((one) => one.name === table)?.columns ?? [])
  const [found, ...others] = columnsNamed(among, name)
  if (found === undefined) return undefined
  if (others.length > 0) {
    const owners = names.tables.filter(({ columns }) => columns.some((column) => column.name === name))
    fail("sql/ambiguous-column", { name, tables: owners.map((one) => one.name).join(" or ") }, at)
  }
  if (found.column === undefined) fail("privacy/denied-column", { name: written.join(".") }, at)
  return found.column
}

const indexes = new WeakMap<readonly NamedColumn[], ReadonlyMap<string, readonly NamedColumn[]>>()

function columnsNamed(columns: readonly NamedColumn[], name: string): readonly NamedColumn[] {
  let index = indexes.get(columns)
  if (index === undefined) {
    const made = new Map<string, NamedColumn[]>()
    for (const column of columns) {
      const list = made.get(column.name)
      if (list === undefined) made.set(column.name, [column])
      else list.push(column)
    }
    index = made
    indexes.set(columns, made)
  }
  return index.get(name) ?? []
}

/** Says that there is no such column, and which one was perhaps meant. */
export function failUnknownColumn(names: readonly Names[], path: readonly Name[], at: Span): never {
  const written = path.map(({ text }) => text)
  const name = written.at(-1) ?? ""
  const table = written.length === 2 ? written[0] : undefined
  const tables = names.flatMap((one) => one.tables)
  const named = tables.find((one) => one.name === table)
  if (table !== undefined && named === undefined) {
    const near = nearNames(
      table,
      tables.map((one) => one.name),
    )
    return fail("sql/unknown-table", { name: table, near }, path[0]?.at ?? at)
  }
  const known = named === undefined ? names.flatMap((one) => one.columns) : named.columns
  const near = nearNames(
    name,
    known.map((column) => column.name),
  )
  const qualified =
    table === undefined ? near : near.replace(/\S+/g, (word) => (word === "or" ? word : `${table}.${word}`))
  return fail("sql/unknown-column", { name: written.join("."), near: qualified }, at)
}

/** How a column among some can be written: table.column, or undefined if it has no name. */
export function writtenAs(names: Names, columns: ReadonlySet<ColumnId>): string | undefined {
  for (const table of names.tables) {
    const found = table.columns.find(({ column }) => column !== undefined && columns.has(column.id))
    if (found !== undefined) return `${table.name}.${found.name}`
  }
  const merged = names.columns.find(({ column }) => column !== undefined && columns.has(column.id))
  return merged?.name
}

/** The table that one of these columns belongs to: as the catalog calls it, or else its alias. */
export function tableOfColumn(names: Names, columns: ReadonlySet<ColumnId>): string | undefined {
  const owner = names.tables.find((table) =>
    table.columns.some(({ column }) => column !== undefined && columns.has(column.id)),
  )
  return owner?.table ?? owner?.name
}
