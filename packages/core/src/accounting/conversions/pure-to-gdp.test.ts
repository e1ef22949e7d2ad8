import { expect, test } from "vitest"
import { exactly } from "../../exact/decimal.ts"
import { numberUp, rationalOfNumber } from "../../exact/dyadic.ts"
import { expDown, expUp } from "../../exact/exp.ts"
import { sqrtDown, sqrtUp } from "../../exact/log.ts"
import { normalCdfUp } from "../../exact/normal.ts"
import { add, compare, divide, multiply, negate, one, rational, type Rational } from "../../exact/rational.ts"
import { approxLaw } from "../distributions/loss-law.ts"
import { deltaOfLaw } from "../../testing/atom-laws.ts"
import { gdpToDelta } from "./gaussian-delta.ts"
import { pureToGdp, rangeToGdp } from "./pure-to-gdp.ts"

const half = rational(1n, 2n)
const epsilons = ["1e-12", "1e-6", "0.001", "0.1", "0.5", "1", "2", "5", "20", "100", "499", "501", "2000"]

test.each(epsilons)("P(Z > mu/2) is at most 1 / (1 + e^epsilon), for epsilon %s", (text) => {
  const epsilon = exactly(text, "epsilon")
  // mu rounded down: then the tail is rounded up.
  const halfMu = multiply(half, sqrtDown(pureToGdp(epsilon), 200))
  const tail = normalCdfUp(negate(halfMu), 120)
  expect(compare(tail, divide(one, add(one, expUp(epsilon, 160))))).toBeLessThanOrEqual(0)
})

test.each(epsilons.slice(1, 11))("a slightly smaller mu does not do, for epsilon %s", (text) => {
  const epsilon = exactly(text, "epsilon")
  const halfMu = multiply(multiply(half, sqrtUp(pureToGdp(epsilon), 200)), exactly("0.99999", "factor"))
  const tail = normalCdfUp(negate(halfMu), 120)
  expect(compare(tail, divide(one, add(one, expDown(epsilon, 160))))).toBe(1)
})

test("known values", () => {
  // mu = 2 x with P(Z > x) = 1 / (1 + e): x = 0.6160...
  expect(Math.sqrt(numberUp(pureToGdp(one)))).toBeCloseTo(1.2325, 2)
  expect(numberUp(pureToGdp(exactly("1e-6", "epsilon"))) / 1e-12).toBeCloseTo(Math.PI / 2, 5)
  expect(pureToGdp(rational(600n))).toEqual(rational(4800n))
})

test("the Gaussian's delta is above that of every pure loss, at every epsilon", () => {
  for (const text of ["0.1", "1", "3"]) {
    const epsilon0 = exactly(text, "epsilon")
    const mu = sqrtUp(pureToGdp(epsilon0))
    const law = approxLaw(Number(text), 0).forward
    for (let share = 0; share <= 1.5; share += 0.05) {
      const epsilon = share * Number(text)
      const gaussian = numberUp(gdpToDelta(mu, rationalOfNumber(epsilon)))
      expect(gaussian).toBeGreaterThanOrEqual(deltaOfLaw(law, epsilon) * (1 - 1e-12))
    }
    // Tight at the kink: total variation, which is delta at 0.
    const kink = numberUp(gdpToDelta(mu, rational(0n)))
    expect(kink / deltaOfLaw(law, 0) - 1).toBeLessThan(1e-9)
  }
})

test("it grows with epsilon, across the place where the closed bound takes over", () => {
  const values: Rational[] = [1n, 2n, 50n, 100n, 400n, 499n, 500n, 501n, 1000n].map((e) =>
    pureToGdp(rational(e)),
  )
  values.slice(1).forEach((value, i) => expect(compare(value, values[i] ?? one)).toBe(1))
})

test("[L3] a range of epsilon is as hard to tell apart as mu, wherever it lies", () => {
  for (const text of ["0.01", "0.5", "2", "8", "30"]) {
    const epsilon = Number(text)
    const mu = rationalOfNumber(Math.sqrt(numberUp(rangeToGdp(exactly(text, "epsilon")))))
    let nearest = 1
    for (let place = -24; place <= 24; place += 1) {
      const x = (epsilon * place) / 48
      // The first of two outcomes: its probabilities have log odds x + epsilon/2 and x - epsilon/2.
      const [a, b] = [1 / (1 + Math.exp(-x - epsilon / 2)), 1 / (1 + Math.exp(-x + epsilon / 2))]
      // The Gaussian curve at 1 - a is P(Z > y) with y = mu - z, P(Z > z) = 1 - a; it must not pass b.
      const z = rationalOfNumber(pointOf(1 - a))
      const curve = numberUp(normalCdfUp(add(z, negate(mu)), 96))
      expect(curve).toBeLessThanOrEqual(b * (1 + 1e-6) + 1e-12)
      nearest = Math.min(nearest, (b - curve) / b)
    }
    expect(nearest).toBeLessThan(1e-5)
  }
})

/** The point that a standard normal variable passes with this probability, by bisection. */
function pointOf(tail: number): number {
  let [low, high] = [-40, 40]
  for (let step = 0; step < 80; step += 1) {
    const middle = (low + high) / 2
    if (numberUp(normalCdfUp(rationalOfNumber(-middle), 96)) > tail) low = middle
    else high = middle
  }
  return low
}
