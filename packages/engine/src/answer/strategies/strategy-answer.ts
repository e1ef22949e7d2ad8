// What an answer says of the noise of a strategy.

import { assert } from "@dosimeter/core/errors"
import { numberNear, type Rational } from "@dosimeter/core/exact"
import type { GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import type { LinearMeasurement, StrategyKind } from "@dosimeter/proof/algebra/measurement"
import type { KeyPlan } from "@dosimeter/proof/algebra/release-plan"

/** The mechanism behind a column, and what decides its noise. */
export interface ColumnNoise {
  readonly mechanism: string
  readonly scale?: number
  /** What a step is worth. */
  readonly grid?: Rational
  /** The most that one unit adds, in steps. */
  readonly sensitivity?: bigint
}

/** One noisy number. */
export interface NoisyNumber {
  /**
   * For each axis null, if all of its places have the factor 1; or [from, middle, to, plus, minus]: plus at
   * the places from `from` to before `middle`, -minus from there to before `to`, 0 elsewhere.
   */
  readonly over: readonly (Comparison | null)[]
  /** In steps. */
  readonly value: string
  /** Of its noise, in squared steps; of a Gaussian before it was rounded to whole steps. */
  readonly variance: number
}

/** From, middle, to, plus, minus. */
export type Comparison = readonly [from: number, middle: number, to: number, plus: string, minus: string]

/** How a strategy is told to whoever asks. */
export interface StrategyAnswer<Kind extends StrategyKind> {
  /** Of one of its columns. */
  readonly noise: (measurement: LinearMeasurement<Kind>, column: number, keys: KeyPlan) => ColumnNoise
  /** What was drawn behind several groupings, number by number. */
  readonly numbers: (
    measurement: LinearMeasurement<Kind>,
    noisy: readonly (readonly bigint[])[],
    keys: GroupedKeys,
  ) => readonly NoisyNumber[]
}

/** One number that was drawn. */
export function noisyNumber(
  over: NoisyNumber["over"],
  value: bigint | undefined,
  variance: Rational | undefined,
): NoisyNumber {
  assert(value !== undefined && variance !== undefined, "every comparison was measured")
  return { over, value: `${value}`, variance: numberNear(variance) }
}
