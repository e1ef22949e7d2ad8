// The hazard ratio of two groups by a piecewise-exponential model, from one histogram of (group, time bin,
// event or not). Noise widens its interval like another source of chance.

import { checkLength, checkLimit, openUnit } from "../estimates/check.ts"
import { mixedWidth, totalVariance, type NoisyNumbers } from "../estimates/noisy-numbers.ts"
import { at } from "../estimates/vector.ts"
import { clearance, logRankBinsMax, tableOf, usedBins } from "./log-rank.ts"
import type { SampledEstimate } from "./sampled-ratio.ts"

/**
 * The hazard of the second group over that of the first.
 *
 * `numbers` are as those of the log-rank test for two groups. In each bin both groups have a constant hazard,
 * whose ratio is the same in all bins: D events of both are d in the second with D p = D e1 r / (e0 + e1 r)
 * expected, e being the time at risk. Who has the event or is last seen in a bin was at risk for half of it.
 *
 * Value: the r at which observed and expected events are equal: that of the greatest likelihood. Undefined
 * where one group's events cannot be told from none.
 *
 * Interval: of ln r, from the variance 1 / I of the sample, I = sum of D p (1 - p), plus that of the noise,
 * carried through to first order. It stops before the first bin in which a group's number at risk drowns in
 * the noise, as the log-rank test does.
 * Coverage: approximate, as ln r is taken for normal; checked in epidemiology.stat.test.ts.
 */
export function hazardRatio(numbers: NoisyNumbers, miss: number): SampledEstimate {
  openUnit(miss, "miss")
  const bins = Math.floor(numbers.values.length / 4)
  checkLength(numbers.values, { name: "numbers", expected: 4 * bins })
  checkLimit(bins, { name: "bins", limit: logRankBinsMax })
  const parts = partsOf(numbers)
  if (!hasEvents(numbers, bins, parts.length)) return unknown
  const root = rootOf(parts)
  const { information } = scoreAt(parts, root)
  if (!(information > 0)) return unknown
  const noise = numbers.varianceOf(gradientAt(parts, root, bins))
  const width = mixedWidth(
    { normal: 1 / information + noise.normal / information ** 2, laplace: noise.laplace / information ** 2 },
    miss,
  )
  return { value: Math.exp(root), low: Math.exp(root - width), high: Math.exp(root + width) }
}

const unknown: SampledEstimate = { value: undefined, low: 0, high: Infinity }

/** One bin: events of both groups, of the second, and the time at risk of each, in bins. */
interface Part {
  readonly all: number
  readonly second: number
  readonly atRisk: readonly [number, number]
}

function partsOf(numbers: NoisyNumbers): readonly Part[] {
  const bins = numbers.values.length / 4
  const table = tableOf(numbers.values, 2, bins)
  const used = usedBins(numbers, table)
  const parts: Part[] = []
  for (let bin = 0; bin < used; bin += 1) {
    const timeOf = (group: number): number => {
      const risk = table.atRisk[group] ?? []
      return (at(risk, bin) + (bin + 1 < bins ? at(risk, bin + 1) : 0)) / 2
    }
    const atRisk = [timeOf(0), timeOf(1)] as const
    if (!(Math.min(...atRisk) >= 0 && Math.max(...atRisk) > 0)) break
    parts.push({ all: at(table.allEvents, bin), second: at(table.events[1] ?? [], bin), atRisk })
  }
  return parts
}

/** Whether events of each group stand out of their noise. */
function hasEvents({ values, varianceOf }: NoisyNumbers, bins: number, used: number): boolean {
  return [0, 1].every((group) => {
    const own = values.map((_, place) => Number(place >= 2 * bins * group && place < 2 * bins * group + used))
    const events = values.reduce((sum, value, place) => sum + at(own, place) * value, 0)
    return events > 0 && events > clearance * Math.sqrt(totalVariance(varianceOf(own)))
  })
}

function scoreAt(
  parts: readonly Part[],
  root: number,
): { readonly score: number; readonly information: number } {
  let [score, information] = [0, 0]
  for (const part of parts) {
    const share = shareOf(part, root)
    score += part.second - part.all * share
    information += part.all * share * (1 - share)
  }
  return { score, information }
}

/** The share of a bin's events that is expected in the second group. */
function shareOf({ atRisk: [first, second] }: Part, root: number): number {
  const weight = second * Math.exp(root)
  return weight / (first + weight)
}

/** The score falls from the events of the second group to minus those of the first. */
function rootOf(parts: readonly Part[]): number {
  let [low, high] = [-most, most]
  for (let step = 0; step < 100; step += 1) {
    const middle = (low + high) / 2
    if (scoreAt(parts, middle).score > 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** A ratio beyond e to this is none. */
const most = 30

/** The derivative of the score by every number. */
function gradientAt(parts: readonly Part[], root: number, bins: number): readonly number[] {
  const gradient = Array.from({ length: 4 * bins }, () => 0)
  const ratio = Math.exp(root)
  for (const group of [0, 1]) {
    const from = 2 * bins * group
    let before = 0
    for (let bin = 0; bin < bins; bin += 1) {
      const part = parts[bin]
      let [event, own] = [0, 0]
      if (part !== undefined) {
        const whole = part.atRisk[0] + part.atRisk[1] * ratio
        event = group - shareOf(part, root)
        own = -((group === 0 ? 1 : ratio) * part.all * event) / whole
      }
      // Who is in a bin was at risk in all bins before it, and in half of this one.
      gradient[from + bin] = before + own / 2 + event
      gradient[from + bins + bin] = before + own / 2
      before += own
    }
  }
  return gradient
}
