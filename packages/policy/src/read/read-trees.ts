// The `trees` of a policy: levels from the top, and nodes as nested groups, or a public table that has them
// (table-trees.ts). A column that names a level has the level's values, and knows which combinations with
// other levels there can be.

import type { CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { PublicTree, TreeLevel } from "@dosimeter/proof/catalog/public-tree"
import { valuesMax } from "../build/build-domain.ts"
import { groupKeys } from "../file/keys.ts"
import { namedEntries } from "./read-tables.ts"
import type { TreeTable } from "../file/policy.ts"
import type { Report } from "../file/report.ts"
import { fieldsOf, optional, required, textIn, textsIn, type Fields } from "../file/shapes.ts"
import type { SourceFacts, TreeRows } from "../file/source-facts.ts"
import {
  findNamed,
  mergeTables,
  parseTarget,
  type ColumnSpec,
  type TableSpec,
  type Written,
} from "../file/specs.ts"
import { leavesOfRows, listedDomain, ownLevel, treeTablesOf } from "../build/table-trees.ts"
import { isNothing, showNode, type MapEntry, type PolicyNode } from "../file/tree.ts"

/** A tree as it is written. */
export interface WrittenTree extends PublicTree {
  /** The different values of each level, with their places. */
  readonly written: readonly (readonly Written[])[]
  /** The public table that has its leaves, if they are not written out. */
  readonly table?: Written
}

/** All trees of a policy; `rows` are the leaves of those that a table has, as far as it was read. */
export function readTrees(fields: Fields, rows: readonly TreeRows[] = []): readonly WrittenTree[] {
  const node = optional(fields, "trees")
  if (node === undefined) return []
  const { report } = fields
  return namedEntries(node, "trees", report).flatMap(({ name, entry }) => {
    const own = rows.find((one) => one.tree === name)
    return readTree(name, entry, { report, rows: own?.rows }) ?? []
  })
}

/** More levels than this are of no use, and a plan tries ways to arrange them. */
const levelsMax = 8

function readTree(
  name: string,
  { key, value }: MapEntry,
  { report, rows }: { readonly report: Report; readonly rows: TreeRows["rows"] | undefined },
): WrittenTree | undefined {
  const where = `the tree ${name}`
  const before = report.count
  const fields = fieldsOf(value, { where, known: groupKeys.tree, at: key.at }, report)
  if (fields === undefined) return undefined
  const levelsNode = required(fields, "levels", "levels: [region, hospital, ward]")
  const tableNode = optional(fields, "table")
  const nodes =
    tableNode === undefined
      ? required(fields, "nodes", "nodes: { North: { Elm: [A, B] } }, or the table: of its leaves")
      : optional(fields, "nodes")
  if (levelsNode === undefined || (nodes ?? tableNode) === undefined) return undefined
  const names = textsIn(levelsNode, `the levels of ${where}`, report).map((written) =>
    written.quoted ? written.text : written.text.toLowerCase(),
  )
  if (names.length < 2 || names.length > levelsMax || new Set(names).size < names.length) {
    const range = `2 to ${levelsMax} different names, from the top`
    const got = names.length === 0 ? "none" : names.join(", ")
    report.add("policy/out-of-range", { where: `the levels of ${where}`, got, range }, levelsNode.at)
    return undefined
  }
  if (nodes === undefined) {
    const table = tableNode === undefined ? undefined : textIn(tableNode, `the table of ${where}`, report)
    const paths = table === undefined ? [] : leavesOfRows(rows, { names, where, report, at: key.at })
    if (table === undefined || report.count > before) return undefined
    return { ...treeOf(name, names, paths), table }
  }
  if (tableNode !== undefined) {
    const facts = { where, got: "nodes and a table", expected: "one of them: a table has the nodes" }
    report.add("policy/wrong-value", facts, tableNode.at)
  }
  const paths = pathsOf(nodes, { names, where, report }, [])
  if (paths.length > valuesMax) {
    const facts = { where, got: `${paths.length} leaves`, range: `at most ${valuesMax} leaves` }
    report.add("policy/out-of-range", facts, key.at)
  }
  return report.count > before ? undefined : treeOf(name, names, paths)
}

interface NodesContext {
  readonly names: readonly string[]
  readonly where: string
  readonly report: Report
}

/** The way from the top to each leaf. */
function pathsOf(
  node: PolicyNode,
  context: NodesContext,
  above: readonly Written[],
): readonly (readonly Written[])[] {
  const { names, where, report } = context
  const isLast = above.length === names.length - 1
  const here = above.length === 0 ? where : `${above.at(-1)?.text ?? ""} in ${where}`
  if (isLast) return leavesOf(node, { ...context, here }).map((leaf) => [...above, leaf])
  if (node.kind !== "map" || node.entries.length === 0) {
    const expected = `a group with a key for each ${names[above.length] ?? ""}, and its parts below`
    report.add("policy/wrong-value", { where: here, got: showNode(node), expected }, node.at)
    return []
  }
  refuseTwice(
    node.entries.map(({ key }) => key),
    here,
    report,
  )
  return node.entries.flatMap(({ key, value }) => pathsOf(value, context, [...above, key]))
}

function leavesOf(
  node: PolicyNode,
  { names, here, report }: NodesContext & { readonly here: string },
): readonly Written[] {
  const items = node.kind === "list" ? node.items : [node]
  const leaves = items.flatMap((item) =>
    item.kind === "scalar" && (item.quoted || !isNothing(item)) ? [item] : [],
  )
  if (leaves.length < items.length || leaves.length === 0) {
    const expected = `a list of every ${names.at(-1) ?? ""}, such as [A, B]`
    report.add("policy/wrong-value", { where: here, got: showNode(node), expected }, node.at)
  }
  refuseTwice(leaves, here, report)
  return leaves
}

function refuseTwice(all: readonly Written[], where: string, report: Report): void {
  const seen = new Set<string>()
  for (const { text, at } of all) {
    if (seen.has(text)) report.add("policy/duplicate", { what: `${text} below ${where}` }, at)
    seen.add(text)
  }
}

function treeOf(name: string, names: readonly string[], paths: readonly (readonly Written[])[]): WrittenTree {
  const written: (readonly Written[])[] = []
  const levels = names.map((level, place): TreeLevel => {
    const known = new Map<string, number>()
    const values: Written[] = []
    const ofLeaf = paths.map((path) => {
      const value = path[place] ?? { text: "", quoted: true, at: { start: 0, end: 0 } }
      const before = known.get(value.text)
      if (before !== undefined) return before
      known.set(value.text, values.length)
      values.push(value)
      return values.length - 1
    })
    written.push(values)
    return { name: level, values: values.map(({ text, quoted }) => ({ text, quoted })), ofLeaf }
  })
  return { name, levels, written }
}

/** What pack and site write about tables; columns that name a level of a tree list its values. */
export function tableSpecs(
  { pack, site }: { readonly pack: readonly TableSpec[]; readonly site: readonly TableSpec[] },
  trees: readonly WrittenTree[],
  report: Report,
): readonly TableSpec[] {
  return mergeTables(pack, site).map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      if (column.tree === undefined) return column
      const found = levelOf(column, trees)
      const label = `${table.name}.${column.name}`
      if (found === undefined) {
        const known = trees.flatMap(({ name, levels }) => levels.map((level) => `${name}.${level.name}`))
        const expected = known.length === 0 ? "a level of one of the trees" : `one of ${known.join(", ")}`
        const facts = { where: `the tree of ${label}`, got: column.tree.text, expected }
        report.add("policy/wrong-value", facts, column.tree.at)
        return { ...column, broken: true as const }
      }
      if (column.values !== undefined) {
        const facts = { where: label, got: "values and a tree", expected: "one of them: a tree lists values" }
        report.add("policy/wrong-value", facts, column.tree.at)
      }
      // What a table has is known by its type, and never shown in a message.
      return found.tree.table === undefined
        ? { ...column, values: found.tree.written[found.level] ?? [] }
        : column
    }),
  }))
}

/** The catalog's columns know their level. Besides, the tables that have trees. */
export function withTrees(
  tables: readonly CatalogTable[],
  specs: readonly TableSpec[],
  given: {
    readonly trees: readonly WrittenTree[]
    readonly facts: SourceFacts | undefined
    readonly report: Report
  },
): { readonly tables: readonly CatalogTable[]; readonly treeTables: readonly TreeTable[] } {
  const { trees, report } = given
  const treeTables = treeTablesOf(trees, tables, given)
  const plain = new Map(trees.map((tree) => [tree, { name: tree.name, levels: tree.levels }]))
  const placed = tables.map((table) => {
    const columns = specs.find(({ name }) => name === table.name)?.columns ?? []
    return {
      ...table,
      columns: table.columns.map((column) => {
        const spec = columns.find(({ name }) => name === column.name)
        const named = spec?.tree === undefined ? undefined : levelOf(spec, trees)
        const found = named ?? (spec?.values === undefined ? ownLevel(table, column, trees) : undefined)
        const tree = found === undefined ? undefined : plain.get(found.tree)
        if (found === undefined || tree === undefined) return column
        const domain =
          found.tree.table === undefined
            ? column.domain
            : listedDomain(
                column,
                { table, at: spec?.tree?.at ?? found.tree.table.at, ...found },
                tables,
                report,
              )
        if (domain?.values === undefined) return column
        return { ...column, domain: { ...domain, tree: { tree, level: found.level } } }
      }),
    }
  })
  return { tables: placed, treeTables }
}

function levelOf(
  { tree: written }: ColumnSpec,
  trees: readonly WrittenTree[],
): { readonly tree: WrittenTree; readonly level: number } | undefined {
  const target = written === undefined ? undefined : parseTarget(written.text)
  const tree = target === undefined ? undefined : findNamed(trees, target.table)
  const named = tree === undefined || target === undefined ? undefined : findNamed(tree.levels, target.column)
  return tree === undefined || named === undefined ? undefined : { tree, level: tree.levels.indexOf(named) }
}
