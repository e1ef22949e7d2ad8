// Rényi divergence of a release on a Poisson sample of the units. All sums have terms of one sign: with
// w = q (e^L - 1) and E_Q[w] = 0, E_Q[(1 + w)^a] - 1 = E_Q[(1 + w)^a - 1 - a w], and each term is at least 0.

import { assert } from "../errors/assert.ts"
import { mixedLog, type LossAtom } from "./distributions/loss-law.ts"
import type { RenyiCurve } from "./renyi.ts"

/** What doubles may have lost on the way, made up for; logarithms of binomials lose more at large orders. */
const raised = 1 + 4e-12
const raisedPerOrder = 1e-13
/** Up to here orders between integers are integrated; beyond, time would grow with the order for nothing. */
const fractionalOrderMax = 64
const integerOrderMax = 4096
/** An integral of more points than this (a sigma below 0.05 or so) is not worth its time. */
const pointsMax = 50_000

/**
 * Gaussian noise of standard deviation sigma (for sensitivity 1) on a Poisson sample at rate q,
 * add-or-remove.
 *
 * Integer orders: ln(1 + sum_j C(a, j) (1-q)^(a-j) q^j (e^(j(j-1)/2s^2) - 1)) / (a - 1). Other orders: the
 * integral by the trapezoidal rule, which for an integrand analytic in a strip of half width d errs by about
 * e^(-2 pi d / h): the nearest singularity is pi s^2 away, and the normal density allows any d, so h = min(s,
 * s^2) / 8 leaves less than e^-150. The direction (1-q) N(0) + q N(1) against N(0) has the larger divergence:
 * Mironov, Talwar, Zhang 2019, theorem 5.
 */
export function subsampledGaussianCurve(q: number, sigma: number): RenyiCurve {
  assert(q > 0 && q <= 1 && sigma > 0, "a sampling rate lies in (0, 1], and a standard deviation is positive")
  return {
    at: (order) => {
      // Divergences grow with the order, so the next integer stands for a large one; a sample is no worse
      // than the whole.
      if (q === 1 || order > integerOrderMax) return (order / (2 * sigma * sigma)) * raised
      const isIntegrated = order <= fractionalOrderMax && (order + 28 * sigma) / meshOf(sigma) < pointsMax
      const used = isIntegrated ? order : Math.ceil(order)
      const log = Number.isInteger(used) ? integerExcess(used, q, sigma) : integralExcess(used, q, sigma)
      return (log / (used - 1)) * (raised + raisedPerOrder * used)
    },
  }
}

/**
 * A loss with finitely many values (Laplace noise on the integers, randomized response) on a Poisson sample
 * at rate q, add-or-remove: the larger of both directions.
 */
export function subsampledAtomsCurve(atoms: readonly LossAtom[], q: number): RenyiCurve {
  const underQ = atoms.map(({ loss, mass }) => ({ w: q * Math.expm1(loss), mass: mass * Math.exp(-loss) }))
  return {
    at: (order) => {
      const forward = Math.log1p(underQ.reduce((sum, { w, mass }) => sum + mass * bend(w, order), 0))
      // Q against the mixture: E_Q (1 + w)^(1 - a).
      const backward = Math.log1p(underQ.reduce((sum, { w, mass }) => sum + mass * bend(w, 1 - order), 0))
      return (Math.max(forward, backward) / (order - 1)) * raised
    },
  }
}

/**
 * Gaussian noise on a Poisson sample, for replace neighbours: (1-q) N(0) + q N(1) against (1-q) N(0) + q
 * N(-1); that this pair is the worst is shown at replacedGaussianLaw. By the trapezoidal rule.
 */
export function replacedGaussianCurve(q: number, sigma: number): RenyiCurve {
  return {
    at: (order) => {
      const h = meshOf(sigma)
      // The power of the second mixture, which is below 1 here, pushes the peak out to 2a - 1 at most (q =
      // 1).
      const reach = 2 * order + 14 * sigma
      // Beyond, the whole in place of a sample: N(1) against N(-1).
      if (q === 1 || order > fractionalOrderMax || (2 * reach) / h > pointsMax) {
        return ((2 * order) / (sigma * sigma)) * raised
      }
      const side = (x: number): number => mixedLog((2 * x - 1) / (2 * sigma * sigma), q)
      let peak = -Infinity
      const logs: number[] = []
      for (let x = -reach; x <= reach; x += h) {
        // P^a Q^(1-a) = N(x) (side+)^a (side-)^(1-a).
        const log = order * side(x) + (1 - order) * side(-x) - (x * x) / (2 * sigma * sigma)
        logs.push(log)
        peak = Math.max(peak, log)
      }
      const sum = logs.reduce((total, log) => total + Math.exp(log - peak), 0)
      const value = Math.log(sum * (h / (sigma * Math.sqrt(2 * Math.PI)))) + peak
      // Near 0 this form cancels: an absolute 1e-14 a step is made up for.
      return ((Math.max(0, value) + 1e-13) / (order - 1)) * raised
    },
  }
}

function integerExcess(order: number, q: number, sigma: number): number {
  let logChoose = Math.log(order) + Math.log((order - 1) / 2)
  const terms: number[] = []
  for (let j = 2; j <= order; j += 1) {
    const growth = (j * (j - 1)) / (2 * sigma * sigma)
    const logGrowth = growth > 30 ? growth + Math.log1p(-Math.exp(-growth)) : Math.log(Math.expm1(growth))
    terms.push(logChoose + (order - j) * Math.log1p(-q) + j * Math.log(q) + logGrowth)
    logChoose += Math.log((order - j) / (j + 1))
  }
  return logOnePlusSum(terms)
}

function integralExcess(order: number, q: number, sigma: number): number {
  const h = meshOf(sigma)
  const from = -14 * sigma
  const to = order + 14 * sigma
  const norm = Math.log(h / (sigma * Math.sqrt(2 * Math.PI)))
  const terms: number[] = []
  for (let x = from; x <= to; x += h) {
    const logDensity = norm - (x * x) / (2 * sigma * sigma)
    const exponent = (2 * x - 1) / (2 * sigma * sigma)
    const logGrowth = mixedLog(exponent, q)
    if (order * logGrowth > 600) {
      // (1 + w)^a alone: what is left out would make it smaller.
      terms.push(logDensity + order * logGrowth)
    } else {
      const value = bend(Math.expm1(logGrowth), order)
      if (value > 0) terms.push(logDensity + Math.log(value))
    }
  }
  return logOnePlusSum(terms)
}

/** (1 + w)^a - 1 - a w >= 0 for a outside (0, 1), accurately for small w. */
function bend(w: number, a: number): number {
  if (Math.abs(w) * Math.max(1, Math.abs(a)) > 1e-2) {
    const log = Math.log1p(w)
    // Near 1 both terms of the second form are small with a - 1, as the value is; near 0 those of the first.
    return Math.abs(a) < 0.5 ? Math.expm1(a * log) - a * w : (1 + w) * Math.expm1((a - 1) * log) - (a - 1) * w
  }
  let term = a * w
  let sum = 0
  for (let k = 2; k <= 9; k += 1) {
    term *= ((a - k + 1) * w) / k
    sum += term
  }
  return sum
}

/** The trapezoidal rule's mesh; see subsampledGaussianCurve. */
function meshOf(sigma: number): number {
  return Math.min(sigma, sigma * sigma) / 8
}

/** ln(1 + sum of e^term). */
function logOnePlusSum(terms: readonly number[]): number {
  const peak = terms.reduce((a, b) => Math.max(a, b), -Infinity)
  if (peak === -Infinity) return 0
  const sum = terms.reduce((total, term) => total + Math.exp(term - peak), 0)
  const log = peak + Math.log(sum)
  return log > 30 ? log + Math.log1p(Math.exp(-log)) : Math.log1p(Math.exp(log))
}
