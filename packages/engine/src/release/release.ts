// Exact tables become noisy ones, by the mechanisms of a proven plan: here Secrets are opened, and for series
// in release-series.ts.

import { assert, unreachable } from "@dosimeter/core/errors"
import { rational } from "@dosimeter/core/exact"
import type { RandomBits } from "@dosimeter/core/noise"
import type { JointMeasurement } from "@dosimeter/proof/algebra/released"
import { groupingSums, hasGroupings, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import { hasStrategy, type Measurement, type Reading } from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import { releaseKey } from "./key/release-key.ts"
import type { PaidPeriods, PaidTables } from "./paid-tables.ts"
import type { Permit } from "./permit.ts"
import type { PrintedPlan } from "./printed-plan.ts"
import { readExact, type ReadFrom } from "./read-exact.ts"
import { Groups } from "./measurements/groups.ts"
import { drawChoice, drawLinear } from "./measurements/draw.ts"
import { allOfTheNoise } from "./measurements/noise-source.ts"
import { drawSteps, type Steps } from "./measurements/totals.ts"
import { scaled, type DrawnChoice, type DrawnLinear } from "./measurements/drawn.ts"
import type { NoisyCell, NoisyRow } from "./measurements/noisy-cell.ts"

/** Told what was measured behind several groupings, while it is released. */
export type OnMeasured = (measured: JointMeasurement) => void

/** Where it is read, and what noise is drawn from. */
export interface ReleaseFrom extends ReadFrom {
  readonly rng: RandomBits
}

/**
 * Reads a plan under its permit, and draws the noise of each of its releases: the one way to an answer that
 * is paid for. What is read stays in here, so that nobody can draw from it twice.
 */
export async function releasePlan(
  reading: PrintedPlan,
  permit: Permit,
  from: ReleaseFrom,
  options: {
    readonly signal: AbortSignal | undefined
    /** Who is told what is measured for a release. */
    readonly measured: { of(release: Release): OnMeasured }
  },
): Promise<readonly (readonly NoisyRow[])[]> {
  const exact = await readExact(reading, permit, from, options.signal)
  return exact.map((tables) => releaseTables(tables, from.rng, options.measured.of(tables.for)))
}

/**
 * Draws the noise of one release.
 *
 * Guarantee: the loss of the result is the sum of lossOf over the release's mechanisms, and no second result
 *   is drawn from the same tables.
 * Needs: nothing: the tables were read for a release of a VerifiedPlan, under its charge, and are handed out
 *   once (PaidTables).
 * Proof: every number that leaves comes out of one of core's release functions, or of the source of all of
 *   the noise, with the plan's own spec on the extract that verify/ proved it for (allOfTheNoise). Which
 *   rows leave is public (listed keys, or one row) or decided by releaseKeys, releaseWeightedKeys,
 *   releaseTopK or releaseTopKeys. Rows leave in the order of their keys or of the choice, never in the order
 *   of the database.
 * Numerics: integers; a value is noisy integer times grid, exactly.
 * Source: the mechanisms of core.
 */
export function releaseTables(
  tables: PaidTables,
  rng: RandomBits,
  onMeasured: OnMeasured = () => {},
): readonly NoisyRow[] {
  const release = tables.for
  const exact = tables.take(releaseKey)
  const groups = new Groups(release, exact, rng)
  const source = allOfTheNoise(rng)
  const drawn = release.measurements.map((measurement): Drawn =>
    measurement.kind === "linear"
      ? { kind: "linear", source: measurement, of: drawLinear(measurement, groups, source) }
      : { kind: "choice", of: drawChoice(measurement, groups, rng) },
  )
  return rowsOf({ release, groups, drawn }, onMeasured)
}

/** What was drawn for a release, or what came out of a sum of shares. */
export interface DrawnRelease {
  readonly release: Release
  readonly groups: Groups
  readonly drawn: readonly Drawn[]
}

/** The rows of a release from what was drawn for it: nothing exact is looked at. */
export function rowsOf(
  { release, groups, drawn }: DrawnRelease,
  onMeasured: OnMeasured = () => {},
): readonly NoisyRow[] {
  const { keys } = release
  if (hasGroupings(keys)) return groupedRows({ ...release, keys }, drawn, onMeasured)
  // The number of units of each group, once for all columns that it is.
  const counts = groups.keyCounts.map((units): NoisyCell => ({
    value: scaled(units, rational(1n), { of: "units" }),
    noise: groups.keyNoise,
  }))
  const columns = release.readings.map((reading) => cellsOf(reading, drawn, counts))
  return groups.shown.map((shown, index) => ({
    keys: shown,
    cells: columns.map((cells) => cells[index] ?? missing()),
  }))
}

/**
 * Draws the measurements of a series that end at some of its steps.
 *
 * Guarantee: as drawSteps.
 * Needs: a step that was drawn before is not drawn again (the ledger sees to it). The table is of a series
 *   that checkSeries has passed, and was read under its charge (PaidPeriods).
 * Proof: amounts are the measurement's own column, for the listed periods in their order; drawSteps.
 * Numerics: integers.
 * Source: core's running totals.
 */
export function releaseSteps(table: PaidPeriods, steps: Steps, rng: RandomBits): readonly bigint[] {
  const [release] = table.for.plan.releases
  const [measurement] = release?.measurements ?? []
  assert(release !== undefined && hasStrategy(measurement, "totals"), "a series is of one release, of totals")
  const [column] = measurement.columns
  assert(column !== undefined, "a series is of one sum")
  const exact = table.take(releaseKey)
  const amounts = new Groups(release, exact, rng).integers(measurement.extract, column.id)
  return drawSteps(measurement, amounts, steps, rng)
}

/** A measurement that was drawn. */
export type Drawn =
  | {
      readonly kind: "linear"
      readonly source: Measurement & { readonly kind: "linear" }
      readonly of: DrawnLinear
    }
  | { readonly kind: "choice"; readonly of: DrawnChoice }

/** The cells of an output column: one for each group. */
function cellsOf(
  reading: Reading,
  drawn: readonly Drawn[],
  counts: readonly NoisyCell[],
): readonly NoisyCell[] {
  switch (reading.kind) {
    case "linear": {
      const source = drawn[reading.measurement]
      return source?.kind === "linear" ? source.of.cells(reading) : missing()
    }
    case "chosen": {
      const source = drawn[reading.measurement]
      return source?.kind === "choice" ? source.of.cells(reading.part) : missing()
    }
    case "key-count":
      return counts
    default:
      return unreachable(reading)
  }
}

/** The rows of all groupings: what leaves is computed from what was drawn, from lists and from groupings. */
function groupedRows(
  { keys, readings }: Release & { readonly keys: GroupedKeys },
  drawn: readonly Drawn[],
  onMeasured: OnMeasured,
): readonly NoisyRow[] {
  const tables = drawn.map((one) => {
    if (one.kind !== "linear") return missing()
    onMeasured({ measurement: one.source, noisy: one.of.noisy })
    return one.of.groupings(keys)
  })
  return groupingSums(keys).flatMap((groups, number) =>
    groups.map((group, place) => ({
      keys: group.keys,
      cells: readings.map((reading) => {
        const table = reading.kind === "linear" ? tables[reading.measurement] : undefined
        return table?.[number]?.[place] ?? missing()
      }),
    })),
  )
}

function missing(): never {
  assert(false, "every reading has a cell for every group")
}
