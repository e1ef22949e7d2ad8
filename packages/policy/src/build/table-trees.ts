// Trees whose leaves a public table has: region, hospital and ward are columns of a table of wards. The table
// is about nobody, so what it holds is as public as the policy itself. No message shows a value of it.

import type { Span } from "@dosimeter/core"
import { compare, rational } from "@dosimeter/core/exact"
import { columnNamed, type CatalogColumn, type CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Domain } from "@dosimeter/proof/catalog/domain"
import type { PublicTree, TreeLevel } from "@dosimeter/proof/catalog/public-tree"
import { showType } from "@dosimeter/proof/catalog/sql-type"
import { valuesMax } from "./build-domain.ts"
import { suggest } from "../file/closest.ts"
import type { TreeTable } from "../file/policy.ts"
import type { Report } from "../file/report.ts"
import type { SourceFacts, TreeRows } from "../file/source-facts.ts"
import { findNamed, type Written } from "../file/specs.ts"

/** The most leaves of a tree. */
export const treeLeavesMax = valuesMax

/** A tree that may have a table. */
interface TabledTree extends PublicTree {
  readonly table?: Written
}

/** A level of a tree, by its number from the top. */
interface FoundLevel {
  readonly tree: TabledTree
  readonly level: number
}

/** The ways from the top to each leaf; none if the table was not read. */
export function leavesOfRows(
  rows: TreeRows["rows"] | undefined,
  context: {
    readonly names: readonly string[]
    readonly where: string
    readonly report: Report
    readonly at: Span
  },
): readonly (readonly Written[])[] {
  if (rows === undefined) return []
  const { names, where, report, at } = context
  if (rows.length === 0 || rows.length > valuesMax) {
    const got = rows.length === 0 ? "a table without rows" : `a table of more than ${valuesMax} leaves`
    report.add("policy/out-of-range", { where, got, range: `a table of 1 to ${valuesMax} leaves` }, at)
  }
  const missing = names.filter((_, level) => rows.some((row) => isNothing(row[level])))
  if (missing.length > 0) {
    const got = `a table with rows that have no ${missing.join(" and no ")}`
    const expected = `a table with a ${names.join(", a ")} in every row`
    report.add("policy/wrong-value", { where, got, expected }, at)
  }
  return rows.map((row) => row.map((text) => ({ text: text ?? "", quoted: true, at })))
}

function isNothing(text: string | null | undefined): boolean {
  return text === null || text === undefined || text.trim() === ""
}

/** The tables that have trees, where they are public and have the levels. */
export function treeTablesOf(
  trees: readonly TabledTree[],
  tables: readonly CatalogTable[],
  { facts, report }: { readonly facts: SourceFacts | undefined; readonly report: Report },
): readonly TreeTable[] {
  return trees.flatMap(({ name, levels, table: written }): TreeTable[] => {
    if (written === undefined) return []
    const where = `the tree ${name}`
    const table = findNamed(tables, written.text)
    if (table === undefined) {
      const names = tables.filter(({ unit }) => unit.kind === "public").map((one) => one.name)
      const known = names.length === 0 ? "a table of the policy" : suggest(written.text, names)
      report.add("policy/unknown-table", { table: written.text, where, known }, written.at)
      return []
    }
    if (table.unit.kind !== "public") {
      const expected = "a table with unit: public, whose rows are about nobody"
      report.add("policy/wrong-value", { where, got: `in the table ${table.name}`, expected }, written.at)
      return []
    }
    // Without the source the columns of a public table need not be known.
    if (facts === undefined) return []
    const columns = levels.map((level) => columnNamed(table, level.name))
    for (const [place, column] of columns.entries()) {
      checkLevel(column, { table, level: levels[place]?.name ?? "", at: written.at, report })
    }
    return [{ tree: name, table: table.name, columns: columns.flatMap((column) => column?.name ?? []) }]
  })
}

function checkLevel(
  column: CatalogColumn | undefined,
  given: {
    readonly table: CatalogTable
    readonly level: string
    readonly at: Span
    readonly report: Report
  },
): void {
  const { table, level, at, report } = given
  if (column === undefined) {
    const names = table.columns.map(({ name }) => name)
    report.add(
      "policy/unknown-column",
      { table: table.name, column: level, known: suggest(level, names) },
      at,
    )
    return
  }
  const { kind } = column.domain.type
  if (kind === "text" || kind === "integer") return
  const where = `the level ${table.name}.${level}`
  const got = `of type ${showType(column.domain.type)}`
  report.add("policy/wrong-value", { where, got, expected: "of type text or integer" }, at)
}

/** The level that a column of a tree's own table is. */
export function ownLevel<Tree extends TabledTree>(
  table: CatalogTable,
  { name }: CatalogColumn,
  trees: readonly Tree[],
): { readonly tree: Tree; readonly level: number } | undefined {
  for (const tree of trees) {
    if (tree.table === undefined || findNamed([table], tree.table.text) === undefined) continue
    const level = tree.levels.findIndex((one) => columnNamed(table, one.name)?.name === name)
    if (level >= 0) return { tree, level }
  }
  return undefined
}

/** The domain of a column with the values of its level; undefined where they are not known, or do not fit. */
export function listedDomain(
  { name, domain }: CatalogColumn,
  found: FoundLevel & { readonly table: CatalogTable; readonly at: Span },
  tables: readonly CatalogTable[],
  report: Report,
): Domain | undefined {
  const { tree, level, table, at } = found
  const own = tree.levels[level]
  const source = tree.table === undefined ? undefined : findNamed(tables, tree.table.text)
  if (own === undefined || source === undefined || own.values.length === 0) return undefined
  const column = `${table.name}.${name}`
  const type = columnNamed(source, own.name)?.domain.type
  if (type === undefined || type.kind !== domain.type.kind) {
    const other = `${source.name}.${own.name}`
    const otherType = type === undefined ? "unknown" : showType(type)
    report.add("policy/type-differs", { column, type: showType(domain.type), other, otherType }, at)
    return undefined
  }
  const values = constantsOf(own, domain)
  if (values === undefined) {
    const facts = {
      where: `the tree of ${column}`,
      got: "one with values beyond its range",
      range: "inside it",
    }
    report.add("policy/out-of-range", facts, at)
    return undefined
  }
  // The rows of the tree's own table were looked at: every level has one of the values in each.
  return { ...domain, values, ...(source.name === table.name ? { nullable: false, isComplete: true } : {}) }
}

function constantsOf({ values }: TreeLevel, { type, range }: Domain): readonly Constant[] | undefined {
  if (type.kind === "text") return values.map(({ text }) => ({ kind: "text", value: text }))
  const numbers = values.map(({ text }) => rational(BigInt(text)))
  const isInside = numbers.every(
    (value) =>
      range === undefined || (compare(value, range.min.value) >= 0 && compare(value, range.max.value) <= 0),
  )
  return isInside ? numbers.map((value) => ({ kind: "number", value })) : undefined
}
