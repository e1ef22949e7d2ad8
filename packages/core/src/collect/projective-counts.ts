// From counters of reported points to how many reports are orthogonal to each value's point, in about
// points times field steps instead of points squared.

import { fieldOf, type Field } from "../local/field.ts"
import { pointCount, type ProjectiveProtocol } from "../local/projective.ts"
import { circle, fourierCube, walshHadamard, type Complex } from "./transforms.ts"

/** Of so many reports of points, how many are orthogonal to each value's point. */
export function projectiveCounts(points: readonly number[], protocol: ProjectiveProtocol): number[] {
  const { field, dimension, values } = protocol
  const all = orthogonalCounts(Float64Array.from(points), { characters: charactersOf(field), dimension })
  return Array.from(all.subarray(0, values))
}

/**
 * For every point v, the number C(v) of reports u with <v, u> = 0.
 *
 * Points are numbered so that those with first coordinate 0 come first, as the points of one dimension less;
 * the others are (1, z). Let F be the Fourier transform of the counts of (1, z) over all z. For a direction w
 * and a number a, the reports (1, z) with <z, w> = a are (1/q) sum over c of chi(-c a) F(c w). So
 *   C(0, w) = [reports (1, z) with <z, w> = 0] + C'(w),
 *   C(1, w) = [reports (1, z) with <z, w> = -1] + C'(w), and C(1, 0) = all reports (0, z),
 * with C' the counts in one dimension less, in which a multiple of w is as good as w. Sums of counts are
 * exact over a field of two's powers; over a prime field the result is rounded to the integer that it is.
 */
function orthogonalCounts(
  points: Float64Array,
  { characters, dimension }: { readonly characters: Characters; readonly dimension: number },
): Float64Array {
  const counts = new Float64Array(points.length)
  if (dimension <= 1) return counts
  const { size, inverses } = characters
  const below = pointCount(size, dimension - 1)
  const lower = orthogonalCounts(points.subarray(0, below), { characters, dimension: dimension - 1 })
  const transform = characters.transform(points.subarray(below))
  counts[below] = points.subarray(0, below).reduce((sum, count) => sum + count, 0)
  const along = { real: new Float64Array(size), imaginary: new Float64Array(size) }
  const places = new Float64Array(size)
  const vector = new Uint16Array(dimension - 1)
  for (let direction = 0; direction < below; direction += 1) {
    fillPoint(vector, direction, size)
    for (let c = 0; c < size; c += 1) places[c] = readAlong({ characters, transform, along, vector }, c)
    const shared = lower[direction] ?? 0
    counts[direction] = shared + Math.round(characters.sum(along, 0) / size)
    // <z, m w> = -1 is <z, w> = -1/m, and c runs through all numbers: chi(c / m) F(c w).
    for (let m = 1; m < size; m += 1) {
      const hits = Math.round(characters.sum(along, inverses[m] ?? 0) / size)
      counts[below + (places[m] ?? 0)] = shared + hits
    }
  }
  return counts
}

interface Reading {
  readonly characters: Characters
  readonly transform: Complex
  readonly along: Complex
  readonly vector: Uint16Array
}

/** Puts the transform at c times the vector into `along`; gives the place of that vector among all. */
function readAlong({ characters, transform, along, vector }: Reading, c: number): number {
  const { size, products, duals } = characters
  let [place, dual] = [0, 0]
  for (let i = 0; i < vector.length; i += 1) {
    const product = products[c * size + (vector[i] ?? 0)] ?? 0
    place = place * size + product
    dual = dual * size + (duals[product] ?? 0)
  }
  along.real[c] = transform.real[dual] ?? 0
  along.imaginary[c] = transform.imaginary[dual] ?? 0
  return place
}

/** The point of a number, as pointOf gives it: a 1, preceded by zeros and followed by digits. */
function fillPoint(vector: Uint16Array, number: number, size: number): void {
  let [after, first, width] = [0, 0, 1]
  while (number >= first + width) {
    first += width
    width *= size
    after += 1
  }
  vector.fill(0)
  const leading = vector.length - 1 - after
  vector[leading] = 1
  let rest = number - first
  for (let i = vector.length - 1; i > leading; i -= 1) {
    vector[i] = rest % size
    rest = Math.floor(rest / size)
  }
}

/** The additive characters of a field: what a Fourier transform over it needs. */
interface Characters {
  readonly size: number
  readonly inverses: Uint16Array
  /** a times b at a size + b. */
  readonly products: Uint16Array
  /** Where the transform has its value for an element. */
  readonly duals: Uint16Array
  readonly transform: (counts: Float64Array) => Complex
  /** The real part of the sum over c of chi(c factor) times the value at c. */
  readonly sum: (values: Complex, factor: number) => number
}

function charactersOf(size: number): Characters {
  const field = fieldOf(size)
  const products = new Uint16Array(size * size)
  const inverses = new Uint16Array(size)
  for (let a = 0; a < size; a += 1) {
    for (let b = 0; b < size; b += 1) {
      const product = field.times(a, b)
      products[a * size + b] = product
      if (product === 1) inverses[a] = b
    }
  }
  const tables = { size, products, inverses }
  return Number.isInteger(Math.log2(size))
    ? { ...tables, ...binary(field, products) }
    : { ...tables, ...prime(size) }
}

type Transforms = Pick<Characters, "duals" | "transform" | "sum">

function prime(size: number): Transforms {
  const { cosines, sines } = circle(size)
  return {
    duals: Uint16Array.from({ length: size }, (_, x) => x),
    transform: (counts) => {
      const values = { real: Float64Array.from(counts), imaginary: new Float64Array(counts.length) }
      fourierCube(values, size)
      return values
    },
    sum: ({ real, imaginary }, factor) => {
      let [sum, turn] = [0, 0]
      for (let c = 0; c < size; c += 1) {
        sum += (cosines[turn] ?? 0) * (real[c] ?? 0) - (sines[turn] ?? 0) * (imaginary[c] ?? 0)
        turn += factor
        if (turn >= size) turn -= size
      }
      return sum
    },
  }
}

/** chi(x) = (-1)^Tr(x), and the transform is Walsh's at the bits Tr(x), Tr(x a), Tr(x a^2), ... */
function binary(field: Field, products: Uint16Array): Transforms {
  const { size } = field
  const degree = Math.log2(size)
  const signs = Float64Array.from({ length: size }, (_, x) => {
    let [trace, power] = [0, x]
    for (let i = 0; i < degree; i += 1) {
      trace ^= power
      power = field.times(power, power)
    }
    return 1 - 2 * trace
  })
  const duals = Uint16Array.from({ length: size }, (_, x) => {
    let dual = 0
    for (let bit = 0; bit < degree; bit += 1) {
      if (signs[field.times(x, 2 ** bit)] === -1) dual |= 1 << bit
    }
    return dual
  })
  return {
    duals,
    transform: (counts) => {
      const real = Float64Array.from(counts)
      walshHadamard(real)
      return { real, imaginary: new Float64Array(0) }
    },
    sum: ({ real }, factor) => {
      let sum = 0
      for (let c = 0; c < size; c += 1) sum += (signs[products[factor * size + c] ?? 0] ?? 0) * (real[c] ?? 0)
      return sum
    },
  }
}
