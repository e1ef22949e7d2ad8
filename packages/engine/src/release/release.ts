// Exact tables become noisy ones, by the mechanisms of a proven plan: here Secrets are opened, and for series
// in release-series.ts.

import type { RandomBits } from "@dosimeter/core"
import { assert } from "@dosimeter/core/errors"
import { multiply, rational, type Rational } from "@dosimeter/core/exact"
import {
  releaseGaussian,
  releaseKeys,
  releaseLaplace,
  releaseMeasurement,
  releaseSelection,
  releaseTopK,
  releaseTopKeys,
  releaseWeightedKeys,
  type GaussianSpec,
  type LaplaceSpec,
  type ShownKey,
} from "@dosimeter/core/mechanisms"
import { constantKey, type Constant } from "@dosimeter/proof/catalog/constant"
import { publicRows } from "@dosimeter/proof/algebra/public-rows"
import type {
  MeasurePlan,
  MomentReadPlan,
  MomentsPlan,
  Release,
  TopPlan,
} from "@dosimeter/proof/algebra/release-plan"
import type { ExactRow, ExactTable } from "./secret/exact-table.ts"
import { drawQuantiles } from "./draw-quantiles.ts"
import { releaseKey } from "./key/release-key.ts"
import type { PaidPeriods, PaidTables } from "./paid-tables.ts"
import type { Noise, NoisyCell, NoisyDraw, NoisyRow } from "./noisy-cell.ts"
import { marginRows, type OnMeasured } from "./release-margins.ts"
import { readMoments, releaseMoments } from "./release-moments.ts"
import { treeRows } from "./release-tree.ts"

/**
 * Draws the noise of one release.
 *
 * Guarantee: the loss of the result is the sum of lossOf over the release's mechanisms.
 * Needs: nothing: the tables were read for a release of a VerifiedPlan, under its charge (PaidTables).
 * Proof: every number that leaves comes out of one of core's release functions, called with the plan's own
 *   spec on the extract that verify/ proved it for. Which rows leave is public (listed keys, or one row) or
 *   decided by releaseKeys, releaseWeightedKeys, releaseTopK or releaseTopKeys. Rows leave in the order of
 *   their keys or of the choice, never in the order of the database.
 * Numerics: integers; a value is noisy integer times grid, exactly.
 * Source: the mechanisms of core.
 */
export function releaseTables(
  tables: PaidTables,
  rng: RandomBits,
  onMeasured: OnMeasured = () => {},
): readonly NoisyRow[] {
  const release = tables.for
  const exact = tables.open(releaseKey)
  const { keys } = release
  if (keys.kind === "margins") {
    const whole = new Groups({ ...release, keys: { kind: "public", lists: keys.lists } }, exact, rng)
    const tableOf = (extract: number, column: number): readonly bigint[] => whole.integers(extract, column)
    return marginRows({ ...release, keys }, tableOf, rng, onMeasured)
  }
  if (keys.kind === "tree") {
    const leaves = new Groups(
      { ...release, keys: { kind: "public", lists: [], rows: keys.rows } },
      exact,
      rng,
    )
    const leavesOf = (extract: number, column: number): readonly bigint[] => leaves.integers(extract, column)
    return treeRows({ ...release, keys }, leavesOf, rng, onMeasured)
  }
  const groups = new Groups(release, exact, rng)
  const columns: Column[] = []
  const vectors = release.measures.map((measure) =>
    measure.kind === "moments" ? releaseMoments(measure, groups.moments(measure), rng) : [],
  )
  for (const measure of release.measures) {
    columns.push(
      measure.kind === "moments" || measure.kind === "moment-read"
        ? readColumn(measure, release, vectors)
        : measured(measure, groups, columns, rng),
    )
  }
  return groups.shown.map((keys, index) => ({
    keys,
    cells: columns.flatMap((column) => column.map((cells) => cells[index] ?? missing())),
  }))
}

/**
 * Draws the measurements of a series that end at some of its steps.
 *
 * Guarantee: as releaseMeasurement; all of a series together lose what its spec says.
 * Needs: a step that was drawn before is not drawn again (the ledger sees to it). The table is of a series
 *   that checkSeries has passed, and was read under its charge (PaidPeriods).
 * Proof: amounts are those of the listed periods, in their order, up to the step.
 * Numerics: integers.
 * Source: core's running totals.
 */
export function releaseSteps(
  table: PaidPeriods,
  { after, through }: { readonly after: bigint; readonly through: bigint },
  rng: RandomBits,
): readonly bigint[] {
  const { plan, spec } = table.for
  const [release] = plan.releases
  const [measure] = release?.measures ?? []
  assert(release !== undefined && measure?.kind === "additive", "a series is of one sum")
  const exact = table.open(releaseKey)
  const amounts = new Groups(release, exact, rng).integers(measure.extract, measure.column)
  return Array.from({ length: Number(through - after) }, (_, index) =>
    releaseMeasurement(spec, amounts.slice(0, Number(after) + index + 1), rng),
  )
}

const one = rational(1n)

/** The cells of a measure: one list for each output column, one cell for each group. */
type Column = readonly (readonly NoisyCell[])[]

// A number from the vector of its own measure, or of the one that it names.
function readColumn(
  measure: MomentsPlan | MomentReadPlan,
  { measures }: Release,
  vectors: readonly (readonly (readonly NoisyDraw[])[])[],
): Column {
  const place = measure.kind === "moments" ? measures.indexOf(measure) : measure.measure
  const source = measures[place]
  assert(source?.kind === "moments", "a number is read from a vector")
  return [readMoments(source, measure, vectors[place] ?? missing())]
}

type DrawnMeasure = Exclude<MeasurePlan, MomentsPlan | MomentReadPlan>

function measured(measure: DrawnMeasure, groups: Groups, before: readonly Column[], rng: RandomBits): Column {
  switch (measure.kind) {
    case "additive": {
      const { spec, grid } = measure
      const exact = groups.integers(measure.extract, measure.column)
      const noisy =
        spec.kind === "laplace" ? releaseLaplace(spec, exact, rng) : releaseGaussian(spec, exact, rng)
      return [
        noisy.map((steps) => ({
          value: scaled(steps, grid, measure.of === "values" ? stepsMax : countMax),
          noise: noiseOf(spec, grid),
        })),
      ]
    }
    case "quantiles": {
      const histograms = groups.histograms(measure.extract, Number(measure.spec.cells))
      const drawn = Array.from(histograms, (histogram) => drawQuantiles(measure, histogram, rng))
      return measure.spec.quantiles.map((_, which) => drawn.map((cells) => cells[which] ?? missing()))
    }
    case "mode": {
      const { spec, values } = measure
      const histograms = groups.histograms(measure.extract, values.length)
      const chosen = Array.from(histograms, (histogram) => releaseSelection(spec, histogram, rng))
      return [chosen.map((place) => ({ value: values[place] ?? missing() }))]
    }
    case "key-count":
      return [
        groups.keyCounts.map((units) => ({ value: scaled(units, one, countMax), noise: groups.keyNoise })),
      ]
    case "same":
      return before[measure.measure] ?? missing()
    case "margins":
      return missing()
    default:
      return measure satisfies never
  }
}

/** The groups that are shown, and where each stands in the exact tables. */
class Groups {
  readonly shown: readonly (readonly Constant[])[]
  /** The noisy number of units of each shown group, where key selection gives it. */
  readonly keyCounts: readonly bigint[]
  readonly keyNoise: Noise
  readonly #release: Release
  readonly #tables: readonly ExactTable[]

  constructor(release: Release, tables: readonly ExactTable[], rng: RandomBits) {
    this.#release = release
    this.#tables = tables
    this.keyNoise = keyNoiseOf(release)
    const { keys } = release
    if (keys.kind === "top") {
      this.keyCounts = []
      this.shown = this.#chosen(keys, rng)
      return
    }
    if (keys.kind !== "private") {
      this.shown = publicRows(keys)
      this.keyCounts = []
      return
    }
    const rows = sortedRows(tables[0])
    const place = this.#placeOf(0, keys.units)
    const { spec } = keys
    const amounts = rows.map(({ values }) => values[place] ?? 0n)
    const found: readonly ShownKey[] =
      spec.kind === "keys-weighted"
        ? releaseWeightedKeys(spec, amounts, rng)
        : releaseKeys(spec, amounts, rng)
    this.shown = found.map(({ key }) => rows[key]?.keys ?? missing())
    this.keyCounts = found.map(({ units = 0n }) => units)
  }

  // The largest of the listed groups, or of those that are there.
  #chosen({ lists, score, spec }: TopPlan, rng: RandomBits): readonly (readonly Constant[])[] {
    if (spec.kind === "top-k") {
      const all = combinations(lists ?? missing())
      return releaseTopK(spec, this.#column(0, score, all), rng).map((place) => all[place] ?? missing())
    }
    const rows = sortedRows(this.#tables[0])
    const place = this.#placeOf(0, score)
    const scores = rows.map(({ values }) => values[place] ?? 0n)
    return releaseTopKeys(spec, scores, rng).map((key) => rows[key]?.keys ?? missing())
  }

  /** One column of a table, for the shown groups; 0 where the table has no such group. */
  integers(extract: number, column: number): readonly bigint[] {
    return this.#column(extract, column, this.shown)
  }

  #column(extract: number, column: number, groups: readonly (readonly Constant[])[]): readonly bigint[] {
    const place = this.#placeOf(extract, column)
    const rows = this.#tables[extract]?.rows ?? missing()
    const byKey = new Map<string, bigint>()
    // Added up, so that no row can take the place of another.
    for (const { keys, values } of rows) {
      const key = groupKey(keys)
      byKey.set(key, (byKey.get(key) ?? 0n) + (values[place] ?? 0n))
    }
    return groups.map((keys) => byKey.get(groupKey(keys)) ?? 0n)
  }

  /** Number, sum and squares of each shown group. */
  moments({ extract, rows, sum, squares }: MomentsPlan): readonly (readonly bigint[])[] {
    const columns = [rows, sum, ...(squares === undefined ? [] : [squares])].map((column) =>
      this.integers(extract, column),
    )
    return this.shown.map((_, index) => columns.map((column) => column[index] ?? 0n))
  }

  /** The histogram of each shown group, from rows of cell and count. */
  *histograms(extract: number, cells: number): Generator<readonly bigint[]> {
    const counted = new Map<string, (readonly bigint[])[]>()
    for (const { keys, values } of this.#tables[extract]?.rows ?? missing()) {
      const key = groupKey(keys)
      const list = counted.get(key)
      if (list === undefined) counted.set(key, [values])
      else list.push(values)
    }
    for (const keys of this.shown) {
      const histogram = Array<bigint>(cells).fill(0n)
      // Added up, so that no row of the table can take the place of another, whatever its cell was read as.
      for (const [cell = 0n, count = 0n] of counted.get(groupKey(keys)) ?? []) {
        histogram[Number(cell)] = (histogram[Number(cell)] ?? 0n) + count
      }
      yield histogram
    }
  }

  #placeOf(extract: number, column: number): number {
    const place = this.#release.extracts[extract]?.values.indexOf(column) ?? -1
    assert(place >= 0, "a measure reads a column of its extract")
    return place
  }
}

// Nothing may depend on the order in which the database answered. Rows with equal keys are one group.
function sortedRows(table: ExactTable | undefined): ExactTable["rows"] {
  const groups = new Map<string, ExactRow>()
  for (const row of table?.rows ?? []) {
    const key = groupKey(row.keys)
    const known = groups.get(key)
    groups.set(key, known === undefined ? row : { keys: row.keys, values: addedUp(known.values, row.values) })
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function addedUp(a: readonly bigint[], b: readonly bigint[]): readonly bigint[] {
  return a.map((value, place) => value + (b[place] ?? 0n))
}

/** A text that is equal for equal keys and for no others. */
function groupKey(keys: readonly Constant[]): string {
  return JSON.stringify(keys.map(constantKey))
}

function combinations(lists: readonly (readonly Constant[])[]): readonly (readonly Constant[])[] {
  return lists.reduce<readonly (readonly Constant[])[]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  )
}

function keyNoiseOf({ keys }: Release): Noise {
  const spec = keys.kind === "private" ? keys.spec : undefined
  if (spec?.kind !== "keys-laplace" && spec?.kind !== "keys-gaussian") {
    return { law: "laplace", amount: rational(0n), grid: one }
  }
  const shown = { shownFrom: spec.threshold, lowerChance: spec.lowerChance }
  return spec.kind === "keys-laplace"
    ? { law: "laplace", amount: spec.scale, grid: one, ...shown }
    : { law: "gaussian", amount: spec.variance, grid: one, ...shown }
}

function missing(): never {
  assert(false, "every measure has a cell for every group")
}

/** What post-processing was compiled for; noise that reaches it is noise alone. */
const stepsMax = 1n << 62n
const countMax = 1n << 40n

function scaled(steps: bigint, grid: Rational, most: bigint): Constant {
  const cut = steps > most ? most : steps < -most ? -most : steps
  return { kind: "number", value: multiply(rational(cut), grid) }
}

function noiseOf(spec: LaplaceSpec | GaussianSpec, grid: Rational): Noise {
  return spec.kind === "laplace"
    ? { law: "laplace", amount: spec.scale, grid }
    : { law: "gaussian", amount: spec.variance, grid }
}
