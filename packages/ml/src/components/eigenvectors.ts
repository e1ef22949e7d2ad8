// Eigenvectors of a symmetric matrix, by Jacobi's rotations.

/** The largest value first; vectors one after the other. */
export interface Eigenvectors {
  readonly values: Float64Array
  readonly vectors: Float64Array
}

/** All eigenvalues and unit eigenvectors of a symmetric matrix of so many rows. */
export function eigenvectors(matrix: Float64Array, size: number): Eigenvectors {
  const a = matrix.slice()
  // The rows of v become the vectors.
  const v = new Float64Array(size * size)
  for (let i = 0; i < size; i += 1) v[i * size + i] = 1
  for (let sweep = 0; sweep < 60 && offDiagonal(a, size) > 1e-22 * total(a); sweep += 1) {
    for (let p = 0; p < size; p += 1) {
      for (let q = p + 1; q < size; q += 1) rotate(a, v, { p, q, size })
    }
  }
  const order = Array.from({ length: size }, (_, i) => i).toSorted(
    (i, j) => (a[j * size + j] ?? 0) - (a[i * size + i] ?? 0),
  )
  const vectors = new Float64Array(size * size)
  for (const [place, i] of order.entries()) vectors.set(v.subarray(i * size, (i + 1) * size), place * size)
  return { values: Float64Array.from(order, (i) => a[i * size + i] ?? 0), vectors }
}

/** One rotation, after which a[p, q] is 0. */
function rotate(
  a: Float64Array,
  v: Float64Array,
  { p, q, size }: { readonly p: number; readonly q: number; readonly size: number },
): void {
  const off = a[p * size + q] ?? 0
  if (off === 0) return
  const theta = ((a[q * size + q] ?? 0) - (a[p * size + p] ?? 0)) / (2 * off)
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1))
  const c = 1 / Math.hypot(t, 1)
  const s = t * c
  for (let k = 0; k < size; k += 1) {
    const [left, right] = [a[k * size + p] ?? 0, a[k * size + q] ?? 0]
    a[k * size + p] = c * left - s * right
    a[k * size + q] = s * left + c * right
  }
  for (const rows of [a, v]) {
    for (let k = 0; k < size; k += 1) {
      const [upper, lower] = [rows[p * size + k] ?? 0, rows[q * size + k] ?? 0]
      rows[p * size + k] = c * upper - s * lower
      rows[q * size + k] = s * upper + c * lower
    }
  }
}

function offDiagonal(a: Float64Array, size: number): number {
  return a.reduce((sum, value, at) => (Math.floor(at / size) === at % size ? sum : sum + value * value), 0)
}

function total(a: Float64Array): number {
  return a.reduce((sum, value) => sum + value * value, 0)
}
