// Margins: the noise on the parts of a table, or on its cells, covers what was proven of the table.

import {
  boundedSensitivity,
  type LaplaceSpec,
  type MarginsSpec,
  type Neighbours,
} from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import type { MarginsPlan, Release } from "../algebra/release-plan.ts"
import type { ProvenExtract } from "./prove-extract.ts"

/** What a release of margins is checked against. */
export interface MarginsContext {
  readonly release: Release
  readonly neighbours: Neighbours
  readonly prove: (extract: number) => ProvenExtract
}

/**
 * Checks the mechanism of one measure.
 *
 * Guarantee: what releaseMargins or releaseLaplace gives for the table loses no more than lossOf(spec).
 * Needs: the table is the extract, 0 where it has no row, over all combinations of the listed keys.
 * Proof: the spec's bounds (cells of a unit, amounts in each, neighbours) are at least those that
 *   proveExtract proved of the column, and a loss grows with each of them; sizes are those of the lists,
 *   every part is listed once and has noise, as marginsLoss needs. Which rows are shown follows from lists
 *   and groupings, which depend on no data, and their values from what was released.
 * Numerics: integers and exact fractions.
 * Source: core's marginsLoss and laplaceLoss.
 */
export function checkMargins(measure: MarginsPlan, { release, neighbours, prove }: MarginsContext): void {
  const { keys } = release
  if (keys.kind !== "margins") return reject("margins of groups that are no margins")
  const places = keys.lists.length
  for (const set of keys.sets) {
    if (!isGrowing(set, places)) reject("a grouping has other keys")
  }
  const { spec } = measure
  const sizes = keys.lists.map((list) => BigInt(list.length))
  if (spec.kind === "laplace") {
    const groupsInAll = sizes.reduce((count, size) => count * size, 1n)
    return checkCellNoise(measure, spec, { release, neighbours, prove, groupsInAll })
  }
  if (spec.kind !== "margins") return reject("margins with the noise of a tree")
  const { contributions, groupsPerUnit } = prove(measure.extract)
  const { lower, upper } =
    contributions.get(measure.column) ?? reject("a measure reads a column that is not there")
  if (show(spec.sizes) !== show(sizes)) reject("margins of another table")
  if (spec.groupsPerUnit < groupsPerUnit) reject("margins expect fewer groups of a unit")
  if (spec.lower > lower || spec.upper < upper) reject("margins expect smaller amounts")
  if (spec.neighbours !== neighbours) reject("margins have other neighbours")
  checkParts(spec, places)
}

/** Laplace noise on every cell covers what a unit adds to cells. */
export function checkCellNoise(
  { extract, column }: MarginsPlan,
  spec: LaplaceSpec,
  { neighbours, prove, groupsInAll }: MarginsContext & { readonly groupsInAll: bigint },
): void {
  const { contributions, groupsPerUnit } = prove(extract)
  const { lower, upper } = contributions.get(column) ?? reject("a measure reads a column that is not there")
  const expected = boundedSensitivity({ groupsPerUnit, lower, upper, neighbours, groupsInAll })
  if (show(spec.sensitivity) !== show(expected)) reject("a mechanism has another sensitivity")
  if (spec.scale.numerator <= 0n) reject("a measure without noise")
}

function checkParts({ parts }: MarginsSpec, places: number): void {
  const known = new Set<string>()
  for (const { attributes, variance } of parts) {
    if (!isGrowing(attributes, places)) reject("a part of other keys")
    if (variance.numerator <= 0n) reject("a part without noise")
    if (known.has(attributes.join())) reject("a part is measured twice")
    known.add(attributes.join())
  }
}

/** Whether places are different ones, in order, below a number. */
export function isGrowing(places: readonly number[], count: number): boolean {
  return places.every(
    (place, index) => Number.isInteger(place) && place > (places[index - 1] ?? -1) && place < count,
  )
}

function show(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? `${one}n` : one))
}
