// A privacy loss on a lattice, twice: one law that dominates the true one and one that it dominates. The true
// curve of delta against epsilon lies between theirs, also after any number of compositions.

import { assert } from "../../errors/assert.ts"
import type { LossAtom, LossLaw, SmoothLoss } from "./loss-law.ts"

/** Probabilities of the losses (first + i) step - shift, i = 0, 1, ..., and of an infinite loss. */
export interface LatticeLoss {
  readonly step: number
  readonly shift: number
  readonly first: number
  readonly mass: Float64Array
  readonly infinite: number
}

/** The law above and the law below. */
export interface Bracket {
  readonly above: LatticeLoss
  readonly below: LatticeLoss
}

/** Gauss and Legendre's points on [-1, 1] and their weights, by number of points. */
const rules: readonly (readonly (readonly [node: number, weight: number])[])[] = [
  [
    [-0.5773502691896257, 1],
    [0.5773502691896257, 1],
  ],
  [
    [-0.7745966692414834, 5 / 9],
    [0, 8 / 9],
    [0.7745966692414834, 5 / 9],
  ],
  [
    [-0.8611363115940526, 0.3478548451374538],
    [-0.3399810435848563, 0.6521451548625461],
    [0.3399810435848563, 0.6521451548625461],
    [0.8611363115940526, 0.3478548451374538],
  ],
]
/**
 * Panels narrower than these do with two or three points: a normal density over them is integrated to about
 * 1e-13.
 */
const twoPointsBelow = 2e-4
const threePointsBelow = 5e-3
const panelMax = 0.1

/**
 * Puts a loss on the lattice of multiples of `step`.
 *
 * Above: the probability p of losses in a cell [a, a + h] is split between its ends so that both p = P(cell)
 * and Q(cell) = E[e^-L; cell] stay what they are. Splitting so is the reverse of a post-processing (whoever
 * sees the end can simulate the cell), so the new pair dominates. Below: all outcomes nearest to one lattice
 * point are merged into one, a post-processing, whose loss is ln(P/Q) of the merged cell; it differs from the
 * lattice point by the order of h^2. The common shift covers that; a cell for which it does not is put one
 * point lower, since lowering a loss lowers delta.
 */
export function discretize(law: LossLaw, step: number): Bracket {
  const cells = collect(law, step)
  const { smooth, lower } = law
  return {
    above: cells.above({
      infinite: law.infinite + (smooth?.above ?? 0),
      lowest: { loss: smooth?.lossAt(smooth.from) ?? 0, mass: smooth?.below ?? 0 },
    }),
    below: lower === undefined ? cells.below(law.infinite) : collect(lower, step).below(lower.infinite),
  }
}

function collect(law: LossLaw, step: number): Cells {
  const { from, to } = rangeOf(law, step)
  const cells = new Cells(from, to, step)
  for (const { loss, mass } of law.atoms) cells.add(loss, mass)
  if (law.smooth !== undefined) addSmooth(cells, law.smooth)
  return cells
}

function rangeOf(law: LossLaw, step: number): { from: number; to: number } {
  const losses = law.atoms.map(({ loss }) => loss)
  const { smooth } = law
  if (smooth !== undefined) losses.push(smooth.lossAt(smooth.from), smooth.lossAt(smooth.to))
  if (losses.length === 0) losses.push(0)
  const lowest = losses.reduce((a, b) => Math.min(a, b), Infinity)
  const highest = losses.reduce((a, b) => Math.max(a, b), -Infinity)
  return { from: Math.floor(lowest / step) - 1, to: Math.ceil(highest / step) + 1 }
}

/** Integrates the density over half cells, so that both laws can be read off. */
function addSmooth(cells: Cells, smooth: SmoothLoss): void {
  const end = smooth.lossAt(smooth.to)
  let x = smooth.from
  let half = Math.floor((2 * smooth.lossAt(smooth.from)) / cells.step)
  while (x < smooth.to) {
    half += 1
    const boundary = (half * cells.step) / 2
    const next = boundary >= end ? smooth.to : smooth.whereLoss(boundary)
    // Where the loss is nearly flat, rounding may put a boundary a hair back, or nowhere: it then comes
    // later.
    if (!(next > x)) continue
    addPanels(cells, smooth, { from: x, to: next })
    x = next
  }
}

function addPanels(cells: Cells, smooth: SmoothLoss, range: { from: number; to: number }): void {
  const width = range.to - range.from
  const panels = Math.ceil(width / panelMax)
  const radius = width / panels / 2
  const rule = rules[width < twoPointsBelow ? 0 : width < threePointsBelow ? 1 : 2] ?? []
  for (let panel = 0; panel < panels; panel += 1) {
    const centre = range.from + (2 * panel + 1) * radius
    for (const [node, weight] of rule) {
      const x = centre + radius * node
      cells.add(smooth.lossAt(x), radius * weight * smooth.density(x))
    }
  }
}

/** Collects probability by lattice cell, for both laws at once. */
class Cells {
  readonly step: number
  readonly #first: number
  readonly #above: Float64Array
  /** Merged around each lattice point: P, and P - Q e^point. */
  readonly #merged: Float64Array
  readonly #excess: Float64Array

  constructor(from: number, to: number, step: number) {
    this.step = step
    this.#first = from
    this.#above = new Float64Array(to - from + 2)
    this.#merged = new Float64Array(to - from + 2)
    this.#excess = new Float64Array(to - from + 2)
  }

  add(loss: number, mass: number): void {
    const place = Math.floor(loss / this.step)
    const i = place - this.#first
    const offset = loss - place * this.step
    const high = (mass * Math.expm1(-offset)) / Math.expm1(-this.step)
    this.#above[i] = (this.#above[i] ?? 0) + mass - high
    this.#above[i + 1] = (this.#above[i + 1] ?? 0) + high
    const isUpper = 2 * offset >= this.step
    const j = isUpper ? i + 1 : i
    this.#merged[j] = (this.#merged[j] ?? 0) + mass
    this.#excess[j] = (this.#excess[j] ?? 0) - mass * Math.expm1(isUpper ? this.step - offset : -offset)
  }

  /** The law above; `lowest` is probability of losses that are at most so large. */
  above(outside: { infinite: number; lowest: LossAtom }): LatticeLoss {
    const mass = this.#above
    const place = Math.ceil(outside.lowest.loss / this.step) - this.#first
    mass[place] = (mass[place] ?? 0) + outside.lowest.mass
    const total = mass.reduce((sum, p) => sum + p, outside.infinite)
    assert(Math.abs(total - 1) < 1e-9, "a loss on the lattice has all of its probability")
    return { step: this.step, first: this.#first, shift: 0, mass, infinite: outside.infinite }
  }

  /** The law below, without what lies outside but for what is surely infinite. */
  below(infinite: number): LatticeLoss {
    return { step: this.step, first: this.#first, infinite, ...this.#merge() }
  }

  /** How far the merged loss ln(P/Q) falls short of its lattice point, and a shift that covers most of it. */
  #merge(): { mass: Float64Array; shift: number } {
    const count = this.#merged.length
    const short = new Float64Array(count)
    for (let i = 0; i < count; i += 1) {
      const p = this.#merged[i] ?? 0
      // P / (Q e^point) = 1 / (1 - excess / P), so ln of it is -log1p(-excess / P).
      if (p > 0) short[i] = Math.max(0, Math.log1p(-(this.#excess[i] ?? 0) / p))
    }
    const shift = shiftFor(short, this.#merged, this.step)
    const mass = new Float64Array(count + 1)
    for (let i = 0; i < count; i += 1) {
      const to = (short[i] ?? 0) <= shift ? i : i - 1
      if (to >= 0) mass[to] = (mass[to] ?? 0) + (this.#merged[i] ?? 0)
    }
    return { mass, shift }
  }
}

/**
 * A shift for the law below: any is valid. What is not covered falls by a whole step; it weighs by the root
 * of its probability, since tails matter more than they are large.
 */
function shiftFor(short: Float64Array, mass: Float64Array, step: number): number {
  // By powers of two below the step.
  const sizes = 40
  const beyond = new Float64Array(sizes + 1)
  short.forEach((value, i) => {
    const size = Math.min(sizes, Math.max(0, Math.floor(-Math.log2(value / step))))
    if (value > 0) beyond[size] = (beyond[size] ?? 0) + (mass[i] ?? 0)
  })
  let best = { cost: Infinity, shift: step }
  let uncovered = 0
  for (let size = 0; size <= sizes; size += 1) {
    const shift = step * 2 ** -size + step * 1e-9
    const cost = shift + step * Math.sqrt(uncovered)
    if (cost < best.cost) best = { cost, shift }
    uncovered += beyond[size] ?? 0
  }
  return best.shift
}
