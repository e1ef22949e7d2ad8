// Where the cells of a table stand. A table over some attributes is row-major, attributes in ascending order:
// the last runs fastest.

/** How many cells a table over some attributes has. */
export function cellCount(attributes: readonly number[], sizes: readonly number[]): number {
  return attributes.reduce((count, attribute) => count * (sizes[attribute] ?? 1), 1)
}

/** What a table is summed to: fewer attributes, and of each perhaps groups of its values. */
export interface CoarserTable {
  readonly attributes: readonly number[]
  /** For each of them the group of each value; none where every value is a group. */
  readonly groups?: readonly (readonly number[] | undefined)[]
}

/** For each cell of a table over `attributes`, the cell of the coarser table that it is in. */
export function coarserPlaces(
  attributes: readonly number[],
  sizes: readonly number[],
  coarser: CoarserTable,
): Int32Array {
  const wide = coarser.attributes.map((attribute, place) => groupCount(coarser, place, sizes[attribute] ?? 1))
  const strides = wide.map((_, place) => wide.slice(place + 1).reduce((product, one) => product * one, 1))
  let places = Int32Array.of(0)
  for (const attribute of attributes) {
    const size = sizes[attribute] ?? 1
    const place = coarser.attributes.indexOf(attribute)
    const groups = coarser.groups?.[place]
    const steps = Array.from({ length: size }, (_, value) =>
      place < 0 ? 0 : (groups?.[value] ?? value) * (strides[place] ?? 1),
    )
    const next = new Int32Array(places.length * size)
    for (const [index, before] of places.entries()) {
      for (let value = 0; value < size; value += 1) next[index * size + value] = before + (steps[value] ?? 0)
    }
    places = next
  }
  return places
}

/** How many groups an attribute of a coarser table has. */
export function groupCount({ groups }: CoarserTable, place: number, size: number): number {
  const own = groups?.[place]
  return own === undefined ? size : Math.max(0, ...own) + 1
}

/** How many cells a coarser table has whose attributes are all in groups. */
export function cellsOf(table: CoarserTable): number {
  return table.attributes.reduce((count, _, place) => count * groupCount(table, place, 1), 1)
}

/** Sums the cells of a table into those of a coarser one. */
export function sumInto(cells: Float64Array, places: Int32Array, out: Float64Array): Float64Array {
  out.fill(0)
  for (let cell = 0; cell < cells.length; cell += 1) {
    const place = places[cell] ?? 0
    out[place] = (out[place] ?? 0) + (cells[cell] ?? 0)
  }
  return out
}
