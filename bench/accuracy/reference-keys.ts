// Which keys may be shown, and which are the largest, as peers decide it: thresholds on noisy counts
// (Korolova et al. 2009; Wilson et al. 2020), on weights (Gopi et al. 2020), and the truncated geometric
// selection (Desfontaines et al. 2022) of Google's library.

import {
  analyticSigma,
  laplaceKind,
  normalUpper,
  split,
  type Loss,
  type NoiseKind,
  type PlainNoise,
} from "./reference-noise.ts"

/** A key that is shown, by its place, with a noisy count where there is one. */
export interface ShownKey {
  readonly key: number
  readonly units: number
}

/** What a peer's selection works with. */
export interface KeyProtection {
  readonly loss: Loss
  readonly groups: number
  readonly noise: PlainNoise
}

/** The chance that a key may have that a single unit holds, if a unit holds so many. */
function deltaPerKey(delta: number, groups: number): number {
  return -Math.expm1(Math.log1p(-delta) / groups)
}

/** The count from which a key is shown with Laplace noise. */
export function laplaceThreshold({ epsilon, delta }: Loss, groups: number): number {
  return 1 - (groups / epsilon) * Math.log(2 * deltaPerKey(delta, groups))
}

/** Noise and threshold of the Gaussian selection: half of delta for the noise, half for the threshold. */
export function gaussianThreshold(
  { epsilon, delta }: Loss,
  groups: number,
): {
  readonly sigma: number
  readonly threshold: number
} {
  const sigma = analyticSigma({ epsilon, delta: delta / 2 }) * Math.sqrt(groups)
  return { sigma, threshold: 1 + sigma * normalUpper(deltaPerKey(delta / 2, groups)) }
}

/** Noisy counts with Laplace noise, shown above a threshold. */
export function laplaceSelection(
  counts: readonly number[],
  { loss, groups, noise }: KeyProtection,
): readonly ShownKey[] {
  const threshold = laplaceThreshold(loss, groups)
  return above(counts, threshold, () => noise.laplace(groups / loss.epsilon))
}

/** Noisy counts with Gaussian noise, shown above a threshold. */
export function gaussianSelection(
  counts: readonly number[],
  { loss, groups, noise }: KeyProtection,
): readonly ShownKey[] {
  const { sigma, threshold } = gaussianThreshold(loss, groups)
  return above(counts, threshold, () => noise.gaussian(sigma))
}

/**
 * The weighted Gaussian of Gopi et al. 2020 (DPSU): who is in t keys adds 1 / sqrt(t) to each. The threshold
 * is the largest over t of 1 / sqrt(t) + sigma Phi^-1((1 - delta / 2)^(1 / t)).
 */
export function weightedSelection(
  weights: readonly number[],
  { loss, groups, noise }: KeyProtection,
): readonly ShownKey[] {
  const { sigma, threshold } = weightedThreshold(loss, groups)
  return above(weights, threshold, () => noise.gaussian(sigma))
}

/** Noise and threshold of the weighted Gaussian. */
export function weightedThreshold(
  { epsilon, delta }: Loss,
  groups: number,
): { readonly sigma: number; readonly threshold: number } {
  const sigma = analyticSigma({ epsilon, delta: delta / 2 })
  const each = Array.from({ length: groups }, (_, place) => place + 1)
  const thresholds = each.map((t) => 1 / Math.sqrt(t) + sigma * normalUpper(deltaPerKey(delta / 2, t)))
  return { sigma, threshold: Math.max(...thresholds) }
}

/** Each key with the greatest probability that the loss allows; no counts. */
export function geometricSelection(
  counts: readonly number[],
  { loss, groups, noise }: KeyProtection,
): readonly ShownKey[] {
  const most = counts.reduce((max, count) => Math.max(max, count), 0)
  const keep = keepProbabilities(loss, groups, most)
  return counts.flatMap((count, key) => (noise.uniform() < (keep[count] ?? 1) ? [{ key, units: 0 }] : []))
}

/** pi(n) = min(e^eps pi(n-1) + d, 1 - e^-eps (1 - pi(n-1) - d), 1), pi(0) = 0. */
export function keepProbabilities({ epsilon, delta }: Loss, groups: number, most: number): readonly number[] {
  const [e, d] = [epsilon / groups, deltaPerKey(delta, groups)]
  const keep = [0]
  for (let n = 1; n <= most; n += 1) {
    const before = keep[n - 1] ?? 0
    keep.push(Math.min(Math.exp(e) * before + d, 1 - Math.exp(-e) * (1 - before - d), 1))
  }
  return keep
}

/** GoogleSQL: half of the loss selects keys by a Laplace threshold, half counts what is shown. */
export function splitSelection(
  counts: readonly number[],
  { loss, groups, noise }: KeyProtection,
): readonly ShownKey[] {
  const half = split(loss, 2)
  const selected = laplaceSelection(counts, { loss: { ...half, delta: loss.delta }, groups, noise })
  return selected.map(({ key }) => ({
    key,
    units: (counts[key] ?? 0) + laplaceKind.draw(noise, half, { groups, amount: 1 }),
  }))
}

/** The k largest noisy counts, where all keys are public: noise on every count, then sorted. */
export function noisyTop(
  counts: readonly number[],
  k: number,
  protection: KeyProtection & { readonly kind: NoiseKind },
): readonly ShownKey[] {
  const { kind, noise, loss, groups } = protection
  const all = counts.map((count, key) => ({
    key,
    units: count + kind.draw(noise, loss, { groups, amount: 1 }),
  }))
  return largest(all, k)
}

/** The k largest of what is shown. */
export function largest(shown: readonly ShownKey[], k: number): readonly ShownKey[] {
  return shown.toSorted((a, b) => b.units - a.units).slice(0, k)
}

function above(counts: readonly number[], threshold: number, draw: () => number): readonly ShownKey[] {
  return counts.flatMap((count, key) => {
    if (count === 0) return []
    const units = count + draw()
    return units >= threshold ? [{ key, units }] : []
  })
}
