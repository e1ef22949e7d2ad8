// The next steps of a series: read, counted and drawn. The exact table comes from what its units add: a unit
// whose earlier rows were changed counts no more.

import { createHmac } from "node:crypto"
import { assert } from "@dosimeter/core/errors"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import type { ExactTable } from "./secret/exact-table.ts"
import { releaseKey } from "./key/release-key.ts"
import type { Steps } from "./measurements/totals.ts"
import { PaidPeriods, type PaidRows } from "./paid-tables.ts"
import type { StepsPermit } from "./permit.ts"
import { countsUnits, readPeriods, readUnitRows } from "./read-exact.ts"
import { releaseSteps, type ReleaseFrom } from "./release.ts"
import { Secret } from "./secret/secret.ts"

/** The periods in which each unit has counted, by its digest; undefined for one that counts no more. */
export type CountedPeriods = ReadonlyMap<string, ReadonlySet<number> | undefined>

/** What is remembered of the units of a series, from update to update. */
export interface CountingMemory {
  /** Units are told apart with it. */
  readonly key: string
  /** What the last update has remembered. */
  load(): CountedPeriods
  /** Keeps what was remembered and what this one counts: before anything is shown. */
  save(counted: { readonly before: CountedPeriods; readonly counted: CountedPeriods }): void
}

/**
 * Reads the amounts of a series under its permit, and draws the measurements that end at its next steps. What
 * is read stays in here, so that nobody can draw from it twice. Where a unit counts in fewer periods than
 * there are, those of units whose earlier rows were changed are left out (countSeries).
 */
export async function releaseNextSteps(
  permit: StepsPermit,
  from: ReleaseFrom,
  { steps, memory, signal }: NextSteps,
): Promise<readonly bigint[]> {
  if (!countsUnits(permit.series)) {
    return releaseSteps(await readPeriods(permit, from, signal), steps, from.rng)
  }
  const before = memory.load()
  const rows = await readUnitRows(permit, from, signal)
  const counting = { before, key: memory.key, through: Number(steps.through) }
  const { table, counted } = countPaid(rows, counting)
  memory.save({ before, counted })
  return releaseSteps(table, steps, from.rng)
}

/** Which steps are released, and what is remembered meanwhile. */
export interface NextSteps {
  /** The last one that is released already, and the last one that is over. */
  readonly steps: Steps
  readonly memory: CountingMemory
  readonly signal: AbortSignal | undefined
}

/** What each unit adds to each of its first periods, and what is known of the periods. */
export interface UnitRows {
  /** Keys: the unit, the period; one integer. */
  readonly rows: Secret<ExactTable>
  /** All periods of the horizon, in order. */
  readonly periods: readonly Constant[]
  /** In how many periods a unit may count, and for how much at most in each. */
  readonly groupsPerUnit: number
  readonly amountMax: bigint
}

/** What the last update remembered, with which key units are told apart, and the last period that is over. */
export interface Counting {
  readonly before: CountedPeriods
  readonly key: string
  readonly through: number
}

// The table of a series from its paid rows, and what is to be remembered of whom it came from.
function countPaid(
  paid: PaidRows,
  counting: Counting,
): { readonly table: PaidPeriods; readonly counted: CountedPeriods } {
  const series = paid.for
  const { plan, spec } = series
  const keys = plan.releases[0]?.keys
  const [rows] = paid.take(releaseKey)
  assert(rows !== undefined, "the rows of a series were read")
  const units = {
    rows: new Secret(rows),
    periods: keys?.kind === "public" ? (keys.lists[0] ?? []) : [],
    groupsPerUnit: Number(spec.stepsPerUnit),
    amountMax: spec.amountPerStep,
  }
  const { table, counted } = countSeries(units, counting)
  return { table: new PaidPeriods(releaseKey, series, [table]), counted }
}

/**
 * The amounts by period, and what is to be remembered of whom they came from. Steps after `through` are not
 * looked at.
 *
 * Guarantee: over all versions of the data a unit that counts has kept every period in which it has counted,
 *   or has its whole number of periods before that, and adds at most amountMax to each; a unit of which that
 *   is not true adds nothing any more.
 * Needs: rows are one for each unit and period, the first groupsPerUnit periods of each unit (buildSeries,
 *   proven by checkSeries); `before` is what the last update remembered, saved
 *   before it was entered and known by the mark of its entry.
 * Proof: by the check of each unit below. So for units that count, checkSeries' claim about rows that are
 *   only added holds for the rows that matter to it: the counted periods, and those that take their place. A
 *   unit that adds nothing from some step on adds no more than the bound to any measurement. What becomes of
 *   a unit depends on its own rows, in all versions, and on nobody else's.
 * Numerics: integers; digests of 132 bits stand for units.
 * Source: this file, and the arguments about versions in check-series.ts.
 */
export function countSeries(
  { rows, periods, groupsPerUnit, amountMax }: UnitRows,
  { before, key, through }: Counting,
): { readonly table: Secret<ExactTable>; readonly counted: CountedPeriods } {
  const places = new Map(periods.map((period, index) => [constantKey(period), index]))
  const units = unitsOf(rows.open(releaseKey), places, key)
  const counted = new Map(before)
  const sums = new Map<number, bigint>()
  for (const digest of new Set([...units.keys(), ...before.keys()])) {
    const now = units.get(digest) ?? new Map<number, bigint>()
    const earlier = before.has(digest) ? before.get(digest) : new Set<number>()
    if (earlier === undefined || !isKept(earlier, [...now.keys()], groupsPerUnit)) {
      counted.set(digest, undefined)
      continue
    }
    for (const [place, amount] of now) {
      sums.set(place, (sums.get(place) ?? 0n) + between(-amountMax, amount, amountMax))
    }
    const over = [...now.keys()].filter((place) => place < through)
    if (over.length + earlier.size > 0) counted.set(digest, new Set([...earlier, ...over]))
  }
  const table = [...sums].map(([place, sum]) => {
    const period = periods[place]
    assert(period !== undefined, "a sum is of a period of the series")
    return { keys: [period], values: [sum] }
  })
  return { table: new Secret({ rows: table }), counted }
}

function between(least: bigint, value: bigint, most: bigint): bigint {
  return value < least ? least : value > most ? most : value
}

// Each period that has counted is still there, or as many as may count stand before it.
function isKept(earlier: ReadonlySet<number>, now: readonly number[], groupsPerUnit: number): boolean {
  const there = new Set(now)
  const isFull = there.size >= groupsPerUnit
  const last = now.reduce((most, place) => Math.max(most, place), -1)
  return [...earlier].every((place) => there.has(place) || (isFull && last < place))
}

function unitsOf(
  { rows }: ExactTable,
  places: ReadonlyMap<string, number>,
  key: string,
): ReadonlyMap<string, ReadonlyMap<number, bigint>> {
  const units = new Map<string, Map<number, bigint>>()
  for (const { keys, values } of rows) {
    const [unit, period] = keys
    assert(unit !== undefined && period !== undefined, "a row of a series has a unit and a period")
    const place = places.get(constantKey(period))
    // Rows outside of the horizon are filtered out by the plan.
    if (place === undefined) continue
    const digest = unitDigest(key, constantKey(unit))
    const own = units.get(digest) ?? new Map<number, bigint>()
    own.set(place, (own.get(place) ?? 0n) + (values[0] ?? 0n))
    units.set(digest, own)
  }
  return units
}

/** The digest of a unit: equal over all versions of the data, and nothing without the key. */
export function unitDigest(key: string, unit: string): string {
  return createHmac("sha256", key).update(`series unit ${unit}`).digest("base64url").slice(0, 22)
}
