// Questions about small tables that a test writes out: compiled once, run on several versions of the data.

import { compile } from "../../compile.ts"
import type { Ask } from "@dosimeter/proof/catalog/terms"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import { readPolicy } from "@dosimeter/policy/read/read-policy"
import { printRel } from "@dosimeter/proof/print/print"
import { compareNeighbours, type Comparison, type Extracted } from "../units/compare-neighbours.ts"
import type { ResultTable, TestDatabase } from "../units/test-database.ts"

/** A policy around some tables, in YAML. */
export function policyOf(
  tables: string,
  options: { readonly neighbours?: string; readonly groups?: number; readonly rows?: number } = {},
): string {
  const { neighbours = "add-or-remove", groups = 3, rows = 5 } = options
  return `
dataset: hand-made
source: { duckdb: none }
neighbours: ${neighbours}
budget: { epsilon: 10, delta: 1e-6, accounting: zcdp }
question: { epsilon: { default: 1, max: 2 }, delta: 1e-8, confidence: 0.95 }
bounding: { groups_per_unit: ${groups}, rows_per_group: ${rows} }
tables:
${tables}`
}

/** Compiles a question. */
export function planOf(
  sql: string,
  policy: string,
  more: { readonly grammar: Grammar; readonly ask?: Ask },
): ReleasePlan {
  const { catalog, terms } = readPolicy(policy)
  return compile(sql, { catalog, terms, ...more }).plan
}

/** The exact tables of one release on a version of the data. */
export async function extractOn(
  database: TestDatabase,
  release: Release,
  version: string,
): Promise<Extracted> {
  const tables: ResultTable[] = []
  for (const { rel } of release.extracts) tables.push(await database.run(printRel(rel, "duckdb"), version))
  return tables
}

/** What changes between two versions, over all releases of a plan. */
export async function compareVersions(
  database: TestDatabase,
  plan: ReleasePlan,
  [before, after]: readonly [string, string],
): Promise<Comparison> {
  const broken: string[] = []
  const reached: string[] = []
  for (const release of plan.releases) {
    const tables = [
      await extractOn(database, release, before),
      await extractOn(database, release, after),
    ] as const
    const found = compareNeighbours(release, ...tables)
    broken.push(...found.broken)
    reached.push(...found.reached)
  }
  return { broken, reached }
}
