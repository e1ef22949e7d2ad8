// The mean of a number from randomized reports, and of values by key.

import { fail } from "../errors/errors.ts"
import { numberNear } from "../exact/dyadic.ts"
import type { KeyValueProtocol } from "../local/key-value.ts"
import { meanReading, meanReports, type MeanProtocol } from "../local/mean.ts"
import { openUnit } from "../post/estimates/check.ts"
import { normalUpper } from "../post/estimates/normal-quantile.ts"
import type { Tally } from "./counters.ts"

/** A mean, between the ends that the number was declared to have. */
export interface MeanEstimate {
  readonly reports: number
  readonly confidence: number
  readonly mean: number
  readonly variance: number
  readonly lower: number
  readonly upper: number
}

/**
 * Estimates the mean of a number between `low` and `high`.
 *
 * Unbiased, exactly: each report is read so that its mean is the number (meanReading). The variance is that
 * of the readings, so the interval is about the population that the people were drawn from; it treats the sum
 * as normal, and is cut to what can be.
 */
export function estimateMean(
  protocol: MeanProtocol,
  tally: Tally,
  options: { readonly low: number; readonly high: number; readonly confidence: number },
): MeanEstimate {
  const { reports } = tally
  if (!(reports > 1)) fail("parameter/empty", { name: "reports" })
  const width = normalUpper((1 - openUnit(options.confidence, "confidence")) / 2)
  const readings = readingsOf(protocol)
  let sum = 0
  for (const [report, count] of tally.counts.entries()) sum += count * (readings[report] ?? 0)
  const middle = sum / reports
  let squares = 0
  for (const [report, count] of tally.counts.entries()) {
    squares += count * ((readings[report] ?? 0) - middle) ** 2
  }
  const half = (options.high - options.low) / 2
  const variance = (squares / (reports - 1) / reports) * half * half
  const mean = options.low + (middle + 1) * half
  const reach = width * Math.sqrt(variance)
  return {
    reports,
    confidence: options.confidence,
    mean,
    variance,
    lower: Math.max(options.low, Math.min(options.high, mean - reach)),
    upper: Math.min(options.high, Math.max(options.low, mean + reach)),
  }
}

/** What each report is read as, between -1 and 1 on average. */
export function readingsOf(protocol: MeanProtocol): Float64Array {
  const { offset, slope, sign } = meanReading(protocol)
  const [from, rise, size] = [numberNear(offset), numberNear(slope), numberNear(sign)]
  const count = meanReports(protocol)
  return Float64Array.from({ length: count }, (_, report) =>
    report < count - 2 ? from + rise * report : report === count - 2 ? -size : size,
  )
}

/** The variance of one reading, for a number at this level: exactly what its law gives. */
export function readingVariance(protocol: MeanProtocol, level: number): number {
  const readings = readingsOf(protocol)
  const { levels, window } = protocol
  const [place, near] = [protocol.piecewise / 2 ** 52, protocol.near / 2 ** 52]
  const plus = (protocol.least + level * protocol.step) / 2 ** 52
  let [mean, square] = [0, 0]
  const take = (report: number, chance: number): void => {
    const reading = readings[report] ?? 0
    mean += chance * reading
    square += chance * reading * reading
  }
  for (let report = 0; report < levels + window; report += 1) {
    const isNear = report >= level && report < level + window
    take(report, place * (isNear ? near / window : (1 - near) / levels))
  }
  take(levels + window, (1 - place) * (1 - plus))
  take(levels + window + 1, (1 - place) * plus)
  return square - mean * mean
}

/** How many people have a key, and the mean of its values. */
export interface KeyEstimate {
  readonly share: number
  readonly shareVariance: number
  readonly lower: number
  readonly upper: number
  /** The sum of values over all people divided by their number; unbiased. */
  readonly valueShare: number
  /** The mean value among those who have the key: a ratio of two estimates, cut to [-1, 1]. */
  readonly mean: number
  readonly meanVariance: number
}

/**
 * Estimates shares and means by key.
 *
 * A person with at most `pairs` keys has each of them drawn with probability 1 / pairs. With N the signs of a
 * key: E[N / n] = b + (f / pairs) (a - b) and E[(plus - minus) / n] = (f m / pairs) a (2 p - 1), with f the
 * share and m the mean; both estimates are unbiased where nobody has more keys than `pairs`. The mean is
 * their ratio, with the variance of the first order; where the share is within noise of 0 it says nothing.
 */
export function estimateKeyValues(
  protocol: KeyValueProtocol,
  tally: Tally,
  { confidence }: { readonly confidence: number },
): readonly KeyEstimate[] {
  const { reports, counts } = tally
  if (!(reports > 0)) fail("parameter/empty", { name: "reports" })
  const width = normalUpper((1 - openUnit(confidence, "confidence")) / 2)
  const [a, b, p] = [protocol.present, protocol.absent, protocol.truth].map((t) => t / 2 ** 52)
  if (a === undefined || b === undefined || p === undefined) return []
  const [gap, turn] = [(a - b) / protocol.pairs, (a * (2 * p - 1)) / protocol.pairs]
  return Array.from({ length: protocol.keys }, (_, key) => {
    // The first bit of a key is its minus.
    const [minus, plus] = [(counts[2 * key] ?? 0) / reports, (counts[2 * key + 1] ?? 0) / reports]
    const speaks = plus + minus
    const share = (speaks - b) / gap
    const shareVariance = (speaks * (1 - speaks)) / reports / (gap * gap)
    const valueShare = (plus - minus) / turn
    const valueVariance = (speaks - (plus - minus) ** 2) / reports / (turn * turn)
    const covariance = ((plus - minus) * (1 - speaks)) / reports / (gap * turn)
    const mean = Math.max(-1, Math.min(1, share === 0 ? 0 : valueShare / share))
    const reach = width * Math.sqrt(shareVariance)
    return {
      share,
      shareVariance,
      lower: Math.max(0, Math.min(1, share - reach)),
      upper: Math.min(1, Math.max(0, share + reach)),
      valueShare,
      mean,
      meanVariance: (valueVariance - 2 * mean * covariance + mean * mean * shareVariance) / (share * share),
    }
  })
}
