// How many people have each value: the unbiased estimate with its exact variance and an interval, and beside
// it the nearest shares that are not negative and add up to one.

import { fail } from "../errors/errors.ts"
import { numberNear } from "../exact/dyadic.ts"
import { divide, multiply, one, subtract } from "../exact/rational.ts"
import { supportOf } from "../local/channel.ts"
import type { FrequencyProtocol } from "../local/protocol.ts"
import { openUnit } from "../post/estimates/check.ts"
import { normalUpper } from "../post/estimates/normal-quantile.ts"
import { projectOntoSimplex } from "../post/consistency/simplex.ts"
import type { Tally } from "./counters.ts"
import { projectiveCounts } from "./projective-counts.ts"
import { hadamardCounts } from "./transforms.ts"

/** The share of people with one value. */
export interface ShareEstimate {
  /** Unbiased; it may be negative or above 1. */
  readonly share: number
  /** Of the share, over the randomness of the reports, for the people who took part. */
  readonly variance: number
  readonly lower: number
  readonly upper: number
}

/** The shares of all values. */
export interface FrequencyEstimates {
  readonly reports: number
  readonly confidence: number
  readonly raw: readonly ShareEstimate[]
  /** Norm-Sub: not negative, and they add up to one. Slightly biased, and closer on the whole. */
  readonly consistent: readonly number[]
}

/** What the variance of a share needs: n Var = atZero + share slope. */
export interface ShareNoise {
  readonly p: number
  readonly q: number
  readonly atZero: number
  readonly slope: number
}

/**
 * Estimates the share of each value.
 *
 * With C(v) the reports that stand for v, (C(v) / n - q) / (p - q) has the mean f(v), since a report stands
 * for its own answer with probability p and for any other with q. C(v) is a sum of independent coins, so
 * n Var = q (1 - q) / (p - q)^2 + f (1 - p - q) / (p - q), exactly.
 *
 * Intervals are score intervals: the shares whose standard error, at that share, does not rule out the
 * estimate. They hold for one value at a time and treat the sum of coins as normal. They are about the people
 * who took part, not about those that they stand for.
 */
export function estimateFrequencies(
  protocol: FrequencyProtocol,
  tally: Tally,
  { confidence }: { readonly confidence: number },
): FrequencyEstimates {
  const { reports } = tally
  if (!(reports > 0)) fail("parameter/empty", { name: "reports" })
  const noise = shareNoise(protocol)
  const width = normalUpper((1 - openUnit(confidence, "confidence")) / 2)
  const raw = standingCounts(protocol, tally).map((count) =>
    shareOf(count / reports, noise, { reports, width }),
  )
  const shares = raw.map(({ share }) => share)
  const isAll = protocol.kind !== "hashing"
  return {
    reports,
    confidence,
    raw,
    // A list of candidates need not hold every answer: there, only what is negative is known to be wrong.
    consistent: isAll
      ? projectOntoSimplex(shares, { total: 1 })
      : shares.map((share) => Math.min(1, Math.max(0, share))),
  }
}

/** How many reports stand for each value. */
export function standingCounts(protocol: FrequencyProtocol, { counts }: Tally): readonly number[] {
  if (protocol.kind === "hadamard") return hadamardCounts(counts, protocol.values)
  if (protocol.kind === "projective") return projectiveCounts(counts, protocol)
  return counts
}

/** The noise in a share, from the exact probabilities of the protocol. */
export function shareNoise(protocol: FrequencyProtocol): ShareNoise {
  const { p, q } = supportOf(protocol)
  const gap = subtract(p, q)
  return {
    p: numberNear(p),
    q: numberNear(q),
    atZero: numberNear(divide(multiply(q, subtract(one, q)), multiply(gap, gap))),
    slope: numberNear(divide(subtract(subtract(one, p), q), gap)),
  }
}

function shareOf(
  stood: number,
  { p, q, atZero, slope }: ShareNoise,
  { reports, width }: { readonly reports: number; readonly width: number },
): ShareEstimate {
  const share = (stood - q) / (p - q)
  const likely = Math.min(1, Math.max(0, share))
  // (f - share)^2 = width^2 (atZero + f slope) / n, solved for f.
  const [a, b] = [(width * width * atZero) / reports, (width * width * slope) / reports]
  const middle = share + b / 2
  const reach = Math.sqrt(Math.max(0, middle * middle - share * share + a))
  return {
    share,
    variance: (atZero + likely * slope) / reports,
    lower: Math.max(0, Math.min(1, middle - reach)),
    upper: Math.min(1, Math.max(0, middle + reach)),
  }
}
