// The least epsilon of few digits that is enough for something. Only a predicate is asked.

import { compare, decimalExponent, multiply, numberUp, rational, type Rational } from "@dosimeter/core/exact"
import { epsilonLeast } from "@dosimeter/proof/catalog/terms"

/**
 * From one that is enough down to the least of three digits that is, and that may be asked. More is never
 * worse.
 */
export async function leastEpsilon(
  most: Rational,
  predicate: (epsilon: Rational) => Promise<boolean>,
): Promise<Rational> {
  const isEnough = async (epsilon: Rational): Promise<boolean> =>
    compare(epsilon, epsilonLeast) >= 0 && predicate(epsilon)
  let enough = most
  for (const step of [10n, 2n]) {
    // First by tens, then by halves, while it is still enough.
    for (let tries = 0; tries < 12; tries += 1) {
      const less = multiply(enough, rational(1n, step))
      if (!(await isEnough(less))) break
      enough = less
    }
  }
  return refine(enough, isEnough)
}

/** From an epsilon that is enough while its half is not. */
async function refine(
  enough: Rational,
  isEnough: (epsilon: Rational) => Promise<boolean>,
): Promise<Rational> {
  const top = numberUp(enough)
  const unit = decimalExponent(top) - 2
  let low = Math.floor(top / 2 / 10 ** unit)
  let high = Math.ceil(top / 10 ** unit)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (await isEnough(decimalOf(middle, unit))) high = middle
    else low = middle
  }
  const found = decimalOf(high, unit)
  return compare(found, enough) <= 0 ? found : enough
}

/** count 10^power, exactly. */
function decimalOf(count: number, power: number): Rational {
  const scale = 10n ** BigInt(Math.abs(power))
  return power >= 0 ? rational(BigInt(count) * scale) : rational(BigInt(count), scale)
}
