// The vector of a family: which coordinates, with which noise.

import { assert } from "@dosimeter/core/errors"
import type { Rational } from "@dosimeter/core/exact"
import { gaussianOfVariance, laplace, momentSensitivity, type MomentBasis } from "@dosimeter/core/mechanisms"
import type { Boundary, BoundaryAggregate } from "@dosimeter/proof/algebra/rel"
import type { Moments } from "@dosimeter/proof/algebra/moment-reading"
import type { MainExtract, BoundedColumn } from "../extracts/build-extract.ts"
import { rangeOf, type MomentColumns } from "../aggregates/build-moments.ts"
import { varianceFor, type UnitBounds } from "../aggregates/choose-mechanisms.ts"
import { momentFamilies, type FamilyFacts, type MomentFamily } from "../aggregates/moment-families.ts"
import { definitionsIn } from "../aggregates/same-expression.ts"
import type { Allowance, Pending } from "../loss/share-out.ts"

/** The families of a boundary, waiting for their parts of the loss. */
export class MomentDrafts {
  readonly families: readonly MomentFamily[]
  readonly #aggregates: readonly BoundaryAggregate[]
  readonly #bounds: UnitBounds

  constructor(boundary: Boundary, bounds: UnitBounds, facts: Omit<FamilyFacts, "definitions">) {
    this.#aggregates = boundary.aggregates
    this.#bounds = bounds
    this.families = momentFamilies(this.#aggregates, { ...facts, definitions: definitionsIn(boundary.input) })
  }

  /** The exact column of a count or sum that is read from a vector, and what a unit adds to it in a group. */
  columnOf(
    aggregate: BoundaryAggregate | undefined,
    main: MainExtract | undefined,
  ): BoundedColumn | undefined {
    const family = this.families.find(({ readings }) => aggregate !== undefined && readings.has(aggregate))
    const columns = family === undefined ? undefined : main?.moments.get(family)
    if (family === undefined || columns === undefined) return undefined
    const { rowsPerGroup } = columns
    if (aggregate?.kind === "rows") return { id: columns.rows, lower: 0n, upper: rowsPerGroup }
    const { lower, upper } = family.sum
    return { id: columns.sum, lower: lower * rowsPerGroup, upper: upper * rowsPerGroup }
  }

  /** What becomes of an aggregate that is read from a vector; undefined for others. */
  pending(aggregate: BoundaryAggregate, main: MainExtract | undefined): Pending | undefined {
    const family = this.families.find(({ readings }) => readings.has(aggregate))
    if (family === undefined) return undefined
    const reading = family.readings.get(aggregate)
    const columns = main?.moments.get(family)
    assert(reading !== undefined && columns !== undefined, "a family has its columns")
    const { label } = aggregate
    const { of, isWhole } = reading
    const column = momentColumns(columns).findIndex((one) => one.of === of)
    const readings: Pending["readings"] = (measurement) => [
      { kind: "linear", label, measurement, column, isWhole },
    ]
    if (aggregate !== family.sum) return { paidBy: this.#aggregates.indexOf(family.sum), readings }
    const draft = { family, columns, bounds: this.#bounds }
    return { aggregate: (allowance, part) => planMoments(draft, allowance, part), readings }
  }
}

interface MomentDraft {
  readonly family: MomentFamily
  readonly columns: MomentColumns
  readonly bounds: UnitBounds
}

// What the sum of a family pays for, with a part of the loss.
function planMoments(draft: MomentDraft, allowance: Allowance, amount: Rational): Moments {
  const { family, columns, bounds } = draft
  const { label, grid } = family.sum
  const range = rangeOf(family)
  const law = allowance.accounting === "pure" ? "laplace" : "gaussian"
  const basis = chooseBasis(draft, law)
  const sensitivity = momentSensitivity({
    basis,
    width: range.upper - range.lower,
    groupsPerUnit: bounds.groupsPerUnit,
    rowsPerGroup: columns.rowsPerGroup,
    neighbours: bounds.neighbours,
  })
  const spec =
    law === "laplace"
      ? laplace({ sensitivity, epsilon: amount })
      : gaussianOfVariance({ sensitivity, variance: varianceFor(sensitivity, allowance, amount) })
  return {
    kind: "linear",
    label,
    extract: 0,
    columns: momentColumns(columns),
    grid,
    strategy: { kind: "moments", ...range, basis, spec },
  }
}

function momentColumns({ rows, sum, squares }: MomentColumns): Moments["columns"] {
  const first = [{ id: rows, of: "rows" } as const, { id: sum, of: "values" } as const]
  return squares === undefined ? first : [...first, { id: squares, of: "squares" }]
}

/**
 * The coordinates with the least noise in what is read. Of t in [0, 1] with mean m a mean gets noise in
 * proportion to the length of (1 - m, m) from the pair, whatever the law; under Gaussian noise tilted
 * coordinates have 7 % less variance over all m (and more in the number of values), and nodes up to 2.7 times
 * less in a variance than the triple.
 */
function chooseBasis({ family, columns, bounds }: MomentDraft, law: "laplace" | "gaussian"): MomentBasis {
  const mayTurn = law === "gaussian" && bounds.neighbours === "add-or-remove"
  if (family.squares !== undefined) return mayTurn && columns.areValues ? "nodes" : "triple"
  const onlyMean = [...family.readings.values()].every(({ isWhole }) => !isWhole)
  return mayTurn && onlyMean ? "tilted" : "pair"
}
