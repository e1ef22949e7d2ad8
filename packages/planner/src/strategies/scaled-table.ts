// Sums and counts of a boundary whose units are scaled to one norm: how long the vector of a unit may be, in
// which steps, and the measurement that is made of it.

import { divide, multiply, rational, type Rational } from "@dosimeter/core/exact"
import { gaussianOfVariance, laplace, normSensitivity, type Norm } from "@dosimeter/core/mechanisms"
import type { LinearMeasurement, MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import type { Boundary, BoundaryAggregate } from "@dosimeter/proof/algebra/rel"
import type { Extract, ScaledBounds } from "@dosimeter/proof/algebra/release-plan"
import { addedGrid } from "../aggregates/build-moments.ts"
import { varianceFor } from "../aggregates/choose-mechanisms.ts"
import { totalsBehind } from "../extracts/moment-amounts.ts"
import { buildScaled } from "../extracts/scale-units.ts"
import type { ScaledAmount } from "../extracts/unit-amounts.ts"
import { listedRows, unitTotals } from "./unit-totals.ts"
import type { Allowance } from "../loss/share-out.ts"
import {
  boundMax,
  refined,
  vectorOf,
  type LearntNorm,
  type ScaledVector,
  type ScalingFacts,
} from "./scaled-vector.ts"
import type { ReadPlace } from "./vector-measures.ts"

/** The weight of a unit within the norm. */
const full = 1n << 16n

/** The vectors of units, and the rows and groups that they are of. */
export interface LadderSubject {
  readonly boundary: Boundary
  readonly vector: ScaledVector
}

/** Sums that are measured as one vector. */
export interface ScaledTable {
  readonly extract: Extract
  /** The copies that are read. */
  readonly labels: readonly string[]
  readonly norm: Norm
  /** Of weight times common steps: what one unit adds at most. */
  readonly bound: bigint
  /** The column of an aggregate. */
  readonly place: (aggregate: BoundaryAggregate) => ReadPlace | undefined
  /** How much each measure of the vector counts, given how much the aggregates do. */
  readonly weights: (aggregates: readonly number[]) => readonly number[]
  /** What is known of the length of what is left out, in the same steps. */
  readonly beyond?: NonNullable<ScaledBounds["beyond"]>
  /** Whether the bound is that of the declared cap. */
  readonly isCap: boolean
  /** What a ladder of norms would be about. */
  readonly subject: LadderSubject
  /** The measurement, for a part of the loss. */
  readonly measurement: (allowance: Allowance, part: Rational) => LinearMeasurement<"scaled">
}

/**
 * The table of the aggregates that add up totals, with the norm that a ladder told, or that of a unit that is
 * in as many groups as count, with as many rows in each. Undefined where a unit cannot be scaled, or need not
 * be.
 */
export function scaledTable(asked: Boundary, facts: ScalingFacts): ScaledTable | undefined {
  const vector = vectorOf(asked, facts)
  if (vector === undefined) return undefined
  const { unit, norm, cap, place } = vector
  const { finer, bound: wanted } = facts.learnt === undefined ? vector.usual : refined(facts.learnt.bound)
  const longest = cap === undefined ? undefined : cap * finer
  const bound = longest !== undefined && longest < wanted ? longest : wanted
  if (bound > boundMax || bound <= 0n) return undefined
  const most = mostOf(vector, bound, longest)
  const amounts = vector.amounts.map((one) => ({ ...one, multiplier: finer * one.multiplier }))
  const totals = totalsBehind(amounts)
  const { labels, rows } = unitTotals(asked, { unit, totals }, facts)
  const extract = buildScaled(rows, amounts, { norm, bound, full, most }, facts.ids)
  return {
    labels,
    extract,
    norm,
    bound: full * bound,
    isCap: longest !== undefined && longest <= wanted,
    ...(facts.learnt === undefined ? {} : { beyond: beyondIn(facts.learnt, rational(full * finer)) }),
    place,
    weights: vector.weights,
    subject: { boundary: listedRows(asked, { unit, totals }), vector },
    measurement: (allowance, part) =>
      measurementOf({ extract, amounts, vector, bound }, allowance, part, facts),
  }
}

/**
 * What amounts in one group are cut to. What is said of all that is left out holds for amounts up to the cap.
 * Else who has more than the norm in one group fills it with this group alone; but coordinates of moments are
 * cut far above, since each cut by itself would move the average.
 */
function mostOf({ moments, amounts }: ScaledVector, bound: bigint, longest: bigint | undefined): bigint {
  if (longest !== undefined && longest <= boundMax) return longest
  return moments.length === 0 ? bound : boundMax >> BigInt(Math.ceil(Math.log2(amounts.length + 1)))
}

function beyondIn(
  { beyond: { estimate, most } }: LearntNorm,
  steps: Rational,
): NonNullable<ScaledBounds["beyond"]> {
  return {
    estimate: multiply(estimate, steps),
    ...(most === undefined ? {} : { most: multiply(most, steps) }),
  }
}

interface Scaled {
  readonly extract: Extract
  readonly amounts: readonly ScaledAmount[]
  readonly vector: ScaledVector
  readonly bound: bigint
}

function measurementOf(
  { extract, amounts, vector, bound }: Scaled,
  allowance: Allowance,
  part: Rational,
  { neighbours }: ScalingFacts,
): LinearMeasurement<"scaled"> {
  const { norm, moments, rowsPerGroup } = vector
  const sensitivity = normSensitivity({
    norm,
    bound: full * bound,
    isSigned: amounts.some((one) => one.isSigned),
    neighbours,
  })
  const spec =
    norm === "l1"
      ? laplace({ sensitivity, epsilon: part })
      : gaussianOfVariance({ sensitivity, variance: varianceFor(sensitivity, allowance, part) })
  const numbers = amounts.map(numberOf)
  return {
    kind: "linear",
    label: amounts[0]?.aggregate.label ?? "",
    extract: 0,
    columns: numbers.map(({ of }, index): MeasuredColumn => ({ id: extract.values[index] ?? -1, of })),
    grid: rational(1n),
    strategy: {
      kind: "scaled",
      worths: numbers.map(({ step }, index) =>
        divide(step, rational(full * (amounts[index]?.multiplier ?? 1n))),
      ),
      steps: numbers.map(({ step }) => step),
      ...(moments.length === 0
        ? {}
        : { moments: moments.map(({ places, of }) => ({ places, ...of.range, basis: of.basis })) }),
      ...(rowsPerGroup === undefined ? {} : { rowsPerGroup }),
      spec,
    },
  }
}

// What is read at the place of an amount, in which steps. At the first place of moments their number is read.
function numberOf({ aggregate, moments }: ScaledAmount): Pick<MeasuredColumn, "of"> & { step: Rational } {
  if (aggregate.kind === "persons") return { of: "units", step: rational(1n) }
  if (aggregate.kind === "rows" || moments?.place === 0) return { of: "rows", step: rational(1n) }
  return { of: "values", step: addedGrid(aggregate) }
}
