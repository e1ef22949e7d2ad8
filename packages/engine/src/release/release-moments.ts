// Vectors of moments: exact columns become the integers that the plan's noise is for; numbers, sums and
// squares are read from the noisy ones.

import type { RandomBits } from "@dosimeter/core"
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
import { momentCoordinates, releaseGaussian, releaseLaplace } from "@dosimeter/core/mechanisms"
import { factorsOf, stepOf } from "@dosimeter/proof/algebra/moment-reading"
import type { MomentReading, MomentsPlan } from "@dosimeter/proof/algebra/release-plan"
import type { Noise, NoisyCell, NoisyDraw } from "./noisy-cell.ts"

const one = rational(1n)

/**
 * The noisy coordinates of each group.
 *
 * Guarantee: the loss is lossOf(plan.spec).
 * Needs: the plan is part of a VerifiedPlan; `exact` holds, for each shown group, its columns rows, sum and
 *   squares (0 where the extract has no such group).
 * Proof: the coordinates are those of momentSensitivity: x - lower and its square from the sum of x and of (x
 *   - from)^2, x - lower being (x - from) + (from - lower). All go through the release function of the
 *   plan's own spec in one call, so every coordinate of every group has noise of its own.
 * Numerics: integers.
 * Source: the mechanisms of core.
 */
export function releaseMoments(
  plan: MomentsPlan,
  exact: readonly (readonly bigint[])[],
  rng: RandomBits,
): readonly (readonly NoisyDraw[])[] {
  const { spec, basis, lower, upper, from, squares } = plan
  const shift = from - lower
  const vectors = exact.map(([n = 0n, s = 0n, q = 0n]) => {
    const first = [n, s - lower * n]
    const second = q + 2n * shift * (s - from * n) + shift * shift * n
    return momentCoordinates(basis, upper - lower, squares === undefined ? first : [...first, second])
  })
  const noisy =
    spec.kind === "laplace"
      ? releaseLaplace(spec, vectors.flat(), rng)
      : releaseGaussian(spec, vectors.flat(), rng)
  const noise: Noise =
    spec.kind === "laplace"
      ? { law: "laplace", amount: spec.scale, grid: one }
      : { law: "gaussian", amount: spec.variance, grid: one }
  const width = vectors[0]?.length ?? 0
  return vectors.map((_, index) =>
    noisy.slice(index * width, (index + 1) * width).map((steps) => ({ steps, noise })),
  )
}

/** A number that is read from the coordinates of each group. */
export function readMoments(
  plan: MomentsPlan,
  { reads, isWhole }: MomentReading,
  groups: readonly (readonly NoisyDraw[])[],
): readonly NoisyCell[] {
  const factors = factorsOf(plan, reads)
  const step = stepOf(plan, reads)
  return groups.map((draws) => {
    const parts = draws.map((draw, index) => ({ draw, factor: factors[index] ?? zero }))
    const raw = parts.map(({ draw, factor }) => multiply(rational(draw.steps), factor)).reduce(add, zero)
    const centre = within(raw, multiply(largest(reads), step))
    const value = isWhole ? toSteps(centre, step) : centre
    return { value: { kind: "number", value }, mixed: { parts, centre } }
  })
}

function toSteps(value: Rational, step: Rational): Rational {
  return multiply(rational(floor(add(divide(value, step), rational(1n, 2n)))), step)
}

/** In steps, what post-processing was compiled for; noise that reaches it is noise alone. */
function largest(reads: MomentReading["reads"]): Rational {
  switch (reads) {
    case "rows":
      return rational(1n << 40n)
    case "sum":
      return rational(1n << 62n)
    case "squares":
      return rational(1n << 102n)
    default:
      return reads satisfies never
  }
}

function within(value: Rational, most: Rational): Rational {
  return maximum(negate(most), minimum(most, value))
}
