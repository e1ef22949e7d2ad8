// A table over some attributes, split into one part for each subset of them and put together again. Part A of
// a table is what A's attributes say jointly beyond what fewer of them say: summed over all others, centred
// over each attribute in A. Arrays are row-major in a stated order of attributes.

import { at } from "../estimates/vector.ts"

/** An attribute and how many values it has. */
export interface Axis {
  readonly name: string
  readonly size: number
}

/** A table and the attributes it is over, outermost first. */
export interface Table {
  readonly axes: readonly Axis[]
  readonly cells: Float64Array
}

/** All parts of a table: one for each subset of its axes, in their order. */
export function residualsOf({ axes, cells }: Table): readonly Table[] {
  let parts: Table[] = [{ axes: [], cells }]
  // From the innermost axis outward: `axes` of a part are those behind the current one that were kept.
  for (const axis of axes.toReversed()) {
    parts = parts.flatMap((part) => {
      const { sums, centred } = splitAxis(part, axis)
      return [
        { axes: part.axes, cells: sums },
        { axes: [axis, ...part.axes], cells: centred },
      ]
    })
  }
  return parts
}

/** The table over `axes` whose parts are given by `partOf`: the inverse of residualsOf. */
export function tableOf(
  axes: readonly Axis[],
  partOf: (subset: readonly Axis[]) => Float64Array,
): Float64Array {
  return assemble(axes, [], partOf)
}

/**
 * Rebuilds `open` (outer axes, undecided) over `kept` (inner axes, kept as parts): a table over open, part
 * over kept.
 */
function assemble(
  open: readonly Axis[],
  kept: readonly Axis[],
  partOf: (subset: readonly Axis[]) => Float64Array,
): Float64Array {
  const axis = open.at(-1)
  if (axis === undefined) return partOf(kept)
  const outer = open.slice(0, -1)
  const sums = assemble(outer, kept, partOf)
  const centred = assemble(outer, [axis, ...kept], partOf)
  const inner = cellsOf(kept)
  return centred.map((value, index) => {
    const outside = Math.floor(index / (inner * axis.size))
    return value + at(sums, outside * inner + (index % inner)) / axis.size
  })
}

/** Along one axis: the sums, and what each entry is beyond the mean. The part's own axes lie inside it. */
function splitAxis(
  part: Table,
  { size }: Axis,
): { readonly sums: Float64Array; readonly centred: Float64Array } {
  const inner = cellsOf(part.axes)
  const outer = part.cells.length / (inner * size)
  const sums = new Float64Array(outer * inner)
  const centred = Float64Array.from(part.cells)
  for (let i = 0; i < outer; i += 1) {
    for (let k = 0; k < inner; k += 1) {
      const place = (j: number): number => (i * size + j) * inner + k
      let sum = 0
      for (let j = 0; j < size; j += 1) sum += at(part.cells, place(j))
      sums[i * inner + k] = sum
      for (let j = 0; j < size; j += 1) centred[place(j)] = at(part.cells, place(j)) - sum / size
    }
  }
  return { sums, centred }
}

/** How many cells a table over these axes has. */
export function cellsOf(axes: readonly Axis[]): number {
  return axes.reduce((count, { size }) => count * size, 1)
}

/** The same table with its axes in another order. */
export function reordered({ axes, cells }: Table, order: readonly Axis[]): Table {
  const strides = order.map(({ name }) => {
    return cellsOf(axes.slice(axes.findIndex((axis) => axis.name === name) + 1))
  })
  const moved = cells.map((_, index) => {
    let rest = index
    let from = 0
    for (let k = order.length - 1; k >= 0; k -= 1) {
      const size = order[k]?.size ?? 1
      from += (rest % size) * at(strides, k)
      rest = Math.floor(rest / size)
    }
    return at(cells, from)
  })
  return { axes: order, cells: moved }
}
