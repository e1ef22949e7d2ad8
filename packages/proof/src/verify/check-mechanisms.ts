// Every mechanism of a release covers what was proven of the extract that it reads.

import type { Rational } from "@dosimeter/core/exact"
import type { Neighbours } from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import type { ColumnId } from "../algebra/expr.ts"
import { hasGroupings } from "../algebra/grouping-sums.ts"
import type { Measurement } from "../algebra/measurement.ts"
import type { KeyFact, Release } from "../algebra/release-plan.ts"
import { checkGroupings, groupsLookedAt } from "./extracts/check-groups.ts"
import { checkKeys } from "./check-keys.ts"
import { checkReadings } from "./check-readings.ts"
import { checkTop } from "./check-top.ts"
import { checkMeasurement } from "./measurements/check-measurement.ts"
import type { MeasurementContext } from "./measurements/context.ts"
import { proveExtract, type ProvenExtract } from "./extracts/prove-extract.ts"

/**
 * Checks a release of a plan whose intervals may fail with probability `miss`; returns the declared keys that
 * the proof rests on.
 */
export function checkMechanisms(
  release: Release,
  neighbours: Neighbours,
  miss: Rational,
): readonly KeyFact[] {
  const { keys, extracts, measurements } = release
  const facts: KeyFact[] = []
  const listed = groupsLookedAt(release)
  const shown = keys.kind === "top" ? keys.spec.k : undefined
  const proved = new Set<number>()
  const prove = (index: number, cell?: ColumnId): ProvenExtract => {
    const extract = extracts[index] ?? reject("a measurement reads an extract that is not there")
    const proven = proveExtract(extract, { cell, groupsInAll: listed })
    checkStated(release, proven)
    facts.push(...proven.facts)
    proved.add(index)
    return proven
  }
  if (keys.kind === "top") checkTop(keys, { neighbours, groups: listed, proven: prove(0) })
  // Of the groups that were chosen a unit can change no more than there are.
  const proveShown: MeasurementContext["prove"] = (index, cell) => {
    const proven = prove(index, cell)
    const { groupsPerUnit } = proven
    return shown === undefined || groupsPerUnit < shown ? proven : { ...proven, groupsPerUnit: shown }
  }
  const context = { release, neighbours, miss, groupsInAll: shown ?? listed, prove: proveShown }
  checkKeys(context)
  if (hasGroupings(keys)) {
    checkGroupings(keys)
    if (!measurements.every(givesTable)) reject("groupings with something else among them")
  }
  for (const measurement of measurements) checkMeasurement(measurement, context)
  checkReadings(release, extracts[0]?.keys.length ?? listedKeys(release))
  if (proved.size !== extracts.length) reject("something is read that nothing needs")
  return facts
}

// Groupings are sums of the groups of a table: of one number for each.
function givesTable(measurement: Measurement): boolean {
  return (
    measurement.kind === "linear" &&
    measurement.columns.length === 1 &&
    measurement.strategy.kind !== "scaled"
  )
}

// What reads nothing is a list of keys.
function listedKeys({ keys }: Release): number {
  return keys.kind === "public" ? keys.lists.length : 0
}

// What people are told about bounding is what was proven, or more cautious.
function checkStated({ bounds }: Release, proven: ProvenExtract): void {
  const { groupsPerUnit, rowsPerGroup, weighed, full } = proven
  if (weighed.size > 0) {
    for (const { norm, bound } of weighed.values()) {
      const { scaled } = bounds
      if (scaled?.norm !== norm || scaled.bound < bound) reject("units are scaled to more than is stated")
    }
    return
  }
  if (bounds.groupsPerUnit < groupsPerUnit || bounds.rowsPerGroup < rowsPerGroup) {
    reject("more of a unit counts than is stated")
  }
  const { scaled } = bounds
  if (full === undefined || scaled === undefined) return
  const most = full * groupsPerUnit * rowsPerGroup
  if (scaled.norm !== "l1" || scaled.bound < most) reject("rows are weighed to more than is stated")
}
