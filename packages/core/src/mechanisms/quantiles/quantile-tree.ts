// In which order several quantiles are drawn, and which part of the loss each draw gets. A row takes part in
// the draws on one way from the root to a leaf, so each way may spend all of the loss.

import { assert } from "../../errors/assert.ts"
import { numberNear } from "../../exact/dyadic.ts"
import { sqrtDown } from "../../exact/log.ts"
import { add, compare, multiply, one, rational, subtract, zero, type Rational } from "../../exact/rational.ts"

/** One draw, and the draws on the rows below and above it. */
export interface QuantileTree {
  /** Which of the quantiles it draws, by its place in the list. */
  readonly which: number
  /** The pure loss of the draw. */
  readonly epsilon: Rational
  readonly below?: QuantileTree
  readonly above?: QuantileTree
}

/** What the draws on one way may cost together: the sum of their epsilons, or of the squares of them. */
export interface WayLimit {
  readonly kind: "sum" | "squares"
  readonly amount: Rational
}

/**
 * The draws of growing quantiles, those that are equal to the one before left out: the tree and the shares
 * that make the sum of the variances of all ranks least, in the limit of many rows. Beyond 64 quantiles the
 * middle one is always drawn first.
 *
 * A draw of relative quantile r has a variance of 8 s^2 / epsilon^2 with s = max(r, 1 - r). If a part
 * reaches from quantile a to b, the draw of v between them moves what is drawn later at u by (u-a)/(v-a)
 * or (b-u)/(b-v) of its error: targets are interpolated, and interpolating twice is interpolating once. So
 * a tree costs c/x^2 + K/(rest)^2 with a c of the root and a K of both subtrees together, and the best
 * share x is in proportion to the cube root of c; of the squares, to its square root.
 */
export function quantileTree(quantiles: readonly Rational[], limit: WayLimit): QuantileTree {
  const distinct = distinctPlaces(quantiles)
  const at = [0, ...distinct.map((place) => numberNear(quantiles[place] ?? one)), 1]
  const shape = bestShape(at, limit.kind === "sum" ? cubeRoot : Math.sqrt)
  assert(shape !== undefined, "there is a quantile to draw")
  const build = ({ which, share, below, above }: Shape, left: Rational): QuantileTree => {
    const isLast = below === undefined && above === undefined
    const part = isLast ? left : multiply(left, share)
    const rest = subtract(left, part)
    return {
      which: distinct[which - 1] ?? 0,
      epsilon: limit.kind === "sum" ? part : sqrtDown(part),
      ...(below === undefined ? {} : { below: build(below, rest) }),
      ...(above === undefined ? {} : { above: build(above, rest) }),
    }
  }
  return build(shape, limit.amount)
}

/** The places of a growing list whose value is not that of the place before. */
export function distinctPlaces(quantiles: readonly Rational[]): readonly number[] {
  return quantiles.flatMap((quantile, place) => {
    const before = quantiles[place - 1]
    return before !== undefined && compare(before, quantile) === 0 ? [] : [place]
  })
}

/** The greatest sum over the draws of one way from the root to a leaf. */
export function mostOnAWay(
  tree: QuantileTree | undefined,
  costOf: (draw: QuantileTree) => Rational,
): Rational {
  if (tree === undefined) return zero
  const [below, above] = [mostOnAWay(tree.below, costOf), mostOnAWay(tree.above, costOf)]
  return add(costOf(tree), compare(below, above) > 0 ? below : above)
}

/** All draws of a tree, in the order of the quantiles. */
export function drawsOf(tree: QuantileTree | undefined): readonly QuantileTree[] {
  return tree === undefined ? [] : [...drawsOf(tree.below), tree, ...drawsOf(tree.above)]
}

/** The greatest number of draws on one way. */
export function depthOf(tree: QuantileTree | undefined): number {
  return tree === undefined ? 0 : 1 + Math.max(depthOf(tree.below), depthOf(tree.above))
}

/**
 * The variance of the rank of each quantile, in the limit of many rows and for units of one row that are
 * added or removed.
 */
export function rankVariances(quantiles: readonly Rational[], tree: QuantileTree): readonly number[] {
  const at = quantiles.map(numberNear)
  const variances = at.map(() => 0)
  const visit = (draw: QuantileTree | undefined, a: number, b: number): void => {
    if (draw === undefined) return
    const v = at[draw.which] ?? 0
    const relative = (v - a) / (b - a)
    const own = Math.max(relative, 1 - relative) / numberNear(draw.epsilon)
    for (const [place, u] of at.entries()) {
      if (u <= a || u >= b) continue
      const part = u <= v ? (u - a) / (v - a) : (b - u) / (b - v)
      variances[place] = (variances[place] ?? 0) + 8 * own * own * part * part
    }
    visit(draw.below, a, v)
    visit(draw.above, v, b)
  }
  visit(tree, 0, 1)
  return variances
}

interface Shape {
  readonly which: number
  /** Of what is left for this draw and those after it. */
  readonly share: Rational
  readonly cost: number
  readonly below?: Shape
  readonly above?: Shape
}

/** Shares are in units of this. */
const shareUnit = 65536
/** The longest list of which every tree is compared. */
const comparedMax = 64

/** The best tree of the quantiles strictly between the first and the last of a growing list. */
function bestShape(at: readonly number[], root: (x: number) => number): Shape | undefined {
  const known = new Map<number, Shape | undefined>()
  const power = (x: number): number => (root === Math.sqrt ? x * x : x * x * x)
  const between = (from: number, to: number): Shape | undefined => {
    if (to - from < 2) return undefined
    const key = from * at.length + to
    if (known.has(key)) return known.get(key)
    const middle = from + ((to - from) >> 1)
    const isShort = at.length - 2 <= comparedMax
    const tried = isShort ? Array.from({ length: to - from - 1 }, (_, i) => from + 1 + i) : [middle]
    let best: Shape | undefined
    for (const which of tried) {
      const [below, above] = [between(from, which), between(which, to)]
      const own = root(drawCost(at, { from, which, to }))
      const later = root((below?.cost ?? 0) + (above?.cost ?? 0))
      const cost = power(own + later)
      if (best !== undefined && best.cost <= cost) continue
      const share = rational(BigInt(Math.ceil((own / (own + later)) * (shareUnit - 1))), BigInt(shareUnit))
      best = {
        which,
        share,
        cost,
        ...(below === undefined ? {} : { below }),
        ...(above === undefined ? {} : { above }),
      }
    }
    known.set(key, best)
    return best
  }
  return between(0, at.length - 1)
}

/** What the draw adds to the sum of all variances, at epsilon 1. */
function drawCost(
  at: readonly number[],
  { from, which, to }: { readonly from: number; readonly which: number; readonly to: number },
): number {
  const [a = 0, v = 0, b = 1] = [at[from], at[which], at[to]]
  const relative = (v - a) / (b - a)
  const most = Math.max(relative, 1 - relative)
  let moved = 1
  for (let u = from + 1; u < to; u += 1) {
    const part = u < which ? ((at[u] ?? 0) - a) / (v - a) : u > which ? (b - (at[u] ?? 0)) / (b - v) : 0
    moved += part * part
  }
  return 8 * most * most * moved
}

/** By Newton's method, so that every platform finds the same: Math.cbrt is left to the engine. */
function cubeRoot(x: number): number {
  if (!(x > 0)) return 0
  let root = x > 1 ? x : 1
  for (;;) {
    const next = (2 * root + x / (root * root)) / 3
    if (!(next < root)) return root
    root = next
  }
}
