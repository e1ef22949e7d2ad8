// Estimates of several sites as one: each with the variance of all of its error, sampling and noise. Whoever
// leaves the noise out believes noisy sites too much, and the interval is too narrow.

import { assert } from "../../errors/assert.ts"

/** What a site has estimated: a log odds ratio, a mean, a rate. */
export interface SiteEstimate {
  readonly value: number
  /** Of sampling: what the estimate's variance would be without noise. */
  readonly sampling: number
  /** Of the noise in it; 0 where there is none. */
  readonly noise: number
}

/** One estimate from all. */
export interface PooledEstimate {
  readonly value: number
  readonly standardError: number
  /** What each site counts for; they add up to 1. */
  readonly weights: readonly number[]
}

/** What several estimates say together. */
export interface MetaAnalysis {
  /** If all sites estimate the same: inverse variances as weights. */
  readonly fixed: PooledEstimate
  /** If what they estimate varies between sites (DerSimonian and Laird 1986). */
  readonly random: PooledEstimate
  /**
   * The standard error of `random` from how much estimates really differ (Hartung and Knapp, Sidik and
   * Jonkman), for t intervals with `degrees` degrees of freedom: better than `random`'s own where sites are few.
   */
  readonly hartungKnapp: number
  readonly degrees: number
  /** Cochran's Q, the variance between sites, and the share of Q beyond chance, from 0 to 1. */
  readonly q: number
  readonly between: number
  readonly inconsistency: number
}

/** Pools two or more estimates. Each needs a variance above 0. */
export function metaAnalysis(estimates: readonly SiteEstimate[]): MetaAnalysis {
  assert(estimates.length >= 2, "one estimate is not pooled")
  const values = estimates.map(({ value }) => value)
  const variances = estimates.map(({ sampling, noise }) => sampling + noise)
  assert(
    variances.every((one) => one > 0 && one < Infinity) && values.every(Number.isFinite),
    "estimates have errors",
  )
  const fixed = pooled(values, variances)
  const precisions = variances.map((variance) => 1 / variance)
  const q = sum(values.map((value, index) => (precisions[index] ?? 0) * (value - fixed.value) ** 2))
  const total = sum(precisions)
  const degrees = estimates.length - 1
  const spread = total - sum(precisions.map((one) => one ** 2)) / total
  const between = Math.max(0, (q - degrees) / spread)
  const random = pooled(
    values,
    variances.map((variance) => variance + between),
  )
  const scatter = sum(
    values.map((value, index) => (random.weights[index] ?? 0) * (value - random.value) ** 2),
  )
  return {
    fixed,
    random,
    hartungKnapp: Math.sqrt(scatter / degrees),
    degrees,
    q,
    between,
    inconsistency: q > degrees ? (q - degrees) / q : 0,
  }
}

function pooled(values: readonly number[], variances: readonly number[]): PooledEstimate {
  const precisions = variances.map((variance) => 1 / variance)
  const total = sum(precisions)
  const weights = precisions.map((one) => one / total)
  return {
    value: sum(values.map((value, index) => value * (weights[index] ?? 0))),
    standardError: Math.sqrt(1 / total),
    weights,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}
