// Sums at all levels of a public tree (regions, hospitals, wards) with the least noise in total: the total,
// and for each node how its children compare, get Gaussian noise of their own. Every node is put together
// from the comparisons above it, so children add up to their parents by construction.

import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { numberNear, numberUp, rationalOfNumber, roundDown } from "../../exact/dyadic.ts"
import { divide, maximum, multiply, one, rational, zero, type Rational } from "../../exact/rational.ts"
import {
  levelSizes,
  siblingSplits,
  splitLength,
  sumsByLevel,
  type WeightedTree,
} from "../../exact/weighted-tree.ts"
import { fillRoundedGaussian, sampleRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import type { Losses } from "../../privacy/loss.ts"
import type { Neighbours } from "../../privacy/unit.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { addNoise } from "../shared/add-noise.ts"
import type { TotalError } from "../shared/error.ts"
import { gaussianHalfWidth } from "../shared/gaussian-width.ts"
import { treeChange, type MeasuredSums } from "./tree-change.ts"
import { bestShares, type LevelShares } from "./tree-shares.ts"

/** Noise on the comparisons of a tree, and what one unit may add to its leaves. */
export interface TreeSpec extends MeasuredSums {
  readonly kind: "tree"
}

/** What a tree is planned for. */
export interface TreeOptions {
  /** By level from the root: how many children each node has; all leaves are of one depth. */
  readonly children: readonly (readonly number[])[]
  /** How much a node of each level matters, the root's first: 0 where nobody looks. */
  readonly wanted: readonly number[]
  readonly groupsPerUnit: Numeric
  readonly lower: bigint
  readonly upper: bigint
  readonly neighbours: Neighbours
  readonly muSquared: Numeric
}

/** Trees with more leaves are refused. */
const leavesMax = 1 << 20

/**
 * The least noise, in total, for the wanted nodes at a loss of mu^2.
 *
 * Noise on the nodes of each level and weighted least squares (Hay and others) is the best that is known of
 * trees of any form; levels are weighted so that the sum of all wanted variances is least (bestShares). It is
 * measured in another form that says the same: with z_c the variance that least squares from its own subtree
 * would give to node c, the total gets noise z_root, and the comparisons among the children of v get noise
 * for weights z_c. A path then costs 1 / z_root + sum of (1 / z_c - 1 / sum of siblings' z), and since 1 /
 * z_v is 1 / noise of v + 1 / sum of its children's z, that is the sum of 1 / noise over the path: what the
 * levels would cost. Weights are rounded to whole numbers; the loss is that of the rounded ones, exactly.
 */
export function tree(options: TreeOptions): TreeSpec {
  const { children, lower, upper, neighbours, wanted } = options
  const groupsPerUnit = wholeNumber(options.groupsPerUnit, "groups per unit")
  const muSquared = positive(options.muSquared, "mu squared")
  checkShape(options)
  const shares = bestShares({ children, wanted, groupsPerUnit: Number(groupsPerUnit) })
  const spec = measuredBy(shares, { children, groupsPerUnit, lower, upper, neighbours })
  // Scaled to the loss; a little less, since what is rounded up must fit too.
  const scale = multiply(divide(muSquared, treeChange(spec)), rational((1n << 40n) - 1n, 1n << 40n))
  const scaled = (variance: Rational): Rational =>
    divide(one, roundDown(divide(scale, variance), precisionBits))
  return {
    ...spec,
    total: scaled(spec.total),
    variances: spec.variances.map((level) => level.map(scaled)),
  }
}

const precisionBits = 32

function checkShape({ children, wanted, lower, upper }: TreeOptions): void {
  if (children.length === 0) fail("parameter/empty", { name: "levels of a tree" })
  const sizes = levelSizes({ children })
  for (const [level, counts] of children.entries()) {
    const isWhole = counts.every((count) => Number.isInteger(count) && count >= 1)
    if (!isWhole || counts.length !== sizes[level]) {
      const got = counts.length === sizes[level] ? "none" : `${counts.length} nodes`
      const range = `1 or more for each of ${sizes[level] ?? 0} nodes`
      fail("parameter/out-of-range", { name: `children at level ${level}`, got, range })
    }
  }
  const leaves = sizes.at(-1) ?? 0
  if (leaves > leavesMax) {
    fail("parameter/too-large", { name: "leaves", got: `${leaves}`, limit: `${leavesMax}` })
  }
  const isWanted = wanted.length === sizes.length && wanted.every((weight) => weight >= 0 && weight < 1e9)
  if (!isWanted || wanted.every((weight) => weight === 0)) {
    const range = `${sizes.length} numbers from 0, not all 0`
    fail("parameter/out-of-range", { name: "wanted levels", got: wanted.join(", "), range })
  }
  if (lower > upper || (lower === 0n && upper === 0n)) {
    fail("parameter/out-of-range", {
      name: "amounts",
      got: `${lower} to ${upper}`,
      range: "growing, not only 0",
    })
  }
}

/** The measurements that say what noise on the levels would, at some loss. */
function measuredBy(
  { nodes }: LevelShares,
  table: Pick<MeasuredSums, "children" | "groupsPerUnit" | "lower" | "upper" | "neighbours">,
): TreeSpec {
  const weights: (readonly bigint[])[] = []
  const variances: (readonly Rational[])[] = []
  for (const [level, counts] of table.children.entries()) {
    const below = nodes[level + 1] ?? []
    const own: bigint[] = []
    const noise: Rational[] = []
    let start = 0
    for (const count of counts) {
      const siblings = below.slice(start, start + count)
      start += count
      const whole = wholeWeights(siblings)
      own.push(...whole)
      const weight = Number(whole.reduce((sum, one) => sum + one, 0n))
      noise.push(rationalOfNumber(siblings.reduce((sum, one) => sum + one, 0) / weight))
    }
    weights.push(own)
    variances.push(noise)
  }
  const total = rationalOfNumber(nodes[0]?.[0] ?? 1)
  return { kind: "tree", ...table, weights, total, variances }
}

/** Whole numbers in about the proportion of some variances; equal ones where they are alike. */
function wholeWeights(values: readonly number[]): readonly bigint[] {
  const least = Math.min(...values)
  if (values.every((value) => value <= least * (1 + 1e-9))) return values.map(() => 1n)
  const whole = values.map((value) => BigInt(Math.min(Math.round((value / least) * weightSteps), weightMax)))
  const common = whole.reduce(greatestCommon, 0n)
  return whole.map((weight) => weight / common)
}

/** Weights are rounded by less than half a percent, which changes variances by far less. */
const weightSteps = 128
const weightMax = 2 ** 40

function greatestCommon(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/**
 * Draws the noise: the total, then level by level the comparisons among siblings, each plus noise.
 *
 * Guarantee: the loss is treeLoss(spec).
 * Needs: `leaves` is the whole table, one sum for each leaf in order, and neighbours change it by no more
 *   than the spec's bounds say.
 * Proof: total and comparisons are integers y = H x; y + round(Z) = round(y + Z) is a post-processing of the
 *   Gaussian mechanism on H x with independent noise, of variance s_v splitLength for a comparison below v.
 * Numerics: integers plus exact integer noise; nothing else is rounded.
 * Source: Hay, Rastogi, Miklau, Suciu 2010; Xiao, He, Zhang, Kifer 2023; in another basis.
 */
export function releaseTree(
  spec: TreeSpec,
  leaves: readonly bigint[],
  rng: RandomBits,
): readonly (readonly bigint[])[] {
  const variances = treeDrawVariances(spec)
  const exact = treeComparisons(spec, leaves)
  return exact.map((own, part) => withNoise(own, variances[part] ?? [], rng))
}

/** The exact measurements, which get noise: the total, then the comparisons of each level. */
export function treeComparisons(
  spec: WeightedTree,
  leaves: readonly bigint[],
): readonly (readonly bigint[])[] {
  assert(leaves.length === levelSizes(spec).at(-1), "a tree has a sum for each leaf")
  const sums = sumsByLevel(spec, leaves)
  const compared = spec.children.map((_, level) => {
    const before = [0n]
    for (const value of sums[level + 1] ?? []) before.push((before.at(-1) ?? 0n) + value)
    const between = (from: number, to: number): bigint => (before[to] ?? 0n) - (before[from] ?? 0n)
    return siblingSplits(spec, level).map(
      ({ from, middle, to, left, right }) => right * between(from, middle) - left * between(middle, to),
    )
  })
  return [sums[0] ?? [], ...compared]
}

// Measurements of equal noise are drawn together.
function withNoise(
  exact: readonly bigint[],
  variances: readonly Rational[],
  rng: RandomBits,
): readonly bigint[] {
  assert(exact.length === variances.length, "every measurement has noise")
  const places = new Map<string, { readonly variance: Rational; readonly own: number[] }>()
  for (const [place, variance] of variances.entries()) {
    assert(variance.numerator > 0n, "noise has a variance")
    const name = `${variance.numerator}/${variance.denominator}`
    const alike = places.get(name)
    if (alike === undefined) places.set(name, { variance, own: [place] })
    else alike.own.push(place)
  }
  const noisy = Array<bigint>(exact.length)
  for (const { variance, own } of places.values()) {
    const drawn = addNoise(
      own.map((place) => exact[place] ?? 0n),
      {
        scale: Math.sqrt(numberNear(variance)),
        fill: (out) => fillRoundedGaussian(out, variance, rng),
        sample: () => sampleRoundedGaussian(variance, rng),
      },
    )
    for (const [index, place] of own.entries()) noisy[place] = drawn[index] ?? 0n
  }
  return noisy
}

/** The variance of the noise of every measurement, in the order in which they are released. */
export function treeDrawVariances(
  spec: Pick<TreeSpec, "children" | "weights" | "total" | "variances">,
): readonly (readonly Rational[])[] {
  const known = new Map<Rational, Map<bigint, Rational>>()
  const wide = (variance: Rational, length: bigint): Rational => {
    const own = known.get(variance) ?? new Map<bigint, Rational>()
    known.set(variance, own)
    const found = own.get(length) ?? multiply(variance, rational(length))
    own.set(length, found)
    return found
  }
  const levels = spec.children.map((_, level) =>
    siblingSplits(spec, level).map((split) => {
      const variance = spec.variances[level]?.[split.parent]
      assert(variance !== undefined, "comparisons have noise")
      return wide(variance, splitLength(split))
    }),
  )
  return [[spec.total], ...levels]
}

/**
 * What a release of a tree loses.
 *
 * Guarantee: mu-GDP and rho-zCDP with mu^2 = 2 rho = treeChange(spec).
 * Needs: as releaseTree.
 * Proof: the Gaussian mechanism on measurements divided by their standard deviations: a unit moves them by no
 *   more than sqrt(treeChange(spec)).
 * Numerics: rounded up to 2^-96.
 * Source: Bun and Steinke 2016; Dong, Roth, Su 2022.
 */
export function treeLoss(spec: TreeSpec): Losses {
  const muSquared = treeChange(spec)
  return {
    zcdp: { measure: "zcdp", rho: divide(muSquared, rational(2n)), delta: zero },
    gdp: { measure: "gdp", muSquared, delta: zero },
  }
}

/** The error of a node, at the level whose nodes have most. */
export function treeError(spec: TreeSpec, miss: Rational): TotalError {
  return treeNodeError(treeVariances(spec).flat().reduce(maximum, zero), miss)
}

/**
 * With probability at least 1 - miss a node of this variance is within the half-width of the truth. Its
 * unrounded noise Z is normal, and |Z| <= r + 1/2 for the r of gaussianHalfWidth. Rounding moves each
 * measurement by at most 1/2, and a node by at most 1/2: with e of its whole, a half of weight a beside b is
 * off by at most e a / (a + b) + 1 / (2 (a + b)) <= 1/2, as b >= 1.
 */
export function treeNodeError(variance: Rational, miss: Rational): TotalError {
  return {
    kind: "total",
    halfWidth: gaussianHalfWidth(variance, miss) + 1n,
    standardDeviation: Math.sqrt(numberUp(variance) + 1 / 12),
  }
}

/**
 * The variance of every node before measurements are rounded, level by level: a child of weight w among W has
 * the share w / W of its parent's noise, and s w (1 - w / W) of its own.
 */
export function treeVariances(spec: TreeSpec): readonly (readonly Rational[])[] {
  let above: readonly Rational[] = [spec.total]
  const levels = [above]
  for (const [level, counts] of spec.children.entries()) {
    const weights = spec.weights[level] ?? []
    let start = 0
    above = counts.flatMap((count, node) => {
      const own = weights.slice(start, start + count)
      start += count
      const whole = own.reduce((sum, weight) => sum + weight, 0n)
      const [parent, noise] = [above[node] ?? zero, spec.variances[level]?.[node] ?? zero]
      const known = new Map<bigint, Rational>()
      return own.map((weight) => {
        const found = known.get(weight) ?? childVariance({ weight, whole, parent, noise })
        known.set(weight, found)
        return found
      })
    })
    levels.push(above)
  }
  return levels
}

function childVariance(of: {
  readonly weight: bigint
  readonly whole: bigint
  readonly parent: Rational
  readonly noise: Rational
}): Rational {
  const { weight, whole, parent, noise } = of
  const { numerator: a, denominator: b } = parent
  const { numerator: c, denominator: d } = noise
  return rational(weight * weight * a * d + weight * (whole - weight) * whole * c * b, whole * whole * b * d)
}
