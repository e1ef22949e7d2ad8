// Tilting: a law of losses weighted by e^(theta L). How large a tilt, how wide a window, and Chernoff's
// bounds on what lies outside: what compose-pld.ts needs to know of a sum before it computes it.

import type { LatticeLoss } from "./discretize.ts"

/** So many independent (or adaptively chosen, but declared) releases with this loss. */
export interface Repeated {
  readonly loss: LatticeLoss
  readonly count: number
}

/** ln of 1e18: what lies outside the window has less than 1e-18 of the tilted probability. */
const windowLog = 41.5
/** Losses (without the shift) and their probabilities, as many times. */
export interface Points {
  readonly values: Float64Array
  readonly masses: Float64Array
  readonly count: number
}

/** Every lattice point that has probability: for bounds. */
export function allPoints(parts: readonly Repeated[]): Points[] {
  return parts.map(({ loss, count }) => {
    const known = spelled.get(loss)
    if (known !== undefined) return { ...known, count }
    const size = loss.mass.reduce((sum, p) => sum + (p > 0 ? 1 : 0), 0)
    const points = { values: new Float64Array(size), masses: new Float64Array(size) }
    let next = 0
    for (let i = 0; i < loss.mass.length; i += 1) {
      const p = loss.mass[i] ?? 0
      if (p <= 0) continue
      points.values[next] = (loss.first + i) * loss.step
      points.masses[next] = p
      next += 1
    }
    spelled.set(loss, points)
    return { ...points, count }
  })
}

const spelled = new WeakMap<LatticeLoss, Pick<Points, "values" | "masses">>()

/**
 * A few thousand points with the same mean: neighbours are joined while they hold little probability together
 * and lie close. For choosing tilts and windows, never for a bound.
 */
export function fewPoints(parts: readonly Repeated[]): Points[] {
  return parts.map(({ loss, count }) => {
    const known = joined.get(loss)
    if (known !== undefined) return { ...known, count }
    const [{ values, masses } = { values: new Float64Array(), masses: new Float64Array() }] = allPoints([
      { loss, count },
    ])
    const widest = ((values.at(-1) ?? 0) - (values[0] ?? 0)) / 2048
    const points: { value: number; mass: number; from: number }[] = []
    values.forEach((value, i) => {
      const mass = masses[i] ?? 0
      const last = points.at(-1)
      if (last === undefined || last.mass + mass > 1 / 2048 || value - last.from > widest) {
        points.push({ value, mass, from: value })
        return
      }
      const sum = last.mass + mass
      points[points.length - 1] = {
        value: last.value + (value - last.value) * (mass / sum),
        mass: sum,
        from: last.from,
      }
    })
    const few = {
      values: Float64Array.from(points, ({ value }) => value),
      masses: Float64Array.from(points, ({ mass }) => mass),
    }
    joined.set(loss, few)
    return { ...few, count }
  })
}

const joined = new WeakMap<LatticeLoss, Pick<Points, "values" | "masses">>()

/** ln E e^(theta L) of the sum. */
export function cumulant(points: readonly Points[], theta: number): number {
  return points.reduce((sum, one) => {
    const { total, peak } = tiltedSums(one, theta)
    return sum + one.count * (Math.log(total) + peak)
  }, 0)
}

/** The mean of the sum under the tilted law: the derivative of the cumulant. */
function tiltedMean(points: readonly Points[], theta: number): number {
  return points.reduce((sum, one) => {
    const { weighted, total } = tiltedSums(one, theta)
    return sum + one.count * (weighted / total)
  }, 0)
}

/** The largest finite loss that the sum can have. */
export function largestSum(parts: readonly Repeated[]): number {
  return parts.reduce((sum, { loss, count }) => {
    const last = loss.mass.findLastIndex((p) => p > 0)
    return sum + count * ((loss.first + last) * loss.step - loss.shift)
  }, 0)
}

/** The tilt that brings the mean of the sum to epsilon; 0 if it is there already or above. */
export function tiltFor(parts: readonly Repeated[], epsilon: number): number {
  return solveTilt(fewPoints(parts), (_, mean) => mean >= epsilon)
}

/**
 * The tilt at which the saddle-point estimate of delta is the one asked: where the search for epsilon begins.
 */
export function tiltForDelta(parts: readonly Repeated[], delta: number): number {
  const target = Math.log(delta)
  const few = fewPoints(parts)
  return solveTilt(few, (theta, mean) => {
    if (theta === 0) return false
    const width = Math.sqrt(2 * Math.PI) * spreadOf(few, theta)
    return cumulant(few, theta) - theta * mean - Math.log1p(theta * (1 + theta) * width) <= target
  })
}

/**
 * The least tilt from which on `reached` holds, or the mean nears its end; near enough: tilts only steer
 * precision.
 */
function solveTilt(points: readonly Points[], reached: (theta: number, mean: number) => boolean): number {
  const most = points.reduce((sum, { values, count }) => sum + count * (values.at(-1) ?? 0), 0)
  const least = tiltedMean(points, 0)
  if (!areFinite(points)) return 0
  const isThere = (theta: number): boolean => {
    const mean = tiltedMean(points, theta)
    return reached(theta, mean) || mean >= least + 0.98 * (most - least)
  }
  if (isThere(0)) return 0
  let high = 1e-3
  while (!isThere(high)) high *= 2
  let low = high > 1e-3 ? high / 2 : 0
  for (let step = 0; step < 24; step += 1) {
    const middle = (low + high) / 2
    if (isThere(middle)) high = middle
    else low = middle
  }
  return high
}

/** Sums of mass e^(theta value), scaled by e^-peak so that nothing overflows. */
export function tiltedSums(
  { values, masses }: Points,
  theta: number,
): { total: number; weighted: number; peak: number } {
  const peak = theta * ((theta >= 0 ? values.at(-1) : values[0]) ?? 0)
  let total = 0
  let weighted = 0
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0
    const term = (masses[i] ?? 0) * Math.exp(theta * value - peak)
    total += term
    weighted += term * value
  }
  return { total, weighted, peak }
}

/** Losses between which all but 1e-18 of the tilted probability lies, by Chernoff's bound. */
export function windowOf(points: readonly Points[], theta: number): { from: number; to: number } {
  const base = cumulant(points, theta)
  let to = Infinity
  let from = -Infinity
  for (const t of stepsFrom(points, theta)) {
    to = Math.min(to, (cumulant(points, theta + t) - base + windowLog) / t)
    from = Math.max(from, -(cumulant(points, theta - t) - base + windowLog) / t)
  }
  return { from, to }
}

/**
 * How far to tilt on for Chernoff's bounds: by the spread of the sum, and by the size of single losses, which
 * counts where a few rare ones are large.
 */
function stepsFrom(points: readonly Points[], theta: number): number[] {
  const spread = spreadOf(points, theta)
  const size = points.reduce((most, { values }) => Math.max(most, largestSize(values)), 0)
  const powers = Array.from({ length: 19 }, (_, i) => 2 ** (-3 + i / 2))
  return powers.flatMap((power) => [
    (power * Math.sqrt(2 * windowLog)) / (8 * spread),
    ...(size > 0 ? [(4 * power) / size] : []),
  ])
}

/** About the standard deviation of the tilted sum. */
function spreadOf(points: readonly Points[], theta: number): number {
  let variance = 0
  for (const one of points) {
    const { total, weighted, peak } = tiltedSums(one, theta)
    const mean = weighted / total
    let sum = 0
    for (let i = 0; i < one.values.length; i += 1) {
      const value = one.values[i] ?? 0
      sum += (one.masses[i] ?? 0) * Math.exp(theta * value - peak) * (value - mean) * (value - mean)
    }
    variance += (one.count * sum) / total
  }
  return Math.max(Math.sqrt(variance), 1e-100)
}

/**
 * The exponents of Chernoff's bounds on what lies outside a window, tilted below and untilted above, in full.
 */
export function outsideLogs(
  losses: { all: readonly Points[]; few: readonly Points[] },
  theta: number,
  window: { from: number; to: number },
): { below: number; above: number } {
  const best = { up: { t: theta, log: Infinity }, down: { t: 0, log: Infinity } }
  for (const t of stepsFrom(losses.few, theta)) {
    const up = cumulant(losses.few, theta + t) - (theta + t) * window.to
    const down = cumulant(losses.few, theta - t) + t * window.from
    if (up < best.up.log) best.up = { t: theta + t, log: up }
    if (down < best.down.log) best.down = { t, log: down }
  }
  const base = cumulant(losses.all, theta)
  return {
    above: cumulant(losses.all, best.up.t) - best.up.t * window.to,
    below: cumulant(losses.all, theta - best.down.t) + best.down.t * window.from - base,
  }
}

/** Has every loss a finite part? */
export function areFinite(points: readonly Points[]): boolean {
  return points.every(({ values }) => values.length > 0)
}

/** The largest size of rising values. */
export function largestSize(values: Float64Array): number {
  return Math.max(Math.abs(values[0] ?? 0), Math.abs(values.at(-1) ?? 0))
}
