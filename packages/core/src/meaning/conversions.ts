// Conversions between measures as callers outside of core see them: parameters are read as everywhere, and
// what has no conversion is refused by name.

import { atLeastZero, betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../exact/decimal.ts"
import { isPositive, zero, type Rational } from "../exact/rational.ts"
import { approxToRho as toRho } from "../accounting/filter.ts"
import {
  approxToMu as toMu,
  gdpToDelta as gdpDelta,
  gdpToEpsilon as gdpEpsilon,
} from "../accounting/conversions/gaussian-delta.ts"
import { laplaceToZcdp as laplaceRho } from "../accounting/conversions/laplace-to-zcdp.ts"
import { pureToGdp as pureMu } from "../accounting/conversions/pure-to-gdp.ts"
import { pureToZcdp as pureRho } from "../accounting/conversions/pure-to-zcdp.ts"
import {
  zcdpToDelta as zcdpDelta,
  zcdpToEpsilon as zcdpEpsilon,
} from "../accounting/conversions/zcdp-to-approx.ts"

/** The greatest rho that keeps (epsilon, delta), rounded down. */
export function approxToRho(epsilon: Numeric, delta: Numeric): Rational {
  return toRho(positive(epsilon, "epsilon"), betweenZeroAndOne(delta, "delta"))
}

/** The greatest mu whose Gaussian noise keeps (epsilon, delta), rounded down. */
export function approxToMu(epsilon: Numeric, delta: Numeric): Rational {
  return toMu(positive(epsilon, "epsilon"), betweenZeroAndOne(delta, "delta"))
}

/** The least delta at which a mu-GDP mechanism has loss epsilon, rounded up. */
export function gdpToDelta(mu: Numeric, epsilon: Numeric): Rational {
  return gdpDelta(positive(mu, "mu"), atLeastZero(epsilon, "epsilon"))
}

/** The least epsilon at which a mu-GDP mechanism keeps delta, rounded up; 0 for a mu of 0. */
export function gdpToEpsilon(mu: Numeric, delta: Numeric): Rational {
  const [exact, at] = [atLeastZero(mu, "mu"), betweenZeroAndOne(delta, "delta")]
  return isPositive(exact) ? gdpEpsilon(exact, at) : zero
}

/** The rho of discrete Laplace noise on an answer that changes by `amount` whole steps, rounded up. */
export function laplaceToZcdp(amount: Numeric, scale: Numeric): Rational {
  return laplaceRho(wholeNumber(amount, "the amount"), positive(scale, "scale"))
}

/** The mu squared that every mechanism with this pure loss keeps, rounded up. */
export function pureToGdp(epsilon: Numeric): Rational {
  return pureMu(positive(epsilon, "epsilon"))
}

/** The rho that every mechanism with this pure loss keeps, rounded up. */
export function pureToZcdp(epsilon: Numeric): Rational {
  return pureRho(positive(epsilon, "epsilon"))
}

/** The delta at which rho-zCDP has loss epsilon, rounded up. */
export function zcdpToDelta(rho: Numeric, epsilon: Numeric): Rational {
  return zcdpDelta(positive(rho, "rho"), atLeastZero(epsilon, "epsilon"))
}

/** The epsilon at which rho-zCDP keeps delta, rounded up; 0 for a rho of 0. */
export function zcdpToEpsilon(rho: Numeric, delta: Numeric): Rational {
  const [exact, at] = [atLeastZero(rho, "rho"), betweenZeroAndOne(delta, "delta")]
  return isPositive(exact) ? zcdpEpsilon(exact, at) : zero
}
