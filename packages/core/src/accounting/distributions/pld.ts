// The accountant by privacy-loss distributions: delta at an epsilon, and epsilon at a delta, for a batch of
// releases that is declared beforehand, between two bounds that include discretisation and rounding. Not for
// stopping rules: a filter must not be built on this (see filter.ts).

import { fail } from "../../errors/errors.ts"
import { rationalOfNumber, numberUp, numberDown } from "../../exact/dyadic.ts"
import { isPositive } from "../../exact/rational.ts"
import { ComposedLoss, infiniteOf } from "./compose-pld.ts"
import { discretize, type Bracket } from "./discretize.ts"
import { gdpToDelta, gdpToEpsilon } from "../conversions/gaussian-delta.ts"
import { gaussianLaw, type LossLaw, type LossPair } from "./loss-law.ts"
import { atomicDelta, atomicEpsilon, isAtomic } from "./single-atoms.ts"
import { largestSum, tiltFor, tiltForDelta, type Repeated } from "./tilt.ts"

/** So many releases with the same worst pair. */
export interface CountedPair {
  readonly pair: LossPair
  readonly count: number
}

/** A batch of releases: Gaussians by their total mu, which is exact, and the others by their pairs. */
export interface PldBatch {
  readonly gaussianMu: number
  readonly pairs: readonly CountedPair[]
  /** At most so many lattice points for one release: fewer are quicker, and the bounds are further apart. */
  readonly cells?: number
}

/** A value between two bounds. */
export interface Bounds {
  readonly lower: number
  readonly upper: number
}

/** How much of ln(delta) the discretisation may cost, about. */
const accuracy = 2e-4
/** How far into the tail that is meant, in standard deviations. */
const depth = 7
/** The window of a sum has about this many points at most (from 30,000 releases on that is what decides). */
const pointsMax = 2 ** 19
/** More lattice points than this are not worth their time. */
const cellsMax = 2 ** 19

/** The two directions of a batch, each as a bracket of lattice losses. */
export class PldAccount {
  readonly #batch: PldBatch
  /** A single release on atoms: its laws, which need no lattice. */
  readonly #single: readonly LossLaw[]
  readonly #directions: readonly { above: readonly Repeated[]; below: readonly Repeated[] }[]

  constructor(batch: PldBatch) {
    this.#batch = batch
    const gaussian = batch.gaussianMu > 0 ? [{ pair: gaussianLaw(batch.gaussianMu), count: 1 }] : []
    const all = [...batch.pairs, ...gaussian]
    if (all.length === 0) fail("parameter/empty", { name: "planned releases" })
    const isSymmetric = all.every(({ pair }) => pair.forward === pair.backward)
    const sides: readonly ("forward" | "backward")[] = isSymmetric ? ["forward"] : ["forward", "backward"]
    const [only, ...others] = all
    const isSingle = only !== undefined && others.length === 0 && only.count === 1 && isAtomic(only.pair)
    this.#single = isSingle ? sides.map((side) => only.pair[side]) : []
    const { cells = cellsMax } = batch
    this.#directions =
      isSingle || batch.pairs.length === 0 ? [] : sides.map((side) => discretizeAll(all, side, cells))
  }

  /** delta at this epsilon: the truth lies between the bounds. */
  deltaAt(epsilon: number): Bounds {
    if (this.#single.length > 0) return worst(this.#single.map((law) => atomicDelta(law, epsilon)))
    if (this.#directions.length === 0) return this.#gaussianDelta(epsilon)
    return this.#worst(({ above, below }) => ({
      upper: new ComposedLoss(above, tiltFor(above, epsilon)).deltaAt(epsilon).upper,
      lower: new ComposedLoss(below, tiltFor(below, epsilon)).deltaAt(epsilon).lower,
    }))
  }

  /** The least epsilon that keeps delta: the truth lies between the bounds. */
  epsilonAt(delta: number): Bounds {
    if (this.#single.length > 0) return worst(this.#single.map((law) => atomicEpsilon(law, delta)))
    if (this.#directions.length === 0) return this.#gaussianEpsilon(delta)
    return this.#worst(({ above, below }) => ({
      upper: solveUpper(above.map(trimmed(delta, "infinite")), delta),
      lower: solveLower(below.map(trimmed(delta, "dropped")), delta),
    }))
  }

  /** The upper bound alone, in half the time. */
  epsilonAtMost(delta: number): number {
    if (this.#single.length > 0 || this.#directions.length === 0) return this.epsilonAt(delta).upper
    return Math.max(
      ...this.#directions.map(({ above }) => solveUpper(above.map(trimmed(delta, "infinite")), delta)),
    )
  }

  #worst(value: (side: { above: readonly Repeated[]; below: readonly Repeated[] }) => Bounds): Bounds {
    return worst(this.#directions.map(value))
  }

  #gaussianDelta(epsilon: number): Bounds {
    const upper = gdpToDelta(rationalOfNumber(this.#batch.gaussianMu), rationalOfNumber(epsilon))
    // gdpToDelta is within a 2^-40 part of the truth.
    return { upper: numberUp(upper), lower: numberDown(upper) * (1 - 2 ** -39) }
  }

  #gaussianEpsilon(delta: number): Bounds {
    if (!(delta > 0)) return { upper: Infinity, lower: Infinity }
    const [mu, exact] = [rationalOfNumber(this.#batch.gaussianMu), rationalOfNumber(delta)]
    const upper = gdpToEpsilon(mu, exact)
    // How near it came is seen, not assumed: for a tiny mu the search that it starts from is less precise.
    for (let slack = 30; slack > 0 && isPositive(upper); slack -= 6) {
      const lower = numberDown(upper) * (1 - 2 ** -slack)
      if (this.#gaussianDelta(lower).lower > delta) return { upper: numberUp(upper), lower }
    }
    return { upper: numberUp(upper), lower: 0 }
  }
}

/** Of both directions the worse one counts. */
function worst(values: readonly Bounds[]): Bounds {
  return {
    lower: Math.max(...values.map(({ lower }) => lower)),
    upper: Math.max(...values.map(({ upper }) => upper)),
  }
}

function discretizeAll(
  all: readonly CountedPair[],
  side: "forward" | "backward",
  cells: number,
): { above: readonly Repeated[]; below: readonly Repeated[] } {
  const laws = all.map(({ pair, count }) => ({ law: pair[side], count }))
  const step = stepFor(laws, cells)
  const parts = laws.map(({ law, count }) => ({ bracket: discretize(law, step), count }))
  const side2 = (which: keyof Bracket): readonly Repeated[] =>
    parts.map(({ bracket, count }) => ({ loss: bracket[which], count }))
  return { above: side2("above"), below: side2("below") }
}

/**
 * Splitting to the ends of a cell adds at most h^2/4, on average h^2/6, to the variance of each loss; `depth`
 * standard deviations out, that changes ln(delta) by about depth^2 K h^2 / (12 S^2), with S^2 the variance of
 * the sum of K.
 */
function stepFor(laws: readonly { law: LossLaw; count: number }[], cells: number): number {
  let variance = 0
  let count = 0
  let widest = 0
  for (const { law, count: times } of laws) {
    const { width, spread } = roughSize(law)
    variance += times * spread * spread
    count += times
    widest = Math.max(widest, width)
  }
  const wanted = Math.max(
    Math.sqrt((12 * accuracy * variance) / count) / depth,
    widest / cells,
    (24 * Math.sqrt(variance)) / pointsMax,
  )
  // Where nothing varies, any step will do.
  return alignedStep(laws, wanted > 0 ? wanted : 1)
}

/**
 * A step no larger than wanted on whose lattice the greatest atom lies, so that it is not split: losses with
 * atoms only, such as randomized response, then have no discretisation error at all. If they share one atom
 * size, it is the step.
 */
function alignedStep(laws: readonly { law: LossLaw; count: number }[], wanted: number): number {
  const sizes = laws.flatMap(({ law }) => law.atoms.map(({ loss }) => Math.abs(loss)))
  const atom = sizes.reduce((a, b) => Math.max(a, b), 0)
  if (atom === 0) return wanted
  const isPlain = laws.every(({ law }) => law.smooth === undefined)
  const isOneSize = sizes.every((size) => size < atom * 1e-12 || Math.abs(size - atom) < atom * 1e-12)
  return isPlain && isOneSize ? atom : atom / Math.ceil(atom / wanted)
}

function roughSize(law: LossLaw): { width: number; spread: number } {
  const losses = law.atoms.map(({ loss }) => loss)
  if (law.smooth !== undefined)
    losses.push(law.smooth.lossAt(law.smooth.from), law.smooth.lossAt(law.smooth.to))
  const width =
    losses.reduce((a, b) => Math.max(a, b), -Infinity) - losses.reduce((a, b) => Math.min(a, b), Infinity)
  if (!(width > 0)) return { width: 0, spread: 0 }
  const rough = discretize(law, width / 8192).below
  let total = 0
  let mean = 0
  rough.mass.forEach((p, i) => {
    total += p
    mean += p * (rough.first + i) * rough.step
  })
  mean /= total
  let sum = 0
  rough.mass.forEach((p, i) => {
    const value = (rough.first + i) * rough.step - mean
    sum += p * value * value
  })
  return { width, spread: Math.sqrt(sum / total) }
}

/**
 * Cuts off so much of the highest losses that delta changes by a part in 10^5 at most. A long thin tail would
 * otherwise make the transforms long. Counted as infinite it bounds the law from above, left out from below.
 */
function trimmed(delta: number, as: "infinite" | "dropped"): (part: Repeated) => Repeated {
  return ({ loss, count }) => {
    const { mass } = loss
    let cut = 0
    let end = mass.length
    while (end > 1 && (cut + (mass[end - 1] ?? 0)) * count <= 1e-5 * delta) {
      end -= 1
      cut += mass[end] ?? 0
    }
    // Where little is gained (a loss that ends at its largest atom) nothing is done.
    if (end > 0.9 * mass.length) return { loss, count }
    const infinite = as === "infinite" ? loss.infinite + cut * (1 + 1e-12) : loss.infinite
    return { loss: { ...loss, mass: mass.slice(0, end), infinite }, count }
  }
}

/** The least epsilon at which the upper bound on delta was seen to keep it; Infinity if none does. */
function solveUpper(parts: readonly Repeated[], delta: number): number {
  const infinite = infiniteOf(parts)
  if (delta < infinite) return Infinity
  // At the largest finite loss only what is infinite is left.
  let best = Math.max(0, largestSum(parts))
  if (delta === infinite) return best
  let tilt = tiltForDelta(parts, delta - infinite)
  for (let round = 0; round < 2; round += 1) {
    const composed = new ComposedLoss(parts, tilt)
    best = leastKeeping((epsilon) => composed.deltaAt(epsilon).upper, delta, best)
    const next = tiltFor(parts, best)
    // Close enough: what the first tilt saw well includes this epsilon.
    if (Math.abs(next - tilt) <= 0.05 * Math.max(next, tilt)) break
    tilt = next
  }
  return best
}

/**
 * An epsilon at which the lower bound on delta was seen to pass it, near the greatest; Infinity if it always
 * does, 0 if none was found. Far from the tilt's own epsilon the lower bound is 0, so the search is by the
 * upper.
 */
function solveLower(parts: readonly Repeated[], delta: number): number {
  const near = solveUpper(parts, delta)
  if (!(near > 0 && near < Infinity)) return near
  const composed = new ComposedLoss(parts, tiltFor(parts, near))
  for (let less = 2 ** -32; less < 1; less *= 4) {
    if (composed.deltaAt(near * (1 - less)).lower > delta) return near * (1 - less)
  }
  return 0
}

/**
 * Bisection sped up by interpolating ln(delta), which is nearly straight; returns an end that keeps delta.
 */
function leastKeeping(deltaAt: (epsilon: number) => number, delta: number, most: number): number {
  const target = Math.log(delta)
  const logAt = (epsilon: number): number => Math.log(Math.max(deltaAt(epsilon), 1e-320))
  let low = 0
  let lowLog = logAt(0)
  if (lowLog <= target) return 0
  let high = most
  let highLog = logAt(most)
  if (highLog > target) return most
  for (let step = 0; step < 60 && high - low > 1e-9 * high; step += 1) {
    // A little to the right of where the line meets the target, then to the left: so both ends move.
    const share = (lowLog - target) / (lowLog - highLog) + (step % 3 === 0 ? 0.05 : -0.05)
    const middle =
      step % 3 === 2 ? (low + high) / 2 : low + (high - low) * Math.min(0.999, Math.max(0.001, share))
    const log = logAt(middle)
    if (log <= target) {
      high = middle
      highLog = log
    } else {
      low = middle
      lowLog = log
    }
  }
  return high
}
