// Every mechanism of a release covers what was proven of the extract that it reads.

import { compare, one, zero, type Rational } from "@dosimeter/core/exact"
import {
  boundedSensitivity,
  distinctPlaces,
  drawsOf,
  endShift,
  type AnyKeySpec,
  type Neighbours,
  type QuantilesSpec,
} from "@dosimeter/core/mechanisms"
import { reject } from "../units/reject.ts"
import type { ColumnId } from "../algebra/expr.ts"
import { columnIn } from "../algebra/make.ts"
import type { AdditivePlan, KeyFact, ModePlan, QuantilesPlan, Release } from "../algebra/release-plan.ts"
import { groupsLookedAt } from "./check-groups.ts"
import { checkMargins } from "./check-margins.ts"
import { checkMomentRead, checkMoments } from "./check-moments.ts"
import { checkTop } from "./check-top.ts"
import { checkTree } from "./check-tree.ts"
import { checkWeights } from "./check-weights.ts"
import { clampOf } from "./clamp-of.ts"
import { definitionOf } from "./definition-of.ts"
import { proveExtract, type ProvenExtract } from "./prove-extract.ts"
import { isSameSensitivity } from "./same-sensitivity.ts"

/**
 * Checks a release of a plan whose intervals may fail with probability `miss`; returns the declared keys that
 * the proof rests on.
 */
export function checkMechanisms(
  release: Release,
  neighbours: Neighbours,
  miss: Rational,
): readonly KeyFact[] {
  const facts: KeyFact[] = []
  const listed = groupsLookedAt(release)
  const shown = release.keys.kind === "top" ? release.keys.spec.k : undefined
  const proved = new Set<number>()
  const prove = (index: number, cell?: ColumnId): ProvenExtract => {
    const extract = release.extracts[index] ?? reject("a measure reads an extract that is not there")
    const proven = proveExtract(extract, { cell, groupsInAll: listed })
    checkStated(release, proven)
    facts.push(...proven.facts)
    proved.add(index)
    return proven
  }
  if (release.keys.kind === "top") checkTop(release.keys, { neighbours, groups: listed, proven: prove(0) })
  // A unit can change at most as many of the chosen groups as there are.
  const proveShown: Context["prove"] = (index, cell) => {
    const proven = prove(index, cell)
    const { groupsPerUnit } = proven
    return shown === undefined || groupsPerUnit < shown ? proven : { ...proven, groupsPerUnit: shown }
  }
  const context = { release, neighbours, miss, groupsInAll: shown ?? listed, prove: proveShown }
  if (release.keys.kind === "private") checkKeys(context)
  for (const [index, measure] of release.measures.entries()) {
    const isTogether = release.keys.kind === "margins" || release.keys.kind === "tree"
    if (isTogether && measure.kind !== "margins" && measure.kind !== "same") {
      reject("margins with something else among them")
    }
    switch (measure.kind) {
      case "additive":
        checkAdditive(measure, context)
        break
      case "moments":
        checkMoments(measure, release, { proven: proveShown(measure.extract), neighbours })
        break
      case "moment-read":
        checkMomentRead(measure, release)
        break
      case "margins":
        if (release.keys.kind === "tree") checkTree(measure, release.keys, context)
        else checkMargins(measure, context)
        break
      case "quantiles":
        checkQuantiles(measure, context)
        break
      case "mode":
        checkMode(measure, context)
        break
      case "key-count":
        if (release.keys.kind !== "private" || !givesCounts(release.keys.spec)) {
          reject("a count that key selection does not give")
        }
        break
      case "same":
        if (measure.measure >= index) reject("a measure repeats a later one")
        break
      default:
        measure satisfies never
    }
  }
  if (proved.size !== release.extracts.length) reject("something is read that nothing needs")
  return facts
}

// What people are told about bounding is what was proven, or more cautious.
function checkStated({ bounds }: Release, { groupsPerUnit, rowsPerGroup }: ProvenExtract): void {
  if (bounds.groupsPerUnit < groupsPerUnit || bounds.rowsPerGroup < rowsPerGroup) {
    reject("more of a unit counts than is stated")
  }
}

interface Context {
  readonly release: Release
  readonly neighbours: Neighbours
  /** The most probability that an interval fails. */
  readonly miss: Rational
  /** How many groups there are, or are shown, if that is public. */
  readonly groupsInAll: bigint | undefined
  readonly prove: (extract: number, cell?: ColumnId) => ProvenExtract
}

function checkKeys({ release, neighbours, prove }: Context): void {
  if (release.keys.kind !== "private") return
  const { spec, units } = release.keys
  const proven = prove(0)
  if (spec.kind === "keys-weighted") {
    checkWeights({ spec, column: units }, { extract: release.extracts[0], proven, neighbours })
    return
  }
  const counted = proven.contributions.get(units)
  if (counted === undefined || counted.lower !== 0n || counted.upper !== 1n) reject("keys count a unit twice")
  if (spec.groupsPerUnit < proven.groupsPerUnit) reject("key selection expects fewer groups of a unit")
  if (spec.neighbours !== neighbours) reject("key selection has other neighbours")
  const noise =
    spec.kind === "keys-optimal"
      ? spec.epsilonPerKey
      : spec.kind === "keys-laplace"
        ? spec.scale
        : spec.variance
  if (noise.numerator <= 0n) reject("key selection without noise")
  if (spec.kind !== "keys-optimal") {
    const { lowerChance } = spec
    const isChance = compare(lowerChance, zero) >= 0 && compare(lowerChance, one) < 0
    if (!isChance) reject("a threshold is lower with a chance that is none")
  }
  if (spec.kind === "keys-gaussian" && spec.epsilon !== undefined && spec.epsilon.numerator <= 0n) {
    reject("key selection at no epsilon")
  }
}

function givesCounts({ kind }: AnyKeySpec): boolean {
  return kind === "keys-laplace" || kind === "keys-gaussian"
}

function checkAdditive({ extract, column, spec }: AdditivePlan, context: Context): void {
  const { contributions, groupsPerUnit } = context.prove(extract)
  const { lower, upper } = contributions.get(column) ?? reject("a measure reads a column that is not there")
  const { neighbours, groupsInAll } = context
  const expected = boundedSensitivity({
    groupsPerUnit,
    lower,
    upper,
    neighbours,
    ...(groupsInAll === undefined ? {} : { groupsInAll }),
  })
  if (!isSameSensitivity(spec.sensitivity, expected)) reject("a mechanism has another sensitivity")
  const noise = spec.kind === "laplace" ? spec.scale : spec.variance
  if (noise.numerator <= 0n) reject("a measure without noise")
  if (spec.kind === "gaussian" && spec.epsilon !== undefined && spec.epsilon.numerator <= 0n) {
    reject("a measure at no epsilon")
  }
}

// A unit has rows in at most k histograms, at most r in each. Replacing a unit may change twice as many: its
// rows leave some histograms, and those of its successor enter others.
function checkRows(
  spec: { readonly groupsPerUnit: bigint; readonly rows: bigint },
  { groupsPerUnit, rowsPerGroup }: ProvenExtract,
  { neighbours, groupsInAll }: Context,
): void {
  const groups = neighbours === "replace" && groupsInAll !== 1n ? 2n * groupsPerUnit : groupsPerUnit
  if (spec.groupsPerUnit < groups) reject("a mechanism expects fewer groups of a unit")
  if (spec.rows < rowsPerGroup) reject("a mechanism expects fewer rows of a unit")
}

function checkQuantiles({ extract, cell, count, spec }: QuantilesPlan, context: Context): void {
  const proven = checkHistogram({ extract, cell, count }, spec.cells, context)
  checkRows({ ...spec, rows: spec.rowsPerUnit }, proven, context)
  if (spec.neighbours !== context.neighbours) reject("quantiles have other neighbours")
  const draws = drawsOf(spec.tree)
  if (draws.some(({ epsilon }) => epsilon.numerator <= 0n) || spec.slots <= 0n)
    reject("quantiles without a loss")
  // Each quantile is drawn once, those below another among the rows below it.
  const places = distinctPlaces(spec.quantiles)
  if (draws.length !== places.length || draws.some(({ which }, at) => which !== places[at]))
    reject("quantiles are drawn out of order")
  if (spec.ends !== undefined && spec.counted !== undefined) reject("quantiles have two kinds of ends")
  checkEnds(spec, context.miss)
  checkCounted(spec, context.miss)
}

// The aim of the ends affects widths only: coverage is proven by the counts.
function checkCounted({ counted, quantiles }: QuantilesSpec, miss: Rational): void {
  if (counted === undefined) return
  const { epsilonPerEnd, noise, shifts } = counted
  const size = noise.law === "laplace" ? noise.scale : noise.variance
  if (epsilonPerEnd.numerator <= 0n || size.numerator <= 0n) reject("counted ends without a loss")
  if (counted.miss.numerator <= 0n || compare(counted.miss, miss) > 0)
    reject("intervals of quantiles fail too often")
  if (shifts.length !== quantiles.length || shifts.some((rows) => rows <= 0n))
    reject("counted ends without a place")
}

// The shifts do not affect the loss; they are checked because people are told that intervals hold.
function checkEnds(spec: QuantilesSpec, miss: Rational): void {
  const { ends, quantiles } = spec
  if (ends === undefined) return
  if (ends.epsilonPerEnd.numerator <= 0n) reject("ends of quantiles without a loss")
  if (ends.miss.numerator <= 0n || compare(ends.miss, miss) > 0)
    reject("intervals of quantiles fail too often")
  const isFar = quantiles.every((quantile, index) => ends.shifts[index] === endShift(spec, ends, quantile))
  if (!isFar || ends.shifts.length !== quantiles.length) reject("ends of quantiles are aimed elsewhere")
}

function checkMode({ extract, cell, count, spec, values }: ModePlan, context: Context): void {
  const proven = checkHistogram({ extract, cell, count }, spec.candidates, context)
  if (spec.candidates !== BigInt(values.length)) reject("a mode has other candidates")
  if (spec.epsilon.numerator <= 0n) reject("a mode without a loss")
  checkRows({ ...spec, rows: spec.sensitivity }, proven, context)
  if (context.neighbours === "replace" && spec.scores !== "any") reject("scores of a mode move both ways")
}

function checkHistogram(
  { extract, cell, count }: { readonly extract: number; readonly cell: ColumnId; readonly count: ColumnId },
  cells: bigint,
  { release, prove }: Context,
): ProvenExtract {
  const proven = prove(extract, cell)
  if (!proven.contributions.has(count)) reject("a histogram has another count")
  const rel = release.extracts[extract]?.rel ?? reject("a histogram is not there")
  const { lower, upper } = clampOf(definitionOf(rel, cell))
  const { nullable } = columnIn(rel, cell).domain
  if (nullable || lower < 0n || upper >= cells) reject("a cell outside the histogram")
  return proven
}
