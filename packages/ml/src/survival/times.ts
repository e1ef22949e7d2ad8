// Survival from one table of times: in which stretch each unit was last seen, and whether by an event. The
// curve of Kaplan and Meier and the rates of the piecewise exponential model are both read from it.

import {
  countSensitivity,
  laplace,
  releaseLaplace,
  type LaplaceSpec,
  type Neighbours,
} from "@dosimeter/core/mechanisms"
import { numberNear, type Numeric } from "@dosimeter/core/exact"
import type { RandomBits } from "@dosimeter/core/noise"
import { survivalCurve, type NoisyNumbers, type SurvivalPoint } from "@dosimeter/core/post"
import { fail } from "../errors.ts"

/** What is asked for. */
export interface TimesOptions {
  /** Times are counted up to here; who is seen later was without the event then. */
  readonly end: number
  /** Stretches of equal length up to the end. */
  readonly bins: number
  readonly epsilon: Numeric
  readonly neighbours: Neighbours
}

/** A table to be measured. */
export interface Times {
  readonly end: number
  readonly bins: number
  readonly spec: LaplaceSpec
}

/** Each unit's last time, and 1 where the event ended it. */
export interface TimeData {
  readonly times: Float64Array
  readonly events: Uint8Array
}

/**
 * A measured table: events by stretch, then those last seen in each without one, and last those at the end.
 */
export interface NoisyTimes {
  readonly plan: Times
  readonly counts: readonly number[]
}

/** Checks what is asked. Nothing is read. */
export function times({ end, bins, epsilon, neighbours }: TimesOptions): Times {
  if (!(end > 0 && Number.isFinite(end))) fail("model/unbounded-feature", { name: "the time" })
  if (!Number.isInteger(bins) || bins < 1 || bins > 1000)
    fail("model/bad-setting", { name: "bins", got: `${bins}`, range: "a whole number from 1 to 1000" })
  const sensitivity = countSensitivity({
    groupsPerUnit: 1,
    groupsInAll: 2 * bins + 1,
    rowsPerGroup: 1,
    neighbours,
  })
  return { end, bins, spec: laplace({ sensitivity, epsilon }) }
}

/**
 * The exact table: people by stretch and event.
 *
 * Guarantee: a unit changes one count by 1.
 * Needs: one row a unit (the caller).
 * Proof: a row's place is a function of its own time and event; a row without a time counts as seen at 0.
 * Numerics: integers.
 * Source: none.
 */
export function countTimes({ end, bins }: Times, data: TimeData): bigint[] {
  const counts = Array.from({ length: 2 * bins + 1 }, () => 0n)
  for (const [row, time] of data.times.entries()) {
    const clamped = Number.isNaN(time) ? 0 : Math.max(0, time)
    const bin = Math.floor((clamped / end) * bins)
    const place = bin >= bins ? 2 * bins : data.events[row] === 1 ? bin : bins + bin
    counts[place] = (counts[place] ?? 0n) + 1n
  }
  return counts
}

/**
 * Measures the table.
 *
 * Guarantee: the loss is lossOf(plan.spec).
 * Needs: one row a unit (the caller).
 * Proof: countTimes for what a unit changes; releaseLaplace for the rest.
 * Numerics: integers.
 * Source: as releaseLaplace of core.
 */
export function releaseTimes(plan: Times, data: TimeData, rng: RandomBits): NoisyTimes {
  return { plan, counts: releaseLaplace(plan.spec, countTimes(plan, data), rng).map(Number) }
}

/** The chance to be without the event at the end of each stretch, with intervals (survivalCurve of core). */
export function kaplanMeier(measured: NoisyTimes, miss = 0.05): readonly SurvivalPoint[] {
  return survivalCurve(numbersOf(measured), miss)
}

/** Who was there at the end stays in the last stretch without an event: they were at risk in all of it. */
function numbersOf({ plan, counts }: NoisyTimes): NoisyNumbers {
  const { bins } = plan
  const atEnd = counts.at(-1) ?? 0
  const values = counts.slice(0, -1).map((count, place) => (place === 2 * bins - 1 ? count + atEnd : count))
  const scale = numberNear(plan.spec.scale)
  return {
    values,
    varianceOf: (coefficients) => {
      const last = (coefficients[2 * bins - 1] ?? 0) ** 2
      const squares = coefficients.reduce((sum, coefficient) => sum + coefficient ** 2, last)
      return { normal: 0, laplace: 2 * scale * scale * squares }
    },
  }
}

/** Events per unit of time, constant within a stretch. */
export interface Hazard {
  readonly from: number
  readonly to: number
  /** Undefined where nobody seems to be at risk. */
  readonly rate: number | undefined
  /** Of the noise and of the sample together, to first order. */
  readonly deviation: number
}

/**
 * The piecewise exponential model: events over time at risk, in `pieces` runs of stretches. Who is last
 * seen in a stretch is at risk in half of it.
 */
export function hazards({ plan, counts }: NoisyTimes, pieces: number): readonly Hazard[] {
  const { bins, end, spec } = plan
  if (!Number.isInteger(pieces) || pieces < 1 || pieces > bins)
    fail("model/bad-setting", { name: "pieces", got: `${pieces}`, range: `a whole number from 1 to ${bins}` })
  const width = end / bins
  const noise = 2 * numberNear(spec.scale) ** 2
  const at = (place: number): number => counts[place] ?? 0
  let later = at(2 * bins)
  const risk = new Float64Array(bins)
  for (let bin = bins - 1; bin >= 0; bin -= 1) {
    risk[bin] = width * (later + (at(bin) + at(bins + bin)) / 2)
    later += at(bin) + at(bins + bin)
  }
  return Array.from({ length: pieces }, (_, piece) => {
    const [first, after] = [Math.round((piece * bins) / pieces), Math.round(((piece + 1) * bins) / pieces)]
    let [events, exposure, spread] = [0, 0, 0]
    for (let bin = first; bin < after; bin += 1) {
      events += at(bin)
      exposure += risk[bin] ?? 0
    }
    for (let bin = first; bin < bins; bin += 1) {
      const stretches = Math.min(after, bin + 1) - first - (bin < after ? 0.5 : 0)
      spread += (bin === bins - 1 ? 3 : 2) * noise * (stretches * width) ** 2
    }
    const isClear = exposure > 0
    const rate = isClear ? Math.max(0, events / exposure) : undefined
    const own = noise * (after - first) + Math.max(1, events)
    return {
      from: first * width,
      to: after * width,
      rate,
      deviation: isClear ? Math.sqrt(own + (rate ?? 0) ** 2 * spread) / exposure : Infinity,
    }
  })
}
