// Eigenvalues of a symmetric matrix by Jacobi's rotations: small matrices, and no library.

/** A symmetric matrix as V diag(values) V'; column k of `vectors` (row by row) belongs to value k. */
export interface Eigen {
  readonly values: Float64Array
  readonly vectors: Float64Array
}

const sweepsMax = 60

/** The eigenvalues and eigenvectors of a symmetric matrix, given row by row. */
export function eigenOf(matrix: Float64Array, size: number): Eigen {
  const a = matrix.slice()
  const vectors = new Float64Array(size * size)
  for (let at = 0; at < size; at += 1) vectors[at * size + at] = 1
  for (let sweep = 0; sweep < sweepsMax; sweep += 1) {
    let off = 0
    let all = 0
    for (let row = 0; row < size; row += 1) {
      for (let column = 0; column < size; column += 1) {
        const square = (a[row * size + column] ?? 0) ** 2
        all += square
        if (row !== column) off += square
      }
    }
    if (!(off > 1e-30 * all)) break
    for (let p = 0; p < size; p += 1) for (let q = p + 1; q < size; q += 1) rotate(a, vectors, { size, p, q })
  }
  return { values: Float64Array.from({ length: size }, (_, at) => a[at * size + at] ?? 0), vectors }
}

function rotate(
  a: Float64Array,
  vectors: Float64Array,
  { size, p, q }: { readonly size: number; readonly p: number; readonly q: number },
): void {
  const off = a[p * size + q] ?? 0
  if (off === 0) return
  const theta = ((a[q * size + q] ?? 0) - (a[p * size + p] ?? 0)) / (2 * off)
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  const turn = (of: Float64Array, left: number, right: number): void => {
    const [x, y] = [of[left] ?? 0, of[right] ?? 0]
    of[left] = cosine * x - sine * y
    of[right] = sine * x + cosine * y
  }
  for (let k = 0; k < size; k += 1) turn(a, k * size + p, k * size + q)
  for (let k = 0; k < size; k += 1) turn(a, p * size + k, q * size + k)
  for (let k = 0; k < size; k += 1) turn(vectors, k * size + p, k * size + q)
}
