// What a shuffler adds: if reports arrive without order or sender, each is hidden among those of the others.
// Exactly for k-ary randomized response, by the clone bound for any protocol. The loss to a shuffler that
// colludes stands beside it, always.

import { fail } from "../errors/errors.ts"
import { betweenZeroAndOne, type Numeric } from "../exact/decimal.ts"
import { numberDown } from "../exact/dyadic.ts"
import { epsilonOf } from "../local/certificate.ts"
import type { Protocol } from "../local/protocol.ts"
import { whole } from "../local/draws.ts"
import { binomialPmf, fairTail } from "./binomial-doubles.ts"

/** A crowd whose reports are shuffled. */
export interface Crowd {
  /** Reports that were received. */
  readonly people: number
  /** How many of them may be fakes or help the attacker: they hide nobody. */
  readonly sybils: number
  /** Fewer honest reports than this are not released at all. */
  readonly crowdMin: number
  readonly delta: Numeric
}

/** What one person loses. */
export interface ShuffledLoss {
  /** To everybody who sees the shuffled reports: (epsilon, delta). */
  readonly epsilon: number
  readonly delta: number
  /** To the shuffler, and to everybody if it colludes: pure. */
  readonly ifShufflerColludes: number
  /** The reports that hide a person: received, less the allowance for fakes. */
  readonly honest: number
  readonly by: "k-ary randomized response" | "clones" | "no amplification"
}

/** Probabilities in doubles are good to 1e-12; this leaves room for a million of them. */
const slack = 1 + 1e-6

/** The loss of one report among the shuffled reports of a crowd. */
export function shuffledLoss(protocol: Protocol, crowd: Crowd): ShuffledLoss {
  const delta = numberDown(betweenZeroAndOne(crowd.delta, "delta"))
  const { people, sybils, crowdMin } = crowd
  if (!(Number.isInteger(people) && people >= 1 && Number.isInteger(sybils) && sybils >= 0)) {
    fail("parameter/out-of-range", { name: "people", got: `${people}`, range: "1 and more" })
  }
  const honest = people - sybils
  if (!(honest >= crowdMin && honest >= 1)) {
    fail("local/crowd-too-small", { honest: `${Math.max(0, honest)}`, wanted: `${crowdMin}` })
  }
  const alone = epsilonOf(protocol)
  const isKary = protocol.kind === "kary"
  const deltaAt = isKary
    ? (epsilon: number): number =>
        karyDelta({ honest, values: protocol.values, keep: protocol.keep }, epsilon)
    : (epsilon: number): number => cloneDelta({ honest, alone }, epsilon)
  const epsilon = smallestEpsilon(deltaAt, { delta, most: alone })
  const by = epsilon >= alone ? "no amplification" : isKary ? "k-ary randomized response" : "clones"
  return { epsilon, delta: epsilon >= alone ? 0 : delta, ifShufflerColludes: alone, honest, by }
}

/** The largest epsilon of k-ary randomized response that a shuffler brings to `goal`, at most `most`. */
export function shuffledCalibration(options: {
  readonly values: number
  readonly goal: number
  readonly most: number
  readonly crowd: Crowd
}): number {
  const { values, goal, most, crowd } = options
  const honest = crowd.people - crowd.sybils
  const delta = numberDown(betweenZeroAndOne(crowd.delta, "delta"))
  const fits = (alone: number): boolean => {
    const odds = Math.exp(alone)
    const keep = Math.floor(((odds - 1) / (odds + values - 1)) * whole)
    return karyDelta({ honest, values, keep }, goal) <= delta
  }
  if (goal >= most) return most
  let [low, high] = [goal, most]
  if (fits(high)) return high
  for (let i = 0; i < 30 && high - low > 1e-6 * high; i += 1) {
    const middle = (low + high) / 2
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

/** The smallest epsilon with deltaAt(epsilon) <= delta, rounded up; `most` where there is none below. */
function smallestEpsilon(
  deltaAt: (epsilon: number) => number,
  { delta, most }: { readonly delta: number; readonly most: number },
): number {
  let [low, high] = [0, most]
  while (high - low > 1e-6 * high + 1e-12) {
    const middle = (low + high) / 2
    if (deltaAt(middle) <= delta) high = middle
    else low = middle
  }
  return high
}

/**
 * The clone bound: any protocol with epsilon0 is at least as private, shuffled, as the pair of laws of
 * (A + D, C - A + 1 - D) and (A + 1 - D, C - A + D), with C the heads of n - 1 coins of bias e^-epsilon0, A
 * the heads of C fair coins, and D a coin of bias e^epsilon0 / (e^epsilon0 + 1).
 *
 * Source: Feldman, McMillan, Talwar 2021, theorem 3.1 (not the later one, which does not hold for all
 * protocols).
 */
export function cloneDelta(
  { honest, alone }: { readonly honest: number; readonly alone: number },
  epsilon: number,
): number {
  const odds = Math.exp(alone)
  const law = { others: honest - 1, bias: Math.exp(-alone), first: odds / (odds + 1), second: 1 / (odds + 1) }
  return pairDelta({ ...law, elsewhere: 0 }, epsilon) * slack
}

/**
 * k-ary randomized response: each of the others gives up its answer with probability 1 - keep and reports any
 * value alike. Let the attacker know who did; the m who did are a uniform crowd, and only the two values that
 * the person might have tell the laws apart. More people in the crowd can only help (add a uniform report),
 * so m is taken in steps, each as small as its smallest.
 *
 * Source: Balle, Bell, Gascón, Nissim 2019, section 5.
 */
export function karyDelta(
  of: { readonly honest: number; readonly values: number; readonly keep: number },
  epsilon: number,
): number {
  const { honest, values, keep } = of
  const kept = keep / whole
  const second = (1 - kept) / values
  const first = kept + second
  const law = { first, second, elsewhere: Math.max(0, 1 - first - second) }
  if (values === 2)
    return pairDelta({ ...law, others: honest - 1, bias: 1 - kept, elsewhere: 0 }, epsilon) * slack
  let delta = 0
  for (const { others, chance } of crowdSteps(honest - 1, 1 - kept)) {
    delta += chance * pairDelta({ ...law, others, bias: 2 / values }, epsilon)
  }
  return delta * slack
}

/** The heads of n coins in steps: the smallest of each, and how likely the step is; nothing is left out. */
function crowdSteps(
  n: number,
  bias: number,
): readonly { readonly others: number; readonly chance: number }[] {
  const deviation = Math.sqrt(n * bias * (1 - bias))
  const from = Math.max(0, Math.floor(n * bias - 9 * deviation - 20))
  const end = Math.min(n, Math.ceil(n * bias + 9 * deviation + 20))
  const size = Math.max(1, Math.floor(deviation / (deviation < 100 ? 4 : 2)))
  const steps: { readonly others: number; readonly chance: number }[] = []
  let left = 1
  for (let start = from; start <= end; start += size) {
    let chance = 0
    for (let m = start; m < Math.min(start + size, end + 1); m += 1) chance += binomialPmf(m, n, bias)
    if (chance < 1e-13) continue
    steps.push({ others: start, chance })
    left -= chance
  }
  // What is not in a step counts as if there were no crowd; 1e-12 is for the rounding of the sum.
  return [...steps, { others: 0, chance: Math.max(0, left) + 1e-12 }]
}

interface PairLaw {
  /** How many others may fall on the two values, and how likely each does. */
  readonly others: number
  readonly bias: number
  /** Where the person's own report falls: on the true value, on the other, or elsewhere. */
  readonly first: number
  readonly second: number
  readonly elsewhere: number
}

/**
 * The delta at epsilon between the counts on two values, for a person who has the one or the other. The
 * others on them split by fair coins. Given the total T, with A = P(others = T - 1), B = elsewhere
 * P(others = T) / 2, u = A first + B and v = A second + B: P(i) = u b(i - 1) + v b(i) and
 * Q(i) = v b(i - 1) + u b(i), b the law of T - 1 fair coins. P / Q rises with i, so what counts begins at the
 * first i with P(i) > e^epsilon Q(i).
 */
function pairDelta(law: PairLaw, epsilon: number): number {
  const { others, bias } = law
  const deviation = Math.sqrt(others * bias * (1 - bias))
  const from = Math.max(1, Math.floor(others * bias - 8.5 * deviation - 15))
  const end = Math.min(others + 1, Math.ceil(others * bias + 8.5 * deviation + 15))
  const odds = Math.exp(epsilon)
  // P(others outside of the range): by Bennett's inequality, for 8.5 deviations and 15 more, below 4e-16.
  let delta = 1e-15
  for (let total = from; total <= end; total += 1) {
    const inside = binomialPmf(total - 1, others, bias)
    const outside = (law.elsewhere * binomialPmf(total, others, bias)) / 2
    const [u, v] = [inside * law.first + outside, inside * law.second + outside]
    if (!(u > odds * v)) continue
    const ratio = (odds * u - v) / (u - odds * v)
    const first = Math.floor((total * ratio) / (1 + ratio)) + 1
    if (first > total) continue
    const edge = binomialPmf(first - 1, total - 1, 0.5)
    const part = (u - odds * v) * edge - (odds - 1) * (u + v) * fairTail(first, total - 1)
    if (part > 0) delta += part
  }
  return delta
}
