// What is read from the database, under a permit: the extracts run, one after the other. Readings stay inside
// of `release`, which draws from each of them once.

import { assert } from "@dosimeter/core/errors"
import type { Rel } from "@dosimeter/proof/algebra/rel"
import { printRel } from "@dosimeter/proof/print/print"
import type { VerifiedSeries } from "@dosimeter/proof/verify/verify-series"
import type { Backend } from "../dataset/backend.ts"
import type { DataVersion } from "../dataset/data-version.ts"
import { releaseKey } from "./key/release-key.ts"
import { PaidPeriods, PaidRows, PaidTables } from "./paid-tables.ts"
import type { Permit, StepsPermit } from "./permit.ts"
import { printed, type PrintedPlan } from "./printed-plan.ts"
import type { ExactTable } from "./secret/exact-table.ts"
import type { Secret } from "./secret/secret.ts"

/** Where it is read. */
export interface ReadFrom {
  readonly backend: Backend
  readonly version: DataVersion
}

/**
 * Reads the exact tables of each release of a plan.
 *
 * Guarantee: whatever is read was charged before, and each plan is read once for its charge.
 * Needs: nothing: the texts are those of the plan, since only `printed` makes them.
 * Proof: the permit is used before the first extract runs, and stops where its charge is not for the plan
 *   (Permit). The tables come back with the release of the proven plan, inside a class that only `release`
 *   makes.
 * Numerics: none.
 * Source: Permit.
 */
export async function readExact(
  reading: PrintedPlan,
  permit: Permit,
  from: ReadFrom,
  signal: AbortSignal | undefined,
): Promise<readonly PaidTables[]> {
  const { releases } = reading.plan
  permit.use(reading.plan)
  const tables = await readTables(reading, from, signal)
  return releases.map((release, index) => new PaidTables(releaseKey, release, tables[index] ?? []))
}

/** Reads the amounts of all periods of a series. */
export async function readPeriods(
  permit: StepsPermit,
  from: ReadFrom,
  signal: AbortSignal | undefined,
): Promise<PaidPeriods> {
  const series = permit.use()
  const [tables = []] = await readTables(printed(series.plan, from.backend), from, signal)
  return new PaidPeriods(releaseKey, series, tables)
}

/** Reads the rows of a series that are added up by period: one for each unit and period. */
export async function readUnitRows(
  permit: StepsPermit,
  { backend, version }: ReadFrom,
  signal: AbortSignal | undefined,
): Promise<PaidRows> {
  const series = permit.use()
  const rel = unitRowsOf(series)
  assert(rel !== undefined, "the units of a series are looked at where they count in some periods only")
  const sql = printRel(rel, backend.dialect)
  const query = { sql, columns: rel.columns, keyCount: 2, groupCount: 2 }
  const rows = await backend.run(query, optionsOf(version, signal))
  await version.check()
  return new PaidRows(releaseKey, series, [rows])
}

/** Whether the units of a series are looked at one by one: not where all may count in every period. */
export function countsUnits(series: VerifiedSeries): boolean {
  return unitRowsOf(series) !== undefined
}

// The rows of a series before they are added up: unit, period, amount. Undefined where a unit may count in
// every period, whatever becomes of its rows, and where a unit is a row.
function unitRowsOf({ plan, spec }: VerifiedSeries): Rel | undefined {
  const rel = plan.releases[0]?.extracts[0]?.rel
  if (rel?.kind !== "aggregate" || spec.stepsPerUnit >= spec.horizon) return undefined
  return rel.input.columns.length === 3 ? rel.input : undefined
}

async function readTables(
  { plan, texts }: PrintedPlan,
  { backend, version }: ReadFrom,
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
      tables.push(await backend.run(query, optionsOf(version, signal)))
    }
    releases.push(tables)
  }
  // Read from the source whose claims were looked at, to the last row.
  await version.check()
  return releases
}

function optionsOf({ secret }: DataVersion, signal: AbortSignal | undefined): Parameters<Backend["run"]>[1] {
  return { secret, ...(signal === undefined ? {} : { signal }) }
}
