// Arithmetic on short vectors of doubles, shared by the projections. A position that is not there reads as
// NaN, so that a slip shows in the result instead of passing for a zero.

/** The entry at `index`, NaN where there is none. */
export function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? Number.NaN
}

/** The inner product of two vectors of the same length. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += at(a, index) * at(b, index)
  return sum
}

/** The sum of |a_i b_i|: how large the terms of `dot(a, b)` are, and so how much rounding it may hold. */
export function dotSize(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) sum += Math.abs(at(a, index) * at(b, index))
  return sum
}

/** The Euclidean length. */
export function lengthOf(values: ArrayLike<number>): number {
  return Math.sqrt(dot(values, values))
}

/** Adds `factor * step` to `target`, in place. */
export function addScaled(target: Float64Array, step: ArrayLike<number>, factor: number): void {
  for (let index = 0; index < target.length; index += 1) {
    target[index] = at(target, index) + factor * at(step, index)
  }
}

/** The sum of the entries. */
export function sumOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < values.length; index += 1) sum += at(values, index)
  return sum
}
