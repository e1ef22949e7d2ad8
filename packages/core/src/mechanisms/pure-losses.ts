// All that follows from a pure loss: every mechanism that has one states the same three things.

import { pureToGdp } from "../accounting/pure-to-gdp.ts"
import { pureToZcdp } from "../accounting/pure-to-zcdp.ts"
import { add, multiply, rational, zero, type Rational } from "../exact/rational.ts"
import type { GdpLoss, Losses, PureLoss } from "../privacy/loss.ts"

/** Losses that begin with a pure one. */
export type PureLosses = Losses & { readonly pure: PureLoss; readonly gdp: GdpLoss }

/**
 * The losses of `count` releases (one, unless said) of pure loss epsilon each; `rho` where a mechanism knows
 * a better zCDP constant than every pure loss has.
 */
export function pureLosses(
  epsilon: Rational,
  better?: { readonly count?: bigint; readonly rho?: Rational },
): PureLosses {
  const count = rational(better?.count ?? 1n)
  return {
    pure: { measure: "pure", epsilon: multiply(count, epsilon) },
    zcdp: { measure: "zcdp", rho: multiply(count, better?.rho ?? pureToZcdp(epsilon)), delta: zero },
    gdp: { measure: "gdp", muSquared: multiply(count, pureToGdp(epsilon)), delta: zero },
  }
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
