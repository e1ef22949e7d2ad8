// The discrete Fourier transform on doubles, radix 2, in place: what composing loss distributions costs.

import { assert } from "../../errors/assert.ts"

/** A vector of complex numbers: real and imaginary parts apart. */
export interface ComplexVector {
  readonly re: Float64Array
  readonly im: Float64Array
}

/** cos and sin of 2 pi j / n for j < n / 2, by n. */
const tables = new Map<number, ComplexVector>()

/**
 * Replaces x by its transform: X_j = sum_t x_t e^(-2 pi i j t / n).
 *
 * Each of the log2 n stages forms, for every output, sums of values whose absolute sum is at most that of the
 * input, with a relative error of a few units u = 2^-53 (a twiddle factor within 3 u, see `twiddles`; the
 * product with it, 2.3 u; a sum, u): so every output is within 8 u log2(n) of the truth, times the sum of the
 * input's absolute values (`fftError`).
 */
export function transform({ re, im }: ComplexVector): void {
  const n = re.length
  assert(n > 0 && (n & (n - 1)) === 0 && im.length === n, "a transform's length is a power of two")
  reverseBits(re, im)
  const { re: cosines, im: sines } = twiddles(n)
  for (let half = 1; half < n; half *= 2) {
    const stride = n / (2 * half)
    for (let start = 0; start < n; start += 2 * half) {
      for (let k = 0, t = 0; k < half; k += 1, t += stride) {
        const c = cosines[t] ?? 0
        const s = sines[t] ?? 0
        const low = start + k
        const high = low + half
        const xr = re[high] ?? 0
        const xi = im[high] ?? 0
        const pr = xr * c + xi * s
        const pi = xi * c - xr * s
        const lr = re[low] ?? 0
        const li = im[low] ?? 0
        re[high] = lr - pr
        im[high] = li - pi
        re[low] = lr + pr
        im[low] = li + pi
      }
    }
  }
}

/** Replaces x by its inverse transform: the transform of the conjugate, conjugated and divided by n. */
export function inverseTransform(x: ComplexVector): void {
  const n = x.re.length
  for (let i = 0; i < n; i += 1) x.im[i] = -(x.im[i] ?? 0)
  transform(x)
  for (let i = 0; i < n; i += 1) {
    x.re[i] = (x.re[i] ?? 0) / n
    x.im[i] = -(x.im[i] ?? 0) / n
  }
}

/** How far an output of `transform` can be off, for an input whose absolute values add up to 1. */
export function fftError(n: number): number {
  return 8 * 2 ** -53 * Math.log2(n)
}

/**
 * An angle that is off by 1.4 u of itself is off by 4 u near pi. So angles are taken from the first eighth of
 * the circle only, where they are off by 1.1 u, and the others follow by symmetry.
 */
function twiddles(n: number): ComplexVector {
  const known = tables.get(n)
  if (known !== undefined) return known
  const half = Math.max(1, n / 2)
  const table = { re: new Float64Array(half), im: new Float64Array(half) }
  for (let j = 0; j < half; j += 1) {
    // Folded at a quarter of the circle, then at an eighth.
    const folded = Math.min(j, n / 2 - j)
    const isSteep = 8 * folded > n
    const angle = (2 * Math.PI * (isSteep ? n / 4 - folded : folded)) / n
    const [c, s] = isSteep ? [Math.sin(angle), Math.cos(angle)] : [Math.cos(angle), Math.sin(angle)]
    table.re[j] = folded === j ? c : -c
    table.im[j] = s
  }
  if (tables.size >= 4) tables.clear()
  tables.set(n, table)
  return table
}

function reverseBits(re: Float64Array, im: Float64Array): void {
  const n = re.length
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1
    for (; (j & bit) !== 0; bit >>= 1) j ^= bit
    j ^= bit
    if (i < j) {
      swap(re, i, j)
      swap(im, i, j)
    }
  }
}

function swap(values: Float64Array, i: number, j: number): void {
  const moved = values[i] ?? 0
  values[i] = values[j] ?? 0
  values[j] = moved
}
