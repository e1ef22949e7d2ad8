// Texts are looked at whenever a dataset is opened. Where a source holds bytes in a column of texts that are
// none, a question would fail if one person's row is there: such a column is refused by name before any.

import { DosimeterError, type Issue } from "@dosimeter/core"
import type { CatalogColumn, CatalogTable } from "@dosimeter/proof/catalog/catalog"
import type { Policy } from "@dosimeter/policy/file/policy"
import { errorOf } from "../errors.ts"
import type { OpenSource } from "./database.ts"

/** Refuses a dataset that holds texts which cannot be read. */
export async function checkTexts(opened: OpenSource, { catalog }: Policy): Promise<void> {
  const issues: Issue[] = []
  for (const table of catalog.tables) {
    const texts = table.columns.filter(
      (column) => isRead(column, table) && column.domain.type.kind === "text",
    )
    const broken = await opened.unreadableTexts(table, texts)
    if (broken.length === 0) continue
    const columns = broken.map(({ name }) => name).join(", ")
    issues.push(...errorOf("dataset/not-text", { table: table.name, columns }).issues)
  }
  const [first, ...others] = issues
  if (first !== undefined) throw new DosimeterError("refused", [first, ...others])
}

// What names a unit or a row is read whether or not analysts may ask for it.
function isRead({ name, access }: CatalogColumn, { unit, keys }: CatalogTable): boolean {
  const path = unit.kind === "path" ? [unit.column, ...unit.hops.map(({ column }) => column)] : []
  return access === "allowed" || path.includes(name) || keys.some((key) => key.includes(name))
}
