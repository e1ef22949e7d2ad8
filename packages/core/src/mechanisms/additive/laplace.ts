// The Laplace mechanism: discrete Laplace noise on a vector of integers, with a pure loss.

import { laplaceToZcdp } from "../../accounting/conversions/laplace-to-zcdp.ts"
import { pureToGdp } from "../../accounting/conversions/pure-to-gdp.ts"
import { pureToZcdp } from "../../accounting/conversions/pure-to-zcdp.ts"
import { certifiedExp } from "../../exact/certified-exp.ts"
import { positive, type Numeric } from "../../exact/decimal.ts"
import { numberNear, numberUp } from "../../exact/dyadic.ts"
import { expDown, expUp } from "../../exact/exp.ts"
import { lnDown, lnUp } from "../../exact/log.ts"
import {
  add,
  ceil,
  compare,
  divide,
  maximum,
  minimum,
  multiply,
  negate,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { fillDiscreteLaplace, sampleDiscreteLaplace } from "../../noise/discrete-laplace.ts"
import { l1Of, type ChangeBlock, type Sensitivity } from "../../privacy/sensitivity.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { addNoise } from "../shared/add-noise.ts"
import type { AdditiveError } from "../shared/error.ts"
import type { PureLosses } from "../shared/pure-losses.ts"

/** Discrete Laplace noise of this scale on each coordinate. */
export interface LaplaceSpec {
  readonly kind: "laplace"
  readonly scale: Rational
  readonly sensitivity: Sensitivity
}

/** The Laplace mechanism with a given pure loss: its scale is L1 sensitivity / epsilon, exactly. */
export function laplace(options: {
  readonly sensitivity: Sensitivity
  readonly epsilon: Numeric
}): LaplaceSpec {
  const epsilon = positive(options.epsilon, "epsilon")
  return laplaceOfScale({ ...options, scale: divide(rational(l1Of(options.sensitivity)), epsilon) })
}

/** The Laplace mechanism with a given scale. */
export function laplaceOfScale(options: {
  readonly sensitivity: Sensitivity
  readonly scale: Numeric
}): LaplaceSpec {
  const scale = positive(options.scale, "scale")
  l1Of(options.sensitivity)
  return { kind: "laplace", scale, sensitivity: options.sensitivity }
}

/**
 * Adds independent discrete Laplace noise to every coordinate.
 *
 * Guarantee: the loss is laplaceLoss(spec).
 * Needs: neighbours change `exact` by no more than spec.sensitivity (proved by whoever made it).
 * Proof: see laplaceLoss.
 * Numerics: integers plus exact integer noise; nothing is rounded.
 * Source: Dwork, McSherry, Nissim, Smith 2006; Ghosh, Roughgarden, Sundararajan 2009 for the integers.
 */
export function releaseLaplace(spec: LaplaceSpec, exact: readonly bigint[], rng: RandomBits): bigint[] {
  return addNoise(exact, {
    scale: numberNear(spec.scale),
    fill: (out) => fillDiscreteLaplace(out, spec.scale, rng),
    sample: () => sampleDiscreteLaplace(spec.scale, rng),
  })
}

/**
 * What the Laplace mechanism loses.
 *
 * Guarantee: pure epsilon = L1 / scale; zCDP and GDP with the sums over changed coordinates of their own
 *   constants.
 * Needs: the sensitivity's patterns cover every unit (boundedSensitivity).
 * Proof: P(x + Z = z) / P(x' + Z = z) = e^((|z-x'| - |z-x|)/scale) <= e^(|x-x'|/scale) for each coordinate,
 *   and the coordinates are independent, so exponents add to at most L1 / scale. Rényi divergences and
 *   squares of mu add over independent coordinates too; laplaceToZcdp and pureToGdp bound those of one that
 *   changes by d. They grow with d: best tests are half lines (the law is log-concave), and a larger shift
 *   puts more beyond each. Costs are linear in how often a pattern occurs: the worst mixture is one pattern.
 *   Where only the L1 norm is bounded, pureToZcdp and pureToGdp hold for the pure loss of all coordinates.
 * Numerics: epsilon is exact; rho and mu squared are rounded up.
 * Source: Dwork, McSherry, Nissim, Smith 2006, proposition 1; Bun and Steinke 2016 for composition.
 */
export function laplaceLoss(spec: LaplaceSpec): PureLosses {
  const { patterns, norm } = spec.sensitivity
  const epsilon = divide(rational(l1Of(spec.sensitivity)), spec.scale)
  const pure = { measure: "pure", epsilon } as const
  if (norm !== undefined) {
    return {
      pure,
      zcdp: { measure: "zcdp", rho: pureToZcdp(epsilon), delta: zero },
      gdp: { measure: "gdp", muSquared: pureToGdp(epsilon), delta: zero },
    }
  }
  const worst = (cost: (amount: bigint) => Rational): Rational => {
    const block = ({ groups, amount }: ChangeBlock): Rational => multiply(rational(groups), cost(amount))
    return patterns.map((pattern) => pattern.map(block).reduce(add, zero)).reduce(maximum, zero)
  }
  const rho = worst((amount) => laplaceToZcdp(amount, spec.scale))
  const muSquared = worst((amount) => pureToGdp(divide(rational(amount), spec.scale)))
  return {
    pure,
    zcdp: { measure: "zcdp", rho, delta: zero },
    gdp: { measure: "gdp", muSquared, delta: zero },
  }
}

/** The error of each coordinate: the exact discrete law, and the continuous figures for comparison. */
export function laplaceError(spec: LaplaceSpec, confidence: Rational): AdditiveError {
  const scale = numberUp(spec.scale)
  return {
    kind: "additive",
    halfWidth: laplaceHalfWidth(spec.scale, subtract(one, confidence)),
    // Var = 1 / (2 sinh^2(1/2s)), E|X| = 1 / sinh(1/s).
    standardDeviation: 1 / (Math.SQRT2 * hyperbolicSine(1 / (2 * scale))),
    meanAbsolute: 1 / hyperbolicSine(1 / scale),
    continuous: { standardDeviation: Math.SQRT2 * scale, meanAbsolute: scale },
  }
}

/**
 * The least integer r with P(|X| > r) <= miss, exactly: P(|X| > r) = 2 q^(r+1) / (1 + q), so
 * r + 1 >= s ln(2 / (miss (1 + q))), and r >= 0.
 */
export function laplaceHalfWidth(scale: Rational, miss: Rational): bigint {
  const rate = divide(one, scale)
  for (let bits = 64; ; bits *= 2) {
    const most = divide(rational(2n), multiply(miss, add(one, decayDown(rate, bits))))
    const least = divide(rational(2n), multiply(miss, add(one, decayUp(rate, bits))))
    const high = ceil(multiply(scale, lnUp(most, bits)))
    const low = ceil(multiply(scale, lnDown(least, bits)))
    // Where the two disagree beyond any doubt of ours, the wider interval is the honest one.
    if (high === low || bits >= 2048) return high > 1n ? high - 1n : 0n
  }
}

/** P(X >= rise) = q^rise / (1 + q) for rise >= 1, rounded up. */
export function laplaceTailUp(scale: Rational, rise: bigint): Rational {
  const rate = divide(one, scale)
  return divide(decayUp(divide(rational(rise), scale)), add(one, decayDown(rate)))
}

/** P(|X| <= radius) under the exact law: 1 - 2 q^(radius + 1) / (1 + q), to a double. */
export function laplaceWithin(spec: LaplaceSpec, radius: bigint): number {
  if (radius < 0n) return 0
  const q = decayUp(divide(one, spec.scale))
  const tail = decayUp(divide(rational(radius + 1n), spec.scale))
  return 1 - numberUp(divide(multiply(rational(2n), tail), add(one, q)))
}

/**
 * Beyond this exponent e^-x is bounded by 0 and by the power here: its leading zeros would only cost time.
 */
const exponentMax = rational(4096n)

/** e^-x for x >= 0, rounded up; never below e^-4096. */
export function decayUp(x: Rational, bits = 64): Rational {
  return expUp(negate(minimum(x, exponentMax)), bits)
}

/** e^-x for x >= 0, rounded down; 0 beyond x = 4096. */
export function decayDown(x: Rational, bits = 64): Rational {
  return compare(x, exponentMax) > 0 ? zero : expDown(negate(x), bits)
}

/** sinh(x) for x > 0 in doubles, by its series where the exponentials would cancel. */
function hyperbolicSine(x: number): number {
  if (x > 0.5) return x > 700 ? Infinity : (1 / certifiedExp(x) - certifiedExp(x)) / 2
  const y = x * x
  return x * (1 + (y / 6) * (1 + (y / 20) * (1 + (y / 42) * (1 + (y / 72) * (1 + y / 110)))))
}
