// All that follows from a pure loss: every mechanism that has one states the same three things.

import { pureToGdp, rangeToGdp } from "../../accounting/conversions/pure-to-gdp.ts"
import { pureToZcdp } from "../../accounting/conversions/pure-to-zcdp.ts"
import { add, divide, multiply, rational, square, zero, type Rational } from "../../exact/rational.ts"
import type { GdpLoss, Losses, PureLoss } from "../../privacy/loss.ts"

/** Losses that begin with a pure one. */
export type PureLosses = Losses & { readonly pure: PureLoss; readonly gdp: GdpLoss }

/** The losses of `count` releases (one, unless said) of pure loss epsilon each. */
export function pureLosses(epsilon: Rational, options?: { readonly count?: bigint }): PureLosses {
  const count = rational(options?.count ?? 1n)
  return {
    pure: { measure: "pure", epsilon: multiply(count, epsilon) },
    zcdp: { measure: "zcdp", rho: multiply(count, pureToZcdp(epsilon)), delta: zero },
    gdp: { measure: "gdp", muSquared: multiply(count, pureToGdp(epsilon)), delta: zero },
  }
}

/**
 * The losses of `count` releases whose log ratios span a range of at most epsilon each, as those of the
 * exponential mechanism do: epsilon^2 / 8 in zCDP (Cesar and Rogers 2021, lemma 3.2), and rangeToGdp.
 */
export function rangeLosses(epsilon: Rational, count: bigint): PureLosses {
  const times = rational(count)
  return {
    pure: { measure: "pure", epsilon: multiply(times, epsilon) },
    zcdp: { measure: "zcdp", rho: multiply(times, boundedRangeRho(epsilon)), delta: zero },
    gdp: { measure: "gdp", muSquared: multiply(times, rangeToGdp(epsilon)), delta: zero },
  }
}

/** epsilon^2 / 8: the zCDP loss of a mechanism whose log ratios span a range of at most epsilon. */
export function boundedRangeRho(epsilon: Rational): Rational {
  return divide(square(epsilon), rational(8n))
}

/** The losses of two releases together, in each measure in which both have one. */
export function lossesSum(a: Losses, b: Losses): Losses {
  const { pure: epsilon } = a
  return {
    ...(epsilon === undefined || b.pure === undefined
      ? {}
      : { pure: { ...epsilon, epsilon: add(epsilon.epsilon, b.pure.epsilon) } }),
    zcdp: { measure: "zcdp", rho: add(a.zcdp.rho, b.zcdp.rho), delta: add(a.zcdp.delta, b.zcdp.delta) },
    ...(a.gdp === undefined || b.gdp === undefined
      ? {}
      : {
          gdp: {
            measure: "gdp",
            muSquared: add(a.gdp.muSquared, b.gdp.muSquared),
            delta: add(a.gdp.delta, b.gdp.delta),
          },
        }),
  }
}

/** The losses of two such releases together. */
export function pureLossesSum(a: PureLosses, b: PureLosses): PureLosses {
  return {
    pure: { measure: "pure", epsilon: add(a.pure.epsilon, b.pure.epsilon) },
    zcdp: { measure: "zcdp", rho: add(a.zcdp.rho, b.zcdp.rho), delta: add(a.zcdp.delta, b.zcdp.delta) },
    gdp: {
      measure: "gdp",
      muSquared: add(a.gdp.muSquared, b.gdp.muSquared),
      delta: add(a.gdp.delta, b.gdp.delta),
    },
  }
}
