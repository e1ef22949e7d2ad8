// Margins of one table that cannot be negative: the nearest ones of a table without negative cells. They
// agree with each other, since they are sums of the same cells.

import { assert } from "../../errors/assert.ts"

/** A margin of a table: over some of its attributes in rising order, row-major. */
export interface TableMargin {
  readonly attributes: readonly number[]
  readonly values: readonly number[]
}

/** How much more the squares of a part count for every attribute less, and at most. */
const ratio = 10
const ratioMax = 100
const startRounds = 10
/** After so many steps it is looked whether margins still move. */
const stride = 50
/** No table takes more multiplications, about. */
const workMax = 3e8

/**
 * The cells of a table, none negative, whose margins are nearest to given ones, none of which is a margin of
 * another. Ends when margins move by no more than the tolerance (root mean square) in fifty steps; undefined
 * if that would take long.
 *
 * The margins are taken apart into parts: the total, comparisons within one attribute, within two, and so on.
 * Parts with fewer attributes are in more cells, so their squares count ten times as much for every attribute
 * less (a hundred times at most): cells near to 0 give way to each other before totals do. What is
 * least over x >= 0 is f(x) = sum over parts A of c_A |P_A (x - y)|^2 / 2. The projection onto a part, P_A,
 * is a sum with signs, over all B inside A, of averages over the attributes that are not in B.
 *
 * Guarantee: a number from 0 for each cell, or nothing; the same for the same margins.
 * Bias: small cells are raised and large ones lowered; totals hardly.
 * Intervals: those of the margins stay valid.
 * Needs: finite values, one for each combination of a margin's attributes; margins that agree where they
 *   overlap (cells are then nearest to all of them; else to the first that has a part).
 * Proof: every step ends with the larger of a number and 0. From iterative proportional fitting, accelerated
 *   projected gradient steps of length 1 / c with the largest c bring f down (Beck and Teboulle 2009), and
 *   begin anew where they would overshoot (O'Donoghue and Candes 2015).
 * Numerics: doubles; how near the result is to the least f is measured in a test, not proven.
 * Source: McKenna, Sheldon and Miklau 2019 fit a graphical model to the same end.
 */
export function tableFromZero(
  sizes: readonly number[],
  margins: readonly TableMargin[],
  tolerance: number,
): Float64Array | undefined {
  const table = new Table(sizes, margins)
  let state: Descent = { cells: table.fitted(startRounds), ahead: undefined, pace: 1 }
  for (let step = 0; step < workMax / table.work; step += stride) {
    const before = state.cells
    for (let more = 0; more < stride; more += 1) state = descended(state, table)
    if (table.moved(before, state.cells) <= tolerance) return state.cells
  }
  return undefined
}

/** Where a descent stands, where its next step begins, and how fast it is. */
interface Descent {
  readonly cells: Float64Array
  readonly ahead: Float64Array | undefined
  readonly pace: number
}

function descended({ cells, ahead = cells, pace }: Descent, table: Table): Descent {
  const slope = table.slopeAt(ahead)
  const next = ahead.map((cell, place) => Math.max(0, cell - (slope[place] ?? 0) / table.steepest))
  let turn = 0
  for (let place = 0; place < next.length; place += 1) {
    const cell = next[place] ?? 0
    turn += ((ahead[place] ?? 0) - cell) * (cell - (cells[place] ?? 0))
  }
  if (turn > 0) return { cells: next, ahead: next, pace: 1 }
  const faster = (1 + Math.sqrt(1 + 4 * pace * pace)) / 2
  const push = (pace - 1) / faster
  return {
    cells: next,
    ahead: next.map((cell, place) => cell + push * (cell - (cells[place] ?? 0))),
    pace: faster,
  }
}

/** A margin: which of its cells each cell of the table is in. */
interface Place {
  readonly attributes: readonly number[]
  readonly size: number
  readonly cellOf: Int32Array
}

class Table {
  readonly steepest: number
  /** Of one step. */
  readonly work: number
  readonly #cells: number
  readonly #given: readonly { readonly place: Place; readonly values: Float64Array }[]
  /** Every margin inside a given one, with the weight of its averages and what they should be. */
  readonly #parts: readonly {
    readonly place: Place
    readonly weight: number
    readonly wanted: Float64Array
  }[]

  constructor(sizes: readonly number[], margins: readonly TableMargin[]) {
    this.#cells = sizes.reduce((product, size) => product * size, 1)
    this.#given = margins.map(({ attributes, values }) => {
      const place = placeOf(sizes, attributes)
      assert(
        values.length === place.size && values.every(Number.isFinite),
        "a margin has a number in each cell",
      )
      return { place, values: Float64Array.from(values) }
    })
    const inside = new Map<string, { readonly attributes: readonly number[]; readonly of: number }>()
    for (const [of, { attributes }] of margins.entries()) {
      for (const part of subsetsOf(attributes)) {
        if (!inside.has(part.join())) inside.set(part.join(), { attributes: part, of })
      }
    }
    const parts = [...inside.values()]
    const order = Math.max(0, ...parts.map(({ attributes }) => attributes.length))
    const countOf = (attributes: readonly number[]): number =>
      Math.min(ratioMax, ratio ** (order - attributes.length))
    this.steepest = countOf([])
    this.#parts = parts.map(({ attributes, of }) => {
      // c of all parts around, with signs: what is left of the projections for these averages.
      const weight = parts.reduce((sum, other) => {
        if (!attributes.every((one) => other.attributes.includes(one))) return sum
        const sign = (other.attributes.length - attributes.length) % 2 === 0 ? 1 : -1
        return sum + sign * countOf(other.attributes)
      }, 0)
      const place = placeOf(sizes, attributes)
      return { place, weight, wanted: this.#within(of, place) }
    })
    this.work = 2 * this.#cells * this.#parts.length
  }

  /** How far the given margins are apart in two tables: the root of the mean square over all their cells. */
  moved(before: Float64Array, after: Float64Array): number {
    let [squares, count] = [0, 0]
    for (const { place } of this.#given) {
      const [old, now] = [sumsOf(before, place), sumsOf(after, place)]
      for (let at = 0; at < now.length; at += 1) squares += ((now[at] ?? 0) - (old[at] ?? 0)) ** 2
      count += now.length
    }
    return Math.sqrt(squares / Math.max(1, count))
  }

  /** A margin of a given one. */
  #within(of: number, { size, cellOf }: Place): Float64Array {
    const wanted = new Float64Array(size)
    const given = this.#given[of]
    if (given === undefined) return wanted
    const isDone = new Uint8Array(given.place.size)
    for (let cell = 0; cell < this.#cells; cell += 1) {
      const inner = given.place.cellOf[cell] ?? 0
      if (isDone[inner] === 1) continue
      isDone[inner] = 1
      const outer = cellOf[cell] ?? 0
      wanted[outer] = (wanted[outer] ?? 0) + (given.values[inner] ?? 0)
    }
    return wanted
  }

  /** Cells by iterative proportional fitting, from equal ones. */
  fitted(rounds: number): Float64Array {
    const [first] = this.#given
    const total = Math.max(
      0,
      (first?.values ?? new Float64Array()).reduce((sum, value) => sum + value, 0),
    )
    const even = total / this.#cells
    const cells = new Float64Array(this.#cells).fill(even)
    if (even === 0) return cells
    for (let round = 0; round < rounds; round += 1) {
      for (const { place, values } of this.#given) {
        const sums = sumsOf(cells, place)
        const least = (even * this.#cells) / place.size / 1000
        for (let cell = 0; cell < cells.length; cell += 1) {
          const at = place.cellOf[cell] ?? 0
          const sum = sums[at] ?? 0
          if (sum > 0) cells[cell] = ((cells[cell] ?? 0) * Math.max(least, values[at] ?? 0)) / sum
        }
      }
    }
    return cells
  }

  /** The gradient of f. */
  slopeAt(cells: Float64Array): Float64Array {
    const slope = new Float64Array(cells.length)
    for (const { place, weight, wanted } of this.#parts) {
      if (weight === 0) continue
      const factor = (weight * place.size) / cells.length
      const off = sumsOf(cells, place).map((sum, at) => factor * (sum - (wanted[at] ?? 0)))
      for (let cell = 0; cell < slope.length; cell += 1) {
        slope[cell] = (slope[cell] ?? 0) + (off[place.cellOf[cell] ?? 0] ?? 0)
      }
    }
    return slope
  }
}

function sumsOf(cells: Float64Array, { size, cellOf }: Place): Float64Array {
  const sums = new Float64Array(size)
  for (let cell = 0; cell < cells.length; cell += 1) {
    const at = cellOf[cell] ?? 0
    sums[at] = (sums[at] ?? 0) + (cells[cell] ?? 0)
  }
  return sums
}

function placeOf(sizes: readonly number[], attributes: readonly number[]): Place {
  const cells = sizes.reduce((product, size) => product * size, 1)
  const strides = sizes.map((_, axis) => sizes.slice(axis + 1).reduce((product, size) => product * size, 1))
  const size = attributes.reduce((product, axis) => product * (sizes[axis] ?? 1), 1)
  const cellOf = Int32Array.from({ length: cells }, (_, cell) =>
    attributes.reduce(
      (at, axis) => at * (sizes[axis] ?? 1) + (Math.floor(cell / (strides[axis] ?? 1)) % (sizes[axis] ?? 1)),
      0,
    ),
  )
  return { attributes, size, cellOf }
}

function subsetsOf(attributes: readonly number[]): readonly (readonly number[])[] {
  return attributes.reduce<readonly (readonly number[])[]>(
    (found, attribute) => [...found, ...found.map((one) => [...one, attribute])],
    [[]],
  )
}
