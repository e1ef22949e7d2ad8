// The possible combinations of public keys. Keys that are levels of one public tree (region, hospital, ward)
// have those of its leaves; all other keys combine freely.

import { closureOf, dependenciesOf } from "@dosimeter/proof/units/dependencies"
import type { Constant } from "@dosimeter/proof/catalog/constant"
import type { TreePlace } from "@dosimeter/proof/catalog/public-tree"
import type { ColumnId } from "@dosimeter/proof/algebra/expr"
import { columnIn } from "@dosimeter/proof/algebra/make"
import { groupName } from "@dosimeter/proof/algebra/public-rows"
import type { Boundary, RelColumn } from "@dosimeter/proof/algebra/rel"

/** Keys that combine as they are listed: places among all keys, and the possible tuples of their values. */
export interface KeyBlock {
  readonly places: readonly number[]
  readonly tuples: readonly (readonly Constant[])[]
}

/** The blocks of a boundary's keys, given a list for each key; undefined if every key combines freely. */
export function keyBlocks(
  { input, keys }: Pick<Boundary, "input" | "keys">,
  lists: readonly (readonly Constant[])[],
): readonly KeyBlock[] | undefined {
  const columns = keys.map((key) => columnIn(input, key))
  const trees = new Map<unknown, number[]>()
  for (const [place, { domain }] of columns.entries()) {
    if (domain.tree === undefined) continue
    const own = trees.get(domain.tree.tree)
    if (own === undefined) trees.set(domain.tree.tree, [place])
    else own.push(place)
  }
  const joint = [...trees.values()].filter((places) => places.length > 1)
  if (joint.length === 0) return undefined
  const dependencies = dependenciesOf(input)
  const isDecided = (by: ColumnId, others: readonly ColumnId[]): boolean => {
    const closure = closureOf(dependencies, [by])
    return others.every((other) => closure.has(other))
  }
  const inTrees = new Set(joint.flat())
  return lists.flatMap((list, place): readonly KeyBlock[] => {
    if (!inTrees.has(place)) return [{ places: [place], tuples: list.map((value) => [value]) }]
    const places = joint.find(([first]) => first === place)
    return places === undefined ? [] : [treeBlock(places, columns, isDecided)]
  })
}

interface TreeColumn {
  readonly place: number
  readonly column: RelColumn
  readonly tree: TreePlace
}

function treeBlock(
  places: readonly number[],
  columns: readonly RelColumn[],
  isDecided: (by: ColumnId, others: readonly ColumnId[]) => boolean,
): KeyBlock {
  const levels = places
    .flatMap((place): TreeColumn[] => {
      const column = columns[place]
      const tree = column?.domain.tree
      return column === undefined || tree === undefined ? [] : [{ place, column, tree }]
    })
    .toSorted((a, b) => a.tree.level - b.tree.level)
  const leaves = levels[0]?.tree.tree.levels[0]?.ofLeaf.length ?? 0
  const valueAt = ({ column, tree }: TreeColumn, leaf: number): Constant => {
    const value = tree.tree.levels[tree.level]?.ofLeaf[leaf]
    return (value === undefined ? undefined : column.domain.values?.[value]) ?? { kind: "null" }
  }
  const paths = Array.from({ length: leaves }, (_, leaf) => levels.map((level) => valueAt(level, leaf)))
  const tuples = nested(distinct([...paths, ...withoutLower(levels, paths, isDecided)]))
  return { places: levels.map(({ place }) => place), tuples }
}

// A row may have no value at the lower levels, where they may be NULL: a group of its own below each value
// that it has. Where the lowest level decides the others, it has either all of them or none.
function withoutLower(
  levels: readonly TreeColumn[],
  paths: readonly (readonly Constant[])[],
  isDecided: (by: ColumnId, others: readonly ColumnId[]) => boolean,
): readonly (readonly Constant[])[] {
  const isNullable = levels.map(({ column }) => column.domain.nullable)
  const ids = levels.map(({ column }) => column.id)
  const last = ids.at(-1)
  const isAll = isNullable.every((nullable) => nullable)
  if (isAll && last !== undefined && isDecided(last, ids)) return [levels.map(() => ({ kind: "null" }))]
  return levels.flatMap((_, from) =>
    isNullable.slice(from).every((nullable) => nullable)
      ? paths.map((path) => path.map((value, place) => (place < from ? value : ({ kind: "null" } as const))))
      : [],
  )
}

/** Rows that agree in their first values stand together, in the order in which these first occur. */
export function nested(rows: readonly (readonly Constant[])[]): readonly (readonly Constant[])[] {
  const ranks = new Map<string, number>()
  const placed = rows.map((row) => {
    const rank = row.map((_, place) => {
      const name = groupName(row.slice(0, place + 1))
      const known = ranks.get(name) ?? ranks.size
      ranks.set(name, known)
      return known
    })
    return { row, rank }
  })
  const order = (a: readonly number[], b: readonly number[]): number => {
    const at = a.findIndex((one, place) => one !== b[place])
    return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
  }
  return placed.toSorted((a, b) => order(a.rank, b.rank)).map(({ row }) => row)
}

function distinct(rows: readonly (readonly Constant[])[]): readonly (readonly Constant[])[] {
  return [...new Map(rows.map((row) => [groupName(row), row])).values()]
}

/** All rows that blocks give, each in the order of all keys, block after block. */
export function rowsOfBlocks(blocks: readonly KeyBlock[]): readonly (readonly Constant[])[] {
  let rows: readonly (readonly (readonly [number, Constant])[])[] = [[]]
  for (const { places, tuples } of blocks) {
    rows = rows.flatMap((row) =>
      tuples.map((tuple) => [
        ...row,
        ...tuple.map((value, index): readonly [number, Constant] => [places[index] ?? 0, value]),
      ]),
    )
  }
  return rows.map((row) => row.toSorted(([a], [b]) => a - b).map(([, value]) => value))
}

/** How many rows blocks give. */
export function countOfBlocks(blocks: readonly KeyBlock[]): number {
  return blocks.reduce((count, { tuples }) => count * tuples.length, 1)
}
