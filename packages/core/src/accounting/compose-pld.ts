// Composition of privacy losses on one lattice: tilt, transform, multiply, transform back. Tilting by
// e^(theta L) moves the mass to the epsilon in question, so that rounding errors are small against the delta
// there, however small it is.

import { assert } from "../errors/assert.ts"
import { fftError, inverseTransform, transform, type ComplexVector } from "./fft.ts"
import type { LatticeLoss } from "./discretize.ts"

/** So many independent (or adaptively chosen, but declared) releases with this loss. */
export interface Repeated {
  readonly loss: LatticeLoss
  readonly count: number
}

/** A value of delta between two bounds that include all rounding. */
export interface DeltaBounds {
  readonly lower: number
  readonly upper: number
}

/** ln of 1e18: what lies outside the window has less than 1e-18 of the tilted probability. */
const windowLog = 41.5
/** The longest transform; 64 MiB of doubles. */
const lengthMax = 2 ** 22
/** A tilted coefficient's relative rounding error: products and exponentials of doubles. */
const massError = 2e-13
/** Four roundings: what a few operations on doubles lose. */
const unit = 2 ** -51

/** The law of a sum of losses near one epsilon. */
export class ComposedLoss {
  readonly #step: number
  readonly #offset: number
  /** Lattice index of the window's start. */
  readonly #start: number
  readonly #tilted: Float64Array
  readonly #theta: number
  readonly #logMass: number
  readonly #noise: number
  readonly #beyond: number
  readonly #wrapped: number
  readonly #infinite: number
  readonly #relative: number

  /** The bounds hold for every tilt of at least 0; their width is least at the tilt of `tiltFor`. */
  constructor(parts: readonly Repeated[], theta: number) {
    assert(theta >= 0, "a tilt is not negative")
    const [first] = parts
    this.#step = first?.loss.step ?? 1
    this.#theta = theta
    this.#offset = parts.reduce((sum, { loss, count }) => sum + loss.shift * count, 0)
    this.#infinite = infiniteOf(parts)
    const all = allPoints(parts)
    const few = fewPoints(parts)
    this.#logMass = cumulant(all, theta)
    const { from, to } = windowOf(few, theta)
    const length = areFinite(all) ? lengthFor((to - from) / this.#step) : 0
    this.#start = Math.floor(from / this.#step)
    const window = { from: this.#start * this.#step, to: (this.#start + length) * this.#step }
    const outside = outsideLogs({ all, few }, theta, window)
    this.#beyond = Math.exp(Math.min(0, outside.above))
    // Above the window, E[e^(theta L); L >= to] <= e^(theta to) times Chernoff's bound, whatever its sign.
    const tiltedAbove = outside.above + theta * window.to - this.#logMass
    this.#wrapped = Math.min(1, Math.exp(outside.below) + Math.exp(tiltedAbove))
    const { values, noise } =
      length === 0 ? { values: new Float64Array(), noise: 0 } : convolve(parts, theta, length)
    this.#tilted = values
    this.#noise = noise
    const count = parts.reduce((sum, part) => sum + part.count, 1)
    // An exponent theta L carries a few units of its own size.
    const exponent = theta * Math.max(...all.map(({ values: losses }) => largest(losses)))
    this.#relative = (massError + unit * exponent) * count + length * unit
  }

  /** delta at epsilon, between bounds. */
  deltaAt(epsilon: number): DeltaBounds {
    const length = this.#tilted.length
    const step = this.#step
    // Some part is never finite, so neither is the sum.
    if (length === 0) return { lower: this.#infinite, upper: this.#infinite }
    // Lattice points are at index * step - offset; those above epsilon count, and those that rounding may
    // hide.
    const place0 = (epsilon + this.#offset) / step
    const hidden = unit * (Math.abs(place0) + (Math.abs(epsilon) + this.#offset) / step)
    const first = Math.max(this.#start, Math.floor(place0 - hidden) + 1)
    // e^(logMass - theta loss) and e^(epsilon - loss) by repeated products: N roundings, which `relative`
    // covers.
    const untiltStep = Math.exp(-this.#theta * step)
    const decayStep = Math.exp(-step)
    const start = Math.exp(this.#logMass - this.#theta * first * step)
    let untilt = start
    let decay = Math.exp(epsilon - (first * step - this.#offset))
    let sum = 0
    let scale = 0
    let decayed = 0
    let place = ((first % length) + length) % length
    for (let index = first; index < this.#start + length; index += 1) {
      const factor = untilt * Math.max(0, 1 - decay)
      const p = this.#tilted[place] ?? 0
      if (p > 0) {
        sum += p * factor
        decayed += p * untilt * decay
      }
      scale += factor
      untilt *= untiltStep
      decay *= decayStep
      place = place + 1 === length ? 0 : place + 1
    }
    // Where a loss is just above epsilon, 1 - decay keeps of decay's roundings all, and of its size little.
    const decayError = unit * (length + Math.abs(epsilon) + this.#offset + Math.abs(first * step))
    const doubt = scale * this.#noise + sum * this.#relative + decayed * decayError
    // What wraps around the window weighs no more than it would at the first point.
    const wrapped = start * this.#wrapped
    // A tilt that is far off may overflow: then nothing is known.
    const isKnown = Number.isFinite(sum + doubt + wrapped)
    return {
      // The lattice masses are what is left beside the infinite loss, so the two simply add.
      lower: (isKnown ? Math.max(0, sum - doubt - wrapped) : 0) + this.#infinite * (1 - this.#relative),
      upper: isKnown ? Math.min(1, sum + doubt + this.#beyond + this.#infinite * (1 + this.#relative)) : 1,
    }
  }
}

/** The probability that some loss of the sum is infinite. */
export function infiniteOf(parts: readonly Repeated[]): number {
  return -Math.expm1(
    parts.reduce((sum, { loss, count }) => sum + count * Math.log1p(-Math.min(loss.infinite, 1)), 0),
  )
}

/** Has every loss a finite part? */
function areFinite(points: readonly Points[]): boolean {
  return points.every(({ values }) => values.length > 0)
}

/** The largest size of rising values. */
function largest(values: Float64Array): number {
  return Math.max(Math.abs(values[0] ?? 0), Math.abs(values.at(-1) ?? 0))
}

/** Losses (without the shift) and their probabilities, as many times. */
interface Points {
  readonly values: Float64Array
  readonly masses: Float64Array
  readonly count: number
}

/** Every lattice point that has probability: for bounds. */
function allPoints(parts: readonly Repeated[]): Points[] {
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
function fewPoints(parts: readonly Repeated[]): Points[] {
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
function cumulant(points: readonly Points[], theta: number): number {
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
function tiltedSums(
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
function windowOf(points: readonly Points[], theta: number): { from: number; to: number } {
  const base = cumulant(points, theta)
  let to = Infinity
  let from = -Infinity
  const spread = spreadOf(points, theta)
  for (let power = -3; power <= 6; power += 0.5) {
    const t = (2 ** power * Math.sqrt(2 * windowLog)) / (8 * spread)
    to = Math.min(to, (cumulant(points, theta + t) - base + windowLog) / t)
    from = Math.max(from, -(cumulant(points, theta - t) - base + windowLog) / t)
  }
  return { from, to }
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
function outsideLogs(
  losses: { all: readonly Points[]; few: readonly Points[] },
  theta: number,
  window: { from: number; to: number },
): { below: number; above: number } {
  const spread = spreadOf(losses.few, theta)
  const best = { up: { t: theta, log: Infinity }, down: { t: 0, log: Infinity } }
  for (let power = -2; power <= 6; power += 0.5) {
    const t = (2 ** power * Math.sqrt(2 * windowLog)) / (8 * spread)
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

function lengthFor(points: number): number {
  let length = 1024
  while (length < points + 2 && length < lengthMax) length *= 2
  return length
}

/**
 * The tilted law of the sum, wrapped around the window, and how far any value can be off.
 *
 * Every coefficient c of a factor is within e = fftError of the truth, and each product rounds by a few
 * units: so a product of powers is within the product of (|c| (1 + 2^-49) + e)^k less the product of |c|^k,
 * kept in logarithms. The inverse transform takes the mean of these errors, and adds its own. Wrapping adds
 * probability and takes none away.
 */
function convolve(
  parts: readonly Repeated[],
  theta: number,
  length: number,
): { values: Float64Array; noise: number } {
  const product: ComplexVector = { re: new Float64Array(length).fill(1), im: new Float64Array(length) }
  const logHigh = new Float64Array(length)
  const logLow = new Float64Array(length)
  for (const { loss, count } of parts) {
    const factor = tiltedWrapped(loss, theta, length)
    transform(factor)
    addLogs({ logHigh, logLow }, factor, count)
    multiplyPower(product, factor, count)
  }
  let doubt = 0
  let size = 0
  for (let j = 0; j < length; j += 1) {
    const high = Math.exp(logHigh[j] ?? 0)
    size += high
    doubt += high * -Math.expm1((logLow[j] ?? 0) - (logHigh[j] ?? 0))
  }
  inverseTransform(product)
  return { values: product.re, noise: (doubt + fftError(length) * size) / length }
}

function tiltedWrapped(loss: LatticeLoss, theta: number, length: number): ComplexVector {
  const [points] = allPoints([{ loss, count: 1 }])
  const { total, peak } = points === undefined ? { total: 1, peak: 0 } : tiltedSums(points, theta)
  const re = new Float64Array(length)
  for (let i = 0; i < loss.mass.length; i += 1) {
    const p = loss.mass[i] ?? 0
    if (p === 0) continue
    const index = loss.first + i
    const place = ((index % length) + length) % length
    re[place] = (re[place] ?? 0) + (p * Math.exp(theta * index * loss.step - peak)) / total
  }
  return { re, im: new Float64Array(length) }
}

/** Adds count ln|c| to the lower logarithm, and count ln of what |c| may truly be to the upper. */
function addLogs(
  logs: { logHigh: Float64Array; logLow: Float64Array },
  factor: ComplexVector,
  count: number,
): void {
  const { logHigh, logLow } = logs
  const error = fftError(logHigh.length)
  for (let j = 0; j < logHigh.length; j += 1) {
    const re = factor.re[j] ?? 0
    const im = factor.im[j] ?? 0
    const c = Math.sqrt(re * re + im * im)
    logHigh[j] = (logHigh[j] ?? 0) + count * Math.log(c * (1 + 2 ** -49) + error)
    logLow[j] = (logLow[j] ?? 0) + count * Math.log(c)
  }
}

/** product *= factor^count, by repeated squaring; factor is used up. */
function multiplyPower(product: ComplexVector, factor: ComplexVector, count: number): void {
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) multiplyInto(product, factor)
    if (left > 1) multiplyInto(factor, factor)
  }
}

function multiplyInto(target: ComplexVector, by: ComplexVector): void {
  for (let j = 0; j < target.re.length; j += 1) {
    const ar = target.re[j] ?? 0
    const ai = target.im[j] ?? 0
    const br = by.re[j] ?? 0
    const bi = by.im[j] ?? 0
    target.re[j] = ar * br - ai * bi
    target.im[j] = ar * bi + ai * br
  }
}
