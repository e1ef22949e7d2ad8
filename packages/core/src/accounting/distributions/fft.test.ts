import fc from "fast-check"
import { expect, test } from "vitest"
import { enclosePi } from "../../exact/normal.ts"
import { seededBits } from "../../testing/seeded-bits.ts"
import { fftError, inverseTransform, transform, type ComplexVector } from "./fft.ts"

const vector = (re: readonly number[], im: readonly number[]): ComplexVector => ({
  re: Float64Array.from(re),
  im: Float64Array.from(im),
})

/** A vector of values in [-1, 1] and its sum of absolute values. */
function randomVector(length: number, seed: bigint): { x: ComplexVector; size: number } {
  const bits = seededBits(seed)
  const value = (): number => bits.word() / 2 ** 31 - 1
  const x = vector(Array.from({ length }, value), Array.from({ length }, value))
  const size = x.re.reduce((sum, re, i) => sum + Math.hypot(re, x.im[i] ?? 0), 0)
  return { x, size }
}

const bits = 160
const one = 1n << BigInt(bits)

/** cos and sin of 2 pi j / n in units of 2^-160, by their series. */
function exactTwiddle(j: number, n: number): { c: bigint; s: bigint } {
  const angle = (2n * enclosePi(bits).lo * BigInt(j)) / BigInt(n)
  let [c, s, term] = [one, 0n, one]
  for (let k = 1n; term !== 0n && k < 200n; k += 1n) {
    term = (term * angle) / one / k
    if (k % 2n === 1n) s += k % 4n === 1n ? term : -term
    else c += k % 4n === 2n ? -term : term
  }
  return { c, s }
}

const fixed = (x: number): bigint => BigInt(Math.round(x * 2 ** 110)) << BigInt(bits - 110)
const number = (x: bigint): number => Number(x >> 60n) / 2 ** (bits - 60)

/** Output j of the transform, from the definition in 160 bits; its distance from what was computed. */
function distances(x: ComplexVector, got: ComplexVector): number[] {
  const n = x.re.length
  const table = Array.from({ length: n }, (_, j) => exactTwiddle(j, n))
  return Array.from({ length: n }, (_, j) => {
    let [re, im] = [0n, 0n]
    for (let t = 0; t < n; t += 1) {
      const { c, s } = table[(j * t) % n] ?? { c: 0n, s: 0n }
      const [a, b] = [fixed(x.re[t] ?? 0), fixed(x.im[t] ?? 0)]
      re += (a * c + b * s) / one
      im += (b * c - a * s) / one
    }
    return Math.hypot(number(re - fixed(got.re[j] ?? 0)), number(im - fixed(got.im[j] ?? 0)))
  })
}

const copy = (x: ComplexVector): ComplexVector => vector([...x.re], [...x.im])

test.each([1, 2, 4, 8, 16, 64, 128])("is the sum that defines it, within its bound, at length %i", (n) => {
  const { x, size } = randomVector(n, BigInt(n))
  const got = copy(x)
  transform(got)
  const worst = Math.max(...distances(x, got))
  expect(worst).toBeLessThanOrEqual(size * fftError(n))
  // The bound is for the worst case; what is lost in fact is far less, so a wrong table would be seen.
  expect(worst).toBeLessThanOrEqual(size * 4 * 2 ** -53)
})

test("comes back to where it began", () => {
  for (const power of [0, 1, 5, 12, 16]) {
    const n = 2 ** power
    const { x, size } = randomVector(n, 7n)
    const y = copy(x)
    transform(y)
    inverseTransform(y)
    const off = Math.max(
      ...y.re.map((re, i) => Math.hypot(re - (x.re[i] ?? 0), (y.im[i] ?? 0) - (x.im[i] ?? 0))),
    )
    expect(off).toBeLessThanOrEqual(2 * size * fftError(2 * n))
  }
})

test("keeps the sum of squares", () => {
  const { x } = randomVector(4096, 11n)
  const before = x.re.reduce((sum, re, i) => sum + re * re + (x.im[i] ?? 0) ** 2, 0)
  transform(x)
  const after = x.re.reduce((sum, re, i) => sum + re * re + (x.im[i] ?? 0) ** 2, 0)
  expect(after / 4096 / before - 1).toBeLessThan(1e-13)
  expect(after / 4096 / before - 1).toBeGreaterThan(-1e-13)
})

test("turns a shift into a rotation: every table entry is used and right", () => {
  for (const n of [8, 1024, 2 ** 16]) {
    const x = vector(
      Array.from({ length: n }, (_, i) => (i === 1 ? 1 : 0)),
      Array.from({ length: n }, () => 0),
    )
    transform(x)
    const sizes = x.re.map((re, j) => Math.abs(Math.hypot(re, x.im[j] ?? 0) - 1))
    expect(Math.max(...sizes.slice(0, 1000))).toBeLessThan(1e-15)
    expect(x.re[n / 8] ?? 0).toBeCloseTo(Math.SQRT1_2, 15)
    expect(x.im[n / 4]).toBe(-1)
    expect(x.re[n / 2]).toBe(-1)
    expect(x.re[(3 * n) / 8] ?? 0).toBeCloseTo(-Math.SQRT1_2, 15)
    expect(x.im[(3 * n) / 8] ?? 0).toBeCloseTo(-Math.SQRT1_2, 15)
  }
})

test("multiplies polynomials", () => {
  const values = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 16 })
  fc.assert(
    fc.property(values, values, (a, b) => {
      const pad = (list: readonly number[]): number[] => Array.from({ length: 32 }, (_, i) => list[i] ?? 0)
      const [x, y] = [vector(pad(a), pad([])), vector(pad(b), pad([]))]
      transform(x)
      transform(y)
      const product = vector(
        [...x.re].map((re, i) => re * (y.re[i] ?? 0) - (x.im[i] ?? 0) * (y.im[i] ?? 0)),
        [...x.re].map((re, i) => re * (y.im[i] ?? 0) + (x.im[i] ?? 0) * (y.re[i] ?? 0)),
      )
      inverseTransform(product)
      const plain = pad([])
      a.forEach((p, i) => b.forEach((q, j) => (plain[i + j] = (plain[i + j] ?? 0) + p * q)))
      expect([...product.re].map((re) => Math.round(re) + 0)).toEqual(plain.map((value) => value + 0))
    }),
    { numRuns: 100 },
  )
})

test("takes powers of two only", () => {
  expect(() => transform(vector([1, 2, 3], [0, 0, 0]))).toThrow("power of two")
  expect(() => transform(vector([1, 2], [0]))).toThrow("power of two")
})
