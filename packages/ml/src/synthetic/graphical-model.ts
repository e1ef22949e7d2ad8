// A joint distribution over many attributes as a product over cliques. Its tables over cliques come from two
// passes over the junction tree; nothing of the size of the whole distribution is ever made.

import { assert } from "@dosimeter/core/errors"
import { cellCount, coarserPlaces } from "./cell-places.ts"
import type { JunctionTree } from "./junction-tree.ts"

/** What one clique has of the passes. */
interface Passing {
  readonly parent: number | undefined
  /** For each cell of the clique, and of the one that it hangs on, the cell of what they share. */
  readonly own: Int32Array
  readonly above: Int32Array
  readonly message: Float64Array
  readonly total: Float64Array
}

/** The tables of a product over cliques. */
export class GraphicalModel {
  readonly sizes: readonly number[]
  readonly tree: JunctionTree
  readonly #passing: readonly Passing[]

  constructor(sizes: readonly number[], tree: JunctionTree) {
    this.sizes = sizes
    this.tree = tree
    this.#passing = tree.cliques.map(({ attributes, parent, shared }): Passing => {
      const above = parent === undefined ? undefined : tree.cliques[parent]
      const cells = cellCount(shared, sizes)
      return {
        parent,
        own: coarserPlaces(attributes, sizes, { attributes: shared }),
        above: coarserPlaces(above?.attributes ?? [], sizes, { attributes: shared }),
        message: new Float64Array(cells),
        total: new Float64Array(cells),
      }
    })
  }

  /** A number for each cell of each clique, all 0. */
  empty(): Float64Array[] {
    return this.tree.cliques.map(({ attributes }) => new Float64Array(cellCount(attributes, this.sizes)))
  }

  /**
   * The table of each clique in the distribution that is proportional to exp of the sum of the potentials:
   * probabilities, in `out`. A potential of -Infinity is a cell that cannot be. Returns the logarithm of
   * the sum over all cells of the whole distribution.
   */
  calibrate(potentials: readonly Float64Array[], out: readonly Float64Array[]): number {
    let logSum = 0
    this.#gather(potentials, out)
    for (const [index, { parent, own, above, message, total }] of this.#passing.entries()) {
      const table = out[index] ?? new Float64Array(0)
      if (parent !== undefined) {
        // The clique above is a distribution already: what it says, without what this one said to it.
        total.fill(0)
        const over = out[parent] ?? new Float64Array(0)
        for (let cell = 0; cell < over.length; cell += 1) {
          const place = above[cell] ?? 0
          total[place] = (total[place] ?? 0) + (over[cell] ?? 0)
        }
        for (let place = 0; place < total.length; place += 1) {
          const said = message[place] ?? 0
          total[place] = said === -Infinity ? -Infinity : Math.log(total[place] ?? 0) - said
        }
        addTo(table, own, total, 1)
      }
      const sum = normalize(table)
      if (parent === undefined) logSum = sum
    }
    return logSum
  }

  /** Whether some cell of the whole distribution can be: whether potentials are not all -Infinity. */
  canBe(potentials: readonly Float64Array[]): boolean {
    const tables = this.empty()
    this.#gather(potentials, tables)
    return tables[0]?.some((value) => value > -Infinity) ?? false
  }

  // Each clique, from the last, tells the one that it hangs on; the first has heard of all.
  #gather(potentials: readonly Float64Array[], out: readonly Float64Array[]): void {
    for (const [index, table] of out.entries()) table.set(potentials[index] ?? table)
    for (const [index, { parent, own, above, message }] of [...this.#passing.entries()].toReversed()) {
      if (parent === undefined) continue
      logSums(out[index] ?? new Float64Array(0), own, message)
      addTo(out[parent] ?? new Float64Array(0), above, message, 1)
    }
  }

  /** The first clique that holds all of some attributes, if one does. */
  cliqueOf(attributes: readonly number[]): number | undefined {
    const found = this.tree.cliques.findIndex((clique) =>
      attributes.every((one) => clique.attributes.includes(one)),
    )
    return found < 0 ? undefined : found
  }
}

function addTo(table: Float64Array, places: Int32Array, values: Float64Array, times: number): void {
  for (let cell = 0; cell < table.length; cell += 1) {
    table[cell] = (table[cell] ?? 0) + times * (values[places[cell] ?? 0] ?? 0)
  }
}

// The logarithm of the sum of exp, for the cells of each place.
function logSums(table: Float64Array, places: Int32Array, out: Float64Array): void {
  const largest = new Float64Array(out.length).fill(-Infinity)
  for (let cell = 0; cell < table.length; cell += 1) {
    const place = places[cell] ?? 0
    const value = table[cell] ?? 0
    if (value > (largest[place] ?? 0)) largest[place] = value
  }
  out.fill(0)
  for (let cell = 0; cell < table.length; cell += 1) {
    const place = places[cell] ?? 0
    const top = largest[place] ?? 0
    if (top > -Infinity) out[place] = (out[place] ?? 0) + Math.exp((table[cell] ?? 0) - top)
  }
  for (let place = 0; place < out.length; place += 1) {
    const top = largest[place] ?? 0
    out[place] = top === -Infinity ? -Infinity : top + Math.log(out[place] ?? 0)
  }
}

// Makes a distribution of logarithms; returns the logarithm of their sum.
function normalize(table: Float64Array): number {
  let top = -Infinity
  for (const value of table) if (value > top) top = value
  assert(top > -Infinity, "some cell can be")
  let sum = 0
  for (let cell = 0; cell < table.length; cell += 1) {
    const value = Math.exp((table[cell] ?? 0) - top)
    table[cell] = value
    sum += value
  }
  for (let cell = 0; cell < table.length; cell += 1) table[cell] = (table[cell] ?? 0) / sum
  return top + Math.log(sum)
}
