// The exact tables of a plan, for tests that compare what databases read. They never leave a test.

import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Dataset } from "../prepare/open-dataset.ts"
import type { ExactTable } from "../release/secret/exact-table.ts"
import { openPaid, readPaid } from "./read-paid.ts"

/** What a plan reads of a dataset, one table an extract. */
export async function exactTables(
  plan: VerifiedPlan,
  { backend, version }: Pick<Dataset, "backend" | "version">,
): Promise<readonly ExactTable[]> {
  return openPaid(await readPaid(plan, { backend, version }))
}
