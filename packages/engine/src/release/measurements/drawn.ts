// What a measurement gives once it is drawn: noisy numbers, and how columns are read from them.

import { maximum, minimum, multiply, negate, rational, type Rational } from "@dosimeter/core/exact"
import type { GaussianSpec, LaplaceSpec } from "@dosimeter/core/mechanisms"
import type { GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import { isCount, type LinearReading, type MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { Mixture, Noise, NoisyCell } from "./noisy-cell.ts"

/** A linear measurement that was drawn. */
export interface DrawnLinear {
  /** The noisy numbers, as they came out of the mechanism. */
  readonly noisy: readonly (readonly bigint[])[]
  /** A cell for each group. */
  readonly cells: (reading: LinearReading) => readonly NoisyCell[]
  /** A cell for each group of each grouping, in the order of groupingSums. */
  readonly groupings: (keys: GroupedKeys) => readonly (readonly NoisyCell[])[]
}

/** A choice that was made in each group. */
export interface DrawnChoice {
  /** A cell for each group, of the value at a place. */
  readonly cells: (part: number) => readonly NoisyCell[]
}

/** What post-processing was compiled for; noise that reaches it is noise alone. */
const stepsMax = 1n << 62n
const countMax = 1n << 40n

/** A noisy number as a value. */
export function scaled(steps: bigint, grid: Rational, column: Pick<MeasuredColumn, "of">): Constant {
  const most = isCount(column) || column.of === "distinct" ? countMax : stepsMax
  const cut = steps > most ? most : steps < -most ? -most : steps
  return { kind: "number", value: multiply(rational(cut), grid) }
}

/** The same for a number that is no whole number of steps. */
export function withinReach(value: Rational, step: Rational, column: Pick<MeasuredColumn, "of">): Rational {
  const most = multiply(rational(isCount(column) ? countMax : stepsMax), step)
  return maximum(negate(most), minimum(most, value))
}

/** The noise of a spec, in steps of a grid. */
export function noiseOf(spec: LaplaceSpec | GaussianSpec, grid: Rational): Noise {
  return spec.kind === "laplace"
    ? { law: "laplace", amount: spec.scale, grid }
    : { law: "gaussian", amount: spec.variance, grid }
}

/** A group of a grouping: its estimate, or a whole number in its place, which intervals are not of. */
export function groupedCell(
  estimate: Rational,
  shown: Rational | undefined,
  mixture: Omit<Mixture, "estimate"> & Mixture,
): NoisyCell {
  return shown === undefined
    ? { value: { kind: "number", value: estimate }, mixture }
    : { value: { kind: "number", value: shown }, mixture: { ...mixture, estimate } }
}
