// Each event in each accountant's terms: (epsilon, delta), rho, mu squared, a Rényi curve, a worst pair.
// Undefined where an accountant has nothing to say.

import { unreachable } from "../errors/assert.ts"
import { numberDown, numberUp } from "../exact/dyadic.ts"
import { lnUp } from "../exact/log.ts"
import { divide, multiply, one, rational, subtract, zero, type Rational } from "../exact/rational.ts"
import type { ApproxLoss } from "../privacy/loss.ts"
import { subsampleLoss } from "./compose.ts"
import type { LossEvent } from "./event.ts"
import { discreteLaplaceCurve } from "./laplace-curve.ts"
import { laplaceToZcdp } from "./conversions/laplace-to-zcdp.ts"
import {
  approxLaw,
  discreteLaplaceLaw,
  gaussianLaw,
  randomizedResponseLaw,
  replacedGaussianLaw,
  subsampledLaw,
  type LossPair,
} from "./distributions/loss-law.ts"
import { pureToGdp, rangeToGdp } from "./conversions/pure-to-gdp.ts"
import { pureToZcdp } from "./conversions/pure-to-zcdp.ts"
import { atomsCurve, boundedRangeCurve, pureCurve, zcdpCurve, type RenyiCurve } from "./renyi.ts"
import { replacedGaussianCurve, subsampledAtomsCurve, subsampledGaussianCurve } from "./subsampled-renyi.ts"

/** Above this many outcomes a law is not spelled out for a Rényi curve; its pure loss stands in. */
const atomsMax = 10_000

/** (epsilon, delta) of an event, where it has one of its own; a Gaussian has a whole curve instead. */
export function approxOf(event: LossEvent): ApproxLoss | undefined {
  switch (event.kind) {
    case "gaussian":
    case "sampled-gaussian":
      return undefined
    case "laplace":
      return approx(divide(rational(event.amount), event.scale))
    case "pure":
      return approx(event.epsilon)
    case "approx":
      return { measure: "approx", epsilon: event.epsilon, delta: event.delta }
    case "response":
      return approx(responseEpsilon(event))
    case "failure":
      return { measure: "approx", epsilon: zero, delta: event.delta }
    case "sampled-laplace":
      // On replacement the unit's amount may change twice as much, and the same amplification holds: with b =
      // e^(e'-e), q H(P1, (1-b) P0 + b P1') is 0 at the e of the larger of both changes (advanced joint
      // convexity).
      return subsampleLoss(approx(divide(rational(event.amount * sides(event)), event.scale)), event.rate)
    default:
      return unreachable(event)
  }
}

/** rho and delta of an event, where it has them. */
export function zcdpOf(event: LossEvent): { readonly rho: Rational; readonly delta: Rational } | undefined {
  switch (event.kind) {
    case "gaussian":
      return { rho: divide(event.muSquared, rational(2n)), delta: zero }
    case "sampled-gaussian":
      return undefined
    case "laplace":
      return { rho: laplaceToZcdp(event.amount, event.scale), delta: zero }
    case "pure":
      return {
        rho: event.shape === "range" ? eighth(event.epsilon) : pureToZcdp(event.epsilon),
        delta: zero,
      }
    case "approx":
    case "response":
    case "failure":
    case "sampled-laplace": {
      const loss = approxOf(event)
      if (loss === undefined) return undefined
      return { rho: loss.epsilon.numerator === 0n ? zero : pureToZcdp(loss.epsilon), delta: loss.delta }
    }
    default:
      return unreachable(event)
  }
}

/** mu squared and delta of an event, where it has them. */
export function gdpOf(
  event: LossEvent,
): { readonly muSquared: Rational; readonly delta: Rational } | undefined {
  if (event.kind === "gaussian") return { muSquared: event.muSquared, delta: zero }
  if (event.kind === "pure" && event.shape === "range" && event.epsilon.numerator > 0n) {
    return { muSquared: rangeToGdp(event.epsilon), delta: zero }
  }
  const loss = approxOf(event)
  if (loss === undefined) return undefined
  return { muSquared: loss.epsilon.numerator === 0n ? zero : pureToGdp(loss.epsilon), delta: loss.delta }
}

/** The Rényi curve of an event and what it leaves to delta. */
export function renyiOf(event: LossEvent): { readonly curve: RenyiCurve; readonly delta: number } {
  switch (event.kind) {
    case "gaussian":
      return { curve: zcdpCurve(numberUp(event.muSquared) / 2), delta: 0 }
    case "laplace":
      return { curve: discreteLaplaceCurve(Number(event.amount), numberDown(event.scale)), delta: 0 }
    case "pure": {
      const epsilon = numberUp(event.epsilon)
      return { curve: event.shape === "range" ? boundedRangeCurve(epsilon) : pureCurve(epsilon), delta: 0 }
    }
    case "approx":
      return { curve: pureCurve(numberUp(event.epsilon)), delta: numberUp(event.delta) }
    case "response":
      return { curve: atomsCurve(pairOf(event).forward.atoms), delta: 0 }
    case "failure":
      return { curve: { at: () => 0 }, delta: numberUp(event.delta) }
    case "sampled-gaussian": {
      const [q, sigma] = [numberUp(event.rate), numberDown(event.sigma)]
      const isReplaced = event.neighbours === "replace"
      return {
        curve: isReplaced ? replacedGaussianCurve(q, sigma) : subsampledGaussianCurve(q, sigma),
        delta: 0,
      }
    }
    case "sampled-laplace":
      return { curve: sampledLaplaceCurve(event), delta: 0 }
    default:
      return unreachable(event)
  }
}

/** The worst pair of an event, for privacy-loss distributions. Gaussians are combined apart. */
export function pairOf(event: Exclude<LossEvent, { kind: "gaussian" }>): LossPair {
  switch (event.kind) {
    case "laplace":
      return discreteLaplaceLaw(Number(event.amount), numberDown(event.scale))
    case "pure":
      return approxLaw(numberUp(event.epsilon), 0)
    case "approx":
      return approxLaw(numberUp(event.epsilon), numberUp(event.delta))
    case "response":
      return randomizedResponseLaw(numberUp(responseEpsilon(event)), event.categories)
    case "failure":
      return approxLaw(0, numberUp(event.delta))
    case "sampled-gaussian": {
      const [mu, q] = [1 / numberDown(event.sigma), numberUp(event.rate)]
      return event.neighbours === "replace" ? replacedGaussianLaw(mu, q) : subsampledLaw(gaussianLaw(mu), q)
    }
    case "sampled-laplace": {
      if (event.neighbours === "replace") return approxLaw(numberUp(approxOf(event)?.epsilon ?? zero), 0)
      return subsampledLaw(
        discreteLaplaceLaw(Number(event.amount), numberDown(event.scale)),
        numberUp(event.rate),
      )
    }
    default:
      return unreachable(event)
  }
}

function sampledLaplaceCurve(event: LossEvent & { kind: "sampled-laplace" }): RenyiCurve {
  if (event.neighbours === "replace" || event.amount > atomsMax) {
    return pureCurve(numberUp(approxOf(event)?.epsilon ?? zero))
  }
  const { atoms } = discreteLaplaceLaw(Number(event.amount), numberDown(event.scale)).forward
  return subsampledAtomsCurve(atoms, numberUp(event.rate))
}

function sides(event: { readonly neighbours: "add-or-remove" | "replace" }): bigint {
  return event.neighbours === "replace" ? 2n : 1n
}

function responseEpsilon(event: LossEvent & { kind: "response" }): Rational {
  const others = rational(BigInt(event.categories) - 1n)
  return lnUp(divide(multiply(event.truth, others), subtract(one, event.truth)))
}

function approx(epsilon: Rational): ApproxLoss {
  return { measure: "approx", epsilon, delta: zero }
}

function eighth(epsilon: Rational): Rational {
  return divide(multiply(epsilon, epsilon), rational(8n))
}
