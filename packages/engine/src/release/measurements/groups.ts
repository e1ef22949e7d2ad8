// The groups of a release that are shown, and the exact numbers of each: given to mechanisms and to nobody
// else.

import { assert } from "@dosimeter/core/errors"
import { rational } from "@dosimeter/core/exact"
import {
  releaseKeys,
  releaseTopK,
  releaseTopKeys,
  releaseWeightedKeys,
  type ShownKey,
} from "@dosimeter/core/mechanisms"
import type { RandomBits } from "@dosimeter/core/noise"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import { combinations, groupName, publicRows } from "@dosimeter/proof/algebra/public-rows"
import type { Release, TopPlan } from "@dosimeter/proof/algebra/release-plan"
import type { Noise } from "./noisy-cell.ts"
import type { ExactRow, ExactTable } from "../secret/exact-table.ts"

/** The extract of a histogram, and its columns. */
export interface HistogramColumns {
  readonly extract: number
  readonly cell: number
  readonly count: number
}

/** The groups that are shown, and where each stands in the exact tables. */
export class Groups {
  readonly shown: readonly (readonly Constant[])[]
  /** The noisy number of units, or rows, of each shown group, where key selection gives it. */
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
    const place = this.#placeOf(0, keys.units)
    // A group without a unit that counts is none: what would fail with it and not without it must not be.
    const rows = sortedRows(tables[0]).filter(({ values }) => (values[place] ?? 0n) > 0n)
    const { spec } = keys
    const amounts = rows.map(({ values }) => values[place] ?? 0n)
    const found: readonly ShownKey[] =
      spec.kind === "keys-weighted"
        ? releaseWeightedKeys(spec, amounts, rng)
        : releaseKeys(spec, amounts, rng)
    this.shown = found.map(({ key }) => rows[key]?.keys ?? missing())
    this.keyCounts = found.map(({ count = 0n }) => count)
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
      const key = groupName(keys)
      byKey.set(key, (byKey.get(key) ?? 0n) + (values[place] ?? 0n))
    }
    return groups.map((keys) => byKey.get(groupName(keys)) ?? 0n)
  }

  /** The histogram of each shown group, of so many cells, from the columns of cell and count. */
  *histograms({ extract, cell, count }: HistogramColumns, cells: number): Generator<readonly bigint[]> {
    const places = { cell: this.#placeOf(extract, cell), count: this.#placeOf(extract, count) }
    const counted = new Map<string, (readonly [cell: bigint, count: bigint])[]>()
    for (const { keys, values } of this.#tables[extract]?.rows ?? missing()) {
      const key = groupName(keys)
      const pair = [values[places.cell] ?? 0n, values[places.count] ?? 0n] as const
      const list = counted.get(key)
      if (list === undefined) counted.set(key, [pair])
      else list.push(pair)
    }
    for (const keys of this.shown) {
      const histogram = Array<bigint>(cells).fill(0n)
      // Added up, so that no row of the table can take the place of another, whatever its cell was read as.
      for (const [at, rows] of counted.get(groupName(keys)) ?? []) {
        histogram[Number(at)] = (histogram[Number(at)] ?? 0n) + rows
      }
      yield histogram
    }
  }

  #placeOf(extract: number, column: number): number {
    const place = this.#release.extracts[extract]?.values.indexOf(column) ?? -1
    assert(place >= 0, "a measurement reads a column of its extract")
    return place
  }
}

// Nothing may depend on the order in which the database answered. Rows with equal keys are one group.
function sortedRows(table: ExactTable | undefined): ExactTable["rows"] {
  const groups = new Map<string, ExactRow>()
  for (const row of table?.rows ?? []) {
    const key = groupName(row.keys)
    const known = groups.get(key)
    groups.set(key, known === undefined ? row : { keys: row.keys, values: addedUp(known.values, row.values) })
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}

function addedUp(a: readonly bigint[], b: readonly bigint[]): readonly bigint[] {
  return a.map((value, place) => value + (b[place] ?? 0n))
}

function keyNoiseOf({ keys }: Release): Noise {
  const spec = keys.kind === "private" ? keys.spec : undefined
  if (spec?.kind !== "keys-laplace" && spec?.kind !== "keys-gaussian") {
    return { law: "laplace", amount: rational(0n), grid: rational(1n) }
  }
  const shown = { shownFrom: spec.threshold, lowerChance: spec.lowerChance }
  return spec.kind === "keys-laplace"
    ? { law: "laplace", amount: spec.scale, grid: rational(1n), ...shown }
    : { law: "gaussian", amount: spec.variance, grid: rational(1n), ...shown }
}

function missing(): never {
  assert(false, "every group has its keys")
}
