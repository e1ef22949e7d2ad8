// The cliques of a graphical model in which some sets of attributes stand together, and the tree that joins
// them: whatever is known of a clique reaches all others along the tree, through what two cliques share.

import { cellCount } from "./cell-places.ts"

/** Cliques in such an order that each comes after the one that it hangs on. */
export interface JunctionTree {
  readonly cliques: readonly Clique[]
  /** Of all cliques together. */
  readonly cells: number
}

/** One of them. */
export interface Clique {
  /** In ascending order. */
  readonly attributes: readonly number[]
  /** The clique that it hangs on; undefined for the first. */
  readonly parent: number | undefined
  /** What it shares with that one. */
  readonly shared: readonly number[]
}

/** The tree for sets of attributes that must each be within a clique. Every attribute is in one. */
export function junctionTree(
  sizes: readonly number[],
  together: readonly (readonly number[])[],
): JunctionTree {
  const sets = maximalSets(eliminationSets(sizes, together))
  const cliques = hung(sets)
  return { cliques, cells: cliques.reduce((sum, { attributes }) => sum + cellCount(attributes, sizes), 0) }
}

// Attributes are taken away one by one, always the one that stands in the smallest table with all that it is
// together with; these then stand together with each other.
function eliminationSets(
  sizes: readonly number[],
  together: readonly (readonly number[])[],
): readonly (readonly number[])[] {
  const beside = sizes.map(() => new Set<number>())
  for (const set of together) {
    for (const one of set) for (const other of set) if (one !== other) beside[one]?.add(other)
  }
  const left = new Set(sizes.keys())
  const found: (readonly number[])[] = []
  while (left.size > 0) {
    let [best, least] = [-1, Infinity]
    for (const attribute of left) {
      const cells = cellCount([attribute, ...(beside[attribute] ?? [])], sizes)
      if (cells < least) [best, least] = [attribute, cells]
    }
    const near = [...(beside[best] ?? [])]
    found.push([best, ...near].toSorted((a, b) => a - b))
    for (const one of near) {
      beside[one]?.delete(best)
      for (const other of near) if (one !== other) beside[one]?.add(other)
    }
    left.delete(best)
  }
  return found
}

function maximalSets(sets: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return sets.filter(
    (set, index) =>
      !sets.some(
        (other, place) =>
          place !== index &&
          set.every((one) => other.includes(one)) &&
          (other.length > set.length || place < index),
      ),
  )
}

// Each next clique is the one that shares most with a clique that is there: a tree of greatest overlaps has
// every attribute in cliques that hang together.
function hung(sets: readonly (readonly number[])[]): readonly Clique[] {
  const [first = [], ...rest] = sets
  const cliques: Clique[] = [{ attributes: first, parent: undefined, shared: [] }]
  const left = new Set(rest)
  while (left.size > 0) {
    let best: (Clique & { readonly parent: number }) | undefined
    let most = -1
    for (const set of left) {
      for (const [parent, { attributes }] of cliques.entries()) {
        const shared = set.filter((one) => attributes.includes(one))
        if (shared.length <= most) continue
        most = shared.length
        best = { attributes: set, parent, shared }
      }
    }
    if (best === undefined) break
    cliques.push(best)
    left.delete(best.attributes)
  }
  return cliques
}
