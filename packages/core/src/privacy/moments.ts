// How many values a group has, their sum and the sum of their squares, as one vector of integers that a unit
// moves by little: so that the whole loss goes to every coordinate, and nothing is split between them.

import { assert } from "../errors/assert.ts"
import { fail } from "../errors/errors.ts"
import { wholeNumber, type Numeric } from "../exact/decimal.ts"
import { rational, type Rational } from "../exact/rational.ts"
import type { Sensitivity } from "./sensitivity.ts"
import type { Neighbours } from "./unit.ts"

/**
 * Which coordinates are taken. With t = (x - lower) / (upper - lower) in [0, 1] a value adds
 *
 * - pair: (t, 1 - t);
 * - tilted: (8 t - 4, 3), for Gaussian noise: less of it in a mean, more in the number of values;
 * - triple: (t^2, 2 t (1 - t), (1 - t)^2);
 * - nodes: the three quadratics that are 1 at one of 0, 1/2 and 1 and 0 at the others, for Gaussian noise.
 */
export type MomentBasis = "pair" | "tilted" | "triple" | "nodes"

interface BasisFacts {
  readonly degree: 1 | 2
  /** The norm that `size` bounds for one value; the L2 norm is never larger than the L1 norm. */
  readonly norm: "L1" | "L2"
  readonly size: bigint
  /** Coordinates from the moments 1, t, t^2 of a value. */
  readonly coordinates: readonly (readonly bigint[])[]
  /** Moments from the coordinates. */
  readonly moments: readonly (readonly Rational[])[]
}

const [none, half, whole] = [rational(0n), rational(1n, 2n), rational(1n)]

const bases: Readonly<Record<MomentBasis, BasisFacts>> = {
  pair: {
    degree: 1,
    norm: "L1",
    size: 1n,
    coordinates: [
      [0n, 1n],
      [1n, -1n],
    ],
    moments: [
      [whole, whole],
      [whole, none],
    ],
  },
  tilted: {
    degree: 1,
    norm: "L2",
    size: 5n,
    coordinates: [
      [-4n, 8n],
      [3n, 0n],
    ],
    moments: [
      [none, rational(1n, 3n)],
      [rational(1n, 8n), rational(1n, 6n)],
    ],
  },
  triple: {
    degree: 2,
    norm: "L1",
    size: 1n,
    coordinates: [
      [0n, 0n, 1n],
      [0n, 2n, -2n],
      [1n, -2n, 1n],
    ],
    moments: [
      [whole, whole, whole],
      [whole, half, none],
      [whole, none, none],
    ],
  },
  nodes: {
    degree: 2,
    norm: "L2",
    size: 1n,
    coordinates: [
      [1n, -3n, 2n],
      [0n, 4n, -4n],
      [0n, -1n, 2n],
    ],
    moments: [
      [whole, whole, whole],
      [none, half, whole],
      [none, rational(1n, 4n), whole],
    ],
  },
}

/** The highest power that a basis tells: 1 for means, 2 for variances. */
export function momentDegree(basis: MomentBasis): 1 | 2 {
  return bases[basis].degree
}

/** The norm in which a unit's change is bounded: Laplace noise needs L1. */
export function momentNorm(basis: MomentBasis): "L1" | "L2" {
  return bases[basis].norm
}

/** What one unit may add to the moments of its groups. */
export interface MomentBounds {
  readonly basis: MomentBasis
  /** upper - lower, in steps. */
  readonly width: Numeric
  readonly groupsPerUnit: Numeric
  readonly rowsPerGroup: Numeric
  readonly neighbours: Neighbours
}

/**
 * The sensitivity of the coordinates of all groups together.
 *
 * Guarantee: a unit's change has, in the norm of the basis, no more than one coordinate of `amount` in each
 *   of so many groups; Laplace noise (L1) and Gaussian noise (either norm) lose no more on it than on that.
 * Needs: in each of at most k groups the unit adds (n, s, q), n <= r, with 0 <= s <= W n, and for degree 2
 *   the three coordinates of `triple` at least 0; for `nodes`, (n, s, q) = sum of (1, x, x^2) over n values
 *   x in [0, W]. (The verifier of a plan.) Neighbours are added or removed, unless the basis is pair or
 *   triple.
 * Proof: coordinates of one value have a norm of at most `size`, and several coordinates that move lose no
 *   more than one that moves by the sum: moments.proof.md.
 * Numerics: integers.
 * Source: Kulesza, Suresh, Wang 2024, for the pair; Dong, Roth, Su 2022, lemma A.5, for the curves; Fejér
 *   1932 for the nodes.
 */
export function momentSensitivity(bounds: MomentBounds): Sensitivity {
  const { neighbours } = bounds
  const { degree, norm, size } = bases[bounds.basis]
  const groups = wholeNumber(bounds.groupsPerUnit, "groups per unit")
  const rows = wholeNumber(bounds.rowsPerGroup, "rows per group")
  const width = wholeNumber(bounds.width, "the width")
  if (neighbours === "replace" && norm !== "L1") {
    return fail("privacy/no-such-loss", { mechanism: bounds.basis, measure: neighbours })
  }
  const amount = size * rows * width ** BigInt(degree)
  return { neighbours, patterns: [[{ groups: neighbours === "replace" ? 2n * groups : groups, amount }]] }
}

/** The coordinates, times width^degree: integers, from the sums of 1, x - lower and its square in steps. */
export function momentCoordinates(
  basis: MomentBasis,
  width: bigint,
  sums: readonly bigint[],
): readonly bigint[] {
  const { degree, coordinates } = bases[basis]
  assert(sums.length === degree + 1, "a basis has a sum for each power")
  return coordinates.map((row) =>
    row.reduce(
      (sum, factor, power) => sum + factor * width ** BigInt(degree - power) * (sums[power] ?? 0n),
      0n,
    ),
  )
}

/** For each power, what the coordinates (as momentCoordinates gives them) count for in its sum. */
export function momentFactors(basis: MomentBasis, width: bigint): readonly (readonly Rational[])[] {
  const { degree, moments } = bases[basis]
  return moments.map((row, power) =>
    row.map(({ numerator, denominator }) =>
      rational(numerator, denominator * width ** BigInt(degree - power)),
    ),
  )
}
