// A policy, read against its source: names and types, and the trees that public tables have.

import { columnNamed, tableNamed, type CatalogTable } from "@dosimeter/proof/catalog/catalog"
import { printTreeRows } from "@dosimeter/proof/print/tree-rows"
import { readOpening, readPolicy } from "@dosimeter/policy/read/read-policy"
import { treeLeavesMax } from "@dosimeter/policy/build/table-trees"
import { writeName } from "@dosimeter/proof/spell/literal"
import type { Policy } from "@dosimeter/policy/file/policy"
import type { SourceFacts, TreeRows } from "@dosimeter/policy/file/source-facts"
import { fail } from "../../errors.ts"
import { discover, openDiscovered } from "./discover.ts"
import { textOfBytes, withTextsAsBytes } from "./lossless-text.ts"
import type { OpenSource } from "./open-source.ts"

/** Reads a policy against the source that it names. One that does not name it properly cannot be right. */
export async function readWithSource(text: string, folder: string): Promise<Policy> {
  const opening = readOpening(text)
  if (opening === undefined) return readPolicy(text)
  const { opened, facts } = await openDiscovered(opening.source, folder)
  return readAgainst(text, opened, facts).finally(() => opened.close())
}

/** Reads a policy against an opened source. */
export async function readAgainst(text: string, opened: OpenSource, known?: SourceFacts): Promise<Policy> {
  const facts = known ?? (await discover(opened))
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

async function countRows({ connection }: OpenSource, { name, path }: CatalogTable): Promise<number> {
  const reader = await connection
    .runAndReadAll(`SELECT COUNT(*) FROM ${path.map(writeName).join(".")}`)
    .catch(() => fail("dataset/unreadable", { file: name, format: "a table" }))
  return Number(reader.getRows()[0]?.[0] ?? 0)
}

async function readRows(
  { connection }: OpenSource,
  { catalog }: Policy,
  { tree, table: name, columns }: Policy["treeTables"][number],
): Promise<TreeRows> {
  const table = tableNamed(catalog, name)
  if (table === undefined) return { tree, rows: [] }
  const found = columns.flatMap((column) => columnNamed(table, column) ?? [])
  const query = withTextsAsBytes({ text: printTreeRows(table, columns, "duckdb"), parameters: [] }, found)
  // One more than a tree may have, to notice that it has too many.
  const reader = await connection
    .runAndReadAll(`SELECT * FROM (${query.text}) LIMIT ${treeLeavesMax + 1}`)
    .catch(() => fail("dataset/unreadable", { file: name, format: "a table" }))
  const rows = reader
    .getRows()
    .map((row) => row.map((value) => (value === null ? null : (textOfBytes(value) ?? String(value)))))
  return { tree, rows: rows.toSorted(byLevels) }
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
