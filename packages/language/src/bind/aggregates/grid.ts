// The steps in which values are added up: whole numbers, the last digit of a decimal, the owner's grid, or a
// millionth part of the range.

import {
  ceil,
  compare,
  divide,
  floor,
  multiply,
  rational,
  subtract,
  type Rational,
} from "@dosimeter/core/exact"
import type { Domain, Range } from "@dosimeter/proof/catalog/domain"

/** A grid, and the least and greatest step on it. */
export interface Grid {
  readonly grid: Rational
  readonly lower: bigint
  readonly upper: bigint
}

/** Steps stay below this in size. */
const stepsMax = 1n << 62n

/**
 * Floats without a grid get at least this many steps between their bounds, in the private and in other
 * zones.
 */
export const floatSteps = { coarse: 20n, fine: 40n } as const

/** The range of a domain, if the owner or the query set both ends. */
export function declaredRange({ range }: Domain): Range | undefined {
  return range !== undefined && range.min.declared && range.max.declared ? range : undefined
}

/**
 * The grid of a number. Nothing if it has no declared range, and "too-wide" if the steps would be too many.
 * Every value on the grid between the bounds is a step between `lower` and `upper`.
 */
export function gridOf(domain: Domain, bits: bigint = floatSteps.coarse): Grid | "too-wide" | undefined {
  const range = declaredRange(domain)
  if (range === undefined) return undefined
  const grid = stepOf(domain, range, bits)
  const lower = floor(divide(range.min.value, grid))
  const upper = ceil(divide(range.max.value, grid))
  return lower <= -stepsMax || upper >= stepsMax ? "too-wide" : { grid, lower, upper }
}

/** More steps than this have squares that are too wide. */
const momentStepsMax = 1n << 30n

/** The grid of what is averaged: a coarser one where there are very many steps, and at least one step. */
export function momentGrid({ grid, lower, upper }: Grid): Grid {
  if (upper === lower) return { grid, lower, upper: upper + 1n }
  let factor = 1n
  while ((upper - lower) / factor > momentStepsMax - 2n) factor *= 2n
  const coarse = (step: bigint): Rational => rational(step, factor)
  return {
    grid: multiply(grid, rational(factor)),
    lower: floor(coarse(lower)),
    upper: ceil(coarse(upper)),
  }
}

function stepOf({ type, grid }: Domain, { min, max }: Range, bits: bigint): Rational {
  if (type.kind === "decimal") return rational(1n, 10n ** BigInt(type.scale))
  if (type.kind !== "float") return rational(1n)
  if (grid !== undefined) return grid
  const width = subtract(max.value, min.value)
  return width.numerator <= 0n ? rational(1n) : powerOfTwo(divide(width, rational(1n << bits)))
}

/** The greatest power of two that is at most a positive number. */
export function powerOfTwo(value: Rational): Rational {
  let exponent = bits(value.numerator) - bits(value.denominator)
  const at = (e: number): Rational => (e >= 0 ? rational(1n << BigInt(e)) : rational(1n, 1n << BigInt(-e)))
  while (compare(at(exponent), value) > 0) exponent -= 1
  while (compare(at(exponent + 1), value) <= 0) exponent += 1
  return at(exponent)
}

function bits(value: bigint): number {
  return value.toString(2).length
}
