// A site's tables as the study's: named SELECTs that stand before a job's question. Where there are some, a job
// sees nothing else. They are part of what is proven, so a view that is not about one person's rows at a time
// is no way around anything.

import { assert } from "@dosimeter/core/errors"
import type { Cte, Query, Table } from "@dosimeter/language/parse/ast"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { parse } from "@dosimeter/language/parse/parse"
import { fail } from "../errors.ts"

/** SELECTs by the names of the study's tables. */
export type Views = Readonly<Record<string, string>>

/** A question over the study's tables, and what they are at a site. */
export interface ViewedSql {
  readonly sql: string
  readonly views: Views
}

/** A question over views. Without any it is one over the site's catalog. */
export function withViews(sql: string, views: Views): string | ViewedSql {
  const names = Object.keys(views)
  for (const name of names) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      fail("federation/bad-view", { view: name, what: "has no name" })
  }
  return names.length === 0 ? sql : { sql, views }
}

/**
 * A question over the study's tables as one over the site's own.
 *
 * Guarantee: all rows that the question reads come through views; all else is refused by its name.
 * Needs: the same grammar reads what is returned when it is compiled.
 * Proof: the text that is returned is read as a tree, which starts with the views it needs as WITH queries.
 *   In all the rest each table is a WITH query in reach (tablesIn, by the binder's rule for names: those
 *   before in the same WITH, and all around): so what is read of the site is read inside of a view.
 * Numerics: none.
 * Source: none.
 */
export function overViews({ sql, views }: ViewedSql, grammar: Grammar): string {
  const statement = parse(sql, grammar)
  // Refused by whoever compiles it.
  if (statement.kind === "explain") return sql
  const known = new Map(Object.entries(views).map(([name, select]) => [name.toLowerCase(), select]))
  const used = inOrder(tablesIn(statement.query), known, grammar)
  const listed = used.map((name) => `"${name}" AS (\n${known.get(name) ?? ""}\n)`).join(",\n")
  const [first] = statement.query.ctes
  const text =
    first === undefined
      ? `WITH ${listed}\n${sql}`
      : `${sql.slice(0, first.at.start)}${listed},\n${sql.slice(first.at.start)}`
  const { query } = parse(used.length === 0 ? sql : text, grammar)
  const isFirst = used.every((name, place) => query.ctes[place]?.name.text === name)
  const [other] = tablesIn({ ...query, ctes: query.ctes.slice(used.length) }, new Set(used))
  assert(isFirst, "views stand before the question")
  if (other !== undefined) {
    fail("federation/no-view", { table: nameOf(other), views: [...known.keys()].join(", ") })
  }
  return used.length === 0 ? sql : text
}

/** The views that a question needs, each after those that it needs itself. */
function inOrder(
  tables: readonly Table[],
  known: ReadonlyMap<string, string>,
  grammar: Grammar,
): readonly string[] {
  const done = new Set<string>()
  const open = new Set<string>()
  const visit = (name: string): void => {
    if (done.has(name)) return
    if (open.has(name)) fail("federation/bad-view", { view: name, what: "needs itself" })
    open.add(name)
    for (const below of tablesIn(parse(known.get(name) ?? "", grammar).query)) {
      const other = nameOf(below)
      // Its own name is that of the site's table.
      if (other !== name && known.has(other)) visit(other)
    }
    done.add(name)
  }
  for (const table of tables) {
    const name = nameOf(table)
    if (known.has(name)) visit(name)
  }
  return [...done]
}

function nameOf({ path }: Table): string {
  return path.map(({ text }) => text).join(".")
}

/** The tables that are no WITH queries in reach, of everything below a node. */
function tablesIn(node: unknown, known: ReadonlySet<string> = new Set()): readonly Table[] {
  if (typeof node !== "object" || node === null) return []
  if (isTable(node)) return node.path.length === 1 && known.has(nameOf(node)) ? [] : [node]
  if (!isQuery(node)) return Object.values(node).flatMap((part) => tablesIn(part, known))
  const { ctes, ...rest } = node
  const inReach = new Set(known)
  const inside = ctes.flatMap(({ query, name }: Cte) => {
    const found = tablesIn(query, inReach)
    inReach.add(name.text)
    return found
  })
  return [...inside, ...Object.values(rest).flatMap((part) => tablesIn(part, inReach))]
}

function isTable(node: object): node is Table {
  return "kind" in node && node.kind === "table"
}

function isQuery(node: object): node is Query {
  return "kind" in node && node.kind === "query"
}
