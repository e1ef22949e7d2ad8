// Rényi divergence as a curve over its order, what mechanisms have of it, and how it becomes (epsilon,
// delta). Curves are upper bounds in doubles, raised by a part in 10^12 for their roundings; they add up
// under composition.

import { fail } from "../errors/errors.ts"
import type { LossAtom } from "./distributions/loss-law.ts"

/** An upper bound on the Rényi divergence of every order above 1. */
export interface RenyiCurve {
  at(order: number): number
}

/** What doubles may have lost on the way, made up for. */
const raised = 1 + 2e-12

/** Gaussian noise: a mu^2 / 2, exactly. zCDP is the same line with rho in place of mu^2 / 2. */
export function zcdpCurve(rho: number): RenyiCurve {
  return { at: (order) => order * rho * (1 + 2 ** -50) }
}

/**
 * The worst curve of a pure loss epsilon: that of randomized response, ln(cosh((a - 1/2) e) / cosh(e/2)) / (a
 * - 1); see pure-to-zcdp.ts.
 */
export function pureCurve(epsilon: number): RenyiCurve {
  return {
    at: (order) => Math.min(epsilon, (responseExcess(order, epsilon) / (order - 1)) * raised),
  }
}

/** A mechanism whose log ratios span a range of at most epsilon, such as the exponential mechanism. */
export function boundedRangeCurve(epsilon: number): RenyiCurve {
  const pure = pureCurve(epsilon)
  return { at: (order) => Math.min(pure.at(order), ((order * epsilon * epsilon) / 8) * raised) }
}

/** Continuous Laplace noise, for comparison with textbooks: Mironov 2017, proposition 6. */
export function continuousLaplaceCurve(epsilon: number): RenyiCurve {
  return {
    at: (order) => {
      // E e^((a-1) L) = (a e^((a-1) e) + (a-1) e^(-a e)) / (2a - 1); what its terms have of first order
      // cancels.
      const grown = (order - 1) * epsilon
      const excess =
        grown > 30
          ? grown + Math.log(order / (2 * order - 1))
          : Math.log1p((order * bow(grown) + (order - 1) * bow(-order * epsilon)) / (2 * order - 1))
      // Above 30 the second term is left out: it is below e^-60 of the first.
      return Math.min(epsilon, (excess / (order - 1)) * raised)
    },
  }
}

/**
 * A loss that takes finitely many values under P: ln E e^((a-1) L) / (a - 1), from both directions if they
 * differ.
 */
export function atomsCurve(...directions: readonly (readonly LossAtom[])[]): RenyiCurve {
  const most = directions.flat().reduce((sum, { loss }) => Math.max(sum, loss), 0)
  return {
    at: (order) => {
      const values = directions.map((atoms) => excessOfAtoms(atoms, order))
      return Math.min(most * raised, (Math.max(...values) / (order - 1)) * raised)
    },
  }
}

/** The sum of curves: composition, also when later releases depend on earlier ones. */
export function addCurves(
  curves: readonly { readonly curve: RenyiCurve; readonly count: number }[],
): RenyiCurve {
  return { at: (order) => curves.reduce((sum, { curve, count }) => sum + count * curve.at(order), 0) }
}

/**
 * A curve known at some orders only. Between them (a - 1) D_a is convex in a, and 0 at a = 1, so the straight
 * line between two known points lies above it; beyond the last order nothing is known.
 */
export function gridCurve(orders: readonly number[], values: readonly number[]): RenyiCurve {
  if (orders.length !== values.length || orders.length === 0) {
    fail("parameter/length", { name: "values", got: `${values.length}`, expected: `${orders.length}` })
  }
  const known = [{ order: 1, scaled: 0 }]
  orders.forEach((order, i) => known.push({ order, scaled: (order - 1) * (values[i] ?? Infinity) }))
  known.sort((a, b) => a.order - b.order)
  return {
    at: (order) => {
      const next = known.findIndex((point) => point.order >= order)
      const to = known[next]
      const from = known[next - 1]
      if (to === undefined || from === undefined) return Infinity
      const share = (order - from.order) / (to.order - from.order)
      return ((from.scaled + share * (to.scaled - from.scaled)) / (order - 1)) * raised
    },
  }
}

/**
 * The epsilon that a Rényi curve gives at delta: the best order of a search; every order is valid.
 *
 * Guarantee: a mechanism with this curve is (epsilon, delta)-private for the epsilon returned.
 * Needs: the curve bounds the divergence in both directions; 0 < delta < 1 (the callers).
 * Proof: for each order a, epsilon = D_a + ln(1 - 1/a) - (ln delta + ln a) / (a - 1) will do (the source).
 * Numerics: doubles; the curve is raised by more than they lose, and the result by as much again.
 * Source: Canonne, Kamath, Steinke 2020, proposition 12; "classic": Mironov 2017, proposition 3, for
 *   comparison.
 */
export function renyiToEpsilon(
  curve: RenyiCurve,
  delta: number,
  formula: "tight" | "classic" = "tight",
): number {
  const best = bestOrder((order) => renyiEpsilonAt({ order, divergence: curve.at(order) }, delta, formula))
  return best.value * raised
}

/** The epsilon at delta that one order gives. */
export function renyiEpsilonAt(
  point: { readonly order: number; readonly divergence: number },
  delta: number,
  formula: "tight" | "classic" = "tight",
): number {
  const { order, divergence } = point
  const log = Math.log(delta)
  if (formula === "classic") return divergence - log / (order - 1)
  const gain = Math.log1p(-1 / order)
  const price = -(log + Math.log(order)) / (order - 1)
  // The terms may cancel: what they lost is made up for at their size, not at the result's.
  const lost = 2 ** -50 * (divergence - gain + Math.abs(price))
  return Math.max(0, divergence + gain + price + lost)
}

/** The order with the least cost: a coarse look, then golden section on ln(a - 1) around the best. */
export function bestOrder(cost: (order: number) => number): { order: number; value: number } {
  const at = (x: number): number => {
    const value = cost(1 + Math.exp(x))
    return Number.isNaN(value) ? Infinity : value
  }
  // From 1 + e^-10 to e^38: an epsilon of 1e-12 at a delta of 1e-300 needs an order of 1e15.
  const looks = Array.from({ length: 129 }, (_, i) => -10 + i * 0.375)
  const values = looks.map(at)
  const place = values.indexOf(Math.min(...values))
  const golden = (Math.sqrt(5) - 1) / 2
  let from = looks[Math.max(0, place - 1)] ?? -10
  let to = looks[Math.min(128, place + 1)] ?? 38
  for (let step = 0; step < 48; step += 1) {
    const left = to - golden * (to - from)
    const right = from + golden * (to - from)
    if (at(left) <= at(right)) to = right
    else from = left
  }
  const middle = (from + to) / 2
  const look = looks[place] ?? 0
  const x = at(middle) <= (values[place] ?? Infinity) ? middle : look
  return { order: 1 + Math.exp(x), value: at(x) }
}

/** ln E e^((a-1) L) = ln(1 + E[e^((a-1)L) - 1 - ...]) without cancellation for small losses. */
function excessOfAtoms(atoms: readonly LossAtom[], order: number): number {
  const power = order - 1
  const peak = atoms.reduce((most, { loss }) => Math.max(most, loss), 0) * power
  if (peak > 30) {
    const sum = atoms.reduce((total, { loss, mass }) => total + mass * Math.exp(power * loss - peak), 0)
    return Math.log(sum) + peak
  }
  // E[e^(pL)] - 1, using E[e^-L] = 1: e^(pL) - 1 + p (e^-L - 1) is never negative.
  const sum = atoms.reduce((total, { loss, mass }) => total + mass * twoSided(loss, power), 0)
  return Math.log1p(sum)
}

/** e^(pL) - 1 + p (e^-L - 1) >= 0: what its terms have of first order cancels. */
function twoSided(loss: number, power: number): number {
  return bow(power * loss) + power * bow(-loss)
}

/** e^x - 1 - x >= 0, accurately for small x: its series starts with x^2 / 2. */
function bow(x: number): number {
  if (Math.abs(x) > 0.1) return Math.expm1(x) - x
  let term = x
  let sum = 0
  for (let k = 2; k <= 11; k += 1) {
    term *= x / k
    sum += term
  }
  return sum
}

/**
 * ln(cosh x / cosh y) with x = (a - 1/2) e and y = e/2: without overflow, and without cancellation when a is
 * near 1 or e small.
 */
function responseExcess(order: number, epsilon: number): number {
  const difference = (order - 1) * epsilon
  const sum = order * epsilon
  if (sum < 300 && difference < 2) {
    // cosh x - cosh y = 2 sinh((x+y)/2) sinh((x-y)/2)
    return Math.log1p((2 * Math.sinh(sum / 2) * Math.sinh(difference / 2)) / Math.cosh(epsilon / 2))
  }
  return difference + Math.log1p(Math.exp(-sum - difference)) - Math.log1p(Math.exp(-epsilon))
}
