// Pure loss as zCDP: the tight constant.

import { tanhUp } from "../../exact/exp.ts"
import { compare, divide, multiply, one, rational, type Rational } from "../../exact/rational.ts"
import { roundUp } from "../../exact/dyadic.ts"

/**
 * rho such that every mechanism of pure loss epsilon is rho-zCDP: epsilon tanh(epsilon / 2), rounded up.
 *
 * Guarantee: for all neighbours and every order a > 1, the Rényi divergence is at most rho a.
 * Needs: epsilon >= 0 (the caller).
 * Proof: the outputs on two neighbours are a post-processing of randomized response with odds e^epsilon
 *   (Kairouz, Oh, Viswanath), whose divergence is D_a = ln(cosh((a - 1/2) e) / cosh(e/2)) / (a - 1), e =
 *   epsilon. Put z = (a - 1/2)^2, so z - 1/4 = a (a - 1). ln cosh(e sqrt z) is concave in z, because its
 *   derivative e tanh(e sqrt z) / (2 sqrt z) falls. So it lies below its tangent at z = 1/4, whose slope is e
 *   tanh(e/2): (a - 1) D_a <= e tanh(e/2) a (a - 1). Equality in the limit a -> 1: the constant is tight. QED
 * Numerics: tanh is enclosed and rounded up, and so is the product.
 * Source: Bun and Steinke 2016, proposition 3.3, has epsilon^2 / 2; that this conversion is tight: Harrison
 *   and Manurangsi 2025 (FORC 2026, arXiv 2510.25746). The proof here is our own.
 */
export function pureToZcdp(epsilon: Rational): Rational {
  // Beyond this tanh is 1 to all 64 bits; the exponentials of a large number would only cost time.
  const factor = compare(epsilon, rational(128n)) > 0 ? one : tanhUp(divide(epsilon, rational(2n)))
  return roundUp(multiply(epsilon, factor))
}
