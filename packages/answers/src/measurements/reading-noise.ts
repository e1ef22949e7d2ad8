// The noise in what is read from measurements, before or after they are drawn: an entry for each strategy.

import { rational, type Rational } from "@dosimeter/core/exact"
import { errorOf, type MechanismError } from "@dosimeter/core/mechanisms"
import { hasGroupings, type GroupedKeys } from "@dosimeter/proof/algebra/grouping-sums"
import {
  specOf,
  type LinearMeasurement,
  type Reading,
  type StrategyKind,
} from "@dosimeter/proof/algebra/measurement"
import type { Release } from "@dosimeter/proof/algebra/release-plan"
import type { JointLaw, NumberNoise } from "./noise-law.ts"
import { identityReuse } from "./identity.ts"
import { levelsReuse } from "./levels.ts"
import { momentsReuse } from "./moments.ts"
import { partsReuse } from "./parts.ts"
import { totalsReuse } from "./totals.ts"
import { scaledReuse } from "./scaled.ts"
import type { StrategyReuse } from "./strategy-reuse.ts"

const strategies: { readonly [Kind in StrategyKind]: StrategyReuse<Kind> } = {
  identity: identityReuse,
  moments: momentsReuse,
  scaled: scaledReuse,
  parts: partsReuse,
  levels: levelsReuse,
  totals: totalsReuse,
}

/** The noise in a column, if each group has some of a known law to itself. */
export function noiseOf(reading: Reading, release: Release): NumberNoise | undefined {
  switch (reading.kind) {
    case "linear": {
      const source = release.measurements[reading.measurement]
      if (source?.kind !== "linear" || hasGroupings(release.keys)) return undefined
      return numberNoise(source, reading.column)
    }
    case "key-count": {
      const spec = release.keys.kind === "private" ? release.keys.spec : undefined
      if (spec === undefined || spec.kind === "keys-optimal") return undefined
      const noise =
        spec.kind === "keys-laplace"
          ? ({ law: "laplace", amount: spec.scale, grid: one } as const)
          : ({ law: "gaussian", amount: spec.variance, grid: one } as const)
      return { terms: [{ draw: 0, noise, factor: one }], slack: 0 }
    }
    case "chosen":
      return undefined
    default:
      return reading satisfies never
  }
}

const one = rational(1n)

function numberNoise<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  column: number,
): NumberNoise | undefined {
  return strategies[measurement.strategy.kind].noise(measurement, column)
}

/** How far a chosen value may be off: rows of the order, or rows less frequent than the best. */
export function choiceError(reading: Reading, release: Release, confidence: Rational): bigint | undefined {
  const source = reading.kind === "chosen" ? release.measurements[reading.measurement] : undefined
  if (source === undefined) return undefined
  const error: MechanismError = errorOf(specOf(source), confidence)
  return error.kind === "rank" ? error.units : error.kind === "choice" ? error.shortfall : undefined
}

/** The law of the draws that the groupings of a measurement share. */
export function jointLaw<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
): JointLaw | undefined {
  return strategies[measurement.strategy.kind].law(measurement)
}

/** What will be drawn for several groupings, with zeros for values. */
export function undrawn<Kind extends StrategyKind>(
  measurement: LinearMeasurement<Kind>,
  keys: GroupedKeys,
): readonly (readonly bigint[])[] {
  return strategies[measurement.strategy.kind].zeros(measurement, keys)
}
