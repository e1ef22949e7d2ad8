// What an explanation says of a measurement, and the words that all have in common.

import { multiply, numberNear, numberUp, rational, type Rational } from "@dosimeter/core/exact"
import type { GaussianSpec, LaplaceSpec } from "@dosimeter/core/mechanisms"
import type { Release, ReleasePlan } from "@dosimeter/proof/algebra/release-plan"
import { showNumber } from "./show-number.ts"

/** What is measured, with which noise, and how far off it may be. */
export interface MeasurementWords {
  readonly mechanism: string
  readonly error: string
}

/** Where a measurement stands. */
export interface WordsContext {
  readonly release: Release
  readonly plan: ReleasePlan
}

/** An interval, in words. */
export function withinWords(halfWidth: Rational, confidence: Rational): string {
  return `± ${showNumber(numberUp(halfWidth))} at ${percent(confidence)}`
}

/** A share as a percentage. */
export function percent(share: Rational): string {
  return `${showNumber(numberNear(multiply(share, rational(100n))))} %`
}

/** The law of a noise, and how large it is, in steps. */
export function noiseWords(spec: LaplaceSpec | GaussianSpec): {
  readonly name: string
  readonly size: number
} {
  return spec.kind === "laplace"
    ? { name: "Laplace noise of scale", size: numberUp(spec.scale) }
    : { name: "Gaussian noise of sigma", size: Math.sqrt(numberUp(spec.variance)) }
}

/** The most that one unit adds to a number, in steps. */
export function mostAdded({ sensitivity }: LaplaceSpec | GaussianSpec): bigint {
  const amounts = sensitivity.patterns.flatMap((blocks) => blocks.map(({ amount }) => amount))
  return amounts.reduce((a, b) => (a > b ? a : b), 0n)
}
