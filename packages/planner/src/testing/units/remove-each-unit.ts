// Runs one question on a generated dataset with and without each person, and holds the changes to the claims.

import type { Ask } from "@dosimeter/proof/catalog/terms"
import { DosimeterError, rational, type Rational } from "@dosimeter/core"
import { compile, scaledIn } from "../../compile.ts"
import type { ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import type { Grammar } from "@dosimeter/language/parse/grammar"
import type { Policy } from "@dosimeter/policy/file/policy"
import { printRel } from "@dosimeter/proof/print/print"
import { compareNeighbours, type Extracted } from "./compare-neighbours.ts"
import type { TestDataset } from "../random/random-tables.ts"
import { everyone, replaced, TestDatabase, without, type ResultTable } from "./test-database.ts"

/** A dataset that is loaded: in order on one thread, and shuffled on four. */
export interface LoadedDataset {
  readonly dataset: TestDataset
  readonly ordered: TestDatabase
  readonly shuffled: TestDatabase
}

/** Loads all versions of a dataset. */
export async function loadDataset(dataset: TestDataset): Promise<LoadedDataset> {
  const [ordered, shuffled] = [await TestDatabase.open(1), await TestDatabase.open(4)]
  const isReplace = dataset.neighbours === "replace"
  const versions = dataset.owners.flatMap((owner) => [
    without(owner),
    ...(isReplace ? [replaced(owner)] : []),
  ])
  await ordered.load(dataset, [everyone, ...versions])
  await shuffled.load(dataset, [everyone], 1)
  return { dataset, ordered, shuffled }
}

/** Closes its databases. */
export function closeDataset({ ordered, shuffled }: LoadedDataset): void {
  ordered.close()
  shuffled.close()
}

/** The proven plan of a question, or its refusal. Other errors are failures. */
export function planOrRefusal(
  sql: string,
  { catalog, terms }: Policy,
  grammar: Grammar,
  ask: Ask = {},
): ReleasePlan | DosimeterError {
  try {
    return compile(sql, { grammar, catalog, terms, ask }).plan
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return error
    throw error
  }
}

/** The same with every norm that can be learnt, as a ladder might have told it: of any length. */
export function learntOrRefusal(
  sql: string,
  { catalog, terms }: Policy,
  { grammar, bound }: { readonly grammar: Grammar; readonly bound: Rational },
): ReleasePlan | DosimeterError {
  const options = { grammar, catalog, terms }
  const norm = { bound, beyond: { estimate: rational(1n) }, note: "of any length" }
  try {
    const norms = new Map(scaledIn(sql, options).map(({ boundary }) => [boundary, norm] as const))
    return compile(sql, { ...options, learnsNorm: true, norms }).plan
  } catch (error) {
    if (error instanceof DosimeterError && error.kind !== "bug") return error
    throw error
  }
}

/** What is too long is refused when it is written out, before anything is read, whatever the tables hold. */
export function isTooLong(error: unknown): boolean {
  return error instanceof DosimeterError && error.code === "sql/too-many"
}

/** What went wrong, and which claims were reached exactly. */
export interface Outcome {
  readonly broken: readonly string[]
  readonly reached: readonly string[]
}

/** Runs every extract of a plan with everyone, and without or with other rows of each owner; compares. */
export async function removeEachUnit(
  plan: ReleasePlan,
  loaded: LoadedDataset,
  owners: readonly number[] = loaded.dataset.owners,
): Promise<Outcome> {
  const { dataset, ordered, shuffled } = loaded
  const broken: string[] = []
  const reached: string[] = []
  for (const [index, release] of plan.releases.entries()) {
    const texts = release.extracts.map(({ rel }) => printRel(rel, "duckdb"))
    const on = async (database: TestDatabase, version: string): Promise<Extracted> => {
      const tables: ResultTable[] = []
      for (const text of texts) tables.push(await database.run(text, version))
      return tables
    }
    const all = await on(ordered, everyone)
    if (!isSame(all, await on(shuffled, everyone)))
      broken.push(`release ${index} depends on the order of rows`)
    for (const owner of owners) {
      const versions = dataset.neighbours === "replace" ? [without(owner), replaced(owner)] : [without(owner)]
      for (const version of versions) {
        const found = compareNeighbours(release, all, await on(ordered, version))
        broken.push(...found.broken.map((what) => `release ${index}, ${version}: ${what}`))
        reached.push(...found.reached)
      }
    }
  }
  return { broken, reached }
}

function isSame(a: Extracted, b: Extracted): boolean {
  const show = (tables: Extracted): string =>
    tables
      .map(({ rows }) =>
        rows
          .map((row) => row.map((cell) => `${typeof cell} ${cell}`).join("\u0000"))
          .toSorted()
          .join("\n"),
      )
      .join("\n\n")
  return show(a) === show(b)
}
