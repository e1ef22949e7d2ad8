// The groupings of one family as one release: the finest table is read once, and all margins come from it.
// Under Gaussian accounting its parts get the least noise in total (core's margins); under pure accounting
// its cells get Laplace noise, and margins are sums of them, where that is better than asking for each by
// itself. Every unit must be in as many groups of a margin as its cells say, so that margins are sums: true
// of rows and of sums always, of persons where a person is in one cell.

import { numberNear } from "@dosimeter/core/exact"
import { boundedSensitivity, l2SquaredOf, margins, marginVariance } from "@dosimeter/core/mechanisms"
import type { Boundary } from "@dosimeter/proof/algebra/rel"
import { boundingOf } from "../extracts/bounding-of.ts"
import { isAdditive } from "../extracts/build-extract.ts"
import type { DraftOptions, PlacedDraft } from "./draft.ts"
import { finestOf, isAlike } from "./family-rows.ts"
import { keyLists } from "../keys/key-lists.ts"
import { jointDraft } from "./joint-draft.ts"
import { ReleaseDraft } from "./plan-release.ts"
import { treeDraft } from "./tree-draft.ts"

/** The draft of a family, or undefined if its groupings are better, or only, asked for one by one. */
export function marginsDraft(family: readonly Boundary[], options: DraftOptions): PlacedDraft | undefined {
  const [first] = family
  if (first === undefined || family.length < 2 || !family.every((one) => isAlike(one, first)))
    return undefined
  const finest = finestOf(family, first, options)
  const found = keyLists(finest)
  // Each grouping has groups, and no row is in a group of all of them.
  if (found?.count === 0) return undefined
  if (found?.blocks !== undefined) {
    return treeDraft(family, { finest, lists: found.lists, blocks: found.blocks }, options)
  }
  const lists = found?.lists
  if (lists === undefined || !first.aggregates.every(isAdditive) || first.aggregates.length === 0)
    return undefined
  const proven = boundingOf(finest, options.wanted)
  const countsPersons = first.aggregates.some(({ kind }) => kind === "persons")
  const draft = new ReleaseDraft(finest, { ...options, proven, readsApart: true })
  if (countsPersons && draft.groupsPerUnit > 1n) return undefined
  const sizes = lists.map((list) => list.length)
  const sets = family.map(({ keys }) =>
    finest.keys.flatMap((key, place) => (keys.includes(key) ? [place] : [])),
  )
  const isBetter =
    options.accounting === "pure"
      ? cellsAreBetter(sizes, sets)
      : draft.groupsPerUnit === 1n || partsAreBetter(family, { sizes, sets, draft }, options)
  if (!isBetter) return undefined
  const shape = { sizes, wanted: sets.map((attributes) => ({ attributes })), neighbours: options.neighbours }
  return jointDraft(
    family,
    {
      finest,
      draft,
      proven,
      keys: { kind: "public", lists, groupings: { sets, nonNegative: options.nonNegative } },
      strategyOf: (amounts, muSquared) => ({
        kind: "parts",
        spec: margins({ ...shape, ...amounts, muSquared }),
      }),
    },
    options,
  )
}

// Sums of N cells with noise v each have variance v N / m in a margin of m cells: in all, groupings * N * v.
// One by one each grouping has its part of epsilon, so that its noise is groupings^2 v.
function cellsAreBetter(sizes: readonly number[], sets: readonly (readonly number[])[]): boolean {
  const product = (places: readonly number[]): number =>
    places.reduce((count, place) => count * (sizes[place] ?? 1), 1)
  const inMargins = sets.reduce((sum, set) => sum + product(set), 0)
  const cells = product([...sizes.keys()])
  return cells <= sets.length * inMargins && cells * sets.length <= termsMax
}

// Where a unit is in several cells, they may fall into one group of a margin, and count there together; by
// itself a grouping bounds a unit anew. The sums of all variances are compared, aggregate by aggregate.
function partsAreBetter(
  family: readonly Boundary[],
  {
    sizes,
    sets,
    draft,
  }: { readonly draft: ReleaseDraft } & Pick<Shape, "sizes"> & {
      readonly sets: readonly (readonly number[])[]
    },
  options: DraftOptions,
): boolean {
  const { neighbours, wanted } = options
  const cells = sets.map((set) => set.reduce((count, place) => count * Number(sizes[place] ?? 1), 1))
  const apart = family.map(
    (boundary) =>
      new ReleaseDraft(boundary, { ...options, proven: boundingOf(boundary, wanted), readsApart: true }),
  )
  const ratios = draft.columns.map((column, aggregate) => {
    const shape = { sizes, wanted: sets.map((attributes) => ({ attributes })), neighbours }
    const spec = margins({ ...shape, ...draft.amounts(column), muSquared: 1 })
    const joint = sets.map((set, index) => (cells[index] ?? 1) * numberNear(marginVariance(spec, set)))
    const single = apart.map((one, index) => {
      const groupsInAll = cells[index] ?? 1
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

/** Sums of more terms than this take long. */
const termsMax = 150_000

type Shape = Omit<Parameters<typeof margins>[0], "muSquared">
