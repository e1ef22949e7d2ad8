// Vectors of moments: exact columns become the integers that the plan's noise is for; numbers, sums and
// squares are read from the noisy ones.

import { assert, unreachable } from "@dosimeter/core/errors"
import {
  add,
  divide,
  floor,
  maximum,
  minimum,
  multiply,
  negate,
  rational,
  zero,
  type Rational,
} from "@dosimeter/core/exact"
import { momentCoordinates } from "@dosimeter/core/mechanisms"
import type { LinearMeasurement, LinearReading, MeasuredColumn } from "@dosimeter/proof/algebra/measurement"
import { factorsOf, stepOf } from "@dosimeter/proof/algebra/moment-reading"
import type { NoisyCell, NoisyDraw } from "./noisy-cell.ts"
import { noiseOf, type DrawnLinear } from "./drawn.ts"
import type { NoiseSource } from "./noise-source.ts"

type Moments = LinearMeasurement<"moments">

/**
 * The noisy coordinates of each group.
 *
 * Guarantee: every coordinate goes through the source once, with the measurement's own spec.
 * Needs: as releaseTables; `exact` has the columns rows, sum and perhaps squares, a number for each group.
 * Proof: the coordinates are those of momentSensitivity: x - lower and its square from the sum of x and of (x
 *   - from)^2, x - lower being (x - from) + (from - lower). All go through the source in one call,
 *   so every coordinate of every group has noise of its own.
 * Numerics: integers.
 * Source: the mechanisms of core.
 */
export function drawMoments(
  measurement: Moments,
  exact: readonly (readonly bigint[])[],
  source: NoiseSource,
): DrawnLinear {
  const { spec, basis, lower, upper, from } = measurement.strategy
  const shift = from - lower
  const groups = (exact[0] ?? []).map((_, group) => exact.map((column) => column[group] ?? 0n))
  const vectors = groups.map(([n = 0n, s = 0n, q]) => {
    const first = [n, s - lower * n]
    if (q === undefined) return momentCoordinates(basis, upper - lower, first)
    const second = q + 2n * shift * (s - from * n) + shift * shift * n
    return momentCoordinates(basis, upper - lower, [...first, second])
  })
  const [noisy = []] = source(spec, vectors.flat())
  const noise = noiseOf(spec, rational(1n))
  const width = vectors[0]?.length ?? 0
  const draws = vectors.map((_, index) =>
    noisy.slice(index * width, (index + 1) * width).map((steps) => ({ steps, noise })),
  )
  return {
    noisy: draws.map((group) => group.map(({ steps }) => steps)),
    cells: (reading) => readMoments(measurement, reading, draws),
    groupings: () => missing(),
  }
}

/** A number that is read from the coordinates of each group. */
function readMoments(
  measurement: Moments,
  { column, isWhole }: LinearReading,
  groups: readonly (readonly NoisyDraw[])[],
): readonly NoisyCell[] {
  const of = measurement.columns[column]?.of
  assert(of !== undefined, "a number of a vector is read")
  const factors = factorsOf(measurement, of)
  const step = stepOf(measurement, of)
  return groups.map((draws) => {
    const parts = draws.map((draw, index) => ({ draw, factor: factors[index] ?? zero }))
    const raw = parts.map(({ draw, factor }) => multiply(rational(draw.steps), factor)).reduce(add, zero)
    const centre = within(raw, multiply(largest(of), step))
    const value = isWhole ? toSteps(centre, step) : centre
    return { value: { kind: "number", value }, mixed: { parts, centre } }
  })
}

function toSteps(value: Rational, step: Rational): Rational {
  return multiply(rational(floor(add(divide(value, step), rational(1n, 2n)))), step)
}

/** In steps, what post-processing was compiled for; noise that reaches it is noise alone. */
function largest(of: MeasuredColumn["of"]): Rational {
  switch (of) {
    case "units":
    case "rows":
    case "distinct":
      return rational(1n << 40n)
    case "values":
      return rational(1n << 62n)
    case "squares":
      return rational(1n << 102n)
    default:
      return unreachable(of)
  }
}

function within(value: Rational, most: Rational): Rational {
  return maximum(negate(most), minimum(most, value))
}

function missing(): never {
  assert(false, "groupings are sums of one column")
}
