// All margins of a table at once, with the least noise in total: the table is taken apart into what each set
// of attributes says by itself, each such part gets Gaussian noise of its own, and every margin is put
// together from its parts. So margins agree with each other by construction.

import { assert } from "../../errors/assert.ts"
import { fail } from "../../errors/errors.ts"
import { betweenZeroAndOne, positive, wholeNumber, type Numeric } from "../../exact/decimal.ts"
import { numberNear, numberUp, rationalOfNumber, roundDown } from "../../exact/dyadic.ts"
import {
  add,
  compare,
  divide,
  maximum,
  minimum,
  multiply,
  one,
  rational,
  subtract,
  zero,
  type Rational,
} from "../../exact/rational.ts"
import { fillRoundedGaussian, sampleRoundedGaussian } from "../../noise/rounded-gaussian.ts"
import type { Losses } from "../../privacy/loss.ts"
import type { RandomBits } from "../../random/random-bits.ts"
import { addNoise } from "../shared/add-noise.ts"
import type { TotalError } from "../shared/error.ts"
import { gaussianHalfWidth } from "../shared/gaussian-width.ts"
import { coefficientLengths, coefficientsOf } from "./margin-coefficients.ts"
import { partChange, productOf, sizeAt, tableChange, type CountedTable } from "./margin-parts.ts"

/** Noise on the parts of a table of sums, and what one unit may add to the table. */
export interface MarginsSpec extends CountedTable {
  readonly kind: "margins"
  /** What is released. With a part come all parts of fewer of its attributes. */
  readonly parts: readonly MarginPart[]
}

/** One part: some attributes, in order, and the noise of their comparisons. */
export interface MarginPart {
  readonly attributes: readonly number[]
  /** The noise of a comparison has this variance times the square of the comparison's length. */
  readonly variance: Rational
}

/**
 * A margin: sums by some attributes over all others; its weight, 1 unless given, says how much it matters.
 */
export interface WantedMargin {
  readonly attributes: readonly number[]
  readonly weight?: Numeric
}

/** Tables with more cells are refused. */
const cellsMax = 1n << 24n

/** More parts are refused. */
const partsMax = 8192

/**
 * The least noise, in total, for the wanted margins at a loss of mu^2: of all cells of all margins the
 * variances are added up, times the margins' weights.
 *
 * With w_A what a unit changes of part A (partChange) and V_A what its variance s_A is worth in all wanted
 * cells, the sum of V_A s_A is least, given that the sum of w_A / s_A is mu^2, for s_A in proportion to
 * sqrt(w_A / V_A) (Lagrange). Where a unit is in several cells, equal noise on all cells may be better; the
 * better of the two is taken.
 */
export function margins(
  options: Omit<CountedTable, "sizes" | "groupsPerUnit" | "lower" | "upper"> & {
    readonly sizes: readonly Numeric[]
    readonly groupsPerUnit: Numeric
    readonly lower: bigint
    readonly upper: bigint
    readonly wanted: readonly WantedMargin[]
    readonly muSquared: Numeric
  },
): MarginsSpec {
  const { lower, upper, neighbours } = options
  const sizes = options.sizes.map((size, index) => wholeNumber(size, `the size of attribute ${index}`))
  const groupsPerUnit = wholeNumber(options.groupsPerUnit, "groups per unit")
  const muSquared = positive(options.muSquared, "mu squared")
  if (productOf(sizes) > cellsMax) {
    fail("parameter/too-large", { name: "cells", got: `${productOf(sizes)}`, limit: `${cellsMax}` })
  }
  const table: CountedTable = { sizes, groupsPerUnit, lower, upper, neighbours }
  const parts = partsOf(sizes, options.wanted)
  const worth = parts.map(({ attributes, value }) => ({
    attributes,
    value,
    change: partChange(table, attributes),
    others: rational(productOf(sizes.filter((_, axis) => !attributes.includes(axis)))),
  }))
  // A precision is 1 / variance, in few bits: so losses are short fractions.
  const proposed = worth.map(({ value, change }) =>
    rationalOfNumber(Math.sqrt(numberNear(divide(value, change)))),
  )
  const cost = worth.map(({ change }, index) => multiply(change, proposed[index] ?? one)).reduce(add, zero)
  const byPart = proposed.map((precision) => multiply(precision, divide(muSquared, cost)))
  const perCell = divide(muSquared, rational(tableChange(table)))
  const alike = worth.map(({ others }) => divide(perCell, others))
  const total = (precisions: readonly Rational[]): Rational =>
    worth.map(({ value }, index) => divide(value, precisions[index] ?? one)).reduce(add, zero)
  const best = compare(total(alike), total(byPart)) < 0 ? alike : byPart
  return {
    kind: "margins",
    ...table,
    parts: worth.map(({ attributes }, index) => ({
      attributes,
      variance: divide(one, roundDown(best[index] ?? one, precisionBits)),
    })),
  }
}

const precisionBits = 32

/** The parts that margins are made of, and what the variance of each is worth in them. */
function partsOf(
  sizes: readonly bigint[],
  wanted: readonly WantedMargin[],
): readonly { readonly attributes: readonly number[]; readonly value: Rational }[] {
  if (wanted.length === 0) fail("parameter/empty", { name: "wanted margins" })
  const found = new Map<string, { readonly attributes: readonly number[]; readonly value: Rational }>()
  for (const { attributes, weight } of wanted) {
    const inTable = attributes.every((one) => Number.isInteger(one) && one >= 0 && one < sizes.length)
    if (!inTable || new Set(attributes).size !== attributes.length) {
      const range = `different numbers from 0 to ${sizes.length - 1}`
      fail("parameter/out-of-range", {
        name: "the attributes of a margin",
        got: attributes.join(", "),
        range,
      })
    }
    const times = weight === undefined ? one : positive(weight, "the weight of a margin")
    const cells = rational(productOf(attributes.map((attribute) => sizeAt(sizes, attribute))))
    for (const { subset, factor } of shares(sizes, attributes)) {
      const key = subset.join()
      const before = found.get(key)?.value ?? zero
      found.set(key, { attributes: subset, value: add(before, multiply(times, multiply(cells, factor))) })
      if (found.size > partsMax) {
        fail("parameter/too-large", { name: "parts", got: `${found.size}`, limit: `${partsMax}` })
      }
    }
  }
  return [...found.values()]
}

/**
 * The subsets A of a margin's attributes, and what a cell's variance takes of the variance of each part: the
 * product over A of (1 - 1/c), times the product over the others of 1/c^2. An attribute of one value has no
 * comparisons.
 */
function shares(
  sizes: readonly bigint[],
  attributes: readonly number[],
): readonly { readonly subset: readonly number[]; readonly factor: Rational }[] {
  let list: readonly { readonly subset: readonly number[]; readonly factor: Rational }[] = [
    { subset: [], factor: one },
  ]
  for (const attribute of attributes.toSorted((a, b) => a - b)) {
    const size = sizeAt(sizes, attribute)
    if (size === 1n) continue
    list = list.flatMap(({ subset, factor }) => [
      { subset, factor: multiply(factor, rational(1n, size * size)) },
      { subset: [...subset, attribute], factor: multiply(factor, rational(size - 1n, size)) },
    ])
  }
  return list
}

/**
 * Draws the noise: for each part its comparisons, each plus noise.
 *
 * Guarantee: the loss is marginsLoss(spec).
 * Needs: `cells` is the whole table, row-major, and neighbours change it by no more than the spec's bounds
 *   say.
 * Proof: comparisons are integers y = H x; y + round(Z) = round(y + Z) is a post-processing of the Gaussian
 *   mechanism on H x with independent noise of variance s |h|^2 on each comparison h.
 * Numerics: integers plus exact integer noise; nothing else is rounded.
 * Source: Xiao, He, Zhang, Kifer 2023, with another basis of the same spaces.
 */
export function releaseMargins(
  spec: MarginsSpec,
  cells: readonly bigint[],
  rng: RandomBits,
): readonly (readonly bigint[])[] {
  const measured = marginComparisons(spec, cells)
  return spec.parts.map(({ attributes, variance }, part) => {
    const exact = measured[part] ?? []
    const lengths = coefficientLengths(spec.sizes, attributes)
    assert(exact.length === lengths.length, "every comparison has a length")
    const noisy = Array<bigint>(exact.length)
    // Comparisons of equal length are drawn together.
    const places = new Map<bigint, number[]>()
    for (const [place, length] of lengths.entries()) {
      const own = places.get(length)
      if (own === undefined) places.set(length, [place])
      else own.push(place)
    }
    for (const [length, own] of places) {
      const wide = multiply(variance, rational(length))
      const drawn = addNoise(
        own.map((place) => exact[place] ?? 0n),
        {
          scale: Math.sqrt(numberNear(wide)),
          fill: (out) => fillRoundedGaussian(out, wide, rng),
          sample: () => sampleRoundedGaussian(wide, rng),
        },
      )
      for (const [index, place] of own.entries()) noisy[place] = drawn[index] ?? 0n
    }
    return noisy
  })
}

/** The exact comparisons of each part: what gets noise. */
export function marginComparisons(
  spec: MarginsSpec,
  cells: readonly bigint[],
): readonly (readonly bigint[])[] {
  assert(BigInt(cells.length) === productOf(spec.sizes), "margins are of a whole table")
  return spec.parts.map(({ attributes }) => coefficientsOf(spec.sizes, cells, attributes))
}

/**
 * What a release of margins loses.
 *
 * Guarantee: mu-GDP and rho-zCDP with mu^2 = 2 rho = the lesser of (1) the sum over parts of partChange / s,
 *   and (2) the greatest r / s, r the product of the sizes outside of the part, times tableChange.
 * Needs: as releaseMargins; every part is listed once (checked by the constructor and by whoever verifies).
 * Proof: in units of noise the square of a change d is the sum over parts of d' P d / s, P a multiple of a
 *   projection, and these are orthogonal to each other: margins.proof.md.
 * Numerics: exact fractions.
 * Source: Xiao, He, Zhang, Kifer 2023, theorem 4; Bun and Steinke 2016; Dong, Roth, Su 2022.
 */
export function marginsLoss(spec: MarginsSpec): Losses {
  const byPart = spec.parts
    .map(({ attributes, variance }) => divide(partChange(spec, attributes), variance))
    .reduce(add, zero)
  const stretch = spec.parts
    .map(({ attributes, variance }) => {
      const others = productOf(spec.sizes.filter((_, axis) => !attributes.includes(axis)))
      return divide(rational(others), variance)
    })
    .reduce(maximum, zero)
  const muSquared = minimum(byPart, multiply(stretch, rational(tableChange(spec))))
  return {
    zcdp: { measure: "zcdp", rho: divide(muSquared, rational(2n)), delta: zero },
    gdp: { measure: "gdp", muSquared, delta: zero },
  }
}

/** The variance of the noise of each comparison of a part, in the order in which they are released. */
export function marginPartVariances(
  sizes: readonly bigint[],
  { attributes, variance }: MarginPart,
): readonly Rational[] {
  const known = new Map<bigint, Rational>()
  return coefficientLengths(sizes, attributes).map((length) => {
    const wide = known.get(length) ?? multiply(variance, rational(length))
    known.set(length, wide)
    return wide
  })
}

/** The variance of a cell of a margin, before comparisons are rounded: the same for all of its cells. */
export function marginVariance(spec: MarginsSpec, attributes: readonly number[]): Rational {
  const variances = new Map(spec.parts.map((part) => [part.attributes.join(), part.variance]))
  return shares(spec.sizes, attributes)
    .map(({ subset, factor }) => {
      const variance = variances.get(subset.join())
      assert(variance !== undefined, "a margin has all its parts")
      return multiply(factor, variance)
    })
    .reduce(add, zero)
}

/**
 * The error of a cell, in the margin whose cells have most: all margins that the parts give are looked at.
 */
export function marginsError(spec: MarginsSpec, miss: Rational): TotalError {
  const variance = spec.parts.map(({ attributes }) => marginVariance(spec, attributes)).reduce(maximum, zero)
  return errorOfVariance(variance, miss)
}

/** The error of a cell of one margin. */
export function marginError(
  spec: MarginsSpec,
  attributes: readonly number[],
  confidence: Numeric,
): TotalError {
  const sure = betweenZeroAndOne(confidence, "confidence")
  return errorOfVariance(marginVariance(spec, attributes), subtract(one, sure))
}

/**
 * With probability at least 1 - miss a cell is within the half-width of the truth. Its unrounded noise Z is
 * normal, and |Z| <= r + 1/2 for the r of gaussianHalfWidth. Rounding moves each comparison by at most 1/2,
 * and a cell by at most 1/2: it takes f(c) = 1 / (half * whole) + f(half) of the comparisons of an attribute
 * and 1/c of the sum, half being the side of a list that it is in, and f(c) + 1/c <= 1 by induction: with b
 * places on the other side, 1 / (half * whole) + 1 / whole + 1 - 1 / half = 1 - (b - 1) / (half * whole).
 * Attributes multiply.
 */
function errorOfVariance(variance: Rational, miss: Rational): TotalError {
  return {
    kind: "total",
    halfWidth: gaussianHalfWidth(variance, miss) + 1n,
    standardDeviation: Math.sqrt(numberUp(variance) + 1 / 12),
  }
}
