// Plain noise for the references: floating-point draws and the published scales. Good enough to compare
// errors with; not fit for releasing anything.

import type { RandomBits } from "@dosimeter/core"

/** Draws for the references. */
export class PlainNoise {
  readonly #rng: RandomBits

  constructor(rng: RandomBits) {
    this.#rng = rng
  }

  /** Uniform in (0, 1). */
  uniform(): number {
    const high = this.#rng.word() >>> 5
    const low = this.#rng.word() >>> 6
    return (high * 2 ** 26 + low + 0.5) / 2 ** 53
  }

  /** Laplace noise of a scale. */
  laplace(scale: number): number {
    const u = this.uniform() - 0.5
    return -scale * Math.sign(u) * Math.log(1 - 2 * Math.abs(u))
  }

  /** Normal noise of a standard deviation. */
  gaussian(sigma: number): number {
    return sigma * Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform())
  }

  /** Standard Gumbel noise. */
  gumbel(): number {
    return -Math.log(-Math.log(this.uniform()))
  }
}

/** What one question may lose. */
export interface Loss {
  readonly epsilon: number
  readonly delta: number
}

/** What one unit can do: to so many numbers, by so much each. */
export interface Reach {
  readonly groups: number
  readonly amount: number
}

/** A way to protect numbers, and the variance that it takes. */
export interface NoiseKind {
  readonly name: string
  draw(noise: PlainNoise, loss: Loss, reach: Reach): number
  variance(loss: Loss, reach: Reach): number
}

/** Laplace noise for the L1 norm (Dwork, McSherry, Nissim, Smith 2006). */
export const laplaceKind: NoiseKind = {
  name: "Laplace",
  draw: (noise, { epsilon }, { groups, amount }) => noise.laplace((groups * amount) / epsilon),
  variance: ({ epsilon }, { groups, amount }) => 2 * ((groups * amount) / epsilon) ** 2,
}

/** Gaussian noise as textbooks scale it (Dwork and Roth 2014, theorem A.1): proven for epsilon up to 1. */
export const classicalKind: NoiseKind = {
  name: "classical Gaussian",
  draw: (noise, loss, { groups, amount }) =>
    noise.gaussian(amount * Math.sqrt(groups) * classicalSigma(loss)),
  variance: (loss, { groups, amount }) => groups * (amount * classicalSigma(loss)) ** 2,
}

/** Gaussian noise as scaled by Balle and Wang (2018), which is what Google's library draws. */
export const analyticKind: NoiseKind = {
  name: "analytic Gaussian",
  draw: (noise, loss, { groups, amount }) => noise.gaussian(amount * Math.sqrt(groups) * analyticSigma(loss)),
  variance: (loss, { groups, amount }) => groups * (amount * analyticSigma(loss)) ** 2,
}

/** The kinds of noise that a peer may choose from. */
export const noiseKinds: readonly NoiseKind[] = [laplaceKind, classicalKind, analyticKind]

/** A loss cut into equal parts, as sequential composition allows. */
export function split({ epsilon, delta }: Loss, parts: number): Loss {
  return { epsilon: epsilon / parts, delta: delta / parts }
}

/** The standard deviation for an L2 sensitivity of 1: sqrt(2 ln(1.25 / delta)) / epsilon. */
export function classicalSigma({ epsilon, delta }: Loss): number {
  return Math.sqrt(2 * Math.log(1.25 / delta)) / epsilon
}

const sigmas = new Map<string, number>()

/** The least standard deviation for an L2 sensitivity of 1, by bisection on the exact delta. */
export function analyticSigma({ epsilon, delta }: Loss): number {
  const key = `${epsilon} ${delta}`
  const before = sigmas.get(key)
  if (before !== undefined) return before
  let [low, high] = [0.01, 1e6]
  for (let turn = 0; turn < 200; turn += 1) {
    const middle = Math.sqrt(low * high)
    if (gaussianDelta(epsilon, middle) > delta) low = middle
    else high = middle
  }
  sigmas.set(key, high)
  return high
}

/** Theorem 8 of Balle and Wang (2018), for an L2 sensitivity of 1. */
export function gaussianDelta(epsilon: number, sigma: number): number {
  const [a, b] = [1 / (2 * sigma), epsilon * sigma]
  return normalCdf(a - b) - Math.exp(epsilon) * normalCdf(-a - b)
}

/** The normal distribution function: a series near 0, a continued fraction in the tails. */
export function normalCdf(x: number): number {
  if (x > 0) return 1 - normalCdf(-x)
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  if (x < -4) {
    let fraction = 0
    for (let k = 100; k >= 1; k -= 1) fraction = k / (-x + fraction)
    return density / (-x + fraction)
  }
  let term = x
  let sum = x
  for (let k = 1; k < 200; k += 1) {
    term *= (x * x) / (2 * k + 1)
    sum += term
  }
  return 0.5 + density * sum
}

/** How far up a normal law a tail of probability p begins. */
export function normalUpper(p: number): number {
  let [low, high] = [-40, 40]
  for (let turn = 0; turn < 200; turn += 1) {
    const middle = (low + high) / 2
    if (normalCdf(-middle) > p) low = middle
    else high = middle
  }
  return high
}
