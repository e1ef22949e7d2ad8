// From counters of reported points to how many reports are orthogonal to each value's point, in about
// points times field steps instead of points squared.

import { fieldOf, type Field } from "../local/field.ts"
import { pointCount, pointOf, type ProjectiveProtocol } from "../local/projective.ts"
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
  const { field } = characters
  const size = field.size
  const below = pointCount(size, dimension - 1)
  const lower = orthogonalCounts(points.subarray(0, below), { characters, dimension: dimension - 1 })
  const transform = characters.transform(points.subarray(below))
  counts[below] = points.subarray(0, below).reduce((sum, count) => sum + count, 0)
  const along = { real: new Float64Array(size), imaginary: new Float64Array(size) }
  for (let direction = 0; direction < below; direction += 1) {
    const vector = pointOf({ field: size, dimension: dimension - 1 }, direction)
    const places = Array.from({ length: size }, (_, c) => placeOf(vector, size, (x) => field.times(c, x)))
    for (const [c, place] of places.entries()) {
      const at = characters.place(place, dimension - 1)
      along.real[c] = transform.real[at] ?? 0
      along.imaginary[c] = transform.imaginary[at] ?? 0
    }
    const shared = lower[direction] ?? 0
    counts[direction] = shared + Math.round(characters.sum(along, 0) / size)
    // <z, m w> = -1 is <z, w> = -1/m, and c runs through all numbers: chi(c / m) F(c w).
    for (let m = 1; m < size; m += 1) {
      const hits = Math.round(characters.sum(along, characters.inverses[m] ?? 0) / size)
      counts[below + (places[m] ?? 0)] = shared + hits
    }
  }
  return counts
}

/** The additive characters of a field: what a Fourier transform over it needs. */
interface Characters {
  readonly field: Field
  readonly inverses: readonly number[]
  readonly transform: (counts: Float64Array) => Complex
  /** Where the transform has its value for a vector. */
  readonly place: (vector: number, dimension: number) => number
  /** The real part of the sum over c of chi(c factor) times the value at c. */
  readonly sum: (values: Complex, factor: number) => number
}

function charactersOf(size: number): Characters {
  const field = fieldOf(size)
  const inverses = Array.from({ length: size }, (_, a) => {
    for (let b = 1; b < size; b += 1) if (field.times(a, b) === 1) return b
    return 0
  })
  return Number.isInteger(Math.log2(size)) ? binary(field, inverses) : prime(field, inverses)
}

function prime(field: Field, inverses: readonly number[]): Characters {
  const { size } = field
  const { cosines, sines } = circle(size)
  return {
    field,
    inverses,
    transform: (counts) => {
      const values = { real: Float64Array.from(counts), imaginary: new Float64Array(counts.length) }
      fourierCube(values, size)
      return values
    },
    place: (vector) => vector,
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
function binary(field: Field, inverses: readonly number[]): Characters {
  const { size } = field
  const degree = Math.log2(size)
  const traces = Array.from({ length: size }, (_, x) => {
    let [sum, power] = [0, x]
    for (let i = 0; i < degree; i += 1) {
      sum ^= power
      power = field.times(power, power)
    }
    return sum
  })
  const duals = traces.map((_, x) => {
    let dual = 0
    for (let bit = 0; bit < degree; bit += 1) dual |= (traces[field.times(x, 2 ** bit)] ?? 0) << bit
    return dual
  })
  return {
    field,
    inverses,
    transform: (counts) => {
      const real = Float64Array.from(counts)
      walshHadamard(real)
      return { real, imaginary: new Float64Array(0) }
    },
    place: (vector, dimension) => {
      let place = 0
      for (let i = 0; i < dimension; i += 1) {
        const coordinate = Math.floor(vector / size ** i) % size
        place += (duals[coordinate] ?? 0) * size ** i
      }
      return place
    },
    sum: ({ real }, factor) => {
      let sum = 0
      for (let c = 0; c < size; c += 1) {
        sum += (1 - 2 * (traces[field.times(c, factor)] ?? 0)) * (real[c] ?? 0)
      }
      return sum
    },
  }
}

function placeOf(vector: readonly number[], size: number, map: (x: number) => number): number {
  let place = 0
  for (const coordinate of vector) place = place * size + map(coordinate)
  return place
}
