// Student's t for whole degrees of freedom: how many standard errors to go to each side where the standard
// error itself was estimated from few values.

import { assert } from "../../errors/assert.ts"

/**
 * The t with P(|T| <= t) = confidence, for 1 to 1000 degrees of freedom.
 *
 * P(|T| <= t) is a finite sum for whole degrees (Abramowitz and Stegun 26.7.3 and 26.7.4); t is found by
 * halving.
 */
export function studentWidth(confidence: number, degrees: number): number {
  assert(confidence > 0 && confidence < 1, "a confidence is between 0 and 1")
  assert(Number.isInteger(degrees) && degrees >= 1 && degrees <= 1000, "degrees are 1 to 1000")
  let [low, high] = [0, 1]
  while (within(high, degrees) < confidence && high < 1e12) high *= 2
  for (let turn = 0; turn < 200 && high - low > 1e-14 * high; turn += 1) {
    const middle = (low + high) / 2
    if (within(middle, degrees) < confidence) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** P(|T| <= t). */
function within(t: number, degrees: number): number {
  const angle = Math.atan(t / Math.sqrt(degrees))
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  const isOdd = degrees % 2 === 1
  let term = isOdd ? cosine : 1
  let sum = 0
  for (let k = isOdd ? 3 : 2; k <= degrees; k += 2) {
    sum += term
    term *= ((k - 1) / k) * cosine ** 2
  }
  return isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum
}
