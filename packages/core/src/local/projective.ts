// Projective geometry response, for many values: an answer is a point of a projective space over a small
// field, and the report a point that is more likely orthogonal to it than not. As accurate as subset
// selection, in as few bits as the answer itself.

import { fail } from "../errors/errors.ts"
import type { Numeric } from "../exact/decimal.ts"
import { numberNear } from "../exact/dyadic.ts"
import { add, divide, multiply, rational, type Rational } from "../exact/rational.ts"
import { choose, isBelow, isEqual, whole, type Draws } from "./draws.ts"
import { fieldMax, fieldOf, isFieldSize, type Field } from "./field.ts"
import { valuesMax, type Support } from "./kary.ts"
import { checkCategory, countOf, oddsOf, probabilityOf, thresholdDown } from "./threshold.ts"

/** Points of dimension `dimension` over `field`; the report is orthogonal with probability inside / 2^52. */
export interface ProjectiveProtocol {
  readonly kind: "projective"
  readonly values: number
  readonly field: number
  readonly dimension: number
  readonly inside: number
}

/** So many points at most: the collector has a counter for each. */
export const pointsMax = 2 ** 24

/** Projective geometry response with a given epsilon; field and dimension are those of smallest error. */
export function projectiveProtocol(options: {
  readonly values: Numeric
  readonly epsilon: Numeric
}): ProjectiveProtocol {
  const values = countOf(options.values, { name: "values", least: 2, most: valuesMax })
  const odds = oddsOf(options.epsilon)
  const ideal = numberNear(odds) + 1
  let best: { readonly protocol: ProjectiveProtocol; readonly spread: number } | undefined
  for (let field = 2; field <= Math.min(fieldMax, 4 * ideal + 2); field += 1) {
    if (!isFieldSize(field)) continue
    const protocol = ofField({ values, field, odds })
    if (protocol === undefined) continue
    const spread = spreadOf(protocol)
    if (best === undefined || spread < best.spread) best = { protocol, spread }
  }
  if (best === undefined) {
    return fail("parameter/too-large", { name: "values", got: `${values}`, limit: "what the field allows" })
  }
  return best.protocol
}

function ofField(options: {
  readonly values: number
  readonly field: number
  readonly odds: Rational
}): ProjectiveProtocol | undefined {
  const { values, field, odds } = options
  let dimension = 2
  while (pointCount(field, dimension) < values) dimension += 1
  const points = pointCount(field, dimension)
  if (points > Math.min(pointsMax, 16 * values + 2 ** 12)) return undefined
  const orthogonal = pointCount(field, dimension - 1)
  const inside = multiply(odds, rational(BigInt(orthogonal)))
  return {
    kind: "projective",
    values,
    field,
    dimension,
    inside: thresholdDown(divide(inside, add(inside, rational(BigInt(points - orthogonal))))),
  }
}

function spreadOf(protocol: ProjectiveProtocol): number {
  const { p, q } = projectiveSupport(protocol)
  const [hit, chance] = [numberNear(p), numberNear(q)]
  return hit > chance ? (chance * (1 - chance)) / (hit - chance) ** 2 : Infinity
}

/** (q^t - 1) / (q - 1): how many points a space of this dimension has. */
export function pointCount(field: number, dimension: number): number {
  let count = 0
  for (let i = 0; i < dimension; i += 1) count = count * field + 1
  return count
}

/**
 * Randomizes one answer: a point, as its number.
 *
 * Guarantee: between any two answers, the probabilities of a report differ by a factor of projectiveRatio at
 *   most.
 * Needs: 0 <= answer < values (checked here).
 * Proof: let the answer x have its leading 1 at place l, and let the report's other coordinates be uniform,
 *   not all 0 where the product is to be 0. Coordinate l then follows from the product <x, u>, which is 0
 *   inside and uniform on the others outside. So u is uniform on the vectors with that property, each point
 *   has as many of them as any other, and its probability is inside / c or (1 - inside) / (K - c).
 * Numerics: exact draws, which do not depend on the answer; coordinates are placed by arithmetic.
 * Source: Feldman, Nelson, Nguyen, Talwar 2022.
 */
export function releaseProjective(protocol: ProjectiveProtocol, answer: number, draws: Draws): number {
  checkCategory(answer, protocol.values)
  const { dimension } = protocol
  const field = fieldOf(protocol.field)
  const point = pointOf(protocol, answer)
  const within = draws.coin(protocol.inside)
  const others = digits(draws.below(field.size ** (dimension - 1) - within) + within, field.size, dimension)
  const product = (1 - within) * (1 + draws.below(field.size - 1))
  // Before its leading 1 a point has zeros only.
  let leading = 0
  let before = 1
  for (const coordinate of point) {
    before *= isEqual(coordinate, 0)
    leading += before
  }
  const report = Array.from({ length: dimension }, (_, i) =>
    choose(isBelow(i, leading), others[i + 1] ?? 0, others[i] ?? 0),
  )
  let sum = product
  for (let i = 0; i < dimension; i += 1) {
    const used = (1 - isEqual(i, leading)) * (report[i] ?? 0)
    sum = field.subtract(sum, field.times(point[i] ?? 0, used))
  }
  return pointNumber(
    field,
    report.map((coordinate, i) => choose(isEqual(i, leading), sum, coordinate)),
  )
}

/** The point of a number: a 1, preceded by zeros and followed by digits. */
export function pointOf(
  protocol: { readonly field: number; readonly dimension: number },
  number: number,
): number[] {
  const { field, dimension } = protocol
  const point = new Array<number>(dimension).fill(0)
  // Numbers from (q^j - 1) / (q - 1) on, q^j of them, have j digits after their leading 1.
  for (let after = 0; after < dimension; after += 1) {
    const first = pointCount(field, after)
    const isHere = isBelow(number, first + field ** after) * (1 - isBelow(number, first))
    const place = dimension - 1 - after
    point[place] = (point[place] ?? 0) + isHere
    const rest = digits((number - first) * isHere, field, dimension)
    for (let i = place + 1; i < dimension; i += 1) point[i] = (point[i] ?? 0) + (rest[i] ?? 0)
  }
  return point
}

/** The number of the point through a vector other than 0. */
function pointNumber(field: Field, vector: readonly number[]): number {
  const leading = vector.findIndex((coordinate) => coordinate !== 0)
  const scale = inverse(field, vector[leading] ?? 1)
  let rest = 0
  for (const coordinate of vector.slice(leading + 1))
    rest = rest * field.size + field.times(scale, coordinate)
  return pointCount(field.size, vector.length - 1 - leading) + rest
}

/** a^(q - 2). */
function inverse(field: Field, a: number): number {
  let result = 1
  for (let i = 0; i < field.size - 2; i += 1) result = field.times(result, a)
  return result
}

/** A number in base `base`, the most significant digit first. */
function digits(number: number, base: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => Math.floor(number / base ** (count - 1 - i)) % base)
}

/** The largest ratio of two probabilities of one report: inside (K - c) / ((1 - inside) c). */
export function projectiveRatio({ field, dimension, inside }: ProjectiveProtocol): Rational {
  const [points, orthogonal] = [pointCount(field, dimension), pointCount(field, dimension - 1)]
  const odds = rational(BigInt(inside), BigInt(whole - inside))
  return multiply(odds, rational(BigInt(points - orthogonal), BigInt(orthogonal)))
}

/** A report stands for the points orthogonal to it; two points have (q^(t-2) - 1) / (q - 1) in common. */
export function projectiveSupport({ field, dimension, inside }: ProjectiveProtocol): Support {
  const count = (t: number): Rational => rational(BigInt(pointCount(field, t)))
  const p = probabilityOf(inside)
  const shared = count(dimension - 2)
  const within = divide(multiply(p, shared), count(dimension - 1))
  const outside = rational(BigInt(whole - inside), BigInt(whole))
  const rest = rational(BigInt(pointCount(field, dimension - 1) - pointCount(field, dimension - 2)))
  const others = rational(BigInt(pointCount(field, dimension) - pointCount(field, dimension - 1)))
  return { p, q: add(within, divide(multiply(outside, rest), others)) }
}
