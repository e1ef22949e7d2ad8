// The groupings of one family over keys that are levels of a public tree, as one release: the finest table is
// read once, and sums at every level of the tree come from it with the least noise in total (core's tree).
// Other keys are levels too, above or below; groupings that are no level are sums of nodes of one.

import { assert } from "@dosimeter/core/errors"
import { numberNear } from "@dosimeter/core/exact"
import {
  bestShares,
  boundedSensitivity,
  l2SquaredOf,
  sumVariance,
  tree,
  treeVariances,
} from "@dosimeter/core/mechanisms"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { treeChildren, treeGroupings, type TreeKeys } from "@dosimeter/proof/algebra/tree-layout"
import { boundingOf } from "../extracts/bounding-of.ts"
import { isAdditive } from "../extracts/build-extract.ts"
import type { DraftOptions, PlacedDraft } from "./draft.ts"
import { jointDraft } from "./joint-draft.ts"
import { ReleaseDraft } from "./plan-release.ts"
import type { KeyLists } from "../keys/key-lists.ts"
import { rowsOfBlocks, type KeyBlock } from "../keys/possible-rows.ts"

/** The draft of a family, or undefined if its groupings are better, or only, asked for one by one. */
export function treeDraft(
  family: readonly Boundary[],
  {
    finest,
    lists,
    blocks,
  }: Pick<KeyLists, "lists"> & {
    readonly finest: Boundary
    readonly blocks: readonly KeyBlock[]
  },
  options: DraftOptions,
): PlacedDraft | undefined {
  const { aggregates } = finest
  if (!aggregates.every(isAdditive) || aggregates.length === 0) return undefined
  const proven = boundingOf(finest, options.wanted)
  const draft = new ReleaseDraft(finest, { ...options, proven, readsApart: true })
  // Persons in several leaves would count several times above them.
  if (aggregates.some(({ kind }) => kind === "persons") && draft.groupsPerUnit > 1n) return undefined
  const sets = family.map(({ keys }) =>
    finest.keys.flatMap((key, place) => (keys.includes(key) ? [place] : [])),
  )
  const arranged = bestArrangement(blocks, sets, Number(draft.groupsPerUnit))
  const isBetter =
    options.accounting === "pure"
      ? arranged.keys.rows.length * sets.length <= termsMax
      : draft.groupsPerUnit === 1n || levelsAreBetter(family, { arranged, draft }, options)
  if (!isBetter) return undefined
  const { children, wanted } = arranged
  const { rows, levels } = arranged.keys
  const shape = { children, wanted, neighbours: options.neighbours }
  return jointDraft(
    family,
    {
      finest,
      draft,
      proven,
      keys: {
        kind: "public",
        lists,
        rows,
        groupings: { sets, levels, nonNegative: options.nonNegative },
      },
      strategyOf: (amounts, muSquared) => ({
        kind: "levels",
        spec: tree({ ...shape, ...amounts, muSquared }),
      }),
    },
    options,
  )
}

/** Sums of more terms than this take long. */
const termsMax = 150_000

/** Keys as a tree, and how much the nodes of each level are wanted. */
interface Arrangement {
  readonly keys: TreeKeys
  readonly children: readonly (readonly number[])[]
  readonly wanted: readonly number[]
}

/** Of some orders of the keys, the one with the least noise in all groupings. */
function bestArrangement(
  blocks: readonly KeyBlock[],
  sets: readonly (readonly number[])[],
  groupsPerUnit: number,
): Arrangement {
  const [first, ...others] = ordersOf(blocks).map((order) => {
    const arranged = arrangement(order, sets)
    return { arranged, noise: noiseOf(arranged, groupsPerUnit) }
  })
  assert(first !== undefined, "keys have an order")
  return others.reduce((best, one) => (one.noise < best.noise ? one : best), first).arranged
}

/** The sum of the variances of all groups, at a loss of 1. */
function noiseOf({ keys, children, wanted }: Arrangement, groupsPerUnit: number): number {
  const shares = bestShares({ children, wanted, groupsPerUnit })
  return sum(
    treeGroupings(keys).flatMap(({ level, groups }) =>
      groups.map(({ nodes }) => sumVariance(shares, children, { level, nodes })),
    ),
  )
}

/** Every order of few blocks; of more, those with few values first, and last. */
function ordersOf(blocks: readonly KeyBlock[]): readonly (readonly KeyBlock[])[] {
  if (blocks.length <= 3) return permutations(blocks)
  const growing = blocks.toSorted((a, b) => a.tuples.length - b.tuples.length)
  return [growing, growing.toReversed()]
}

function permutations(blocks: readonly KeyBlock[]): readonly (readonly KeyBlock[])[] {
  if (blocks.length <= 1) return [blocks]
  return blocks.flatMap((block) =>
    permutations(blocks.filter((one) => one !== block)).map((rest) => [block, ...rest]),
  )
}

// One level for each prefix of the keys that some grouping needs.
function arrangement(blocks: readonly KeyBlock[], sets: readonly (readonly number[])[]): Arrangement {
  const places = blocks.flatMap((block) => block.places)
  const prefixes = Array.from({ length: places.length + 1 }, (_, length) => places.slice(0, length))
  const readFrom = (set: readonly number[]): number =>
    prefixes.findIndex((prefix) => set.every((place) => prefix.includes(place)))
  const asked = prefixes.map((_, length) => sets.filter((set) => readFrom(set) === length).length)
  const levels = prefixes.filter(
    (_, length) => length === 0 || length === places.length || (asked[length] ?? 0) > 0,
  )
  const keys: TreeKeys = { rows: rowsOfBlocks(blocks), levels, sets }
  const wanted = levels.map((level) => asked[level.length] ?? 0)
  return { keys, children: treeChildren(keys), wanted }
}

// Where a unit is in several leaves, they may fall into one group of a level, and count there together; by
// itself a grouping bounds a unit anew. The sums of all variances are compared, aggregate by aggregate.
function levelsAreBetter(
  family: readonly Boundary[],
  { arranged, draft }: { readonly arranged: Arrangement; readonly draft: ReleaseDraft },
  options: DraftOptions,
): boolean {
  const { neighbours, wanted } = options
  const groups = treeGroupings(arranged.keys).map((grouping) => grouping.groups.length)
  const apart = family.map(
    (boundary) =>
      new ReleaseDraft(boundary, { ...options, proven: boundingOf(boundary, wanted), readsApart: true }),
  )
  const ratios = draft.columns.map((column, aggregate) => {
    const spec = tree({ ...arranged, ...draft.amounts(column), neighbours, muSquared: 1 })
    const joint = treeVariances(spec).map(
      (level, index) =>
        (arranged.wanted[index] ?? 0) * level.reduce((sum, variance) => sum + numberNear(variance), 0),
    )
    const single = apart.map((one, index) => {
      const groupsInAll = groups[index] ?? 1
      const amounts = one.amounts(one.columns[aggregate] ?? -1)
      const change = l2SquaredOf(boundedSensitivity({ ...amounts, groupsInAll, neighbours }))
      return groupsInAll * Number(change) * family.length
    })
    return sum(joint) / sum(single)
  })
  return sum(ratios) <= ratios.length
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
