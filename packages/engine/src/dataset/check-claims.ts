// What the policy says of the data and proofs lean on, keys and columns that are never NULL, is looked at
// whenever a dataset is opened. The outcome is the owner's business; analysts learn that a dataset is not
// served, and nothing else.

import { DosimeterError, type Issue } from "@dosimeter/core"
import { printKeyCheck } from "@dosimeter/proof/print/key-check"
import { printNullCheck } from "@dosimeter/proof/print/null-check"
import { tableNamed, type CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Policy } from "@dosimeter/policy/file/policy"
import { errorOf, fail } from "../errors.ts"
import { checkTexts } from "./check-texts.ts"
import type { OpenSource } from "./database.ts"

/**
 * Refuses a dataset whose keys do not hold, that has NULLs where there should be none, or texts that cannot
 * be read.
 */
export async function checkClaims(opened: OpenSource, policy: Policy): Promise<void> {
  await checkTexts(opened, policy)
  const { catalog, claims } = policy
  const issues: Issue[] = []
  for (const { kind, table: name, columns } of claims) {
    const table = tableNamed(catalog, name)
    if (table === undefined) continue
    const facts =
      kind === "unique" ? await brokenKey(opened, table, columns) : await brokenNulls(opened, table, columns)
    if (facts !== undefined) issues.push(...errorOf("dataset/claim-broken", { table: name, ...facts }).issues)
  }
  const [first, ...others] = issues
  if (first !== undefined) throw new DosimeterError("refused", [first, ...others])
}

interface Broken {
  readonly columns: string
  readonly what: string
  readonly remedy: string
}

async function brokenKey(
  opened: OpenSource,
  table: CatalogTable,
  columns: readonly string[],
): Promise<Broken | undefined> {
  const [isThere] = await areThere(opened, table, [printKeyCheck(table, columns, opened.dialect)])
  if (isThere === false) return undefined
  return { columns: columns.join(", "), what: "is not unique", remedy: "keys: []" }
}

// Columns as they are read: NaN counts as NULL.
async function brokenNulls(
  opened: OpenSource,
  table: CatalogTable,
  columns: readonly string[],
): Promise<Broken | undefined> {
  const found = await areThere(
    opened,
    table,
    columns.map((column) => printNullCheck(table, column, opened.dialect)),
  )
  const broken = columns.filter((_, index) => found[index] !== false)
  if (broken.length === 0) return undefined
  const [is, it] = broken.length === 1 ? ["is", "it"] : ["are", "them"]
  return { columns: broken.join(", "), what: `${is} NULL in some rows`, remedy: `nullable: true for ${it}` }
}

/** Whether each of some queries gives a row. */
async function areThere(
  opened: OpenSource,
  { name }: CatalogTable,
  queries: readonly string[],
): Promise<readonly boolean[]> {
  return opened.haveRows(queries).catch((error: unknown) => {
    if (error instanceof DosimeterError && error.code === "dataset/changed") throw error
    return fail("dataset/unreadable", { file: name, format: "a table" })
  })
}
