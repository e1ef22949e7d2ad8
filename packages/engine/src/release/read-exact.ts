// What is read from the database: all of it is printed before anything is charged, so that whatever cannot be
// written is refused for nothing; then the extracts run, one after the other.

import { assert } from "@dosimeter/core/errors"
import { printPlan } from "@dosimeter/proof/print/print-plan"
import { printRel, type SqlText } from "@dosimeter/proof/print/print"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import type { VerifiedPlan } from "@dosimeter/proof/verify/verify"
import type { Backend } from "../dataset/backend.ts"
import type { DataVersion } from "../dataset/data-version.ts"
import type { ExactTable } from "./secret/exact-table.ts"
import type { Secret } from "./secret/secret.ts"

/** A plan with the SQL of all its extracts. */
export interface PrintedPlan {
  readonly plan: VerifiedPlan
  readonly texts: readonly SqlText[]
}

/** Prints all that a plan reads; before its charge. */
export function printed(plan: VerifiedPlan, { dialect }: Pick<Backend, "dialect">): PrintedPlan {
  return { plan, texts: printPlan(plan, dialect) }
}

/** The exact tables of each release. */
export async function readExact(
  { plan, texts }: PrintedPlan,
  { backend, version }: { readonly backend: Backend; readonly version: DataVersion },
  signal: AbortSignal | undefined,
): Promise<readonly (readonly Secret<ExactTable>[])[]> {
  const left = texts[Symbol.iterator]()
  const releases: Secret<ExactTable>[][] = []
  for (const { extracts } of plan.releases) {
    const tables: Secret<ExactTable>[] = []
    for (const { rel, keys } of extracts) {
      const sql = left.next().value
      assert(sql !== undefined, "every extract was printed")
      const groupCount = rel.kind === "aggregate" ? rel.keys.length : keys.length
      const query = { sql, columns: rel.columns, keyCount: keys.length, groupCount }
      const options = { secret: version.secret, ...(signal === undefined ? {} : { signal }) }
      tables.push(await backend.run(query, options))
    }
    releases.push(tables)
  }
  // Read from the source whose claims were looked at, to the last row.
  version.check()
  return releases
}

/** The rows below an extract: keys first, then integers, one row for each combination of keys. */
export async function readRows(
  { rel, keyCount }: { readonly rel: Rel; readonly keyCount: number },
  { backend, version }: { readonly backend: Backend; readonly version: DataVersion },
  signal: AbortSignal | undefined,
): Promise<Secret<ExactTable>> {
  const sql = printRel(rel, backend.dialect)
  const query = { sql, columns: rel.columns, keyCount, groupCount: keyCount }
  const rows = await backend.run(query, {
    secret: version.secret,
    ...(signal === undefined ? {} : { signal }),
  })
  version.check()
  return rows
}
