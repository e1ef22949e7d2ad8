// Composition of privacy losses on one lattice: tilt, transform, multiply, transform back. Tilting by
// e^(theta L) moves the mass to the epsilon in question, so that rounding errors are small against the delta
// there, however small it is.

import { assert } from "../../errors/assert.ts"
import { fftError, inverseTransform, transform, type ComplexVector } from "./fft.ts"
import type { LatticeLoss } from "./discretize.ts"
import {
  allPoints,
  areFinite,
  cumulant,
  fewPoints,
  largestSize,
  outsideLogs,
  tiltedSums,
  windowOf,
  type Repeated,
} from "./tilt.ts"

/** A value of delta between two bounds that include all rounding. */
export interface DeltaBounds {
  readonly lower: number
  readonly upper: number
}

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
    const exponent = theta * Math.max(...all.map(({ values: losses }) => largestSize(losses)))
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
