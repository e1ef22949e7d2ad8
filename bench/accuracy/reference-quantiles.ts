// Quantiles as peers answer them: the exponential mechanism with the loss split between the quantiles
// (Smith 2011), and the quantile tree of Google's library with its defaults.

import type { ValueRange } from "./reference-additive.ts"
import type { Loss, NoiseKind, PlainNoise } from "./reference-noise.ts"

/** What quantiles are asked of: the values of one group, sorted, and how many groups of a unit count. */
export interface QuantileQuestion {
  readonly sorted: readonly number[]
  readonly fractions: readonly number[]
  readonly range: ValueRange
  readonly groups: number
}

/** Each quantile by the exponential mechanism; every unit's groups and every quantile share the loss. */
export function referenceExponential(
  question: QuantileQuestion,
  { epsilon }: Loss,
  noise: PlainNoise,
): readonly number[] {
  const { sorted, fractions, range, groups } = question
  const each = epsilon / (fractions.length * groups)
  return fractions.map((q) => exponentialQuantile(sorted, q, { range, epsilon: each, noise }))
}

/**
 * One quantile: an interval between neighbouring values by its width times
 * exp(-epsilon |rank - q n| / (2 S)), where S = max(q, 1 - q) is what one row changes; then uniform in it.
 */
function exponentialQuantile(
  sorted: readonly number[],
  q: number,
  options: { readonly range: ValueRange; readonly epsilon: number; readonly noise: PlainNoise },
): number {
  const { range, epsilon, noise } = options
  const rate = epsilon / (2 * Math.max(q, 1 - q))
  const ends = [range.lower, ...sorted, range.upper]
  const weights = ends.slice(1).map((to, rank) => {
    const distance = Math.abs(rank - q * sorted.length)
    return (to - (ends[rank] ?? to)) * Math.exp(-rate * (distance - 0.5))
  })
  let left = noise.uniform() * weights.reduce((sum, weight) => sum + weight, 0)
  const chosen = weights.findIndex((weight) => (left -= weight) < 0)
  const [from, to] = [ends[chosen] ?? range.upper, ends[chosen + 1] ?? range.upper]
  return from + (to - from) * noise.uniform()
}

/** Defaults of Google's library. */
const tree = { height: 4, branching: 16, emptyBelow: 0.005, tolerance: 1e-6 } as const

/**
 * Quantiles by walking down a tree of noisy counts. A unit is in one node of each level, so in height times
 * groups numbers; children with less than 0.5 % of their parent are taken as empty.
 */
export function referenceTree(
  question: QuantileQuestion,
  loss: Loss,
  { kind, noise }: { readonly kind: NoiseKind; readonly noise: PlainNoise },
): readonly number[] {
  const { sorted, fractions, range, groups } = question
  const reach = { groups: tree.height * groups, amount: 1 }
  const seen = new Map<string, number>()
  const count = (level: number, node: number): number => {
    const key = `${level} ${node}`
    const known = seen.get(key)
    if (known !== undefined) return known
    const [from, to] = nodeRange(level, node, range)
    const drawn = rowsBetween(sorted, from, to, range) + kind.draw(noise, loss, reach)
    seen.set(key, drawn)
    return drawn
  }
  return fractions.map((q) => walkDown(q, range, count))
}

function walkDown(q: number, range: ValueRange, count: (level: number, node: number) => number): number {
  let rank = Math.min(Math.max(q, 0.005), 0.995)
  let node = 0
  let level = 0
  for (; level < tree.height; level += 1) {
    const first = node * tree.branching
    const counts = Array.from({ length: tree.branching }, (_, child) => count(level + 1, first + child))
    const total = counts.reduce((sum, each) => sum + each, 0)
    if (total <= 0) break
    const kept = counts.map((each) => (each >= total * tree.emptyBelow ? each : 0))
    const keptTotal = kept.reduce((sum, each) => sum + each, 0)
    if (keptTotal === 0) break
    let below = 0
    let child = 0
    for (; child < tree.branching - 1; child += 1) {
      const here = kept[child] ?? 0
      if (here > 0 && (below + here) / keptTotal >= rank - tree.tolerance) break
      below += here
    }
    const here = kept[child] ?? 0
    rank = here > 0 ? Math.min(Math.max((rank * keptTotal - below) / here, 0), 1) : 1
    node = first + child
  }
  const [from, to] = nodeRange(level, node, range)
  return (1 - rank) * from + rank * to
}

function nodeRange(level: number, node: number, { lower, upper }: ValueRange): readonly [number, number] {
  const width = (upper - lower) / tree.branching ** level
  return [lower + node * width, lower + (node + 1) * width]
}

/** Rows in [from, to); the last node of a level holds the upper end too. */
function rowsBetween(sorted: readonly number[], from: number, to: number, { upper }: ValueRange): number {
  return (to >= upper ? sorted.length : rowsBelow(sorted, to)) - rowsBelow(sorted, from)
}

/** How many values are below a number. */
export function rowsBelow(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** How many ranks an answer is away from the quantile: 0 where the answer's ranks hold it. */
export function rankError(sorted: readonly number[], q: number, answer: number): number {
  const target = q * sorted.length
  const below = rowsBelow(sorted, answer)
  const upTo = rowsUpTo(sorted, answer)
  return Math.max(0, below - target, target - upTo)
}

function rowsUpTo(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low
}
