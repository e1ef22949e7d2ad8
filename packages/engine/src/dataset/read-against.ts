// A policy, read against its opened source: names and types, and the trees that public tables have.

import { assert } from "@dosimeter/core/errors"
import { columnNamed, tableNamed, type CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { printTreeRows } from "@dosimeter/proof/print/tree-rows"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { treeLeavesMax } from "@dosimeter/policy/build/table-trees"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { Policy } from "@dosimeter/policy/file/policy"
import type { SourceFacts, TreeRows } from "@dosimeter/policy/file/source-facts"
import { fail } from "../errors.ts"
import type { OpenSource } from "./database.ts"

/** Reads a policy against an opened source. */
export async function readAgainst(text: string, opened: OpenSource, known?: SourceFacts): Promise<Policy> {
  const facts = known ?? (await opened.discover())
  const policy = readPolicy(text, { facts })
  if (policy.treeTables.length === 0) return withRowCounts(policy, opened)
  const trees: TreeRows[] = []
  for (const tree of policy.treeTables) trees.push(await readRows(opened, policy, tree))
  return withRowCounts(readPolicy(text, { facts: { ...facts, trees } }), opened)
}

/** How many rows public tables have: a person's rows may be joined with each of them. */
async function withRowCounts(policy: Policy, opened: OpenSource): Promise<Policy> {
  const tables: CatalogTable[] = []
  for (const table of policy.catalog.tables) {
    const isPublic = table.unit.kind === "public"
    tables.push(isPublic ? { ...table, rowCount: await countRows(opened, table) } : table)
  }
  return { ...policy, catalog: { ...policy.catalog, tables } }
}

async function countRows(opened: OpenSource, { name, path }: CatalogTable): Promise<number> {
  const text = `SELECT COUNT(*) FROM ${path.map(writeName).join(".")}`
  const column = { domain: { type: { kind: "integer" }, nullable: false } } as const
  const rows = await opened
    .readPublic({ text, parameters: [] }, [column])
    .catch(() => fail("dataset/unreadable", { file: name, format: "a table" }))
  return Number(textOf(rows[0]?.[0]) ?? 0)
}

async function readRows(
  opened: OpenSource,
  { catalog }: Policy,
  { tree, table: name, columns }: Policy["treeTables"][number],
): Promise<TreeRows> {
  const table = tableNamed(catalog, name)
  if (table === undefined) return { tree, rows: [] }
  const found = columns.flatMap((column) => columnNamed(table, column) ?? [])
  // One more than a tree may have, to notice that it has too many.
  const text = `SELECT * FROM (${printTreeRows(table, columns, opened.dialect)}) AS t LIMIT ${treeLeavesMax + 1}`
  const rows = await opened
    .readPublic({ text, parameters: [] }, found)
    .catch(() => fail("dataset/unreadable", { file: name, format: "a table" }))
  return { tree, rows: rows.map((row) => row.map(textOf)).toSorted(byLevels) }
}

// Levels are texts or integers.
function textOf(value: Constant | undefined): string | null {
  switch (value?.kind) {
    case "text":
      return value.value
    case "number":
      assert(value.value.denominator === 1n, "a level is an integer")
      return value.value.numerator.toString()
    default:
      return null
  }
}

// In an order of their own: that of the database tells nothing.
function byLevels(a: readonly (string | null)[], b: readonly (string | null)[]): number {
  for (const [level, one] of a.entries()) {
    const order = byValue(one ?? "", b[level] ?? "")
    if (order !== 0) return order
  }
  return 0
}

function byValue(a: string, b: string): number {
  if (/^-?\d{1,40}$/.test(a) && /^-?\d{1,40}$/.test(b)) {
    const difference = BigInt(a) - BigInt(b)
    if (difference !== 0n) return difference < 0n ? -1 : 1
  }
  return a < b ? -1 : a > b ? 1 : 0
}
