import { expect, test } from "vitest"
import { drainAlpha, spendAlpha } from "./alpha-budget.ts"
import { bitSourceOf } from "./bit-source.ts"
import { checkPrivacy, expectViolation } from "./check-privacy.ts"
import { privacyVerdict } from "./privacy-verdict.ts"
import { referenceBernoulli, referenceDiscreteLaplace } from "./reference-samplers.ts"
import { seededBits } from "./seeded-bits.ts"
import type { RandomBits } from "../random/random-bits.ts"

/** A count of 40 or 41 people with discrete Laplace noise. */
const noisyCount = (count: bigint, scale: { numerator: bigint; denominator: bigint }) => (rng: RandomBits) =>
  count + referenceDiscreteLaplace(scale, bitSourceOf(rng))

const counting = (scale: { numerator: bigint; denominator: bigint }) => ({
  name: "noisy count",
  onD: noisyCount(41n, scale),
  onNeighbour: noisyCount(40n, scale),
  epsilon: 1,
  delta: 0,
  draws: 60_000,
})

const one = { numerator: 1n, denominator: 1n }
const half = { numerator: 1n, denominator: 2n }

test("does not accuse a mechanism that keeps its claim, gets near the truth, and spends its alpha", () => {
  const finding = checkPrivacy(counting(one))
  expect(finding.violation).toBe(false)
  expect(finding.epsilonLower).toBeLessThanOrEqual(1)
  const spent = drainAlpha()
  expect(spent).toBe(1e-9)
  spendAlpha(spent) // These draws were fresh, so the suite must count them.
  const replayed = checkPrivacy({ ...counting(one), rng: seededBits("near") })
  expect(replayed.epsilonLower).toBeGreaterThan(0.8)
  expect(replayed.seed).toBe("near")
})

test("accuses half the noise, and prints seed and event", () => {
  const check = { ...counting(half), rng: seededBits("half") }
  expect(() => checkPrivacy(check)).toThrow(/epsilon 1, delta 0 does not hold: .* of 30000 on D.*SEED=half/)
  expect(drainAlpha()).toBe(1e-9)
  expect(expectViolation(counting(half)).epsilonLower).toBeGreaterThan(1.7)
  expect(drainAlpha()).toBe(0)
})

test("accuses a mechanism without noise", () => {
  const finding = expectViolation({ ...counting(one), onD: () => 41, onNeighbour: () => 40, draws: 2000 })
  expect(finding.epsilonLower).toBeGreaterThan(3)
})

test("looks in both directions", () => {
  const { onD, onNeighbour, ...claim } = counting(half)
  expectViolation({ ...claim, onD: onNeighbour, onNeighbour: onD })
  // Only the neighbour ever says "present", so D's own outcomes show nothing.
  const leak = { numerator: 1n, denominator: 20n }
  const presence = (rng: RandomBits) => (referenceBernoulli(leak, bitSourceOf(rng)) ? "present" : "silent")
  const finding = expectViolation({ ...claim, onD: () => "silent", onNeighbour: presence, draws: 20_000 })
  expect(finding.event).toContain("0 of 10000 on D")
})

test("counts delta as allowed, and no more than it", () => {
  const leak = { numerator: 1n, denominator: 20n }
  const leaking = (rng: RandomBits) =>
    referenceBernoulli(leak, bitSourceOf(rng)) ? `key ${rng.word()}` : "none"
  const claim = { name: "leaked key", onD: leaking, onNeighbour: () => "none", epsilon: 1, draws: 40_000 }
  expect(checkPrivacy({ ...claim, delta: 0.05 }).violation).toBe(false)
  // Every leaked key is a different one: only the union of what the neighbour never says can show it.
  expect(expectViolation({ ...claim, delta: 0.03 }).event).toContain("never seen")
})

test("finds the tail of a mechanism whose outcomes hardly repeat", () => {
  const wide = (shift: number) => (rng: RandomBits) => shift + (rng.word() >>> 2)
  const claim = { name: "wide uniform", epsilon: 0.01, delta: 0.01, draws: 40_000 }
  const finding = expectViolation({ ...claim, onD: wide(2 ** 28), onNeighbour: wide(0) })
  expect(finding.event).toContain("outcomes >=")
})

test("tries the events it is given, with all the draws", () => {
  const events = { "at least 41": (outcome: unknown) => Number(outcome) >= 41 }
  const finding = expectViolation({ ...counting(half), events })
  expect(finding.event).toContain('"at least 41"')
  expect(finding.event).toContain("of 60000 on D")
  const blind = { "at least 0": (outcome: unknown) => Number(outcome) >= -1000 }
  expect(checkPrivacy({ ...counting(half), events: blind }).epsilonLower).toBe(0)
  expect(() => expectViolation({ ...counting(half), events: blind })).toThrow("not caught")
  expect(() => checkPrivacy({ ...counting(half), events: {} })).toThrow("no event to try")
})

test("shares alpha among the bounds of all events in both directions", () => {
  const constant = { name: "constant", onD: () => 1, onNeighbour: () => 0, epsilon: 1, delta: 0, draws: 500 }
  const isOne = (outcome: unknown) => outcome === 1
  const alone = privacyVerdict({
    count: 500,
    countOnNeighbour: 0,
    trials: 500,
    epsilon: 1,
    delta: 0,
    alphaEachSide: 1e-6 / 12,
  })
  const events = { one: isOne, "one again": isOne, "and again": isOne }
  expect(expectViolation({ ...constant, alpha: 1e-6, events }).epsilonLower).toBe(alone.epsilonLower)
})

test("does not accuse a mechanism at the edge of its claim", () => {
  const truthful = { numerator: 3n, denominator: 4n }
  const answer = (yes: boolean) => (rng: RandomBits) => {
    const honest = referenceBernoulli(truthful, bitSourceOf(rng))
    return honest === yes ? "yes" : "no"
  }
  // Randomized response that tells the truth with probability 3/4 has epsilon ln 3 exactly.
  const claim = { name: "coin", onD: answer(true), onNeighbour: answer(false), delta: 0, draws: 60_000 }
  const finding = checkPrivacy({ ...claim, epsilon: Math.log(3) })
  expect(finding.violation).toBe(false)
  expect(expectViolation({ ...claim, epsilon: 1 }).epsilonLower).toBeGreaterThan(1)
})
