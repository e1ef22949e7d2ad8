// A loss is an amount in a measure: how much one release, or all of them, may tell about one unit. Amounts
// are exact fractions, rounded against ourselves where they are irrational.

import { unreachable } from "../errors/assert.ts"
import { decimalExponent, showParameter } from "../exact/decimal.ts"
import { numberUp } from "../exact/dyadic.ts"
import type { Rational } from "../exact/rational.ts"

/** Every probability changes by a factor of at most e^epsilon. */
export interface PureLoss {
  readonly measure: "pure"
  readonly epsilon: Rational
}

/** As pure, but for a probability of at most delta. */
export interface ApproxLoss {
  readonly measure: "approx"
  readonly epsilon: Rational
  readonly delta: Rational
}

/** Rényi divergence of every order a at most rho a, but for a probability of at most delta. */
export interface ZcdpLoss {
  readonly measure: "zcdp"
  readonly rho: Rational
  readonly delta: Rational
}

/** Never easier to tell apart than two unit normals mu apart, but for a probability of at most delta. */
export interface GdpLoss {
  readonly measure: "gdp"
  readonly muSquared: Rational
  readonly delta: Rational
}

/** A loss in one measure. */
export type Loss = PureLoss | ApproxLoss | ZcdpLoss | GdpLoss

/** The measures. */
export type Measure = Loss["measure"]

/** All that is proven of one release: each entry holds by itself, and none may be added to another. */
export interface Losses {
  readonly pure?: PureLoss
  readonly approx?: ApproxLoss
  readonly zcdp: ZcdpLoss
  readonly gdp?: GdpLoss
}

/**
 * A loss in words: "epsilon 0.5", "rho 0.125, delta 1e-9". What is no short decimal is shown to six digits,
 * rounded up: never less than the loss.
 */
export function showLoss(loss: Loss): string {
  const parts = partsOf(loss)
  return parts.map(([name, value]) => `${name} ${showUp(value)}`).join(", ")
}

function showUp(value: Rational): string {
  const exact = showParameter(value)
  if (exact.length <= 14) return exact
  const near = numberUp(value)
  const digits = near.toPrecision(6)
  if (Number(digits) >= near) return `${Number(digits)}`
  // Rounded to nearest it went down: one unit of the sixth digit more.
  const unit = 10 ** (decimalExponent(near) - 5)
  return `${Number((Number(digits) + unit).toPrecision(6))}`
}

function partsOf(loss: Loss): [name: string, value: Rational][] {
  switch (loss.measure) {
    case "pure":
      return [["epsilon", loss.epsilon]]
    case "approx":
      return [["epsilon", loss.epsilon], ...deltaPart(loss.delta)]
    case "zcdp":
      return [["rho", loss.rho], ...deltaPart(loss.delta)]
    case "gdp":
      return [["mu squared", loss.muSquared], ...deltaPart(loss.delta)]
    default:
      return unreachable(loss)
  }
}

function deltaPart(delta: Rational): [name: string, value: Rational][] {
  return delta.numerator === 0n ? [] : [["delta", delta]]
}
