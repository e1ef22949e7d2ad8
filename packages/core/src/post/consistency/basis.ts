// An orthonormal basis of the constraints that hold with equality, kept up to date as they come and go: N = Q
// R with orthonormal columns Q and an upper triangular R. Used by the nearest-point search.

import { addScaled, at, dot, lengthOf } from "../estimates/vector.ts"

/** A vector taken apart: its coordinates in the basis, and what is orthogonal to it. */
export interface Split {
  readonly inside: Float64Array
  readonly rest: Float64Array
  readonly restLength: number
}

/** The growing and shrinking factorisation N = Q R. */
export class Basis {
  /** The columns of Q. */
  readonly #axes: Float64Array[] = []
  /** The columns of R; column k has k + 1 entries. */
  readonly #columns: Float64Array[] = []

  /** How many vectors are in it. */
  get count(): number {
    return this.#axes.length
  }

  /** Splits a vector; a second pass removes what rounding left of the first (Kahan's "twice is enough"). */
  split(vector: ArrayLike<number>): Split {
    const rest = Float64Array.from(vector)
    const inside = new Float64Array(this.count)
    for (let pass = 0; pass < 2; pass += 1) {
      for (const [index, axis] of this.#axes.entries()) {
        const share = dot(axis, rest)
        inside[index] = at(inside, index) + share
        addScaled(rest, axis, -share)
      }
    }
    return { inside, rest, restLength: lengthOf(rest) }
  }

  /** Appends a vector that was just split and does not lie in the span. */
  append({ inside, rest, restLength }: Split): void {
    this.#axes.push(rest.map((entry) => entry / restLength))
    this.#columns.push(Float64Array.of(...inside, restLength))
  }

  /** Takes out the vector at `place`: later columns of R lose their sub-diagonal by plane rotations. */
  remove(place: number): void {
    this.#columns.splice(place, 1)
    for (let k = place; k < this.#columns.length; k += 1) this.#rotate(k)
    this.#axes.pop()
    for (const [k, column] of this.#columns.entries()) {
      if (column.length > k + 1) this.#columns[k] = column.slice(0, k + 1)
    }
  }

  /** Solves R x = c. */
  solve(c: ArrayLike<number>): Float64Array {
    const x = Float64Array.from(c)
    for (let k = this.count - 1; k >= 0; k -= 1) {
      const column = this.#columns[k] ?? new Float64Array(0)
      x[k] = at(x, k) / at(column, k)
      for (let row = 0; row < k; row += 1) x[row] = at(x, row) - at(x, k) * at(column, row)
    }
    return x
  }

  /** Solves R' x = c. */
  solveTransposed(c: ArrayLike<number>): Float64Array {
    const x = Float64Array.from(c)
    for (const [k, column] of this.#columns.entries()) {
      let sum = at(c, k)
      for (let row = 0; row < k; row += 1) sum -= at(column, row) * at(x, row)
      x[k] = sum / at(column, k)
    }
    return x
  }

  /** Q c. */
  combine(c: ArrayLike<number>, size: number): Float64Array {
    const sum = new Float64Array(size)
    for (const [index, axis] of this.#axes.entries()) addScaled(sum, axis, at(c, index))
    return sum
  }

  /** Rotates axes k and k + 1 so that column k ends at its diagonal. */
  #rotate(k: number): void {
    const column = this.#columns[k] ?? new Float64Array(0)
    const length = Math.hypot(at(column, k), at(column, k + 1))
    const cosine = at(column, k) / length
    const sine = at(column, k + 1) / length
    for (const later of this.#columns.slice(k)) turn(later, { k, cosine, sine })
    const [first, second] = [this.#axes[k], this.#axes[k + 1]]
    if (first === undefined || second === undefined) return
    for (let row = 0; row < first.length; row += 1) {
      const [a, b] = [at(first, row), at(second, row)]
      first[row] = cosine * a + sine * b
      second[row] = cosine * b - sine * a
    }
  }
}

function turn(
  column: Float64Array,
  by: { readonly k: number; readonly cosine: number; readonly sine: number },
): void {
  const [a, b] = [at(column, by.k), at(column, by.k + 1)]
  column[by.k] = by.cosine * a + by.sine * b
  column[by.k + 1] = by.cosine * b - by.sine * a
}
