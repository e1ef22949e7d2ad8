// How levels of a tree share the loss: least noise in all wanted nodes together. Doubles propose; what is
// made of the proposal has its exact loss.

import { childStarts, leavesBelow, levelSizes } from "../../exact/weighted-tree.ts"

/** A tree to be planned. */
export interface SharesOptions {
  readonly children: readonly (readonly number[])[]
  /** How much a node of each level matters, the root's first. */
  readonly wanted: readonly number[]
  readonly groupsPerUnit: number
}

/** How the loss is shared out. */
export interface LevelShares {
  /** The share of each level, the root's first; they add up to 1. */
  readonly shares: readonly number[]
  /** By level: the variance that least squares from its own subtree gives to each node, at a loss of 1. */
  readonly nodes: readonly (readonly number[])[]
  /** The sum of all wanted variances, at a loss of 1. */
  readonly total: number
}

/**
 * The best shares that a search finds: from equal ones and from leaves alone, one level after another is
 * given more or less, by ever smaller factors, while that helps. What a level costs is what a unit in so many
 * leaves changes at it, at most: its leaves in as few nodes as can be.
 */
export function bestShares(options: SharesOptions): LevelShares {
  const { children, wanted } = options
  const planned = { ...options, kinds: kindsOf(children) }
  const last = children.length
  const costs = levelCosts(options)
  const isOpen = wanted.map((weight, level) => weight > 0 || level === last)
  const starts = [
    isOpen.map((open) => (open ? 1 : 0)),
    isOpen.map((open, level) => (level === last ? 1 : open ? 2 ** -10 : 0)),
  ]
  const found = starts.map((start) => improve(start, costs, planned))
  const [first, second] = found
  const shares = first !== undefined && second !== undefined && second.total < first.total ? second : first
  return withNodes(evaluated(shares?.precisions ?? isOpen.map(() => 1), costs, planned), planned)
}

/** What equal shares for all levels would give, and noise on the leaves alone: for comparison. */
export function plainShares(options: SharesOptions): {
  readonly equal: LevelShares
  readonly leaves: LevelShares
} {
  const costs = levelCosts(options)
  const planned = { ...options, kinds: kindsOf(options.children) }
  const last = options.children.length
  const equal = options.wanted.map((weight, level) =>
    weight > 0 || level === last ? 1 / (costs[level] ?? 1) : 0,
  )
  const leaves = options.wanted.map((_, level) => (level === last ? 1 : 0))
  const all = (precisions: readonly number[]): LevelShares =>
    withNodes(evaluated(precisions, costs, planned), planned)
  return { equal: all(equal), leaves: all(leaves) }
}

/**
 * The variance of the sum of some nodes of a level, at a loss of 1: with a_c of each child c wanted, a node
 * is wanted sum of a_c k_c, k_c the share of c among its siblings, and what remains is noise of its own.
 */
export function sumVariance(
  { nodes: variances }: LevelShares,
  children: readonly (readonly number[])[],
  { level, nodes }: { readonly level: number; readonly nodes: readonly number[] },
): number {
  let wanted = new Map(nodes.map((node) => [node, 1]))
  let own = 0
  for (let above = level - 1; above >= 0; above -= 1) {
    const starts = childStarts(children[above] ?? [])
    const below = variances[above + 1] ?? []
    const sums = new Map<number, { taken: number; squares: number }>()
    for (const [node, share] of wanted) {
      const parent = parentAt(starts, node)
      const { taken, squares } = sums.get(parent) ?? { taken: 0, squares: 0 }
      const variance = below[node] ?? 0
      sums.set(parent, { taken: taken + share * variance, squares: squares + share * share * variance })
    }
    wanted = new Map()
    for (const [parent, { taken, squares }] of sums) {
      let whole = 0
      for (let node = starts[parent] ?? 0; node < (starts[parent + 1] ?? 0); node += 1) {
        whole += below[node] ?? 0
      }
      wanted.set(parent, taken / whole)
      own += squares - (taken * taken) / whole
    }
  }
  const top = wanted.get(0) ?? 0
  return own + top * top * (variances[0]?.[0] ?? 0)
}

function parentAt(starts: readonly number[], node: number): number {
  let [low, high] = [0, starts.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) <= node) low = middle
    else high = middle
  }
  return low
}

interface Found {
  /** 1 / variance of the noise of a node, level by level. */
  readonly precisions: readonly number[]
  readonly total: number
}

const factors = [4, 2, 1.4, 1.2, 1.1, 1.05, 1.02]

function improve(start: readonly number[], costs: readonly number[], options: Planned): Found {
  let best: Found = { precisions: start, total: evaluated(start, costs, options).total }
  for (const factor of factors) {
    for (let isBetter = true, rounds = 0; isBetter && rounds < roundsMax; rounds += 1) {
      isBetter = false
      for (const level of start.keys()) {
        for (const times of [factor, 1 / factor]) {
          const precisions = best.precisions.with(level, (best.precisions[level] ?? 0) * times)
          const { total } = evaluated(precisions, costs, options)
          if (total >= best.total * (1 - 1e-9)) continue
          best = { precisions, total }
          isBetter = true
        }
      }
    }
  }
  return best
}

const roundsMax = 20

/** Least squares with these precisions, scaled to a loss of 1. */
function evaluated(
  precisions: readonly number[],
  costs: readonly number[],
  { wanted, kinds }: Planned,
): Omit<LevelShares, "nodes"> & { readonly upward: readonly (readonly number[])[] } {
  const loss = precisions.reduce((sum, precision, level) => sum + precision * (costs[level] ?? 1), 0)
  const scaled = precisions.map((precision) => precision / loss)
  // Of each kind of node: the variance z from its own subtree, and the wanted variances of its subtree as
  // a P + b, P being its own in the end. A child with the share k of its siblings' z has z (1 - k) + k^2 P.
  const last = kinds.length - 1
  let below = [{ z: 1 / (scaled[last] ?? 1), a: wanted[last] ?? 0, b: 0 }]
  const upward = [below.map(({ z }) => z)]
  for (let level = last - 1; level >= 0; level -= 1) {
    const under = below
    below = (kinds[level]?.made ?? []).map((made) => {
      let whole = 0
      for (const { kind, times } of made) whole += times * (under[kind]?.z ?? 0)
      let [a, b] = [wanted[level] ?? 0, 0]
      for (const { kind, times } of made) {
        const own = under[kind] ?? { z: 0, a: 0, b: 0 }
        const share = own.z / whole
        a += times * own.a * share * share
        b += times * (own.b + own.a * own.z * (1 - share))
      }
      return { z: 1 / ((scaled[level] ?? 0) + 1 / whole), a, b }
    })
    upward.unshift(below.map(({ z }) => z))
  }
  const shares = scaled.map((precision, level) => precision * (costs[level] ?? 1))
  const total = below.reduce((sum, { z, a, b }) => sum + a * z + b, 0)
  return { shares, total, upward }
}

interface Planned extends SharesOptions {
  /** Nodes with alike subtrees are of one kind: by level, the kind of each node, and what they consist of. */
  readonly kinds: readonly LevelKinds[]
}

interface LevelKinds {
  readonly of: readonly number[]
  readonly made: readonly (readonly { readonly kind: number; readonly times: number }[])[]
}

function kindsOf(children: readonly (readonly number[])[]): readonly LevelKinds[] {
  const leaves = levelSizes({ children }).at(-1) ?? 1
  let below: LevelKinds = { of: Array<number>(leaves).fill(0), made: [[]] }
  const levels = [below]
  for (const counts of children.toReversed()) {
    const starts = childStarts(counts)
    const known = new Map<string, number>()
    const made: LevelKinds["made"][number][] = []
    const under = below.of
    const of = counts.map((_, node) => {
      const times = new Map<number, number>()
      for (const kind of under.slice(starts[node], starts[node + 1])) {
        times.set(kind, (times.get(kind) ?? 0) + 1)
      }
      const list = [...times].sort(([a], [b]) => a - b)
      const name = list.flat().join()
      const kind = known.get(name) ?? known.size
      if (!known.has(name)) made.push(list.map(([one, count]) => ({ kind: one, times: count })))
      known.set(name, kind)
      return kind
    })
    below = { of, made }
    levels.unshift(below)
  }
  return levels
}

function withNodes({ upward, ...shares }: ReturnType<typeof evaluated>, { kinds }: Planned): LevelShares {
  const nodes = kinds.map(({ of }, level) => of.map((kind) => upward[level]?.[kind] ?? 1))
  return { ...shares, nodes }
}

/** The most that a unit in so many leaves changes the nodes of a level: the sum of squares. */
function levelCosts({ children, groupsPerUnit }: SharesOptions): readonly number[] {
  return leavesBelow({ children }).map((counts) => {
    let left = groupsPerUnit
    let cost = 0
    for (const leaves of counts.toSorted((a, b) => b - a)) {
      const here = Math.min(left, leaves)
      cost += here * here
      left -= here
      if (left === 0) break
    }
    return cost
  })
}
